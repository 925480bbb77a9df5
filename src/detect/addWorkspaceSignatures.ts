// Adds signatures from the workspace's ABIs to a literal: topics and selectors of the user's workspace contracts.

import type { Hex } from '../base/hex.ts';
import { type AbiItem, formatDeclaration } from '../decode/abiItem.ts';
import type { AbiRegistry } from '../decode/abiRegistry.ts';
import type { Signature } from '../decode/signatures/findSignatures.ts';
import type { HexLiteral } from './hexLiteral.ts';

/** Contracts that a signature names. */
const MAX_SOURCES = 3;

function formatSources(sources: readonly string[]): string {
  const rest = sources.length - MAX_SOURCES;
  return [...sources.slice(0, MAX_SOURCES), ...(rest > 0 ? [`+${rest}`] : [])].join(', ');
}

const toSignature = (item: AbiItem, registry: AbiRegistry): Signature => ({
  name: item.name,
  standard: formatSources(registry.sourcesOf(item)),
  text: formatDeclaration(item),
  canonical: item.canonical,
  hash: item.hash,
  indexedCount: item.inputs.filter(({ indexed }) => indexed).length,
});

/** The workspace's first; then bundled ones that differ from them. */
function mergeSignatures(
  workspace: readonly AbiItem[],
  bundled: readonly Signature[],
  registry: AbiRegistry,
): readonly Signature[] {
  const signatures = workspace.map(item => toSignature(item, registry));
  const workspaceKeys = new Set(signatures.map(({ canonical, indexedCount }) => `${canonical} ${indexedCount}`));
  return [
    ...signatures,
    ...bundled.filter(({ canonical, indexedCount }) => !workspaceKeys.has(`${canonical} ${indexedCount}`)),
  ];
}

/** Whether the workspace declares a function or error with this selector. */
export function isWorkspaceSelector(selector: Hex, registry: AbiRegistry): boolean {
  return registry.functions(selector).workspace.length + registry.errors(selector).workspace.length > 0;
}

/** 32 bytes that are the topic of an event in the workspace become a `topic` literal, which is not looked up. */
export function addWorkspaceSignatures(literal: HexLiteral, registry: AbiRegistry | null): HexLiteral {
  if (registry === null || registry.size === 0) return literal;
  switch (literal.kind) {
    case 'hash32': {
      const workspace = literal.secretWord === null ? registry.events(literal.hash).workspace : [];
      if (workspace.length === 0) return literal;
      const { start, end, text } = literal;
      return {
        kind: 'topic',
        start,
        end,
        text,
        topic: literal.hash,
        events: workspace.map(item => toSignature(item, registry)),
      };
    }
    case 'topic':
      return {
        ...literal,
        events: mergeSignatures(registry.events(literal.topic).workspace, literal.events, registry),
      };
    case 'selector': {
      const { selector } = literal;
      const functions = mergeSignatures(registry.functions(selector).workspace, literal.functions, registry);
      return {
        ...literal,
        functions,
        errors: mergeSignatures(registry.errors(selector).workspace, literal.errors, registry),
      };
    }
    case 'data': {
      if (literal.form !== 'calldata' && literal.form !== 'revert' && literal.form !== 'bytes') return literal;
      const selector = literal.text.slice(0, 10);
      const functions = mergeSignatures(registry.functions(selector).workspace, literal.functions, registry);
      const errors = mergeSignatures(registry.errors(selector).workspace, literal.errors, registry);
      const form = functions.length > 0 ? 'calldata' : errors.length > 0 ? 'revert' : literal.form;
      return { ...literal, form, functions, errors };
    }
    default:
      return literal;
  }
}
