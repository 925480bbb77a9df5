// Rows from an indexer together with a node: which ones from the indexer, what they say from the node; either may be down.
import type { Clock } from '../../../base/clock.ts';
import { asFault, HexLensError, isFault } from '../../../base/errors.ts';
import { formatInteger } from '../../../base/formatUnits.ts';
import { assetTypes, coinFilter, secondsOf, tokenFilter } from '../activityFilters.ts';
import type {
  AptosRows,
  AptosSlice,
  AptosSource,
  BlockCoinQuery,
  CollectionFilter,
  TimeRange,
} from '../aptosSource.ts';
import { MOST_LOOKED_AT, type SentRows, sentRows } from '../fullnode/accountActivities.ts';
import { createExactRows } from '../fullnode/activityEnricher.ts';
import { createRestRows } from '../fullnode/coinActivityFetcher.ts';
import { blockTransfers } from '../fullnode/fetchBlockCoinActivities.ts';
import type { Fullnode } from '../fullnode/fullnodeClient.ts';
import { u64 } from '../fullnode/fullnodeClient.ts';
import { createExactTokenDatas } from '../fullnode/tokenDataEnricher.ts';
import type { ActivityKey, CoinActivity, TokenActivity } from '../models.ts';
import { transactionRows } from '../processors/processTransaction.ts';
import { readPage } from './fetchTablePage.ts';
import type { Indexer } from './graphqlClient.ts';
import { type Condition, coinTable, ownershipTable, tokenActivityTable, tokenDataTable } from './indexerTables.ts';
import { coinActivityOf, ownershipOf, tokenActivityOf, tokenDataOf } from './parseIndexerRows.ts';

export interface IndexerSourceDeps {
  readonly indexer: Indexer;
  /** `null`: only what the indexer's columns say. */
  readonly node: Fullnode | null;
  readonly clock: Clock;
}

const prefixed = (ids: readonly string[]) => ids.map(id => `0x${id}`);

/** Events of a frozen store move nothing. */
const MOVING: Condition = { type: { _nlike: '%Frozen%' } };

function timesOf(range: TimeRange): Condition | undefined {
  const { from, before } = secondsOf(range);
  if (from === null && before === null) return undefined;
  const plain = (time: Date) => time.toISOString().slice(0, 19); // the column has no zone and means UTC
  return {
    transaction_timestamp: {
      ...(from !== null && { _gte: plain(from) }),
      ...(before !== null && { _lt: plain(before) }),
    },
  };
}

/** `_nin` is not true of a row without collection, which a blacklist keeps. */
function collectionsOf({ collections, notCollections }: CollectionFilter): readonly (Condition | undefined)[] {
  return [
    collections && { current_token_data: { collection_id: { _in: prefixed(collections) } } },
    notCollections && {
      _or: [
        { current_token_data: { collection_id: { _nin: prefixed(notCollections) } } },
        { _not: { current_token_data: {} } },
      ],
    },
  ];
}

