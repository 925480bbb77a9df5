// Reply headers of our own, by name: what they say stands beside the body, whose shape is the description's.

/**
 * The fault's code (`base/errors.ts`) on an error reply of our own service. Hosts never speak for us: theirs is dropped.
 */
export const FAULT_HEADER = 'x-hexlens-fault';

/** Which remote host answered, by a name for people (`api.example:8443`); set by the HTTP transport only. */
export const HOST_HEADER = 'x-hexlens-host';

/** How many records of a remote page our side left out, because the host no longer filters by itself. */
export const FILTERED_HEADER = 'x-hexlens-filtered';

/** A page that ends before its range does: the search was long enough; the cursor goes on, even from an empty page. */
export const SCAN_HEADER = 'x-hexlens-scan';

/** Why `total` is `null` though it was asked for. */
export const TOTAL_HEADER = 'x-hexlens-total';

/** How far the index of the chain is, where it is behind: the answer, a refusal too, is what it holds so far. */
export const INDEX_HEADER = 'x-hexlens-index';

/** Why `internal_transactions` is empty though it was asked for. */
export const INTERNAL_HEADER = 'x-hexlens-internal-transactions';

/** `not bound` on a verified sign-in whose domain nobody said it expects: any site could have asked for it. */
export const DOMAIN_HEADER = 'x-hexlens-domain';

/** Which of the configured Aptos networks answered. */
export const NETWORK_HEADER = 'x-hexlens-network';

/** Why the records are only a part of what there is, or lack some fields: one sentence. */
export const PARTIAL_HEADER = 'x-hexlens-partial';
