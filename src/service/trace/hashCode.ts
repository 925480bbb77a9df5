// The hash of a code of a trace: frames and lookups of a trace have the same code, which is the same array then.
import { keccak256 } from 'ox/Hash';
import { getOrInsert } from '../../base/getOrInsert.ts';
import type { Hex } from '../../base/hex.ts';

/** Codes of traces are never changed. */
const hashes = new WeakMap<Uint8Array, Hex>();

export const hashCode = (code: Uint8Array): Hex => getOrInsert(hashes, code, () => keccak256(code, { as: 'Hex' }));
