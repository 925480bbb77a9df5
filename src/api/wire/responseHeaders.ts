// Response headers of our own service; bodies have the shape of the description and no room for these facts.

/** Fault code (`base/errors.ts`) of an error response. Headers of this name from remote hosts are dropped. */
export const FAULT_HEADER = 'x-hexlens-fault';

/** Display name of the remote host that responded (`api.example:8443`); set by the HTTP transport only. */
export const HOST_HEADER = 'x-hexlens-host';

/** Number of records of a remote page that were filtered out here, because the host has removed the parameter. */
export const FILTERED_HEADER = 'x-hexlens-filtered';

/** How far the scan of a public chain got when the page ends early, at its time limit; its cursor continues, even from an empty page. */
export const SCAN_HEADER = 'x-hexlens-scan';

/** Why `total` is `null` although it was requested. */
export const TOTAL_HEADER = 'x-hexlens-total';

/** How far the index of the chain has come while it is incomplete; also on errors such as "not found". */
export const INDEX_HEADER = 'x-hexlens-index';

/** `unavailable; reason` when `internal_transactions` is empty although requested, `incomplete; …` names what is missing. */
export const INTERNAL_HEADER = 'x-hexlens-internal-transactions';

/** `not bound`: the policy of a verified sign-in names no expected domain, so the message may be for any site. */
export const DOMAIN_HEADER = 'x-hexlens-domain';

/** Name of the configured Aptos network that was read. */
export const NETWORK_HEADER = 'x-hexlens-network';

/** Why records are incomplete or lack fields: one sentence. */
export const PARTIAL_HEADER = 'x-hexlens-partial';

/** Parameters of the request that the description marks as soon to be deprecated. */
export const DEPRECATED_SOON_HEADER = 'x-hexlens-deprecated-soon';

/** Names of parameters of the query that the operation does not have. */
export const IGNORED_HEADER = 'x-hexlens-ignored-parameters';

/** {@link INDEX_SOURCE}, or the method of the node by which the transactions of a wallet were found. */
export const SOURCE_HEADER = 'x-hexlens-source';
/** The source of transactions that are read from the index of the chain. */
export const INDEX_SOURCE = 'index';

/** What each header says, for the reference; a test compares it with what the server sends. */
export const headerDescriptions: Readonly<Record<string, string>> = {
  [FAULT_HEADER]: 'on errors: the code, see [errors](#errors)',
  [HOST_HEADER]: 'the remote host that responded, where the service passes requests on',
  [FILTERED_HEADER]:
    'how many records of a remote page were filtered out here, since that host has removed the parameter',
  [SCAN_HEADER]:
    '`partial; searched down to block N` (`up to`, oldest first): the page ends early because the scan took long enough; its cursor continues, even from an empty page',
  [TOTAL_HEADER]: 'why `total` is `null` although it was requested',
  [INDEX_HEADER]: '`syncing; block N of M` while the index is incomplete, also on errors',
  [INTERNAL_HEADER]:
    'why `internal_transactions` is `[]` although it was requested: the node can not trace, or not this transaction; without the header `[]` means that there are none',
  [DOMAIN_HEADER]: '`not bound`: no expected domain is configured, so the signed message may be for any site',
  [NETWORK_HEADER]: 'the configured Aptos network that was read',
  [PARTIAL_HEADER]:
    'why Aptos records are incomplete or lack fields, or which transactions of a wallet are missing, one sentence',
  [SOURCE_HEADER]: 'how the transactions of a wallet were found: `index`, or a JSON-RPC method of the node',
  [DEPRECATED_SOON_HEADER]: 'the parameters of the request that are marked as soon to be deprecated (`disable_total`)',
  [IGNORED_HEADER]: 'the parameters of the query that the operation does not have, which were ignored',
  deprecation:
    'Unix time (RFC 9745) from which the description deprecates what the request uses: ERC-20 mints, `direction`, `topic1` to `topic3`, logs without `topic0`; it still works here',
  etag: 'of replies that may be read again: a request that sends it as `If-None-Match` gets 304 without a body as long as the reply is the same',
  'retry-after': 'seconds to wait before the request is repeated',
  'www-authenticate': 'on 401: `Bearer`',
  allow: 'on 405 and for `OPTIONS`: the methods of the path',
  'x-request-id':
    'the id of the request in the log; one that the client sends is used if it has 1 to 64 letters, digits or `_.=-`',
};
