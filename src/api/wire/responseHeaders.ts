// Response headers of our own service; bodies have the shape of the description and no room for these facts.

/** Fault code (`base/errors.ts`) of an error response. Headers of this name from remote hosts are dropped. */
export const FAULT_HEADER = 'x-hexlens-fault';

/** Display name of the remote host that responded (`api.example:8443`); set by the HTTP transport only. */
export const HOST_HEADER = 'x-hexlens-host';

/** Number of records of a remote page that were filtered out here, because the host has removed the parameter. */
export const FILTERED_HEADER = 'x-hexlens-filtered';

/** The page ends before its range because the scan took long enough; its cursor continues, even from an empty page. */
export const SCAN_HEADER = 'x-hexlens-scan';

/** Why `total` is `null` although it was requested. */
export const TOTAL_HEADER = 'x-hexlens-total';

/** How far the index of the chain has come while it is incomplete; also on errors such as "not found". */
export const INDEX_HEADER = 'x-hexlens-index';

/** Why `internal_transactions` is empty although it was requested. */
export const INTERNAL_HEADER = 'x-hexlens-internal-transactions';

/** `not bound`: the policy of a verified sign-in names no expected domain, so the message may be for any site. */
export const DOMAIN_HEADER = 'x-hexlens-domain';

/** Name of the configured Aptos network that was read. */
export const NETWORK_HEADER = 'x-hexlens-network';

/** Why records are incomplete or lack fields: one sentence. */
export const PARTIAL_HEADER = 'x-hexlens-partial';
