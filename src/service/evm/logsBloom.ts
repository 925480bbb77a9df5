// Whether a block may hold logs that a filter matches, by the bloom filter in its header (Yellow Paper, 4.4.3).
import { keccak256 } from 'ox/Hash';
import { type Hex, hexToBytes, isHex } from '../../base/hex.ts';

/** What the logs have: one of these addresses, if any is given, and one of the topics at each position; any where `null`. */
export interface BloomQuery {
  readonly address?: Hex | readonly Hex[];
  readonly topics: readonly (readonly Hex[] | null)[];
}

/** Hex digits of the filter's 256 bytes. */
const BLOOM_DIGITS = 512;

interface Bit {
  /** Index of the hex digit in the filter, `0x` included. */
  readonly digit: number;
  readonly mask: number;
}

/** The three bits that an address or a topic sets. */
function getBits(value: Hex): readonly Bit[] {
  const hash = keccak256(hexToBytes(value), { as: 'Bytes' });
  return [0, 2, 4].map(at => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047;
    return { digit: 2 + BLOOM_DIGITS - 1 - (bit >> 2), mask: 1 << (bit & 3) };
  });
}

/** By filter: of each list, the bits of one value must be set. */
const filterBits = new WeakMap<BloomQuery, readonly (readonly (readonly Bit[])[])[]>();

function getFilterBits(filter: BloomQuery): readonly (readonly (readonly Bit[])[])[] {
  const known = filterBits.get(filter);
  if (known !== undefined) return known;
  const { address = [], topics } = filter;
  const addresses = typeof address === 'string' ? [address] : address;
  const lists = [addresses, ...topics.map(allowed => allowed ?? [])].filter(values => values.length > 0);
  const bits = lists.map(values => values.map(getBits));
  filterBits.set(filter, bits);
  return bits;
}

/** False means certainly none; `null` when the header has no such filter. */
export function mayContainLogs(bloom: unknown, filter: BloomQuery): boolean | null {
  if (!isHex(bloom) || bloom.length !== 2 + BLOOM_DIGITS) return null;
  const isSet = ({ digit, mask }: Bit) => (Number.parseInt(bloom.charAt(digit), 16) & mask) !== 0;
  return getFilterBits(filter).every(values => values.some(bits => bits.every(isSet)));
}
