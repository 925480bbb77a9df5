// The variables of a contract at one or two blocks: members, elements and known keys of mappings, read from storage in bounded rounds.

import type { ContractDeclarations, SolidityType, TypeIndex } from '../../api/contractDeclarations.ts';
import type { PathSegment } from '../../api/stateChanges.ts';
import { bytesToHex, type Hex, hexToBytes } from '../../base/hex.ts';
import type { FetchWords } from './readVariable.ts';
import { createVariableLabel, formatMappingKey } from './slotNames.ts';
import {
  getMappingPlace,
  getType,
  isValueType,
  listPlaces,
  parseMappingKey,
  type ReadSlot,
  readStorageValue,
  readTextStart,
  type StoragePlace,
  type Types,
  toSlot,
  toStored,
  toWordBytes,
} from './storageValues.ts';

export interface StateEntry {
  /** From the state variable on. */
  readonly path: readonly PathSegment[];
  readonly type: string;
  /**
   * By block, as `StorageValue.value`; `null` for what only has members, and for what was not read. Of a long string the beginning,
   * see `textLengths`.
   */
  readonly values: readonly (string | null)[];
  /** By block, bytes of a string or bytes that was cut; `null` where all of it is there. */
  readonly textLengths: readonly (bigint | null)[];
  /** Blocks, by index, at which the array was too short to have the element, or what the entry is inside of. */
  readonly absentAt?: readonly number[];
  /** The blocks have different values, here or inside. */
  readonly differs: boolean;
  /** Of what has members. */
  readonly place: StoragePlace | null;
  /** Of a mapping: the type of its keys. */
  readonly keyType: string | null;
  /** By block, elements of an array; empty for all else. */
  readonly lengths: readonly (bigint | null)[];
  /** `null`: not read. */
  readonly members: readonly StateEntry[] | null;
  /** First element of `members`, and elements after them, in the longer one of the arrays. */
  readonly from: bigint;
  readonly more: bigint;
}

/** Rows of one answer; what is inside further ones is read when it is opened. */
const MAX_ENTRIES = 600;
/** Words of one answer and block: they take a node of this machine some hundred milliseconds. */
const MAX_WORDS = 4_096;
const MAX_ROUNDS = 12;
const MAX_DEPTH = 12;
/** Elements of an array that are read with it. */
export const MAX_ELEMENTS = 20;
/** Hashes of words that may be keys. */
const MAX_TRIES = 2_000;
/** Of a struct that is the value of a key, which are tested for a value. */
const MAX_TESTED_SLOTS = 16;

/** Keys of mappings that were hashed in traces, and words that may be keys. */
export class SeenKeys {
  /** By the slot of the mapping: the bytes before it, as hex. */
  readonly #hashed = new Map<bigint, Set<Hex>>();
  readonly #words = new Set<bigint>();

  addPreimage(input: Uint8Array): void {
    if (input.length < 32) return;
    const slot = BigInt(bytesToHex(input.subarray(input.length - 32)));
    const keys = this.#hashed.get(slot) ?? new Set();
    this.#hashed.set(slot, keys.add(bytesToHex(input.subarray(0, input.length - 32))));
  }

  addWord(word: bigint): void {
    this.#words.add(word);
  }

  hashedAt(slot: bigint): ReadonlySet<Hex> {
    return this.#hashed.get(slot) ?? NO_KEYS;
  }

  get words(): ReadonlySet<bigint> {
    return this.#words;
  }
}

const NO_KEYS: ReadonlySet<Hex> = new Set();

interface MappingValue {
  readonly segment: PathSegment;
  readonly place: StoragePlace;
}

/** One answer: entries are built again with more words until none is missing, or there are too many. */
class StateReading {
  readonly #types: Types;
  readonly #keys: SeenKeys;
  /** By block. */
  readonly #words: readonly Map<bigint, bigint>[];
  readonly #reads: readonly ReadSlot[];
  readonly #missing = new Set<bigint>();
  /** Values of mappings under the keys that are tried, by slot and type of the mapping. */
  readonly #mappings = new Map<string, readonly MappingValue[]>();
  #tries = MAX_TRIES;
  #entries = 0;
  /** Keys of mappings come when all else was read: the words that trying them takes are bounded. */
  #triesKeys = false;
  /** Words or keys were left out. */
  isCut = false;

