// Splits changed words of storage by variable: old and new value of each one that changed.

import type { SolidityType } from '../../api/contractDeclarations.ts';
import type { VariableChange } from '../../api/stateChanges.ts';
import { bytesToHex } from '../../base/hex.ts';
import type { StorageWrite } from '../trace/trace.ts';
import type { SlotNames, SlotVariable } from './slotNames.ts';
import {
  extract,
  formatStored,
  getTextLength,
  getType,
  isValueType,
  type ReadSlot,
  readText,
  toWordBytes,
} from './storageValues.ts';

/** A word before and after; both are the same where it was only read or written again. */
export type WordChange = Pick<StorageWrite, 'slot' | 'oldValue' | 'newValue'>;

const WORD_BYTES = 32n;
const toHex = (word: bigint): string => bytesToHex(toWordBytes(word));

/** A word whose variable is not known. */
export const toWordChange = ({ slot, oldValue, newValue }: WordChange): VariableChange => ({
  path: [],
  type: 'bytes32',
  oldValue: toHex(oldValue),
  newValue: toHex(newValue),
  slots: [slot],
});

/**
 * In the order of `words`, one after the other, as finding a name takes time. `slots` of a change is complete when the last one
 * has been read. `readUnchanged`: what other slots hold, before and after.
 */
export function* listVariableChanges(
  types: readonly SolidityType[],
  names: SlotNames,
  words: readonly WordChange[],
  readUnchanged: ReadSlot = () => undefined,
): Generator<VariableChange> {
  const known = new Map(words.map(word => [word.slot, word]));
  const reader: Reader = {
    types,
    readOld: slot => known.get(slot)?.oldValue ?? readUnchanged(slot),
    readNew: slot => known.get(slot)?.newValue ?? readUnchanged(slot),
    texts: new Map(),
  };
  for (const word of words) {
    if (word.oldValue === word.newValue) continue;
    const variables = names.find(word.slot);
    if (hasUnnamedChange(types, variables, word)) yield toWordChange(word);
    for (const variable of variables) {
      const change = describeVariable(reader, variable, word);
      if (change !== null) yield change;
    }
  }
}

/** Whether bytes changed that belong to no variable. */
function hasUnnamedChange(
  types: readonly SolidityType[],
  variables: readonly SlotVariable[],
  word: WordChange,
): boolean {
  let rest = word.oldValue ^ word.newValue;
  for (const { type, offset } of variables) {
    const { bytes } = getType(types, type);
    rest &= ~(((1n << BigInt(8 * bytes)) - 1n) << BigInt(8 * offset));
  }
  return rest !== 0n;
}

interface Reader {
  readonly types: readonly SolidityType[];
  readonly readOld: ReadSlot;
  readonly readNew: ReadSlot;
  /** Slots of a string by its own slot, which was described as a whole. */
  readonly texts: Map<bigint, bigint[]>;
}

function describeVariable(reader: Reader, variable: SlotVariable, word: WordChange): VariableChange | null {
  const { types } = reader;
  const type = getType(types, variable.type);
  const { path, part } = variable;
  if (type.kind === 'string' || type.kind === 'bytes') return describeText(reader, variable, word);
  if (part === 'length') {
    const [oldValue, newValue] = [word.oldValue.toString(), word.newValue.toString()];
    return { path, type: 'uint256', oldValue, newValue, slots: [word.slot] };
  }
  const [before, after] = [word.oldValue, word.newValue].map(value => extract(value, variable.offset, type.bytes));
  if (before === undefined || after === undefined || before === after || !isValueType(type)) return null;
  const [oldValue, newValue] = [before, after].map(value => formatStored(types, variable.type, value));
  return { path, type: type.text, oldValue: oldValue ?? '', newValue: newValue ?? '', slots: [word.slot] };
}

/** How many bytes behind `from` a word of data has of a text; all where the slot of the text, which has its length, is not known. */
function countDataBytes(head: bigint | undefined, from: bigint): number {
  if (head === undefined) return Number(WORD_BYTES);
  const { length, isLong } = getTextLength(head);
  const rest = isLong && length > from ? length - from : 0n;
  return Number(rest < WORD_BYTES ? rest : WORD_BYTES);
}

/** A string or bytes: one change for all of its words, where they are known. */
function describeText(reader: Reader, variable: SlotVariable, word: WordChange): VariableChange | null {
  const { slot: head, path, part } = variable;
  const type = getType(reader.types, variable.type);
  const slots = reader.texts.get(head);
  if (slots !== undefined) {
    slots.push(word.slot);
    return null;
  }
  const kind = type.kind === 'bytes' ? 'bytes' : 'string';
  const [oldValue, newValue] = [readText(kind, head, reader.readOld), readText(kind, head, reader.readNew)];
  if (oldValue !== null && newValue !== null) {
    const all = [word.slot];
    reader.texts.set(head, all);
    return { path, type: type.text, oldValue, newValue, slots: all };
  }
  if (typeof part === 'object') {
    const from = part.data * WORD_BYTES;
    const counts = [reader.readOld(head), reader.readNew(head)].map(value => countDataBytes(value, from));
    const [oldBytes, newBytes] = [word.oldValue, word.newValue].map((value, i) =>
      bytesToHex(toWordBytes(value).subarray(0, counts[i])),
    );
    return {
      path,
      type: type.text,
      oldValue: oldBytes ?? '',
      newValue: newBytes ?? '',
      slots: [word.slot],
      bytes: { from, to: from + BigInt(Math.max(...counts)) },
    };
  }
  const lengths = [word.oldValue, word.newValue].map(value => getTextLength(value).length.toString());
  const [before = '', after = ''] = lengths;
  const name = { kind: 'name', name: 'length' } as const;
  return { path: [...path, name], type: 'uint256', oldValue: before, newValue: after, slots: [word.slot] };
}
