// Suggested values of a parameter: the literal at the cursor, choices, saved entries, recent values.

import type { SavedEntry } from '../../addressBook/entry.ts';
import { type AnyParameter, isListKind } from '../../api/operations/parameters.ts';
import { validateParameter } from '../../api/wire/inputTexts.ts';
import { toDisplayAddress } from '../../base/displayAddress.ts';
import type { AbiItem } from '../../decode/abiItem.ts';
import { findEventSignatures } from '../../decode/signatures/findSignatures.ts';
import type { HexLiteral } from '../../detect/hexLiteral.ts';

export interface ParameterSuggestion {
  readonly value: string;
  /** Text for the value (a saved name, "true"), or the value itself. */
  readonly label: string;
  readonly description: string;
  readonly source: 'cursor' | 'choice' | 'saved' | 'event' | 'used';
}

export interface SuggestionSources {
  readonly literal: HexLiteral | null;
  readonly saved: readonly SavedEntry[];
  /** Newest first. */
  readonly recent: readonly string[];
  /** Events of the workspace and well-known ones, for parameters that take an event. */
  readonly events: readonly AbiItem[];
  /** Configured chains, for parameters that take a chain. */
  readonly chains: readonly { readonly selector: string; readonly title: string }[];
}

/** The kind of one value; of a list, that of its items. */
export function getValueKind(parameter: AnyParameter): AnyParameter['kind'] {
  return isListKind(parameter.kind) ? parameter.kind.item : parameter.kind;
}

/** The values of a closed choice; empty for every other kind. */
export function getChoices(parameter: AnyParameter): readonly string[] {
  const kind = getValueKind(parameter);
  if (kind.name === 'flag') return ['true', 'false'];
  if (kind.name !== 'choice') return [];
  const values: unknown = (kind.schema as { readonly enum?: unknown }).enum; // set by the `choice` kind
  return Array.isArray(values) ? values.filter(value => typeof value === 'string') : [];
}

/** The part of a literal that a parameter of that kind accepts. */
function cursorValue(kind: string, literal: HexLiteral): string | null {
  const address = literal.kind === 'address' || literal.kind === 'paddedAddress' ? literal.address : null;
  if (kind === 'evmAddress' || kind === 'aptosAddress' || kind === 'indexedTopic') return address;
  const hash = literal.kind === 'hash32' ? literal.hash : literal.kind === 'topic' ? literal.topic : null;
  if (kind === 'hash32' || (kind === 'eventTopic' && literal.kind === 'topic')) return hash;
  if (kind === 'aptosHash' || kind === 'blockId') {
    if (literal.kind === 'blockNumber' && kind === 'blockId') return String(literal.number);
    return literal.kind === 'hash32' ? hash : null;
  }
  if (kind === 'blockNumber' || kind === 'blockNumberText')
    return literal.kind === 'blockNumber' ? String(literal.number) : null;
  return null;
}

const ENTRY_KINDS: Readonly<Record<string, (entry: SavedEntry) => boolean>> = {
  evmAddress: ({ kind }) => kind !== 'aptos',
  indexedTopic: ({ kind }) => kind !== 'aptos',
  aptosAddress: ({ kind }) => kind === 'aptos',
};

/** In display order, without duplicates and invalid values. */
export function getSuggestions(parameter: AnyParameter, sources: SuggestionSources): readonly ParameterSuggestion[] {
  const kind = getValueKind(parameter).name;
  const offers: ParameterSuggestion[] = [];
  const atCursor = sources.literal === null ? null : cursorValue(kind, sources.literal);
  if (atCursor !== null) offers.push({ value: atCursor, label: atCursor, description: '', source: 'cursor' });
  for (const value of getChoices(parameter)) offers.push({ value, label: value, description: '', source: 'choice' });
  if (kind === 'chain')
    for (const { selector, title } of sources.chains)
      offers.push({ value: selector, label: selector, description: title === selector ? '' : title, source: 'choice' });
  if (kind === 'eventTopic')
    for (const event of sources.events)
      offers.push({ value: event.hash, label: event.canonical, description: event.source, source: 'event' });
  const fits = ENTRY_KINDS[kind];
  if (fits !== undefined)
    for (const entry of sources.saved)
      if (fits(entry)) {
        const { address, name } = entry;
        offers.push({ value: address, label: name, description: toDisplayAddress(address), source: 'saved' });
      }
  for (const value of sources.recent)
    offers.push({ value, label: toDisplayAddress(value), description: '', source: 'used' });
  const seen = new Set<string>();
  return offers.filter(({ value }) => {
    const key = value.toLowerCase();
    if (seen.has(key) || validateParameter(parameter, [value]) !== null) return false;
    seen.add(key);
    return true;
  });
}

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  date: ['2023-01-31', '2023-01-31T12:00:00Z', '1675166400'],
  blockId: ['17000000'],
  blockNumber: ['17000000', '0x1036640'],
  blockNumberText: ['17000000', '0x1036640'],
  tokenId: ['1', '0x1'],
  coinType: ['0x1::aptos_coin::AptosCoin'],
  uint64: ['150000000'],
};

export function getExamples(parameter: AnyParameter): readonly string[] {
  return EXAMPLES[getValueKind(parameter).name] ?? [];
}

const NEVER_STORED = new Set(['opaque', 'text', 'flag', 'choice', 'chain', 'integer']);
const ANY_32_BYTES = new Set(['hash32', 'eventTopic', 'indexedTopic', 'blockId']);

/**
 * Whether to store a value as recent: not cursors, messages and choices. 32 bytes may be a private key in the wrong box and are
 * never stored, except topics of well-known events.
 */
export function canBeSuggestedAgain(parameter: AnyParameter, value: string): boolean {
  const kind = getValueKind(parameter).name;
  if (NEVER_STORED.has(kind)) return false;
  return !ANY_32_BYTES.has(kind) || value.length < 64 || findEventSignatures(value).length > 0;
}
