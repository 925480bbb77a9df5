// Exact rows: the indexer says which events there were, the node's transactions say everything about them.

import type { Clock } from '../../../base/clock.ts';
import { type HexLensError, isFault, toFault } from '../../../base/errors.ts';
import type { Hex } from '../../../base/hex.ts';
import { mapConcurrently } from '../../evm/rpcClient.ts';
import type { ActivityKey, CoinActivity, TokenActivity } from '../models.ts';
import { emptyPriorState, type PriorState } from '../processors/priorState.ts';
import { type ProcessedTransaction, processTransaction } from '../processors/processTransaction.ts';
import type { RestTransaction } from '../transaction.ts';
import type { FullnodeClient } from './fullnodeClient.ts';
import { createPairedCoins, type PairedCoins } from './pairedCoins.ts';

// The transactions of some versions from the node, as far as it has them: a page is served all the same where it has not.
export interface FetchedTransactions {
  readonly transactions: ReadonlyMap<bigint, RestTransaction>;
  /** Why some are missing: one sentence without its full stop; `null` when none is. */
  readonly missingReason: string | null;
}

const AT_ONCE = 8;

/** Rejects with `cancelled` only. */
export async function fetchTransactionsByVersion(
  node: FullnodeClient,
  versions: readonly bigint[],
  signal: AbortSignal | undefined,
): Promise<FetchedTransactions> {
  const found = new Map<bigint, RestTransaction>();
  let down: HexLensError | null = null;
  let pruned = false;
  await mapConcurrently(versions, AT_ONCE, async version => {
    // One that does not answer is not asked a hundred times: each try would take its whole time.
    if (down !== null) return;
    try {
      const transaction = await node.fetchTransaction(version, signal);
      if (transaction !== null) found.set(version, transaction);
    } catch (error) {
      const fault = toFault(error);
      if (signal?.aborted || isFault(fault, 'cancelled')) throw fault;
      if (isFault(fault, 'removed')) pruned = true;
      else down = fault;
    }
  });
  const fault = down as HexLensError | null; // assigned in callbacks, which the compiler does not follow
  if (fault !== null) return { transactions: found, missingReason: fault.message.replace(/\.$/, '') };
  if (pruned)
    return { transactions: found, missingReason: `The node at ${node.host} has pruned some of these transactions` };
  const behind = found.size < versions.length;
  return { transactions: found, missingReason: behind ? `The node at ${node.host} is behind the indexer` : null };
}

export interface Enriched<Row> {
  readonly rows: readonly Row[];
  /** What of them is not exact, and why: one sentence; `null` when all is. */
  readonly partialReason: string | null;
}

export interface ActivityEnricher {
  /** The same rows in the same order, each with what its transaction says. Rejects with `cancelled` only. */
  enrichCoinActivities(rows: readonly CoinActivity[], signal?: AbortSignal): Promise<Enriched<CoinActivity>>;
  enrichTokenActivities(rows: readonly TokenActivity[], signal?: AbortSignal): Promise<Enriched<TokenActivity>>;
  readonly pairedCoins: PairedCoins;
}

type Timed = ActivityKey & { readonly transactionTimestamp: Date };

export function createActivityEnricher(node: FullnodeClient | null, clock: Clock): ActivityEnricher {
  const pairs = createPairedCoins(node, clock);
  const memory: PriorState = { ...emptyPriorState, getPairedCoin: pairs.getCoinType };

  /** The rows of the node's transactions put over those of the indexer; what the transaction does not say is kept. */
  async function exact<Row extends Timed>(
    rows: readonly Row[],
    blockHeight: (row: Row) => bigint | null,
    rowsOf: (rows: ProcessedTransaction) => readonly Row[],
    signal: AbortSignal | undefined,
  ): Promise<Enriched<Row>> {
    if (node === null) return { rows, partialReason: standIns('No node is configured for this network', rows.length) };
    const heights = new Map(rows.map(row => [row.transactionVersion, blockHeight(row)] as const));
    const { transactions: found, missingReason: problem } = await fetchTransactionsByVersion(
      node,
      [...heights.keys()],
      signal,
    );
    const known = new Map<string, Row>();
    for (const [version, transaction] of found) {
      const all = processTransaction({ transaction, blockHeight: heights.get(version) ?? null }, memory);
      for (const row of rowsOf(all)) known.set(placeOf(row), row);
    }
    let missing = 0;
    const result = rows.map(row => {
      const own = known.get(placeOf(row));
      if (own === undefined || own.transactionTimestamp.getTime() !== row.transactionTimestamp.getTime()) {
        missing++;
        return row;
      }
      return { ...row, ...withoutNulls(own) };
    });
    const why = problem ?? `The node at ${node.host} and the indexer do not agree`;
    return { rows: result, partialReason: missing === 0 ? null : standIns(why, missing) };
  }

  return {
    pairedCoins: pairs,
    async enrichCoinActivities(rows, signal) {
      const result = await exact(
        rows,
        row => row.blockHeight,
        all => all.coinActivities,
        signal,
      );
      const assets = result.rows.flatMap(row => getUnpairedMetadata(row) ?? []);
      await pairs.fetchMissing(assets, signal);
      return { ...result, rows: result.rows.map(row => withPairedCoin(row, pairs)) };
    },
    enrichTokenActivities: (rows, signal) =>
      exact(
        rows,
        () => null,
        all => all.tokenActivities,
        signal,
      ),
  };
}

const placeOf = ({ transactionVersion, eventIndex }: ActivityKey) => `${transactionVersion} ${eventIndex}`;

const standIns = (why: string, count: number) =>
  `${why}: in ${count} record${count === 1 ? '' : 's'} the event's account and numbers are the indexer's stand-ins.`;

/** The metadata object of an asset that is no coin of its own. */
export const getUnpairedMetadata = ({ tokenStandard, assetType }: CoinActivity): Hex | null =>
  tokenStandard === 'v2' && assetType !== null && /^0x[0-9a-f]{64}$/.test(assetType) ? (assetType as Hex) : null;

/** The row with the coin that its asset is paired with, as far as that is known. */
export function withPairedCoin(row: CoinActivity, { getCoinType: coinOf }: PairedCoins): CoinActivity {
  const metadata = getUnpairedMetadata(row);
  return metadata === null ? row : { ...row, coinType: coinOf(metadata) ?? metadata };
}

function withoutNulls<Row extends object>(row: Row): Partial<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Partial<Row>; // fewer of the same
}
