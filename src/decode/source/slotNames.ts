// Which variables a slot of storage holds: the way from hashes back to keys of mappings and elements of arrays.
import type { ContractDeclarations, SolidityType, StorageVariable, TypeIndex } from '../../api/contractDeclarations.ts';
import type { PathSegment } from '../../api/stateChanges.ts';
import { bytesToHex } from '../../base/hex.ts';
import {
  formatStored,
  formatTextBytes,
  getDataSlot,
  getElementPlace,
  getMappingPlace,
  getType,
  isValueType,
  type StoragePlace,
  toSlot,
  toStored,
  toWord,
  toWordBytes,
} from './storageValues.ts';

export interface SlotVariable extends StoragePlace {
  readonly path: readonly PathSegment[];
  /** The state variable that it is a part of. */
  readonly variable: StorageVariable;
  /** `length`: of a dynamic array, in its slot; `data`: bytes of a long string, of which `index` is the word. */
  readonly part: 'value' | 'length' | { readonly data: bigint };
}

/** Input of a keccak-256 and its result. */
export interface Preimage {
  readonly input: Uint8Array;
  readonly hash: bigint;
}

const WORD_BYTES = 32;
/** No array is longer than 2^64 slots, as each element costs gas: a slot has all but so many bits of the hash before it. */
const REGION_BITS = 64n;
const MAX_REGION_SLOTS = 1n << REGION_BITS;
const MAX_DEPTH = 32;
/** Dynamic parts of one variable, such as an array of strings, whose data are looked for without a hash in the trace. */
const MAX_PARTS = 256;
/** Hashes that are tried for keys that the trace does not have. */
const MAX_TRIES = 4_000;

/** What begins at a hash. */
interface Region {
  readonly start: bigint;
  readonly slots: bigint;
  readonly path: readonly PathSegment[];
  readonly variable: StorageVariable;
  /** Of a mapping's value; of an array's elements; of the bytes of a string, whose own place it is. */
  readonly content:
    | { readonly kind: 'value'; readonly type: TypeIndex }
    | { readonly kind: 'elements'; readonly type: TypeIndex }
    | { readonly kind: 'text'; readonly place: StoragePlace };
}

/** What is at a slot, also mappings, which have nothing there. */
interface Located extends StoragePlace {
  readonly path: readonly PathSegment[];
  readonly variable: StorageVariable;
}

/** As in Solidity: `positions[0x…].amount`, `names[3]`; keys of text are quoted. */
export function formatPath(
  path: readonly PathSegment[],
  formatKey: (key: string, type: string) => string = (key, type) => (type === 'string' ? JSON.stringify(key) : key),
): string {
  return path
    .map((segment, index) => {
      if (segment.kind === 'index') return `[${segment.index}]`;
      if (segment.kind === 'key') return `[${formatKey(segment.key, segment.type)}]`;
      return index === 0 ? segment.name : `.${segment.name}`;
    })
    .join('');
}

/** A key of a mapping by the bytes that are hashed for it; `null` for bytes that are no key of that type. */
export function formatMappingKey(types: readonly SolidityType[], index: TypeIndex, key: Uint8Array): string | null {
  const type = getType(types, index);
  if (type.kind === 'string' || type.kind === 'bytes') return formatTextBytes(type.kind, key);
  if (key.length !== WORD_BYTES || !isValueType(type)) return null;
  if (type.kind === 'userDefined' && type.base === null) return bytesToHex(key);
  const stored = toStored(types, index, BigInt(bytesToHex(key)));
  return stored === null ? null : formatStored(types, index, stored);
}

/** Entries by a hash, found by any of the slots that follow it. */
class ByHash<T> {
  readonly #entries = new Map<bigint, Map<bigint, T>>();

  get(hash: bigint): T | undefined {
    return this.#entries.get(hash >> REGION_BITS)?.get(hash);
  }

  set(hash: bigint, entry: T): void {
    const key = hash >> REGION_BITS;
    const group = this.#entries.get(key);
    if (group === undefined) this.#entries.set(key, new Map([[hash, entry]]));
    else group.set(hash, entry);
  }

