// Brings the store of one Aptos node to the node's newest version: page after page of transactions, in order.
import type { Clock } from '../../../base/clock.ts';
import { HexLensError, isFault } from '../../../base/errors.ts';
import { formatInteger } from '../../../base/formatUnits.ts';
import type { Hex } from '../../../base/hex.ts';
import type { Log } from '../../../base/log.ts';
import type { SyncSource } from '../../indexer/onDemandSync.ts';
import type { FullnodeReader, LedgerInfo } from '../fullnode/fullnodeClient.ts';
import { asString, getField } from '../jsonFields.ts';
import type { AptosProgress, AptosStore, OpenAptosStore } from '../store/aptosStore.ts';
import { type BlockHeights, createBlockHeights } from './blockHeights.ts';
import { createTransactionPrefetcher, type TransactionPrefetcher } from './transactionPrefetcher.ts';

export interface IndexedLedger {
  readonly store: AptosStore;
  readonly progress: AptosProgress;
}

export interface AptosIndexerOptions {
  /** Of the network, for the log. */
  readonly name: string;
  readonly fullnode: FullnodeReader;
  readonly openStore: OpenAptosStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Called whenever `position` has changed. */
  readonly onProgress: () => void;
}

export interface AptosIndexer extends SyncSource<IndexedLedger> {
  /** The node's newest version when it was last looked at. */
  readonly targetVersion: bigint | null;
}

/** Rows are written when there are so many transactions, or after so many milliseconds. */
const BATCH = 1_000;
const BATCH_MS = 500;
/** A chain that is wiped again and again while it is read. */
const MOST_WIPES = 4;

/** Mainnet and testnet are never wiped: a replica of such a node may only be behind. */
const PERMANENT: readonly number[] = [1, 2];

/** A chain with more than that was not made by one developer: reading it whole would take days of someone else's node. */
export const MAX_INDEXED_TRANSACTIONS = 20_000_000n;

const NO_GENESIS: Hex = `0x${'0'.repeat(64)}`;

interface Opened {
  readonly store: AptosStore;
  progress: AptosProgress;
}

