// A fullnode's REST API as the index needs it: a port, so that tests and the client each bring their own.
import type { RestTransaction } from './transaction.ts';

/** `GET /v1`. */
export interface LedgerInfo {
  /** 1 mainnet, 2 testnet, 4 localnet; devnet changes at each reset. */
  readonly chainId: number;
  readonly ledgerVersion: bigint;
  /** Older transactions were pruned. */
  readonly oldestLedgerVersion: bigint;
  readonly blockHeight: bigint;
  readonly oldestBlockHeight: bigint;
  /** Microseconds since 1970 of the newest transaction. */
  readonly ledgerTimestamp: bigint;
}

/** `GET /v1/blocks/by_version/{version}` without its transactions. */
export interface RestBlock {
  readonly blockHeight: bigint;
  readonly blockHash: string;
  /** Both inclusive. */
  readonly firstVersion: bigint;
  readonly lastVersion: bigint;
}

/** The most transactions a node gives in one page. */
export const MAX_TRANSACTIONS_PER_PAGE = 100;

/**
 * All methods reject with a HexLensError: `removed` for what the node pruned (410), `not-found`, `rate-limited` with
 * `retryAfterMs` after the client's own patience, `node-unreachable`, `node-timeout`, `node-answer`, `cancelled`.
 */
export interface FullnodeReader {
  /** Never from a cache. */
  fetchLedgerInfo(signal?: AbortSignal): Promise<LedgerInfo>;
  /** Committed transactions from version `start` on, in order, at most `limit` (1 to 100); fewer at the end of the ledger. */
  fetchTransactions(start: bigint, limit: number, signal?: AbortSignal): Promise<readonly RestTransaction[]>;
  fetchBlockByVersion(version: bigint, signal?: AbortSignal): Promise<RestBlock>;
  /**
   * `data` of one resource at `address`, as of `version` when it is given; `null` when it is not there (404). For asset
   * stores whose owner or metadata the transaction itself does not say, and for `0x1::coin::PairedCoinType`.
   */
  fetchResource(
    address: string,
    type: string,
    version: bigint | undefined,
    signal?: AbortSignal,
  ): Promise<RestTransaction | null>;
}
