// Brings the local index of an Aptos fullnode up to the newest version of its ledger, in batches of transactions.
import type { Clock } from '../../../base/clock.ts';
import { HexLensError, isFault } from '../../../base/errors.ts';
import { formatInteger } from '../../../base/formatUnits.ts';
import type { Hex } from '../../../base/hex.ts';
import type { Log } from '../../../base/log.ts';
import type { SyncContext, SyncSource } from '../../indexer/onDemandSync.ts';
import type { FullnodeReader, LedgerInfo } from '../fullnode/fullnodeClient.ts';
import { asArray, asString, asUnsigned, getField } from '../jsonFields.ts';
import type { RestTransaction, TransactionInBlock } from '../restTransaction.ts';
import {
  type AptosProgress,
  type AptosStore,
  MAX_BATCH_TRANSACTIONS,
  type OpenAptosStore,
} from '../store/aptosStore.ts';
import { createTransactionPrefetcher, type TransactionPrefetcher } from './transactionPrefetcher.ts';

const NEW_BLOCK_EVENTS = new Set(['0x1::block::NewBlockEvent', '0x1::block::NewBlock']);

/** The height in a block metadata transaction; `null` when it has none. */
function findNewBlockHeight(transaction: RestTransaction): bigint | null {
  for (const event of asArray(getField(transaction, 'events'))) {
    if (NEW_BLOCK_EVENTS.has(asString(getField(event, 'type')) ?? ''))
      return asUnsigned(getField(event, 'data', 'height'));
  }
  return null;
}

/**
 * Finds the block of each transaction: REST transactions do not contain it, but the first transaction of a block does.
 * `previousHeight` is the block of the transaction before the first of these; `null` when it is not known.
 */
async function addBlockHeights(
  fullnode: FullnodeReader,
  transactions: readonly RestTransaction[],
  previousHeight: bigint | null,
  signal: AbortSignal,
): Promise<readonly TransactionInBlock[]> {
  const result: TransactionInBlock[] = [];
  let blockHeight = previousHeight;
  for (const transaction of transactions) {
    const type = getField(transaction, 'type');
    if (type === 'genesis_transaction') blockHeight = 0n;
    else if (type === 'block_metadata_transaction') blockHeight = findNewBlockHeight(transaction);
    // The index may begin within a block.
    if (blockHeight === null) {
      const version = asUnsigned(getField(transaction, 'version'));
      if (version !== null) ({ blockHeight } = await fullnode.fetchBlockByVersion(version, signal));
    }
    result.push({ transaction, blockHeight });
  }
  return result;
}

export interface IndexedLedger {
  readonly store: AptosStore;
  readonly progress: AptosProgress;
}

export interface AptosIndexerDeps {
  /** Name of the network, for messages and the log. */
  readonly name: string;
  readonly fullnode: FullnodeReader;
  readonly openStore: OpenAptosStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly sync: SyncContext;
}

/** A batch ends with the first page after this time at the latest. */
const MAX_BATCH_MS = 500;
/** Attempts when the chain is reset or pruned again and again while it is read. */
const MAX_ATTEMPTS = 4;

/** Mainnet and testnet are never reset: a node with a shorter ledger is only behind. */
const PERMANENT_CHAIN_IDS: readonly number[] = [1, 2];

/** Longer chains are not local development chains; indexing them would occupy a public node for days. */
const MAX_INDEXED_TRANSACTIONS = 20_000_000n;

const UNKNOWN_GENESIS_HASH: Hex = `0x${'0'.repeat(64)}`;

interface OpenIndex {
  readonly store: AptosStore;
  progress: AptosProgress;
}

export class AptosIndexer implements SyncSource<IndexedLedger> {
  readonly #deps: AptosIndexerDeps;
  readonly #prefetcher: TransactionPrefetcher;
  /** `null` until a store is open. */
  #openIndex: OpenIndex | null = null;
  #targetVersion: bigint | null = null;

  constructor(deps: AptosIndexerDeps) {
    const { clock, fullnode } = deps;
    this.#deps = deps;
    this.#prefetcher = createTransactionPrefetcher(fullnode, clock);
  }