  delete(hash: bigint): void {
    this.#entries.get(hash >> REGION_BITS)?.delete(hash);
  }

  /** With the hash, at most `MAX_REGION_SLOTS` before the slot, the nearest first. */
  before(slot: bigint): readonly (readonly [hash: bigint, entry: T])[] {
    const key = slot >> REGION_BITS;
    return [this.#entries.get(key), this.#entries.get(key - 1n)]
      .flatMap(group => [...(group ?? [])])
      .filter(([hash]) => hash <= slot)
      .sort(([a], [b]) => (a > b ? -1 : 1));
  }
}

/** State variables that begin in the same slot. */
interface Range {
  readonly slot: bigint;
  readonly slots: bigint;
  readonly variables: readonly StorageVariable[];
}

function toRanges(types: readonly SolidityType[], variables: readonly StorageVariable[]): readonly Range[] {
  return [...Map.groupBy(variables, ({ slot }) => slot)]
    .map(([slot, group]) => ({ slot, slots: getType(types, group[0]?.type ?? -1).slots, variables: group }))
    .sort((a, b) => (a.slot < b.slot ? -1 : 1));
}

/** `total`, or `Vault.total` where a base of the contract has a variable of the same name. */
export function createVariableLabel(variables: readonly StorageVariable[]): (variable: StorageVariable) => string {
  const counts = new Map<string, number>();
  for (const { name } of variables) counts.set(name, (counts.get(name) ?? 0) + 1);
  return ({ name, contract }) => ((counts.get(name) ?? 0) > 1 && contract !== '' ? `${contract}.${name}` : name);
}

export class SlotNames {
  readonly #types: readonly SolidityType[];
  /** In the order of their slots. */
  readonly #ranges: readonly Range[];
  readonly #label: (variable: StorageVariable) => string;
  /** Inputs by hash, of which nothing is known yet. */
  readonly #preimages = new ByHash<Uint8Array>();
  readonly #regions = new ByHash<Region>();
  /** Words that may be keys. */
  readonly #keys = new Set<bigint>();
  /** Mappings that were found and not tried with the keys, by slot. */
  readonly #untried = new Map<bigint, Located>();
  #tries = MAX_TRIES;

  /** `variables`: those of storage, or the transient ones. */
  constructor({ types }: Pick<ContractDeclarations, 'types'>, variables: readonly StorageVariable[]) {
    this.#types = types;
    this.#ranges = toRanges(types, variables);
    this.#label = createVariableLabel(variables);
    for (const variable of variables) this.#addParts(this.#toRoot(variable), true);
  }

