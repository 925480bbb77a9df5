// Hashes of the codes of a trace: many frames run the same code, which is the same array then.
import { keccak256 } from 'ox/Hash';
import type { Hex } from '../../base/hex.ts';

export class CodeHashes {
  readonly #hashes = new Map<Uint8Array, Hex>();

  get(code: Uint8Array): Hex {
    const hash = this.#hashes.get(code) ?? keccak256(code, { as: 'Hex' });
    this.#hashes.set(code, hash);
    return hash;
  }
}
