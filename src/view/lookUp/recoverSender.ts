// The account that signed a transaction; a bundle of its own, since it needs the curve.
import { recoverAddress } from 'ox/Secp256k1';
import type { Hex } from '../../base/hex.ts';
import type { RawTransaction } from './rawTransaction.ts';

/** `null` where the signature is of no account. */
export function recoverSender({ payload, signature }: Pick<RawTransaction, 'payload' | 'signature'>): Hex | null {
  try {
    return recoverAddress({ payload, signature });
  } catch {
    return null;
  }
}
