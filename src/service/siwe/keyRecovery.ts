// Recovering the public keys of signatures, on this thread or others; and how jobs and keys lie in the messages between them.

export interface KeyRecovery {
  /** `null` when no key fits. Both arguments as in `SignatureEngine`. */
  recoverPublicKey(signature: Uint8Array, digest: Uint8Array): Promise<Uint8Array | null>;
  close(): void;
}

export const SIGNATURE_BYTES = 65;
/** A signature and a digest of 32 bytes. */
export const JOB_BYTES = SIGNATURE_BYTES + 32;
/** Uncompressed; all zeros where no key fits. */
export const KEY_BYTES = 65;
