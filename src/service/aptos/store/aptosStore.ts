// The interface of the index of one Aptos chain, which is identified by chain id and genesis transaction.
import type { Hex } from '../../../base/hex.ts';
import type { AptosKey, AptosListName, AptosPageRequest, AptosQuery, AptosRow } from '../aptosSource.ts';
import type { TransactionInBlock } from '../restTransaction.ts';

export interface AptosStoreInfo {
  readonly chainId: number;
  /** Hash of transaction 0; zeros when the node has pruned it. */
  readonly genesisHash: Hex;
}

export interface AptosProgress {
  /** The oldest version in the index: 0 unless the node had pruned transactions when the index was started. */
  readonly firstVersion: bigint;
  /** All transactions from `firstVersion` up to this one, exclusive, are in the index. */
  readonly nextVersion: bigint;
  /** Hash of the transaction before `nextVersion`; `null` while the index is empty. */
  readonly lastHash: string | null;
  /** The block of that transaction. */
  readonly lastBlockHeight: bigint | null;
}

/**
 * A batch ends with the page that reaches this number: three pages, which are requested at once. One of 1,000 takes no less time
 * per transaction, and keeps the thread from other requests for three times as long.
 */
export const MAX_BATCH_TRANSACTIONS = 300;

/** Consecutive transactions from `nextVersion` of the progress. A batch is written completely or not at all. */
export interface AptosBatch {
  readonly transactions: readonly TransactionInBlock[];
  readonly nextVersion: bigint;
  readonly lastHash: string | null;
  readonly lastBlockHeight: bigint | null;
}

export interface BatchResult {
  /** The number of coin and token activities. */
  readonly activityCount: number;
  /** The number of rows that could not be parsed, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
}

/** Methods reject with a `HexLensError`. Queries see complete batches only and return rows newest first. */
export interface AptosStore {
  readonly info: AptosStoreInfo;
  readProgress(): Promise<AptosProgress>;
  /**
   * Processes the transactions and stores their rows. Several full batches may be committed together: when this rejects, or the process
   * ends, those before may have to be written again, from `readProgress` on. Rejects with `internal` when another process
   * has extended the index.
   */
  writeBatch(firstVersion: bigint, batch: AptosBatch): Promise<BatchResult>;
  /** Empties the index, which then begins at `firstVersion`. */
  clear(firstVersion: bigint): Promise<void>;

  read<Name extends AptosListName>(
    list: Name,
    query: AptosQuery<Name>,
    page: AptosPageRequest<AptosKey<Name>>,
  ): Promise<readonly AptosRow<Name>[]>;
  close(): Promise<void>;
}

/** Opens, creates or migrates the store of a chain. A corrupt or newer file is quarantined, logged and replaced. */
export type OpenAptosStore = (info: AptosStoreInfo) => Promise<AptosStore>;
