// A function as people write it: `balanceOf(address owner) view returns (uint256)`.
import * as AbiParameters from 'ox/AbiParameters';
import { type AbiItem, parseAbiItem } from './abiItem.ts';
import type { AbiRegistry } from './abiRegistry.ts';
import { parseAbiParameters } from './abiType.ts';

const MAX_LENGTH = 4_000;
const MODIFIERS = new Set(['external', 'public', 'view', 'pure', 'payable', 'nonpayable', 'virtual']);

/** The position of the parenthesis that closes the one at `start`; -1 when there is none. */
function findClosing(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')' && --depth === 0) return i;
  }
  return -1;
}

/** Throws when the text has no parameters of known types. */
const parseParameters = (text: string): unknown => (text.trim() === '' ? [] : AbiParameters.from(text));

/** `null` when the text is not a declaration with types; a name alone is none. `source` names who declares it. */
export function parseFunctionDeclaration(text: string, source: string): AbiItem | null {
  const [head, name] = /^\s*(?:function\s+)?([\w$]+)\s*(?=\()/.exec(text.slice(0, MAX_LENGTH)) ?? [];
  if (head === undefined || text.length > MAX_LENGTH) return null;
  const end = findClosing(text, head.length);
  const tail = text.slice(end + 1).trim();
  const words = tail.endsWith(';') ? tail.slice(0, -1).trim() : tail;
  const at = words.search(/\breturns\b/);
  const modifiers = (at < 0 ? words : words.slice(0, at)).split(/\s+/).filter(word => word !== '');
  const returns = at < 0 ? null : words.slice(at + 'returns'.length).trim();
  const hasReturns = returns === null || (returns.startsWith('(') && returns.endsWith(')'));
  if (end < 0 || !hasReturns || !modifiers.every(word => MODIFIERS.has(word))) return null;
  try {
    return parseAbiItem(
      {
        type: 'function',
        name,
        inputs: parseParameters(text.slice(head.length + 1, end)),
        ...(returns !== null && { outputs: parseParameters(returns.slice(1, -1)) }),
        stateMutability: modifiers.find(word => word === 'view' || word === 'pure') ?? 'nonpayable',
      },
      source,
    );
  } catch {
    return null;
  }
}

const formatOutputs = ({ outputs = [] }: AbiItem): string =>
  (parseAbiParameters(outputs) ?? []).map(({ canonicalType }) => canonicalType).join();

/** The function as an ABI declares it: with names of results and of enums, which a declaration in words lacks. */
export function findDeclaredFunction(declared: AbiItem, registry: AbiRegistry): AbiItem {
  const { canonical, outputs = [] } = declared;
  const { workspace, bundled } = registry.functions(declared.hash.slice(0, 10));
  const isSame = (item: AbiItem) => outputs.length === 0 || formatOutputs(item) === formatOutputs(declared);
  return (
    [...workspace, ...bundled].find(
      item => item.canonical === canonical && item.outputs !== undefined && isSame(item),
    ) ?? declared
  );
}
