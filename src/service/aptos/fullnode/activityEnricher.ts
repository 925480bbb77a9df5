// Exact rows: the indexer says which events there were, the node's transactions say everything about them.
import type { Clock } from '../../../base/clock.ts';
import type { Hex } from '../../../base/hex.ts';
import { fetchVersions } from '../fetchVersions.ts';
import type { ActivityKey, CoinActivity, TokenActivity } from '../models.ts';
import { type Memory, noMemory } from '../processors/priorState.ts';
import { type TransactionRows, transactionRows } from '../processors/processTransaction.ts';
import type { Fullnode } from './fullnodeClient.ts';
import { createPairs, type Pairs } from './pairedCoins.ts';

export interface Exact<Row> {
  readonly rows: readonly Row[];
  /** What of them is not exact, and why: one sentence; `null` when all is. */
  readonly problem: string | null;
}

export interface ExactRows {
  /** The same rows in the same order, each with what its transaction says. Rejects with `cancelled` only. */
  coins(rows: readonly CoinActivity[], signal?: AbortSignal): Promise<Exact<CoinActivity>>;
  tokens(rows: readonly TokenActivity[], signal?: AbortSignal): Promise<Exact<TokenActivity>>;
  readonly pairs: Pairs;
}

type Timed = ActivityKey & { readonly transactionTimestamp: Date };

export function createExactRows(node: Fullnode | null, clock: Clock): ExactRows {
  const pairs = createPairs(node, clock);
  const memory: Memory = { ...noMemory, coinOf: pairs.coinOf };

  /** The rows of the node's transactions put over those of the indexer; what the transaction does not say is kept. */
  async function exact<Row extends Timed>(
    rows: readonly Row[],
    blockHeight: (row: Row) => bigint | null,
    rowsOf: (rows: TransactionRows) => readonly Row[],
    signal: AbortSignal | undefined,
  ): Promise<Exact<Row>> {
    if (node === null) return { rows, problem: standIns('No node is configured for this network', rows.length) };
    const heights = new Map(rows.map(row => [row.transactionVersion, blockHeight(row)] as const));
    const { found, problem } = await fetchVersions(node, [...heights.keys()], signal);
    const known = new Map<string, Row>();
    for (const [version, transaction] of found) {
      const all = transactionRows({ transaction, blockHeight: heights.get(version) ?? null }, memory);
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
    return { rows: result, problem: missing === 0 ? null : standIns(why, missing) };
  }

  return {
    pairs,
    async coins(rows, signal) {
      const result = await exact(
        rows,
        row => row.blockHeight,
        all => all.coinActivities,
        signal,
      );
      const assets = result.rows.flatMap(row => metadataOf(row) ?? []);
      await pairs.learn(assets, signal);
      return { ...result, rows: result.rows.map(row => withCoin(row, pairs)) };
    },
    tokens: (rows, signal) =>
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
export const metadataOf = ({ tokenStandard, assetType }: CoinActivity): Hex | null =>
  tokenStandard === 'v2' && assetType !== null && /^0x[0-9a-f]{64}$/.test(assetType) ? (assetType as Hex) : null;

/** The row with the coin that its asset is paired with, as far as that is known. */
export function withCoin(row: CoinActivity, { coinOf }: Pairs): CoinActivity {
  const metadata = metadataOf(row);
  return metadata === null ? row : { ...row, coinType: coinOf(metadata) ?? metadata };
}

function withoutNulls<Row extends object>(row: Row): Partial<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Partial<Row>; // fewer of the same
}
