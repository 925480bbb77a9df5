// Recovering the accounts of signatures, on this thread or others.
import type { Hex } from '../../base/hex.ts';

export interface KeyRecovery {
  /** The account in lower case; `null` when no key fits. Both arguments as in `SignatureEngine`. */
  recoverAddress(signature: Uint8Array, digest: Uint8Array): Promise<Hex | null>;
  close(): void;
}