export function createIndexerSource({ indexer, node, clock }: IndexerSourceDeps): AptosSource {
  const exact = createExactRows(node, clock);
  const exactTokenDatas = createExactTokenDatas(node);
  const restRows = node === null ? null : createRestRows(node, exact.pairs);
  const stopping = new AbortController();
  const guarded = (signal: AbortSignal | undefined) =>
    signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);

  async function coinPage(
    where: readonly (Condition | undefined)[],
    slice: AptosSlice<ActivityKey>,
    signal: AbortSignal,
  ): Promise<AptosRows<CoinActivity>> {
    const { rows, hasNext } = await readPage(indexer, coinTable, [...where, MOVING], slice, coinActivityOf, signal);
    return { ...(await exact.coins(rows, signal)), hasNext };
  }

  /** The versions of the blocks by the indexer: from a block's own transaction to before the next block's. */
  async function blocksByIndexer(
    { blockHeights }: BlockCoinQuery,
    slice: AptosSlice<ActivityKey>,
    signal: AbortSignal,
  ): Promise<AptosRows<CoinActivity>> {
    const heights = [...new Set(blockHeights.flatMap(height => [height, height + 1n]))].map(String);
    const found = await indexer.rows(
      {
        field: 'block_metadata_transactions',
        text: 'query($heights: [bigint!]!) { block_metadata_transactions(where: {block_height: {_in: $heights}}) { block_height version } }',
        variables: { heights },
      },
      signal,
    );
    const starts = new Map(found.map(row => [u64(row['block_height']), u64(row['version'])] as const));
    const ranges = blockHeights.flatMap(height => {
      const first = starts.get(height);
      const next = starts.get(height + 1n);
      if (first === undefined || first === null) return [];
      return [{ transaction_version: { _gte: String(first), ...(next && { _lt: String(next) }) } }];
    });
    return ranges.length === 0
      ? { rows: [], hasNext: false, problem: null }
      : coinPage([{ _or: ranges }], slice, signal);
  }

  /** What the node alone can serve of a list, when the indexer can not be asked. */
  async function orSent<Row>(
    indexed: Promise<AptosRows<Row>>,
    sent: ((node: Fullnode) => Promise<SentRows<Row>>) | null,
  ): Promise<AptosRows<Row>> {
    try {
      return await indexed;
    } catch (error) {
      const fault = asFault(error);
      if (isFault(fault, 'cancelled') || node === null || sent === null) throw needsIndex(fault);
      const { rows, hasNext, cut } = await sent(node).catch(other => Promise.reject(signalled(other, fault)));
      const how = cut ? `of their newest ${formatInteger(MOST_LOOKED_AT)} transactions` : 'read from the node';
      const why = fault.message.replace(/\.$/, '');
      return { rows, hasNext, problem: `${why}: only what the wallets sent themselves is here, ${how}.` };
    }
  }

  return {
    async coinTransfers({ coinType, ...range }, slice, signal) {
      const own = guarded(signal);
      const types = assetTypes([coinType]);
      return orSent(coinPage([{ asset_type: { _in: types } }, timesOf(range)], slice, own), null);
    },
    async walletCoinTransfers(query, slice, signal) {
      const own = guarded(signal);
      const { owners, coinTypes, notCoinTypes } = query;
      const where = [
        { owner_address: { _in: owners } },
        coinTypes && { asset_type: { _in: assetTypes(coinTypes) } },
        notCoinTypes && {
          _or: [{ asset_type: { _nin: assetTypes(notCoinTypes) } }, { asset_type: { _is_null: true } }],
        },
        timesOf(query),
      ];
      const matches = coinFilter(query);
      return orSent(coinPage(where, slice, own), sender =>
        sentRows<CoinActivity>(sender, owners, slice, own, async transaction => {
          const placed = { transaction, blockHeight: await heightOf(sender, transaction, own) };
          return ((await restRows?.coins(placed, own)) ?? []).filter(matches);
        }),
      );
    },
    async blockCoinTransfers(query, slice, signal) {
      const own = guarded(signal);
      if (node === null || restRows === null) return orSent(blocksByIndexer(query, slice, own), null);
      try {
        return await blockTransfers(node, restRows, query.blockHeights, slice, own);
      } catch (error) {
        const fault = asFault(error);
        if (isFault(fault, 'cancelled')) throw fault;
        const rows = await blocksByIndexer(query, slice, own).catch(other => Promise.reject(signalled(other, fault)));
        return {
          ...rows,
          problem: rows.problem ?? `${fault.message.replace(/\.$/, '')}: read from the indexer instead.`,
        };
      }
    },
    async walletTokenTransfers({ wallets, ...filter }, slice, signal) {
      const own = guarded(signal);
      const where = [
        { _or: [{ from_address: { _in: wallets } }, { to_address: { _in: wallets } }] },
        ...collectionsOf(filter),
      ];
      const indexed = async () => {
        const { rows, hasNext } = await readPage(indexer, tokenActivityTable, where, slice, tokenActivityOf, own);
        return { ...(await exact.tokens(rows, own)), hasNext };
      };
      const matches = tokenFilter(wallets, filter);
      return orSent(indexed(), sender =>
        sentRows<TokenActivity>(sender, wallets, slice, own, async transaction =>
          transactionRows({ transaction, blockHeight: null }).tokenActivities.filter(matches),
        ),
      );
    },
    async tokensByCreators({ creators }, slice, signal) {
      const own = guarded(signal);
      const where = [
        { current_collection: { creator_address: { _in: creators } } },
        { _or: [{ is_deleted_v2: { _is_null: true } }, { is_deleted_v2: { _eq: false } }] },
      ];
      const indexed = async () => {
        const { rows, hasNext } = await readPage(indexer, tokenDataTable, where, slice, tokenDataOf, own);
        return { ...(await exactTokenDatas(rows, own)), hasNext };
      };
      return orSent(indexed(), null);
    },
    async collectionOwners({ collection, owners, notOwners }, slice, signal) {
      const own = guarded(signal);
      const where = [
        { current_token_data: { collection_id: { _eq: `0x${collection}` } } },
        { amount: { _gt: '0' } },
        owners && { owner_address: { _in: owners } },
        notOwners && { owner_address: { _nin: notOwners } },
      ];
      const page = readPage(indexer, ownershipTable, where, slice, ownershipOf, own);
      return orSent(
        page.then(found => ({ ...found, problem: null })),
        null,
      );
    },
    async walletTokens({ owners, ...filter }, slice, signal) {
      const own = guarded(signal);
      const where = [{ owner_address: { _in: owners } }, { amount: { _gt: '0' } }, ...collectionsOf(filter)];
      const page = readPage(indexer, ownershipTable, where, slice, ownershipOf, own);
      return orSent(
        page.then(found => ({ ...found, problem: null })),
        null,
      );
    },
    async stop() {
      stopping.abort();
    },
  };
}

async function heightOf(node: Fullnode, transaction: { readonly version?: unknown }, signal: AbortSignal) {
  const version = u64(transaction.version as never);
  return version === null ? null : (await node.blockByVersion(version, signal)).blockHeight;
}

/** The fault of the end that was asked last, which also names why the other one could not help. */
function signalled(error: unknown, other: HexLensError): HexLensError {
  const fault = asFault(error);
  if (isFault(fault, 'cancelled')) return fault;
  return new HexLensError(fault.code, `${fault.message.replace(/\.$/, '')}; and ${lowerFirst(other.message)}`, {
    details: fault.details,
    fix: fault.fix,
    retryAfterMs: fault.retryAfterMs,
    cause: fault,
  });
}

const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** An index of the whole chain is needed: no node can be asked for this. */
function needsIndex(fault: HexLensError): HexLensError {
  if (!fault.retryable) return fault;
  return new HexLensError(fault.code, fault.message, {
    details: fault.details,
    fix: `${fault.fix ?? 'Try again later.'} A node alone can not be asked for this.`,
    retryAfterMs: fault.retryAfterMs,
    cause: fault,
  });
}
