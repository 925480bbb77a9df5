// What a log, a call or a revert says, by the ABIs that are known: one reading, several possible ones, or none.
import { type Hex, hexToBytes, isHex } from '../base/hex.ts';
import { type AbiItem, getAbiFields } from './abiItem.ts';
import type { AbiCandidates, AbiRegistry } from './abiRegistry.ts';
import { type DecodedValue, decodeTopic, decodeValues } from './decodeValues.ts';

/** One possible reading. */
export interface DecodedItem {
  readonly item: AbiItem;
  /** In the order of the declaration. */
  readonly values: readonly DecodedValue[];
  /** Declared by a file of the workspace; otherwise it is a bundled well-known signature. */
  readonly isFromWorkspace: boolean;
}

/** More than one reading is ambiguous: whoever shows it says so. None: unknown, only the raw data is certain. */
export type DecodedItems = readonly DecodedItem[];

const NONE: DecodedItems = [];

const bytesOf = (hex: string): Uint8Array | null =>
  isHex(hex) && hex.length % 2 === 0 ? hexToBytes(hex as Hex) : null;

/** The workspace's readings; only where there are none, the bundled ones. Readings with the same values count once. */
function pick(
  { workspace, bundled }: AbiCandidates,
  read: (item: AbiItem) => readonly DecodedValue[] | null,
): DecodedItems {
  for (const [items, fromWorkspace] of [
    [workspace, true],
    [bundled, false],
  ] as const) {
    const readings = new Map<string, DecodedItem>();
    for (const item of items) {
      const values = read(item);
      if (values === null) continue;
      const key = `${item.name} ${JSON.stringify(values)}`;
      if (!readings.has(key)) readings.set(key, { item, values, isFromWorkspace: fromWorkspace });
    }
    if (readings.size > 0) return [...readings.values()];
  }
  return NONE;
}

function readLog(item: AbiItem, topics: readonly Uint8Array[], data: Uint8Array): readonly DecodedValue[] | null {
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

/** Readings of a log. A log without topics is looked for among the anonymous events of the workspace. */
export function decodeEventLog(book: AbiRegistry, { topics, data }: EncodedLog): DecodedItems {
  const words = topics.map(bytesOf);
  const bytes = bytesOf(data);
  if (bytes === null || words.some(word => word?.length !== 32)) return NONE;
  const whole = words as Uint8Array[]; // none of them is null: checked above
  const [topic0] = topics;
  const named = topic0 === undefined ? NONE : pick(book.events(topic0), item => readLog(item, whole, bytes));
  if (named.length > 0) return named;
  return pick({ workspace: book.anonymousEvents(), bundled: [] }, item => readLog(item, whole, bytes));
}

function readingsOfData(candidates: AbiCandidates, data: Uint8Array): DecodedItems {
  const values = data.subarray(4);
  return pick(candidates, item => decodeValues(getAbiFields(item), values));
}

/** Readings of a transaction's or call's input: four bytes of selector, then the arguments. */
export function decodeFunctionData(book: AbiRegistry, input: string): DecodedItems {
  const bytes = bytesOf(input);
  return bytes === null || bytes.length < 4 ? NONE : readingsOfData(book.functions(input.slice(0, 10)), bytes);
}

/**
 * Functions whose arguments the input holds, the workspace's before the bundled ones. A selector alone is no name: data
 * that begins with zeros would be a call of whatever has the selector 0x00000000.
 */
export function findMatchingFunctions(book: AbiRegistry, input: string): readonly AbiItem[] {
  const { workspace, bundled } = book.functions(input.slice(0, 10));
  const bytes = workspace.length + bundled.length === 0 ? null : bytesOf(input);
  if (bytes === null) return [];
  const values = bytes.subarray(4);
  const fitting = (items: readonly AbiItem[]) =>
    items.filter(item => decodeValues(getAbiFields(item), values) !== null);
  return [...fitting(workspace), ...fitting(bundled)];
}

/** Readings of what a reverted call returned: `Error(string)`, `Panic(uint256)` and custom errors. */
export function decodeErrorResult(book: AbiRegistry, output: string): DecodedItems {
  const bytes = bytesOf(output);
  return bytes === null || bytes.length < 4 ? NONE : readingsOfData(book.errors(output.slice(0, 10)), bytes);
}
