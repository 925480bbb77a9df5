// Signature engines: hash messages and recover the account that signed; with a test that each must pass before use.
import { bytesToHex, type Hex, hexToBytes } from '../../base/hex.ts';

export interface SignatureEngine {
  readonly name: 'wasm' | 'js';
  keccak256(bytes: Uint8Array): Uint8Array;
  /**
   * The public key (65 bytes, uncompressed) of `signature` (65 bytes `yParity || r || s` within their bounds) over
   * `digest`; `null` when there is none.
   */
  recoverPublicKey(signature: Uint8Array, digest: Uint8Array): Uint8Array | null;
}

/** The account of a public key, in lower case. */
export const toAddress = ({ keccak256 }: SignatureEngine, key: Uint8Array): Hex =>
  bytesToHex(keccak256(key.subarray(1)).subarray(12));

/** The account of a signature, in lower case; `null` when no key fits. */
export function recoverAddress(engine: SignatureEngine, signature: Uint8Array, digest: Uint8Array): Hex | null {
  const key = engine.recoverPublicKey(signature, digest);
  return key === null ? null : toAddress(engine, key);
}

/** "hello world" as EIP-191 bytes, signed by the first account of every Hardhat and Foundry chain. */
const testVector = {
  signed: '\x19Ethereum Signed Message:\n11hello world',
  digest: '0xd9eba16ed0ecae432b71fe008c98cc872bb4cc214d3220a36f365326cf807d68',
  signature:
    '00a461f509887bd19e312c0c58467ce8ff8e300d3c1a90b608a760c5b80318eaf15fe57c96f9175d6cd4daad4663763baa7e78836e067d0163e9a2ccf2ff753f5b',
  address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
} as const;

/** Runs the engine on a test vector and describes what is wrong; `null` when it works. */
export function findEngineDefect(engine: SignatureEngine): string | null {
  const digest = engine.keccak256(new TextEncoder().encode(testVector.signed));
  if (bytesToHex(digest) !== testVector.digest) return 'it hashes incorrectly';
  const signature = hexToBytes(`0x${testVector.signature}`);
  if (recoverAddress(engine, signature, digest) !== testVector.address) return 'it recovers a wrong account';
  signature[0] = 1; // the other parity is another key
  if (recoverAddress(engine, signature, digest) === testVector.address) return 'it ignores the parity';
  signature.fill(0);
  return engine.recoverPublicKey(signature, digest) === null ? null : 'it accepts a signature of zeros';
}
