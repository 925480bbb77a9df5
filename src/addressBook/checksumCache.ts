// EIP-55 checksums of a book's addresses: hashed once each, and not while somebody waits for the names.
import { getChecksumState } from '../base/checksumAddress.ts';
import type { Hex } from '../base/hex.ts';

export interface ChecksumCache {
  /** What is asked for from now on is one more reading: what it does not ask for is forgotten with the next one. */
  startRead(): void;
  /** Whether the address of an EVM entry, as it is written, is known to be wrong. */
  isWrong(written: string): boolean;
  /** Hashes up to so many of those that were asked for and not known. */
  hashPending(most: number): { readonly left: number; readonly wrong: number };
}

/** Prefix and digits apart: `0X` is no address by the checksum's rules. */
const hasWrongChecksum = (digits: string) => getChecksumState(`0x${digits}` as Hex) === 'invalid';

/** `eager`: everything is hashed when it is asked for. */
export function createChecksumCache(eager = false): ChecksumCache {
  let before = new Map<string, boolean>();
  let now = new Map<string, boolean>();
  const waiting = new Set<string>();
  return {
    startRead() {
      before = now;
      now = new Map();
    },
    isWrong(written) {
      const digits = written.trim().slice(2);
      if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return false;
      const known = now.get(digits) ?? before.get(digits) ?? (eager ? hasWrongChecksum(digits) : undefined);
      if (known === undefined) waiting.add(digits);
      else now.set(digits, known);
      return known ?? false;
    },
    hashPending(most) {
      let [done, wrong] = [0, 0];
      for (const digits of waiting) {
        if (done++ === most) break;
        waiting.delete(digits);
        now.set(digits, hasWrongChecksum(digits));
        if (now.get(digits)) wrong++;
      }
      return { left: waiting.size, wrong };
    },
  };
}
