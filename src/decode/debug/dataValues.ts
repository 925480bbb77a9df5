// Decodes values of variables from memory and calldata, as Solidity lays them out there.
import type { SolidityType, TypeIndex } from '../../api/contractDeclarations.ts';
import { bytesToHex } from '../../base/hex.ts';
import { formatStored, formatTextBytes, getType, isValueType, type Types, toStored } from '../source/storageValues.ts';

/** Where a value is: for a reference type in memory what the pointer leads to. */
export interface DataPlace {
  readonly type: TypeIndex;
  readonly at: number;
  /** Of a dynamic array, string or bytes in calldata, whose length is not before it. */
  readonly length: number | null;
}

export interface DataValue {
  readonly type: SolidityType;
  /** `null` for what only has members, and where the data end before it. */
  readonly value: string | null;
  readonly count: number | null;
}

export interface NamedDataPlace extends DataPlace {
  readonly name: string;
}

const WORD = 32;
const MAX_OFFSET = 1n << 40n;
const MAX_TEXT = 65_536;

export class DataReader {
  readonly #types: Types;
  readonly #bytes: Uint8Array;
  readonly #isMemory: boolean;

  constructor(types: Types, bytes: Uint8Array, isMemory: boolean) {
    this.#types = types;
    this.#bytes = bytes;
    this.#isMemory = isMemory;
  }

  /** `null` beyond the data. Memory that was never used is zero. */
  #word(at: number): bigint | null {
    if (at + WORD > this.#bytes.length) return this.#isMemory && at >= this.#bytes.length ? 0n : null;
    return BigInt(bytesToHex(this.#bytes.subarray(at, at + WORD)));
  }

  #length({ at, length }: DataPlace): number | null {
    if (length !== null) return length;
    const word = this.#word(at);
    return word === null || word > MAX_OFFSET ? null : Number(word);
  }

  read(place: DataPlace): DataValue {
    const type = getType(this.#types, place.type);
    if (isValueType(type)) {
      const word = this.#word(place.at);
      const stored = word === null ? null : toStored(this.#types, place.type, word);
      return { type, value: stored === null ? null : formatStored(this.#types, place.type, stored), count: null };
    }
    if (type.kind === 'string' || type.kind === 'bytes') {
      const length = this.#length(place);
      const from = place.length === null ? place.at + WORD : place.at;
      // What is empty may be at the end of the memory that was used.
      const isKnown = length === 0 || (length !== null && length <= MAX_TEXT && from + length <= this.#bytes.length);
      const value = isKnown ? formatTextBytes(type.kind, this.#bytes.subarray(from, from + length)) : null;
      return { type, value, count: null };
    }
    if (type.kind === 'struct') return { type, value: null, count: type.members.length };
    if (type.kind === 'array')
      return { type, value: null, count: type.length === null ? this.#length(place) : Number(type.length) };
    return { type, value: null, count: null };
  }

  /** Members of a struct, or elements of an array from `from` on. */
  list(place: DataPlace, from: number, count: number): readonly NamedDataPlace[] {
    const type = getType(this.#types, place.type);
    if (type.kind === 'struct') {
      let at = place.at;
      return type.members
        .map(({ name, type: member }) => {
          const found = this.#part(name, member, at, place.at);
          at += this.#headSize(member);
          return found;
        })
        .filter(found => found !== null);
    }
    if (type.kind !== 'array') return [];
    const length = this.read(place).count ?? 0;
    const first = type.length === null && place.length === null ? place.at + WORD : place.at;
    const size = this.#headSize(type.base);
    return Array.from({ length: Math.max(0, Math.min(count, length - from)) }, (_, i) =>
      this.#part(`[${from + i}]`, type.base, first + (from + i) * size, first),
    ).filter(found => found !== null);
  }

  /** Bytes of a member in its struct or array. */
  #headSize(index: TypeIndex): number {
    if (this.#isMemory) return WORD;
    const type = getType(this.#types, index);
    if (this.#isDynamic(type)) return WORD;
    if (type.kind === 'struct') return type.members.reduce((sum, { type: member }) => sum + this.#headSize(member), 0);
    if (type.kind === 'array') return Number(type.length) * this.#headSize(type.base);
    return WORD;
  }

  #isDynamic(type: SolidityType): boolean {
    if (type.kind === 'string' || type.kind === 'bytes') return true;
    if (type.kind === 'struct')
      return type.members.some(({ type: member }) => this.#isDynamic(getType(this.#types, member)));
    return type.kind === 'array' && (type.length === null || this.#isDynamic(getType(this.#types, type.base)));
  }

  /** `base`: from where offsets in calldata count. */
  #part(name: string, index: TypeIndex, at: number, base: number): NamedDataPlace | null {
    const type = getType(this.#types, index);
    const isPointer = this.#isMemory ? !isValueType(type) : this.#isDynamic(type);
    if (!isPointer) return { name, type: index, at, length: null };
    const offset = this.#word(at);
    if (offset === null || offset > MAX_OFFSET) return null;
    return { name, type: index, at: this.#isMemory ? Number(offset) : base + Number(offset), length: null };
  }
}
