// keccak-256 of a text, such as the signature of an event.
import { keccak256 } from 'ox/Hash';
import { bytesToHex, type Hex } from './hex.ts';

export const hashSignature = (text: string): Hex =>
  bytesToHex(keccak256(new TextEncoder().encode(text), { as: 'Bytes' }));
