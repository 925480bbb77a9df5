// Decodes logs, calls and reverts with the known ABIs: one result, several candidates, or none.
import { type Hex, hexToBytes, isHex } from '../base/hex.ts';
import { type AbiItem, getAbiFields } from './abiItem.ts';
import type { AbiCandidates, AbiRegistry } from './abiRegistry.ts';
import { type DecodedValue, decodeTopic, decodeValues } from './decodeValues.ts';

/** One way to decode the data. */
export interface DecodedItem {
  readonly item: AbiItem;
  /** In the order of the declaration. */
  readonly values: readonly DecodedValue[];
  /** Declared by a file of the workspace; otherwise a bundled well-known signature. */
  readonly isFromWorkspace: boolean;
}

/** More than one item is ambiguous; none means that the signature is unknown. */
export type DecodedItems = readonly DecodedItem[];

const NONE: DecodedItems = [];

const parseBytes = (hex: string): Uint8Array | null =>
  isHex(hex) && hex.length % 2 === 0 ? hexToBytes(hex as Hex) : null;

/** Items of the workspace; if there are none, bundled ones. Items with the same values are one. */
function decodeCandidates(
  { workspace, bundled }: AbiCandidates,
  decode: (item: AbiItem) => readonly DecodedValue[] | null,
): DecodedItems {
  for (const [candidates, isFromWorkspace] of [
    [workspace, true],
    [bundled, false],
  ] as const) {
    const items = new Map<string, DecodedItem>();
    for (const item of candidates) {
      const values = decode(item);
      if (values === null) continue;
      const key = `${item.name} ${JSON.stringify(values)}`;
      if (!items.has(key)) items.set(key, { item, values, isFromWorkspace });
    }
    if (items.size > 0) return [...items.values()];
  }
  return NONE;
}

function decodeLogValues(
  item: AbiItem,
  topics: readonly Uint8Array[],
  data: Uint8Array,
): readonly DecodedValue[] | null {
  const fields = getAbiFields(item);
  const indexed = item.inputs.map(input => input.indexed === true);
  const own = item.isAnonymous ? topics : topics.slice(1);
  if (indexed.filter(Boolean).length !== own.length) return null;
  const rest = decodeValues(
    fields.filter((_, index) => !indexed[index]),
    data,
  );
  if (rest === null) return null;
  let topic = 0;
  let other = 0;
  const values: DecodedValue[] = [];
  for (const [index, field] of fields.entries()) {
    const value = indexed[index] ? decodeTopic(field, own[topic++] ?? new Uint8Array()) : rest[other++];
    if (value === undefined || value === null) return null;
    values.push(value);
  }
  return values;
}

export interface EncodedLog {
  /** At most four, each 32 bytes. */
  readonly topics: readonly string[];
  readonly data: string;
}

/** Decodes a log. One without topics is matched against the anonymous events of the workspace. */
export function decodeEventLog(registry: AbiRegistry, { topics, data }: EncodedLog): DecodedItems {
  const words = topics.map(parseBytes);
  const bytes = parseBytes(data);
  if (bytes === null || words.some(word => word?.length !== 32)) return NONE;
  const topicBytes = words as Uint8Array[]; // none of them is null: checked above
  const [topic0] = topics;
  const named =
    topic0 === undefined
      ? NONE
      : decodeCandidates(registry.events(topic0), item => decodeLogValues(item, topicBytes, bytes));
  if (named.length > 0) return named;
  return decodeCandidates({ workspace: registry.anonymousEvents(), bundled: [] }, item =>
    decodeLogValues(item, topicBytes, bytes),
  );
}

function decodeArguments(candidates: AbiCandidates, data: Uint8Array): DecodedItems {
  const values = data.subarray(4);
  return decodeCandidates(candidates, item => decodeValues(getAbiFields(item), values));
}

/** Decodes the input of a transaction or call: four bytes of selector, then the arguments. */
export function decodeFunctionData(registry: AbiRegistry, input: string): DecodedItems {
  const bytes = parseBytes(input);
  return bytes === null || bytes.length < 4 ? NONE : decodeArguments(registry.functions(input.slice(0, 10)), bytes);
}

/**
 * Functions whose arguments match the input, those of the workspace first. The selector alone is not enough: data that
 * starts with zeros would be a call of the function with the selector 0x00000000.
 */
export function findMatchingFunctions(registry: AbiRegistry, input: string): readonly AbiItem[] {
  const { workspace, bundled } = registry.functions(input.slice(0, 10));
  const bytes = workspace.length + bundled.length === 0 ? null : parseBytes(input);
  if (bytes === null) return [];
  const values = bytes.subarray(4);
  const fitting = (items: readonly AbiItem[]) =>
    items.filter(item => decodeValues(getAbiFields(item), values) !== null);
  return [...fitting(workspace), ...fitting(bundled)];
}

/** Decodes the output of a reverted call: `Error(string)`, `Panic(uint256)` and custom errors. */
export function decodeErrorResult(registry: AbiRegistry, output: string): DecodedItems {
  const bytes = parseBytes(output);
  return bytes === null || bytes.length < 4 ? NONE : decodeArguments(registry.errors(output.slice(0, 10)), bytes);
}
