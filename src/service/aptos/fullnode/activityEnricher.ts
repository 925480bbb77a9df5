// Completes activities from the indexer with the event numbers and accounts that only the fullnode's transactions contain.
import type { Clock } from '../../../base/clock.ts';
import { type HexLensError, isFault, toFault } from '../../../base/errors.ts';
import type { Hex } from '../../../base/hex.ts';
import { mapConcurrently } from '../../../base/mapConcurrently.ts';
import type { ActivityKey, CoinActivity, TokenActivity } from '../models.ts';
import { emptyPriorState, type PriorState } from '../processors/priorState.ts';
import { type ProcessedTransaction, processTransaction } from '../processors/processTransaction.ts';
import type { RestTransaction } from '../restTransaction.ts';
import type { FullnodeClient } from './fullnodeClient.ts';
import { createPairedCoins, type PairedCoins } from './pairedCoins.ts';

export interface Enriched<Row> {
  readonly rows: readonly Row[];
  /** Why some rows have placeholders, as one sentence for the user; `null` when all are complete. */
  readonly partialReason: string | null;
}

export type ActivityEnricher = ReturnType<typeof createActivityEnricher>;

type TimedActivity = ActivityKey & { readonly transactionTimestamp: Date };

const MAX_CONCURRENT_REQUESTS = 8;

export function createActivityEnricher(fullnode: FullnodeClient | null, clock: Clock) {
  const pairedCoins = createPairedCoins(fullnode, clock);
  const priorState: PriorState = { ...emptyPriorState, getPairedCoin: pairedCoins.getCoinType };

  /** Overwrites the fields of each row with those of the transaction, unless the transaction does not provide them. */
  async function enrich<Row extends TimedActivity>(
    rows: readonly Row[],
    getBlockHeight: (row: Row) => bigint | null,
    getActivities: (transaction: ProcessedTransaction) => readonly Row[],
    signal: AbortSignal | undefined,
  ): Promise<Enriched<Row>> {
    if (fullnode === null)
      return { rows, partialReason: describePlaceholders('No node is configured for this network', rows.length) };
    const blockHeights = new Map(rows.map(row => [row.transactionVersion, getBlockHeight(row)] as const));
    const { transactions, missingReason } = await fetchTransactionsByVersion(
      fullnode,
      [...blockHeights.keys()],
      signal,
    );
    const activities = new Map<string, Row>();
    for (const [version, transaction] of transactions) {
      const processed = processTransaction({ transaction, blockHeight: blockHeights.get(version) ?? null }, priorState);
      for (const activity of getActivities(processed)) activities.set(toKeyText(activity), activity);
    }
    let missingCount = 0;
    const enriched = rows.map(row => {
      const activity = activities.get(toKeyText(row));
      if (activity === undefined || activity.transactionTimestamp.getTime() !== row.transactionTimestamp.getTime()) {
        missingCount++;
        return row;
      }
      return { ...row, ...omitNulls(activity) };
    });
    const reason = missingReason ?? `The node of ${fullnode.networkTitle} and the indexer do not agree`;
    return { rows: enriched, partialReason: missingCount === 0 ? null : describePlaceholders(reason, missingCount) };
  }

  return {
    pairedCoins,
    /** The same rows in the same order, completed from their transactions. Rejects only with `cancelled`. */
    async enrichCoinActivities(rows: readonly CoinActivity[], signal?: AbortSignal): Promise<Enriched<CoinActivity>> {
      const enriched = await enrich(
        rows,
        row => row.blockHeight,
        transaction => transaction.coinActivities,
        signal,
      );
      await pairedCoins.fetchMissing(
        enriched.rows.flatMap(row => getUnpairedMetadata(row) ?? []),
        signal,
      );
      return { ...enriched, rows: enriched.rows.map(row => withPairedCoin(row, pairedCoins)) };
    },
    enrichTokenActivities: (rows: readonly TokenActivity[], signal?: AbortSignal): Promise<Enriched<TokenActivity>> =>
      enrich(
        rows,
        () => null,
        transaction => transaction.tokenActivities,
        signal,
      ),
  };
}

const toKeyText = ({ transactionVersion, eventIndex }: ActivityKey) => `${transactionVersion} ${eventIndex}`;

const describePlaceholders = (reason: string, count: number) =>
  `${reason}: in ${count} record${count === 1 ? '' : 's'} the event's account and numbers are the indexer's placeholders.`;

/** The metadata address of a fungible asset that has no coin type yet. */
export const getUnpairedMetadata = ({ tokenStandard, assetType }: CoinActivity): Hex | null =>
  tokenStandard === 'v2' && assetType !== null && /^0x[0-9a-f]{64}$/.test(assetType) ? (assetType as Hex) : null;

/** The activity with the coin type of its paired coin, if it is cached. */
export function withPairedCoin(activity: CoinActivity, { getCoinType }: PairedCoins): CoinActivity {
  const metadata = getUnpairedMetadata(activity);
  return metadata === null ? activity : { ...activity, coinType: getCoinType(metadata) ?? metadata };
}

function omitNulls<Row extends object>(row: Row): Partial<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Partial<Row>; // a subset of its fields
}

interface FetchedTransactions {
  readonly transactions: ReadonlyMap<bigint, RestTransaction>;
  /** Why some are missing, without a full stop; `null` when none is. */
  readonly missingReason: string | null;
}

/** The transactions that the node has; the page is served without the others. Rejects only with `cancelled`. */
async function fetchTransactionsByVersion(
  fullnode: FullnodeClient,
  versions: readonly bigint[],
  signal: AbortSignal | undefined,
): Promise<FetchedTransactions> {
  const transactions = new Map<bigint, RestTransaction>();
  let failure: HexLensError | null = null;
  let isPruned = false;
  await mapConcurrently(versions, MAX_CONCURRENT_REQUESTS, async version => {
    // After one failure no further request is sent: each of them might take the whole timeout.
    if (failure !== null) return;
    try {
      const transaction = await fullnode.fetchTransaction(version, signal);
      if (transaction !== null) transactions.set(version, transaction);
    } catch (error) {
      const fault = toFault(error);
      if (signal?.aborted || isFault(fault, 'cancelled')) throw fault;
      if (isFault(fault, 'removed')) isPruned = true;
      else failure = fault;
    }
  });
  const fault = failure as HexLensError | null; // assigned in a callback, which narrowing does not see
  if (fault !== null) return { transactions, missingReason: fault.message.replace(/\.$/, '') };
  if (isPruned)
    return {
      transactions,
      missingReason: `The node of ${fullnode.networkTitle} has pruned some of these transactions`,
    };
  const isBehind = transactions.size < versions.length;
  return {
    transactions,
    missingReason: isBehind ? `The node of ${fullnode.networkTitle} is behind the indexer` : null,
  };
}