  #toRoot(variable: StorageVariable): Located {
    const { type, slot, offset } = variable;
    return { type, slot, offset, variable, path: [{ kind: 'name', name: this.#label(variable) }] };
  }

  addPreimages(preimages: Iterable<Preimage>): void {
    for (const { input, hash } of preimages) {
      if (input.length >= WORD_BYTES && this.#regions.get(hash) === undefined) this.#preimages.set(hash, input);
    }
  }

  /** Words that may be keys of mappings: addresses, words of calldata and logs. */
  addKeys(words: Iterable<bigint>): void {
    for (const word of words) this.#keys.add(word);
  }

  /** The variables that have bytes in the slot; none where that is not known. */
  find(slot: bigint): readonly SlotVariable[] {
    const known = this.#locate(slot);
    if (known.length > 0) return known;
    this.#tryKeys(slot);
    return this.#locate(slot);
  }

  #locate(slot: bigint): readonly SlotVariable[] {
    return this.#find(slot).flatMap(({ found, data }): SlotVariable[] => {
      if (data !== null) return [{ ...found, part: { data } }];
      const type = getType(this.#types, found.type);
      if (type.kind === 'mapping') return [];
      if (type.kind !== 'array') return [{ ...found, part: 'value' }];
      return [{ ...found, path: [...found.path, { kind: 'name', name: 'length' }], part: 'length' }];
    });
  }

  #find(slot: bigint): readonly { readonly found: Located; readonly data: bigint | null }[] {
    const range = this.#findRange(slot);
    if (range !== null)
      return range.variables.flatMap(each =>
        this.#descend(this.#toRoot(each), slot, 0).map(found => ({ found, data: null })),
      );
    const region = this.#findRegion(slot);
    if (region === null) return [];
    const { content, start, path, variable } = region;
    const relative = slot - start;
    if (content.kind === 'text') return [{ found: { ...content.place, path, variable }, data: relative }];
    const places =
      content.kind === 'value'
        ? [{ type: content.type, slot: start, offset: 0, path, variable }]
        : this.#listElements(content.type, start, relative, { path, variable });
    return places.flatMap(place => this.#descend(place, slot, 0)).map(found => ({ found, data: null }));
  }

  /** Elements with bytes in the slot that comes `relative` slots after the first. */
  #listElements(
    base: TypeIndex,
    first: bigint,
    relative: bigint,
    { path, variable }: Pick<Located, 'path' | 'variable'>,
    length: bigint | null = null,
  ): readonly Located[] {
    const { bytes, slots } = getType(this.#types, base);
    const perSlot = bytes === WORD_BYTES ? 1n : BigInt(Math.floor(WORD_BYTES / bytes));
    const index = bytes === WORD_BYTES ? relative / slots : relative * perSlot;
    return Array.from({ length: Number(perSlot) }, (_, i) => index + BigInt(i))
      .filter(each => length === null || each < length)
      .map(each => ({
        ...getElementPlace(this.#types, base, first, each),
        path: [...path, { kind: 'index', index: each }],
        variable,
      }));
  }

  /** What is in `slot` of a variable that covers it. */
  #descend(at: Located, slot: bigint, depth: number): readonly Located[] {
    if (depth > MAX_DEPTH) return [];
    const type = getType(this.#types, at.type);
    if (type.kind === 'struct') {
      return type.members.flatMap(member => {
        const first = toSlot(at.slot + member.slot);
        if (toSlot(slot - first) >= getType(this.#types, member.type).slots) return [];
        const path = [...at.path, { kind: 'name', name: member.name } as const];
        const place = { type: member.type, slot: first, offset: member.offset };
        return this.#descend({ ...place, path, variable: at.variable }, slot, depth + 1);
      });
    }
    if (type.kind === 'array' && type.length !== null) {
      const elements = this.#listElements(type.base, at.slot, toSlot(slot - at.slot), at, type.length);
      return elements.flatMap(element => this.#descend(element, slot, depth + 1));
    }
    return at.slot === slot ? [at] : [];
  }

  #findRange(slot: bigint): Range | null {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ranges[middle] as Range).slot <= slot) low = middle + 1;
      else high = middle;
    }
    const range = this.#ranges[low - 1];
    return range !== undefined && slot - range.slot < range.slots ? range : null;
  }

  #findRegion(slot: bigint): Region | null {
    for (const [hash, input] of this.#preimages.before(slot)) this.#resolve(hash, input, 0);
    const regions = this.#regions.before(slot).map(([, region]) => region);
    return regions.find(({ start, slots }) => slot - start < slots) ?? null;
  }

  /** Finds what a hash is of. */
  #resolve(hash: bigint, input: Uint8Array, depth: number): void {
    this.#preimages.delete(hash);
    if (this.#regions.get(hash) !== undefined || depth > MAX_DEPTH) return;
    const parent = BigInt(bytesToHex(input.subarray(input.length - WORD_BYTES)));
    const parentInput = this.#preimages.get(parent);
    if (parentInput !== undefined) this.#resolve(parent, parentInput, depth + 1);
    for (const { found, data } of this.#find(parent)) {
      if (data !== null || found.slot !== parent) continue;
      const isMapping = getType(this.#types, found.type).kind === 'mapping';
      if (!isMapping && input.length === WORD_BYTES) this.#addData(found);
      // The key is empty text where there is only the slot.
      if (isMapping) this.#addMappingValue(found, input.subarray(0, input.length - WORD_BYTES), hash);
    }
  }

  /** `isComputed`: by the optimizer, which then computed the hashes of its parts too. */
  #addRegion(region: Region, isComputed: boolean): void {
    if (this.#regions.get(region.start) !== undefined) return;
    this.#regions.set(region.start, region);
    const { content, start, path, variable } = region;
    if (content.kind === 'value')
      this.#addParts({ type: content.type, slot: start, offset: 0, path, variable }, isComputed);
  }

  /** Elements of a dynamic array, bytes of a string. */
  #addData(at: Located): void {
    const type = getType(this.#types, at.type);
    const { path, variable } = at;
    const shared = { start: getDataSlot(at.slot), slots: MAX_REGION_SLOTS, path, variable };
    if (type.kind === 'array' && type.length === null)
      this.#addRegion({ ...shared, content: { kind: 'elements', type: type.base } }, false);
    else if (type.kind === 'string' || type.kind === 'bytes')
      this.#addRegion({ ...shared, content: { kind: 'text', place: at } }, false);
  }

  #addMappingValue(at: Located, key: Uint8Array, hash: bigint, isComputed = false): void {
    const type = getType(this.#types, at.type);
    const text = type.kind === 'mapping' ? formatMappingKey(this.#types, type.key, key) : null;
    if (type.kind !== 'mapping' || text === null) return;
    const path = [...at.path, { kind: 'key', key: text, type: getType(this.#types, type.key).text } as const];
    const { slots } = getType(this.#types, type.value);
    const content = { kind: 'value', type: type.value } as const;
    this.#addRegion({ start: hash, slots, path, variable: at.variable, content }, isComputed);
  }

  /** Mappings of a variable, and its dynamic parts, whose hashes are in no trace where the optimizer computed them. */
  #addParts(root: Located, isComputed: boolean): void {
    let count = 0;
    const visit = (at: Located, depth: number): void => {
      const type = getType(this.#types, at.type);
      if (depth > MAX_DEPTH || ++count > MAX_PARTS) return;
      if (type.kind === 'mapping') this.#untried.set(at.slot, at);
      if (isComputed) this.#addData(at);
      if (type.kind === 'struct') {
        for (const { name, type: member, slot, offset } of type.members) {
          const path = [...at.path, { kind: 'name', name } as const];
          visit({ type: member, slot: toSlot(at.slot + slot), offset, path, variable: at.variable }, depth + 1);
        }
      } else if (type.kind === 'array' && type.length !== null && !isValueType(getType(this.#types, type.base))) {
        for (let index = 0n; index < type.length && count < MAX_PARTS; index++) {
          const place = getElementPlace(this.#types, type.base, at.slot, index);
          visit({ ...place, path: [...at.path, { kind: 'index', index }], variable: at.variable }, depth + 1);
        }
      }
    };
    visit(root, 0);
  }

  /** Keys whose hash the optimizer computed are in no trace: known words are tried, in all mappings. */
  #tryKeys(slot: bigint): void {
    if (this.#keys.size === 0) return;
    // Those that are found on the way, inside of others, come last.
    for (const [mapping, at] of this.#untried) {
      this.#untried.delete(mapping);
      const type = getType(this.#types, at.type);
      if (type.kind !== 'mapping' || !isValueType(getType(this.#types, type.key))) continue;
      for (const key of this.#keys) {
        if (this.#tries-- <= 0) return;
        const word = this.#toKeyWord(type.key, key);
        const place = word === null ? null : getMappingPlace(this.#types, at, toWordBytes(word));
        if (word !== null && place !== null) this.#addMappingValue(at, toWordBytes(word), place.slot, true);
      }
      if (this.#findRegion(slot) !== null) return;
    }
  }

  /** A known word as a key: itself, or the number that a constant of `bytes4` is. */
  #toKeyWord(index: TypeIndex, word: bigint): bigint | null {
    if (toStored(this.#types, index, word) !== null) return word;
    const { bytes } = getType(this.#types, index);
    return BigInt.asUintN(8 * bytes, word) === word ? toWord(this.#types, index, word) : null;
  }
}
