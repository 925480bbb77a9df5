// The signature engine in JavaScript (noble, part of ox), for where WebAssembly is not available.
import { keccak256 } from 'ox/Hash';
import { recoverPublicKey } from 'ox/Secp256k1';
import type { SignatureEngine } from './signatureEngine.ts';

export const jsSignatureEngine: SignatureEngine = {
  name: 'js',
  keccak256: bytes => keccak256(bytes, { as: 'Bytes' }),
  recoverPublicKey(signature, digest) {
    const parityLast = new Uint8Array(65);
    parityLast.set(signature.subarray(1));
    parityLast[64] = signature[0] ?? 0;
    try {
      return recoverPublicKey({ signature: parityLast, payload: digest, as: 'Bytes' });
    } catch {
      return null; // noble throws when no key fits
    }
  },
};