  constructor(types: Types, keys: SeenKeys, blocks: number) {
    this.#types = types;
    this.#keys = keys;
    this.#words = Array.from({ length: blocks }, () => new Map<bigint, bigint>());
    this.#reads = this.#words.map(words => slot => {
      const word = words.get(slot);
      if (word === undefined) this.#demand(slot);
      return word;
    });
  }

  #demand(slot: bigint): void {
    const known = this.#words[0]?.size ?? 0;
    if (known + this.#missing.size < MAX_WORDS) this.#missing.add(slot);
    else this.isCut = true;
  }

  async run<T>(fetchWords: readonly FetchWords[], build: (reading: StateReading) => T): Promise<T> {
    for (let round = 0; ; round++) {
      this.#missing.clear();
      this.#entries = 0;
      const built = build(this);
      if (this.#missing.size === 0 && this.#triesKeys) return built;
      if (this.#missing.size === 0) {
        this.#triesKeys = true;
        continue;
      }
      if (round === MAX_ROUNDS) {
        this.isCut = true;
        return built;
      }
      const slots = [...this.#missing];
      await Promise.all(
        fetchWords.map(async (fetch, block) => {
          const words = await fetch(slots);
          for (const [index, slot] of slots.entries()) this.#words[block]?.set(slot, words[index] ?? 0n);
        }),
      );
    }
  }

  entry(place: StoragePlace, path: readonly PathSegment[], depth = 0): StateEntry {
    this.#entries++;
    const type = getType(this.#types, place.type);
    const shared = { path, type: type.text, textLengths: [], lengths: [], from: 0n, more: 0n, keyType: null };
    const { kind } = type;
    if (kind === 'string' || kind === 'bytes') {
      const texts = this.#reads.map(read => readTextStart(kind, place.slot, read));
      const values = texts.map(text => text?.text ?? null);
      const textLengths = texts.map(text => (text === null || !text.isCut ? null : text.length));
      const heads = this.#reads.map(read => String(read(place.slot)));
      const differs = isDifferent(values) || isDifferent(heads);
      return { ...shared, values, textLengths, differs, place: null, members: null };
    }
    const values = this.#reads.map(read =>
      isValueType(type) ? readStorageValue(this.#types, place, read).value : null,
    );
    if (isValueType(type)) return { ...shared, values, differs: isDifferent(values), place: null, members: null };
    if (type.kind === 'mapping') {
      const keyType = getType(this.#types, type.key).text;
      const members = this.#canOpen(depth) ? this.#mappingMembers(place, path, depth) : null;
      return { ...shared, values, keyType, place, members, differs: members?.some(each => each.differs) ?? false };
    }
    const lengths = type.kind === 'array' ? this.#lengths(place, type.length) : [];
    const list = this.#canOpen(depth) ? this.list(place, path, 0n, MAX_ELEMENTS, depth) : { members: null, more: 0n };
    const differs = isDifferent(lengths.map(String)) || (list.members?.some(each => each.differs) ?? false);
    return { ...shared, values, lengths, place, differs, ...list };
  }

  #canOpen(depth: number): boolean {
    return depth < MAX_DEPTH && this.#entries < MAX_ENTRIES;
  }

  #lengths(place: StoragePlace, fixed: bigint | null): readonly (bigint | null)[] {
    return this.#reads.map(read => fixed ?? read(place.slot) ?? null);
  }

  /** Members of a struct, values of a mapping, or elements of an array from one of them on. */
  list(
    place: StoragePlace,
    path: readonly PathSegment[],
    from: bigint,
    count: number,
    depth = 0,
  ): { readonly members: readonly StateEntry[]; readonly from: bigint; readonly more: bigint } {
    const type = getType(this.#types, place.type);
    if (type.kind === 'mapping') return { members: this.#mappingMembers(place, path, depth), from: 0n, more: 0n };
    if (type.kind === 'struct') {
      const members = listPlaces(this.#types, place, () => 0n, { count: type.members.length });
      const toPath = (name: string) => [...path, { kind: 'name', name } as const];
      return { members: members.map(each => this.entry(each, toPath(each.name), depth + 1)), from: 0n, more: 0n };
    }
    if (type.kind !== 'array') return { members: [], from: 0n, more: 0n };
    const lengths = this.#lengths(place, type.length);
    const length = lengths.reduce<bigint>((max, each) => (each !== null && each > max ? each : max), 0n);
    const elements = listPlaces(this.#types, place, () => length, { from, count }).map((each, offset) => {
      const index = from + BigInt(offset);
      const absentAt = lengths.flatMap((own, block) => (own !== null && own <= index ? [block] : []));
      return withoutBlocks(this.entry(each, [...path, { kind: 'index', index }], depth + 1), absentAt);
    });
    const rest = length - from - BigInt(elements.length);
    return { members: elements, from, more: rest > 0n ? rest : 0n };
  }

  #mappingMembers(place: StoragePlace, path: readonly PathSegment[], depth: number): readonly StateEntry[] {
    if (!this.#triesKeys) return [];
    const members: StateEntry[] = [];
    for (const { segment, place: value } of this.#mappingValues(place)) {
      if (!this.#hasValue(value, depth)) continue;
      if (this.#entries >= MAX_ENTRIES) {
        this.isCut = true;
        break;
      }
      members.push(this.entry(value, [...path, segment], depth + 1));
    }
    return members;
  }

  /** Those of the keys that fit, hashed ones first. */
  #mappingValues(place: StoragePlace): readonly MappingValue[] {
    const name = `${place.slot} ${place.type}`;
    const known = this.#mappings.get(name);
    if (known !== undefined) return known;
    const type = getType(this.#types, place.type) as Extract<SolidityType, { kind: 'mapping' }>;
    const keyType = getType(this.#types, type.key);
    const hashed = [...this.#keys.hashedAt(place.slot)];
    const words = isValueType(keyType) ? [...this.#keys.words] : [];
    const fitting = words.filter(word => isLikelyKey(this.#types, type.key, word));
    const keys = new Set([...hashed, ...fitting.map(word => bytesToHex(toWordBytes(word)))]);
    const values: MappingValue[] = [];
    for (const key of keys) {
      if (this.#tries <= 0) {
        this.isCut = true;
        break;
      }
      this.#tries--;
      const value = getMappingEntry(this.#types, place, key);
      if (value !== null) values.push(value);
    }
    this.#mappings.set(name, values);
    return values;
  }

  /** Whether any of the blocks has something else than zeros there, as far as is known. */
  #hasValue(place: StoragePlace, depth: number): boolean {
    const type = getType(this.#types, place.type);
    if (type.kind === 'mapping')
      return (
        depth < MAX_DEPTH &&
        // All of them, so that one round reads the words of all.
        this.#mappingValues(place).filter(each => this.#hasValue(each.place, depth + 1)).length > 0
      );
    if (isValueType(type))
      return this.#reads.some(read => {
        const word = read(place.slot);
        return word !== undefined && BigInt.asUintN(8 * type.bytes, word >> BigInt(8 * place.offset)) !== 0n;
      });
    const slots = type.kind === 'struct' || (type.kind === 'array' && type.length !== null) ? type.slots : 1n;
    const tested = Number(slots < BigInt(MAX_TESTED_SLOTS) ? slots : MAX_TESTED_SLOTS);
    const words = this.#reads.flatMap(read =>
      Array.from({ length: tested }, (_, index) => read(toSlot(place.slot + BigInt(index)))),
    );
    return words.some(word => word !== undefined && word !== 0n) || this.#hasInnerValue(place, depth);
  }

  /** A struct whose own slots are empty may hold a mapping with values. */
  #hasInnerValue(place: StoragePlace, depth: number): boolean {
    const type = getType(this.#types, place.type);
    if (type.kind !== 'struct' || depth >= MAX_DEPTH) return false;
    return type.members
      .filter(({ type: member }) => getType(this.#types, member).kind === 'mapping')
      .some(member => this.#hasValue({ ...member, slot: toSlot(place.slot + member.slot) }, depth + 1));
  }
}

/** At those blocks there is nothing: what is in the slots is no value of the entry. */
function withoutBlocks(entry: StateEntry, absentAt: readonly number[]): StateEntry {
  if (absentAt.length === 0) return entry;
  const members = entry.members?.map(each => withoutBlocks(each, absentAt)) ?? null;
  return { ...entry, members, absentAt, differs: true };
}

const isDifferent = (values: readonly (string | null)[]): boolean => values.some(value => value !== values[0]);

/** Numbers of 2^128 and more are hashes or addresses, no keys of a mapping by number. */
const MAX_NUMBER_KEY = 1n << 128n;

function isLikelyKey(types: Types, index: TypeIndex, word: bigint): boolean {
  const { kind } = getType(types, index);
  if (toStored(types, index, word) === null) return false;
  if (kind === 'address' || kind === 'contract') return true;
  return kind === 'fixedBytes' ? word >= MAX_NUMBER_KEY : word < MAX_NUMBER_KEY;
}

/** The value of a mapping under a key, given as the bytes that are hashed; `null` where it has no such keys. */
function getMappingEntry(types: Types, place: StoragePlace, key: Hex): MappingValue | null {
  const type = getType(types, place.type);
  if (type.kind !== 'mapping') return null;
  const bytes = hexToBytes(key);
  const text = formatMappingKey(types, type.key, bytes);
  const found = text === null ? null : getMappingPlace(types, place, bytes);
  if (text === null || found === null) return null;
  return { segment: { kind: 'key', key: text, type: getType(types, type.key).text }, place: found };
}

export interface StateListing {
  readonly entries: readonly StateEntry[];
  /** Elements after those that are listed. */
  readonly more: bigint;
  /** More words or keys would have had to be read than one answer may. */
  readonly isCut: boolean;
}

/** `fetchWords`: one for each block. */
export async function readContractState(
  { types, storage }: Pick<ContractDeclarations, 'types' | 'storage'>,
  keys: SeenKeys,
  fetchWords: readonly FetchWords[],
): Promise<StateListing> {
  const reading = new StateReading(types, keys, fetchWords.length);
  const label = createVariableLabel(storage);
  const entries = await reading.run(fetchWords, each =>
    storage.map(variable => each.entry(variable, [{ kind: 'name', name: label(variable) }])),
  );
  return { entries, more: 0n, isCut: reading.isCut };
}

/** What one entry has inside: members, seen keys, or elements from one on. */
export async function readStateMembers(
  types: Types,
  keys: SeenKeys,
  { place, path }: { readonly place: StoragePlace; readonly path: readonly PathSegment[] },
  from: bigint,
  fetchWords: readonly FetchWords[],
): Promise<StateListing> {
  const reading = new StateReading(types, keys, fetchWords.length);
  const { members, more } = await reading.run(fetchWords, each => each.list(place, path, from, 5 * MAX_ELEMENTS));
  return { entries: members, more, isCut: reading.isCut };
}

/** The value of a mapping under a key that the user wrote; `null` where the text is no such key. */
export async function readStateKey(
  types: Types,
  keys: SeenKeys,
  { place, path }: { readonly place: StoragePlace; readonly path: readonly PathSegment[] },
  key: string,
  fetchWords: readonly FetchWords[],
): Promise<StateListing | null> {
  const type = getType(types, place.type);
  const bytes = type.kind === 'mapping' ? parseMappingKey(types, type.key, key) : null;
  const found = bytes === null ? null : getMappingEntry(types, place, bytesToHex(bytes));
  if (found === null) return null;
  const reading = new StateReading(types, keys, fetchWords.length);
  const entry = await reading.run(fetchWords, each => each.entry(found.place, [...path, found.segment]));
  return { entries: [entry], more: 0n, isCut: reading.isCut };
}