  async close(): Promise<void> {
    const store = this.#openIndex?.store;
    this.#openIndex = null;
    this.#deps.sync.onPositionChange();
    await store?.close();
  }

  get position(): { store: AptosStore; progress: AptosProgress } | null {
    if (this.#openIndex === null) return null;
    const { nextVersion, firstVersion } = this.#openIndex.progress;
    return nextVersion === firstVersion ? null : { ...this.#openIndex };
  }

  /** The newest version of the node at the last request; `null` before it. */
  get targetVersion(): bigint | null {
    return this.#targetVersion;
  }

  async follow(signal: AbortSignal): Promise<'paused' | 'synced'> {
    const { log, name } = this.#deps;
    for (let attempt = 1; ; attempt++) {
      const { index, ledger } = await this.#prepareIndex(signal);
      try {
        while (index.progress.nextVersion <= ledger.ledgerVersion) {
          await this.#indexBatch(index, ledger.ledgerVersion, signal);
          if (this.#deps.sync.shouldPause()) return 'paused';
        }
        return 'synced';
      } catch (error) {
        // The chain was pruned or reset, or another window extended the index: start from the new state.
        const hasChanged =
          isFault(error, 'removed', 'not-found') ||
          (await index.store.readProgress()).nextVersion !== index.progress.nextVersion;
        if (!hasChanged || attempt >= MAX_ATTEMPTS || signal.aborted) throw error;
        log.debug(`Reading the Aptos network ${name} again: ${error instanceof Error ? error.message : ''}`);
      }
    }
  }

  async #fetchTransactionHash(version: bigint, signal: AbortSignal): Promise<Hex | null> {
    const [transaction] = await this.#deps.fullnode.fetchTransactions(version, 1, signal);
    return getHash(transaction);
  }

  /** Opens the store of the node's chain, or returns the open one when it belongs to that chain. */
  async #openStoreOfChain(ledger: LedgerInfo, signal: AbortSignal): Promise<OpenIndex> {
    const { log, name, openStore } = this.#deps;
    const isGenesisPruned = ledger.oldestLedgerVersion > 0n;
    const genesisHash = (isGenesisPruned ? null : await this.#fetchTransactionHash(0n, signal)) ?? UNKNOWN_GENESIS_HASH;
    const info = { chainId: ledger.chainId, genesisHash };
    if (this.#openIndex !== null) {
      const openInfo = this.#openIndex.store.info;
      if (openInfo.chainId === info.chainId && openInfo.genesisHash === genesisHash) return this.#openIndex;
      log.info(`The Aptos network ${name} is another chain now: restarting its index.`);
    }
    await this.close();
    const store = await openStore(info);
    this.#openIndex = { store, progress: await store.readProgress() };
    this.#deps.sync.onPositionChange();
    return this.#openIndex;
  }

  /** Empties the index, which then begins at the oldest version of the node. */
  async #restartIndex(index: OpenIndex, { oldestLedgerVersion }: LedgerInfo): Promise<void> {
    const { log, name } = this.#deps;
    await index.store.clear(oldestLedgerVersion);
    index.progress = await index.store.readProgress();
    if (oldestLedgerVersion > 0n)
      log.warn(
        `The node of the Aptos network ${name} has pruned everything before version ${oldestLedgerVersion}: its index begins there.`,
      );
    this.#deps.sync.onPositionChange();
  }

  /** Whether the node still has the last indexed transaction. A pruned transaction counts as unchanged. */
  async #isSameChain(
    { nextVersion, lastHash }: AptosProgress,
    ledger: LedgerInfo,
    signal: AbortSignal,
  ): Promise<boolean> {
    const lastVersion = nextVersion - 1n;
    if (nextVersion < ledger.oldestLedgerVersion) return false;
    if (ledger.ledgerVersion < lastVersion) return PERMANENT_CHAIN_IDS.includes(ledger.chainId);
    if (lastHash === null || lastVersion < ledger.oldestLedgerVersion) return true;
    try {
      return (await this.#fetchTransactionHash(lastVersion, signal)) === lastHash;
    } catch (error) {
      if (isFault(error, 'not-found')) return false;
      if (isFault(error, 'removed')) return true;
      throw error;
    }
  }

  /** Opens the index of the node's chain, and restarts it when the node has another chain than the indexed one. */
  async #prepareIndex(signal: AbortSignal): Promise<{ readonly index: OpenIndex; readonly ledger: LedgerInfo }> {
    const { fullnode, log, name } = this.#deps;
    const ledger = await fullnode.fetchLedgerInfo(signal);
    this.#targetVersion = ledger.ledgerVersion;
    if (this.#openIndex !== null && this.#openIndex.store.info.chainId === ledger.chainId) {
      const index = this.#openIndex;
      index.progress = await index.store.readProgress(); // another window may have extended the index
      // The last transaction is unchanged, so all transactions before it are.
      if (index.progress.lastHash !== null && (await this.#isSameChain(index.progress, ledger, signal)))
        return { index, ledger };
    }
    if (ledger.ledgerVersion - ledger.oldestLedgerVersion > MAX_INDEXED_TRANSACTIONS) throw createTooLongFault(name);
    const index = await this.#openStoreOfChain(ledger, signal);
    const { nextVersion, firstVersion } = index.progress;
    const isEmpty = nextVersion === firstVersion;
    if (isEmpty) {
      if (ledger.oldestLedgerVersion !== firstVersion) await this.#restartIndex(index, ledger);
    } else if (nextVersion < ledger.oldestLedgerVersion) {
      const lastMissing = ledger.oldestLedgerVersion - 1n;
      log.warn(
        `The node of the Aptos network ${name} pruned versions ${nextVersion} to ${lastMissing} before they were read.`,
      );
      await this.#restartIndex(index, ledger);
    } else if (!(await this.#isSameChain(index.progress, ledger, signal))) {
      log.info(`The chain of the Aptos network ${name} was reset: restarting its index.`);
      await this.#restartIndex(index, ledger);
    }
    return { index, ledger };
  }

  async #indexBatch(index: OpenIndex, lastVersion: bigint, signal: AbortSignal): Promise<void> {
    const { clock, fullnode, log, name } = this.#deps;
    const { nextVersion: firstVersion, lastBlockHeight: previousHeight } = index.progress;
    const limits = { maxTransactions: MAX_BATCH_TRANSACTIONS, deadlineMs: clock.now() + MAX_BATCH_MS };
    const fetched = await this.#prefetcher.fetch(firstVersion, lastVersion, limits, signal);
    const transactions = await addBlockHeights(fullnode, fetched, previousHeight, signal);
    signal.throwIfAborted();
    const last = transactions.at(-1);
    if (last === undefined)
      throw new HexLensError(
        'node-answer',
        `The Aptos node of ${name} returned no transactions from version ${firstVersion} on.`,
      );
    const nextVersion = firstVersion + BigInt(transactions.length);
    const lastHash = getHash(last.transaction);
    const lastBlockHeight = last.blockHeight;
    const { skipped } = await index.store.writeBatch(firstVersion, {
      transactions,
      nextVersion,
      lastHash,
      lastBlockHeight,
    });
    for (const [reason, count] of skipped)
      log.warn(
        `The Aptos network ${name}, versions ${firstVersion} to ${nextVersion - 1n}: skipped ${reason} (${count} times).`,
      );
    index.progress = { ...index.progress, nextVersion, lastHash, lastBlockHeight };
    this.#deps.sync.onPositionChange();
  }
}

function getHash(transaction: RestTransaction | undefined): Hex | null {
  const hash = asString(getField(transaction, 'hash'));
  return hash !== null && /^0x[0-9a-f]{64}$/i.test(hash) ? (hash.toLowerCase() as Hex) : null;
}

function createTooLongFault(name: string): HexLensError {
  return new HexLensError(
    'not-implemented',
    `The chain of the Aptos network ${name} is too long to be indexed from its node: the limit without an indexer is ${formatInteger(Number(MAX_INDEXED_TRANSACTIONS))} transactions.`,
    { fix: 'Name an Indexer GraphQL API for this network in the setting hexlens.aptos.networks.' },
  );
}
