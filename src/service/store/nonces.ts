// Consumed nonces of sign-in messages, in a store that several processes share.

export interface SharedNonces {
  /**
   * Atomic: of all processes, only one gets `true` for a key.
   *
   * @param expires Milliseconds since 1970; `null` when the message never expires.
   */
  insert(key: Uint8Array, expires: number | null, now: number): boolean | Promise<boolean>;
  close(): void | Promise<void>;
}

/** Nonces outlive their message by this, since the clocks of the machines that share a store differ. */
export const NONCE_MARGIN_MS = 10 * 60_000;
export const NONCE_CLEANUP_INTERVAL_MS = 60_000;
