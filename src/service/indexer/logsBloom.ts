// Whether a block may hold logs with one of the indexed topics, by the bloom filter in its header (Yellow Paper, 4.4.3).
import { keccak256 } from 'ox/Hash';
import { type Hex, hexToBytes, isHex } from '../../base/hex.ts';
import { INDEXED_TOPICS } from './logFilters.ts';

/** Hex digits of the filter's 256 bytes. */
const BLOOM_DIGITS = 512;

interface Bit {
  /** Index of the hex digit in the filter, `0x` included. */
  readonly digit: number;
  readonly mask: number;
}

/** The three bits that a topic sets. */
function getBits(topic: Hex): readonly Bit[] {
  const hash = keccak256(hexToBytes(topic), { as: 'Bytes' });
  return [0, 2, 4].map(at => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047;
    return { digit: 2 + BLOOM_DIGITS - 1 - (bit >> 2), mask: 1 << (bit & 3) };
  });
}

const INDEXED_TOPIC_BITS = INDEXED_TOPICS.map(getBits);

/** False means certainly none; `null` when the header has no such filter. */
export function mayContainIndexedLogs(bloom: unknown): boolean | null {
  if (!isHex(bloom) || bloom.length !== 2 + BLOOM_DIGITS) return null;
  return INDEXED_TOPIC_BITS.some(bits =>
    bits.every(({ digit, mask }) => (Number.parseInt(bloom.charAt(digit), 16) & mask) !== 0),
  );
}
