// Decodes values of variables from words of storage ("Layout of State Variables in Storage" of Solidity's documentation).
import { keccak256 } from 'ox/Hash';
import type { SolidityType, TypeIndex } from '../../api/contractDeclarations.ts';
import { bytesToHex, type Hex, hexToBytes, isHex, toWordHex } from '../../base/hex.ts';

/** Where a variable is in storage. */
export interface StoragePlace {
  readonly type: TypeIndex;
  readonly slot: bigint;
  /** Bytes from the low-order end of the slot. */
  readonly offset: number;
}

export interface NamedPlace extends StoragePlace {
  /** Of a struct's member; `[3]` for an element. */
  readonly name: string;
}

/** `undefined`: the word is not known. */
export type ReadSlot = (slot: bigint) => bigint | undefined;

export interface StorageValue {
  readonly type: string;
  /**
   * Numbers in decimal, addresses and bytes in lower-case hex, `true` or `false`, members of enums by name, strings
   * unchanged (untrusted) or as hex where they are no UTF-8. `null` for what only has members, and where a word is not known.
   */
  readonly value: string | null;
  /** Number of members or elements; `null` for values and mappings, and where the length is not known. */
  readonly count: bigint | null;
  /** The words that it was read from, in order; without those of members. */
  readonly words: readonly { readonly slot: bigint; readonly value: bigint }[];
}

export type Types = readonly SolidityType[];

const WORD_BYTES = 32;
/** Longer strings are cut: storage can claim any length. */
const MAX_TEXT_BYTES = 65_536;
const UNKNOWN: SolidityType = { kind: 'unknown', text: '', bytes: WORD_BYTES, slots: 1n };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
export const toSlot = (slot: bigint): bigint => BigInt.asUintN(256, slot);
export const toWordBytes = (word: bigint): Uint8Array => hexToBytes(toWordHex(word));
export const hashBytes = (bytes: Uint8Array): bigint => BigInt(keccak256(bytes, { as: 'Hex' }));
/** Where the elements of a dynamic array and the bytes of a long string begin. */
export const getDataSlot = (slot: bigint): bigint => hashBytes(toWordBytes(slot));

export const getType = (types: Types, index: TypeIndex): SolidityType => types[index] ?? UNKNOWN;

/** The part of a word that a variable takes. */
export const extract = (word: bigint, offset: number, bytes: number): bigint =>
  BigInt.asUintN(8 * bytes, word >> BigInt(8 * offset));

const toHexDigits = (value: bigint, bytes: number): Hex => `0x${value.toString(16).padStart(2 * bytes, '0')}`;

/** Whether one word or a part of it is the whole value. */
export const isValueType = ({ kind }: SolidityType): boolean =>
  !['string', 'bytes', 'array', 'mapping', 'struct'].includes(kind);

/** The type whose rules a value follows: that below the names which the source gives it. */
function getUnderlying(types: Types, type: SolidityType): SolidityType {
  return type.kind === 'userDefined' && type.base !== null ? getType(types, type.base) : type;
}

/** A value as text, from its bytes at the low-order end. */
export function formatStored(types: Types, index: TypeIndex, stored: bigint): string {
  const named = getType(types, index);
  const type = getUnderlying(types, named);
  switch (type.kind) {
    case 'uint':
      return stored.toString();
    case 'int':
      return BigInt.asIntN(8 * type.bytes, stored).toString();
    case 'bool':
      return stored === 0n ? 'false' : stored === 1n ? 'true' : stored.toString();
    case 'enum':
      return type.members?.[Number(stored)] ?? stored.toString();
    default:
      return toHexDigits(stored, type.bytes);
  }
}

/** The bytes of a value as storage has them, from its word on the stack, in memory or in a mapping's key; `null` for a word that it cannot have. */
export function toStored(types: Types, index: TypeIndex, word: bigint): bigint | null {
  const type = getUnderlying(types, getType(types, index));
  const bits = 8 * type.bytes;
  if (type.kind === 'int')
    return BigInt.asUintN(256, BigInt.asIntN(bits, word)) === word ? BigInt.asUintN(bits, word) : null;
  const isLeft = type.kind === 'fixedBytes' || (type.kind === 'function' && type.isExternal);
  const stored = isLeft ? word >> BigInt(256 - bits) : word;
  const back = isLeft ? stored << BigInt(256 - bits) : BigInt.asUintN(bits, stored);
  return back === word ? stored : null;
}

