// The value of a state variable from the storage of a contract, as text.
import type { ContractDeclarations, ImmutableVariable } from '../../api/contractDeclarations.ts';
import type { Hex } from '../../base/hex.ts';
import { formatStateValue } from './formatStateChanges.ts';
import {
  formatStored,
  listPlaces,
  type ReadSlot,
  readStorageValue,
  type StoragePlace,
  type Types,
  toStored,
} from './storageValues.ts';

/** Strings are cut after this many slots. */
const MAX_SLOTS = 64;
const MAX_ROUNDS = 3;
const MAX_MEMBERS = 8;

/** Reads words of storage in their order. */
export type FetchWords = (slots: readonly bigint[]) => Promise<readonly bigint[]>;

/** A value as storage has it, as people read it. */
export type FormatValue = (value: string, type: string) => string;

/** `null` for a mapping, whose keys are not known, and where the value takes more than a few slots. */
export async function readVariable(
  types: Types,
  place: StoragePlace,
  fetchWords: FetchWords,
  format: FormatValue = formatStateValue,
): Promise<string | null> {
  const words = new Map<bigint, bigint>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const missing = new Set<bigint>();
    const read: ReadSlot = slot => {
      if (!words.has(slot)) missing.add(slot);
      return words.get(slot);
    };
    const text = formatPlace(types, place, read, format);
    if (missing.size === 0) return text;
    if (words.size + missing.size > MAX_SLOTS) return null;
    const slots = [...missing];
    const fetched = await fetchWords(slots);
    for (const [index, slot] of slots.entries()) words.set(slot, fetched[index] ?? 0n);
  }
  return null;
}

function formatPlace(types: Types, place: StoragePlace, read: ReadSlot, format: FormatValue): string | null {
  const { type, value } = readStorageValue(types, place, read);
  if (value !== null) return format(value, type);
  const { kind } = types[place.type] ?? { kind: 'unknown' };
  if (kind !== 'struct' && kind !== 'array') return null;
  const { count } = readStorageValue(types, place, read);
  const members = listPlaces(types, place, read, { count: MAX_MEMBERS }).map(member => {
    const text = formatPlace(types, member, read, format) ?? '…';
    return kind === 'struct' ? `${member.name}: ${text}` : text;
  });
  if (count !== null && count > BigInt(members.length)) members.push('…');
  return kind === 'struct' ? `{${members.join(', ')}}` : `[${members.join(', ')}]`;
}

/** The value that the code of a contract has for an immutable variable. */
export function readImmutable(
  types: Types,
  { references, type }: ImmutableVariable,
  code: Hex,
  format: FormatValue = formatStateValue,
): string | null {
  const [first] = references;
  if (first === undefined || first.length !== 32) return null;
  const digits = code.slice(2 + 2 * first.start, 2 + 2 * (first.start + first.length));
  const stored = digits.length === 64 ? toStored(types, type, BigInt(`0x${digits}`)) : null;
  return stored === null ? null : format(formatStored(types, type, stored), types[type]?.text ?? '');
}

/** The value of a constant that is not in storage; `null` where the build does not say. */
export function readConstant(
  { types, constants }: ContractDeclarations,
  contract: string,
  name: string,
  format: FormatValue = formatStateValue,
): string | null {
  const found = constants.find(each => each.name === name && each.contract === contract);
  if (found === undefined || found.value === null) return null;
  const text = types[found.type]?.text ?? '';
  if (typeof found.value === 'string') return format(found.value, text);
  const stored = toStored(types, found.type, found.value);
  return stored === null ? null : format(formatStored(types, found.type, stored), text);
}