export function createAptosIndexer({
  name,
  fullnode: rest,
  openStore: open,
  clock,
  log,
  onProgress: moved,
}: AptosIndexerOptions): AptosIndexer {
  let opened: Opened | null = null;
  let target: bigint | null = null;
  const pages: TransactionPrefetcher = createTransactionPrefetcher(rest, clock);
  const heights: BlockHeights = createBlockHeights(rest);

  const close = async () => {
    const store = opened?.store;
    opened = null;
    moved();
    await store?.close();
  };

  const hashAt = async (version: bigint, signal: AbortSignal): Promise<Hex | null> => {
    const [transaction] = await rest.fetchTransactions(version, 1, signal);
    const hash = asString(getField(transaction, 'hash'));
    return hash !== null && /^0x[0-9a-f]{64}$/i.test(hash) ? (hash.toLowerCase() as Hex) : null;
  };

  /** The store of the chain that the node has now. */
  const reopen = async (ledger: LedgerInfo, signal: AbortSignal): Promise<Opened> => {
    const genesisHash = ledger.oldestLedgerVersion > 0n ? NO_GENESIS : ((await hashAt(0n, signal)) ?? NO_GENESIS);
    const info = { chainId: ledger.chainId, genesisHash };
    if (opened !== null && opened.store.info.chainId === info.chainId && opened.store.info.genesisHash === genesisHash)
      return opened;
    if (opened !== null) log.info(`The Aptos network ${name} is another chain now: its index begins anew.`);
    await close();
    const store = await open(info);
    opened = { store, progress: await store.readProgress() };
    moved();
    return opened;
  };

  /** Empties the index; it begins at the node's oldest version. */
  const beginAnew = async (now: Opened, { oldestLedgerVersion: oldest }: LedgerInfo) => {
    await now.store.clear(oldest);
    now.progress = await now.store.readProgress();
    if (oldest > 0n)
      log.warn(
        `The node of the Aptos network ${name} has pruned everything before version ${oldest}: its index begins there.`,
      );
    moved();
  };

  /** Opens the chain's store, and empties it when the node's chain is not the one that was read. */
  const settle = async (signal: AbortSignal): Promise<{ readonly now: Opened; readonly ledger: LedgerInfo }> => {
    const ledger = await rest.fetchLedgerInfo(signal);
    target = ledger.ledgerVersion;
    const known = opened;
    if (known !== null && known.store.info.chainId === ledger.chainId) {
      known.progress = await known.store.readProgress(); // another window may have gone on
      // While its last transaction is what it was, so is everything before it.
      if (known.progress.lastHash !== null && (await isAt(known.progress, ledger, signal)))
        return { now: known, ledger };
    }
    if (ledger.ledgerVersion - ledger.oldestLedgerVersion > MAX_INDEXED_TRANSACTIONS) throw tooLong(name);
    const now = await reopen(ledger, signal);
    const { nextVersion: next, firstVersion: first } = now.progress;
    if (next === first) {
      if (ledger.oldestLedgerVersion !== first) await beginAnew(now, ledger);
    } else if (next < ledger.oldestLedgerVersion) {
      const last = ledger.oldestLedgerVersion - 1n;
      log.warn(`The node of the Aptos network ${name} pruned versions ${next} to ${last} before they were read.`);
      await beginAnew(now, ledger);
    } else if (!(await isAt(now.progress, ledger, signal))) {
      log.info(`The chain of the Aptos network ${name} was wiped: its index begins anew.`);
      await beginAnew(now, ledger);
    }
    return { now, ledger };
  };

  /** Whether the last transaction that was read is still there, as it was; what is pruned is believed. */
  const isAt = async (
    { nextVersion: next, lastHash: hash }: AptosProgress,
    ledger: LedgerInfo,
    signal: AbortSignal,
  ): Promise<boolean> => {
    if (next < ledger.oldestLedgerVersion) return false;
    if (ledger.ledgerVersion < next - 1n) return PERMANENT.includes(ledger.chainId);
    if (hash === null || next - 1n < ledger.oldestLedgerVersion) return true;
    try {
      return (await hashAt(next - 1n, signal)) === hash;
    } catch (error) {
      if (isFault(error, 'not-found')) return false;
      if (isFault(error, 'removed')) return true;
      throw error;
    }
  };

  /** Reads on up to version `to`. */
  const readOn = async (
    now: Opened,
    to: bigint,
    resting: () => boolean,
    signal: AbortSignal,
  ): Promise<'there' | 'rested'> => {
    while (now.progress.nextVersion <= to) {
      const { nextVersion: from, lastBlockHeight: height } = now.progress;
      const until = clock.now() + BATCH_MS;
      const read = await pages.fetch(from, to, { maxTransactions: BATCH, deadlineMs: until }, signal);
      const placed = await heights.assign(read, height, signal);
      signal.throwIfAborted();
      const last = placed.at(-1);
      if (last === undefined)
        throw new HexLensError(
          'node-answer',
          `The Aptos node of ${name} gave no transactions from version ${from} on.`,
        );
      const hash = asString(getField(last.transaction, 'hash'))?.toLowerCase() ?? null;
      const next = from + BigInt(placed.length);
      const { skipped: leftOut } = await now.store.writeBatch(from, {
        transactions: placed,
        nextVersion: next,
        lastHash: hash,
        lastBlockHeight: last.blockHeight,
      });
      for (const [reason, count] of leftOut)
        log.warn(`The Aptos network ${name}, versions ${from} to ${next - 1n}: ${count} times left out ${reason}.`);
      now.progress = { ...now.progress, nextVersion: next, lastHash: hash, lastBlockHeight: last.blockHeight };
      moved();
      if (resting()) return 'rested';
    }
    return 'there';
  };

  return {
    get position() {
      return opened === null || opened.progress.nextVersion === opened.progress.firstVersion ? null : { ...opened };
    },
    get targetVersion() {
      return target;
    },
    async follow(resting, signal) {
      for (let attempt = 1; ; attempt++) {
        const { now, ledger } = await settle(signal);
        try {
          return await readOn(now, ledger.ledgerVersion, resting, signal);
        } catch (error) {
          // Pruned under us, wiped under us, or moved on by another window: look again.
          const again =
            isFault(error, 'removed', 'not-found') ||
            (await now.store.readProgress()).nextVersion !== now.progress.nextVersion;
          if (!again || attempt >= MOST_WIPES || signal.aborted) throw error;
          log.debug(`The Aptos network ${name} is looked at again: ${error instanceof Error ? error.message : ''}`);
        }
      }
    },
    close,
  };
}

function tooLong(name: string): HexLensError {
  return new HexLensError(
    'not-implemented',
    `The Aptos network ${name} is too long to be read whole: without an indexer that is done for chains of up to ${formatInteger(Number(MAX_INDEXED_TRANSACTIONS))} transactions.`,
    { fix: 'Name an Indexer GraphQL API for this network in the setting hexlens.aptos.networks.' },
  );
}