/** Code without checks leaves bits beyond a type's own on the stack, and drops them when the value is used. */
export function cleanWord(types: Types, index: TypeIndex, word: bigint): bigint {
  const { kind, bytes } = getUnderlying(types, getType(types, index));
  const bits = 8 * bytes;
  if (kind === 'uint' || kind === 'address' || kind === 'contract') return BigInt.asUintN(bits, word);
  if (kind === 'int') return BigInt.asUintN(256, BigInt.asIntN(bits, word));
  return kind === 'fixedBytes' ? (word >> BigInt(256 - bits)) << BigInt(256 - bits) : word;
}

/**
 * The word of an immutable at the beginning of the bytes, which are zero behind their end. In the memory of a constructor older
 * versions of solc (0.8.4) begin the word with the value; `null` where it can be meant both ways.
 */
export function readImmutable(types: Types, index: TypeIndex, memory: Uint8Array, isCreation: boolean): bigint | null {
  const bytes = new Uint8Array(32);
  bytes.set(memory.subarray(0, 32));
  const word = BigInt(bytesToHex(bytes));
  const { kind, bytes: size } = getUnderlying(types, getType(types, index));
  const padding = 256 - 8 * size;
  const mayBegin = kind !== 'fixedBytes' && kind !== 'function' && BigInt.asUintN(padding, word) === 0n;
  if (!isCreation || word === 0n || padding === 0 || !mayBegin) return word;
  return toStored(types, index, word) === null ? toWord(types, index, word >> BigInt(padding)) : null;
}

/** The opposite of {@link toStored}. */
export function toWord(types: Types, index: TypeIndex, stored: bigint): bigint {
  const type = getUnderlying(types, getType(types, index));
  const bits = 8 * type.bytes;
  if (type.kind === 'int') return BigInt.asUintN(256, BigInt.asIntN(bits, stored));
  const isLeft = type.kind === 'fixedBytes' || (type.kind === 'function' && type.isExternal);
  return isLeft ? stored << BigInt(256 - bits) : stored;
}

/** Length of a string or bytes by the word in its slot. */
export function getTextLength(head: bigint): { readonly length: bigint; readonly isLong: boolean } {
  const isLong = (head & 1n) === 1n;
  return { isLong, length: isLong ? (head - 1n) / 2n : (head & 0xffn) / 2n };
}

