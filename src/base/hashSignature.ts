// keccak-256 of the canonical signature of an event, function or error: topic0, and in its first 4 bytes the selector.
import { keccak256 } from 'ox/Hash';
import { bytesToHex, type Hex } from './hex.ts';

const encoder = new TextEncoder();

export const hashSignature = (canonical: string): Hex =>
  bytesToHex(keccak256(encoder.encode(canonical), { as: 'Bytes' }));