/** `null` where it is no UTF-8. */
function toText(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

export const formatTextBytes = (kind: 'string' | 'bytes', bytes: Uint8Array): string =>
  (kind === 'string' ? toText(bytes) : null) ?? bytesToHex(bytes);

/** A string or bytes; `null` where a word is not known or the head is none that solc writes. */
export function readText(kind: 'string' | 'bytes', slot: bigint, read: ReadSlot): string | null {
  const head = read(slot);
  if (head === undefined) return null;
  const { length, isLong } = getTextLength(head);
  if (!isLong) return length > 31n ? null : formatTextBytes(kind, toWordBytes(head).subarray(0, Number(length)));
  if (length > BigInt(MAX_TEXT_BYTES)) return null;
  const bytes = new Uint8Array(Math.ceil(Number(length) / WORD_BYTES) * WORD_BYTES);
  const first = getDataSlot(slot);
  let isKnown = true;
  for (let at = 0; at < bytes.length; at += WORD_BYTES) {
    const word = read(toSlot(first + BigInt(at / WORD_BYTES)));
    if (word === undefined) isKnown = false;
    else bytes.set(toWordBytes(word), at);
  }
  return isKnown ? formatTextBytes(kind, bytes.subarray(0, Number(length))) : null;
}

/** Bytes of a string that are read where it is long. */
const TEXT_START_BYTES = 2_048;

/** A string or bytes, of a long one the beginning; `null` as `readText`. */
export function readTextStart(
  kind: 'string' | 'bytes',
  slot: bigint,
  read: ReadSlot,
): { readonly text: string; readonly length: bigint; readonly isCut: boolean } | null {
  const head = read(slot);
  const { length, isLong } = getTextLength(head ?? 0n);
  if (!isLong || length <= BigInt(TEXT_START_BYTES)) {
    const text = readText(kind, slot, read);
    return text === null ? null : { text, length, isCut: false };
  }
  const first = getDataSlot(slot);
  const words = Array.from({ length: TEXT_START_BYTES / WORD_BYTES }, (_, i) => read(toSlot(first + BigInt(i))));
  if (words.includes(undefined)) return null;
  const bytes = Uint8Array.from(words.flatMap(word => [...toWordBytes(word ?? 0n)]));
  // The cut may be inside of a character, which a stream leaves for later.
  const decode = () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
  const text = kind === 'string' ? decode() : bytesToHex(bytes);
  return { text: `${text}…`, length, isCut: true };
}

/** The value of a variable, without its members: `listPlaces` has those. */
export function readStorageValue(types: Types, place: StoragePlace, read: ReadSlot): StorageValue {
  const type = getType(types, place.type);
  const words: { slot: bigint; value: bigint }[] = [];
  const readWord: ReadSlot = slot => {
    const value = read(slot);
    if (value !== undefined) words.push({ slot, value });
    return value;
  };
  const result = (value: string | null, count: bigint | null): StorageValue => ({
    type: type.text,
    value,
    count,
    words,
  });
  switch (type.kind) {
    case 'mapping':
      return result(null, null);
    case 'struct':
      return result(null, BigInt(type.members.length));
    case 'array':
      return result(null, type.length ?? readWord(place.slot) ?? null);
    case 'string':
    case 'bytes':
      return result(readText(type.kind, place.slot, readWord), null);
    default: {
      const word = readWord(place.slot);
      const stored = word === undefined ? null : extract(word, place.offset, type.bytes);
      return result(stored === null ? null : formatStored(types, place.type, stored), null);
    }
  }
}

/** The place of an element, whose array's elements begin at `first`. */
export function getElementPlace(types: Types, base: TypeIndex, first: bigint, index: bigint): StoragePlace {
  const { bytes, slots } = getType(types, base);
  if (bytes === WORD_BYTES) return { type: base, slot: toSlot(first + index * slots), offset: 0 };
  const perSlot = BigInt(Math.floor(WORD_BYTES / bytes));
  return { type: base, slot: toSlot(first + index / perSlot), offset: Number(index % perSlot) * bytes };
}

/** Members of a struct, or elements of an array: `count` of them from `from`. A mapping has none. */
export function listPlaces(
  types: Types,
  place: StoragePlace,
  read: ReadSlot,
  { from = 0n, count = 100 }: { readonly from?: bigint; readonly count?: number } = {},
): readonly NamedPlace[] {
  const type = getType(types, place.type);
  if (type.kind === 'struct')
    return type.members
      .slice(Number(from), Number(from) + count)
      .map(member => ({ ...member, slot: toSlot(place.slot + member.slot) }));
  if (type.kind !== 'array') return [];
  const length = type.length ?? read(place.slot) ?? 0n;
  const first = type.length === null ? getDataSlot(place.slot) : place.slot;
  const rest = length - from;
  const size = rest < BigInt(count) ? Number(rest) : count;
  return Array.from({ length: Math.max(0, size) }, (_, i) => {
    const index = from + BigInt(i);
    return { name: `[${index}]`, ...getElementPlace(types, type.base, first, index) };
  });
}

/** The bytes that a mapping hashes for a key as the user writes it; `null` where the text is no such key. */
export function parseMappingKey(types: Types, index: TypeIndex, text: string): Uint8Array | null {
  const type = getUnderlying(types, getType(types, index));
  if (type.kind === 'string') return new TextEncoder().encode(text);
  if (type.kind === 'bytes') return isHex(text) && text.length % 2 === 0 ? hexToBytes(text) : null;
  const stored = parseStored(type, text.trim());
  if (stored === null) return null;
  const word = toWord(types, index, stored);
  return toStored(types, index, word) === stored ? toWordBytes(word) : null;
}

function parseStored(type: SolidityType, text: string): bigint | null {
  if (type.kind === 'bool') return text === 'true' ? 1n : text === 'false' ? 0n : null;
  const member = type.kind === 'enum' ? (type.members?.indexOf(text) ?? -1) : -1;
  if (member >= 0) return BigInt(member);
  if (/^0x[\da-f]+$/i.test(text)) {
    const isExact = type.kind === 'uint' || type.kind === 'int' || text.length === 2 + 2 * type.bytes;
    return isExact ? BigInt(text) : null;
  }
  if (!/^-?\d{1,78}$/.test(text)) return null;
  const value = BigInt(text);
  if (type.kind === 'int')
    return BigInt.asIntN(8 * type.bytes, value) === value ? BigInt.asUintN(8 * type.bytes, value) : null;
  return type.kind === 'uint' || type.kind === 'enum' ? value : null;
}

/** The value of a mapping under a key, given as the bytes that are hashed. */
export function getMappingPlace(types: Types, place: StoragePlace, key: Uint8Array): StoragePlace | null {
  const type = getType(types, place.type);
  if (type.kind !== 'mapping') return null;
  return { type: type.value, slot: hashBytes(new Uint8Array([...key, ...toWordBytes(place.slot)])), offset: 0 };
}
