// Rows from an indexer together with a node: which ones from the indexer, what they say from the node; either may be down.
import type { Clock } from '../../../base/clock.ts';
import { HexLensError, isFault, toFault } from '../../../base/errors.ts';
import { formatInteger } from '../../../base/formatUnits.ts';
import {
  createCoinActivityFilter,
  createTokenActivityFilter,
  getAssetTypes,
  toSecondRange,
} from '../activityFilters.ts';
import type {
  AptosPage,
  AptosPageRequest,
  AptosSource,
  CoinActivitiesByBlockQuery,
  CollectionFilter,
  TimeRange,
} from '../aptosSource.ts';
import {
  type AccountActivities,
  fetchAccountActivities,
  MAX_SCANNED_TRANSACTIONS,
} from '../fullnode/accountActivities.ts';
import { createActivityEnricher } from '../fullnode/activityEnricher.ts';
import { createCoinActivityFetcher } from '../fullnode/coinActivityFetcher.ts';
import { fetchBlockCoinActivities } from '../fullnode/fetchBlockCoinActivities.ts';
import type { FullnodeClient } from '../fullnode/fullnodeClient.ts';
import { parseU64 } from '../fullnode/fullnodeClient.ts';
import { createTokenDataEnricher } from '../fullnode/tokenDataEnricher.ts';
import type { ActivityKey, CoinActivity, TokenActivity } from '../models.ts';
import { processTransaction } from '../processors/processTransaction.ts';
import { fetchTablePage } from './fetchTablePage.ts';
import type { GraphqlClient } from './graphqlClient.ts';
import {
  coinActivityTable,
  type HasuraCondition,
  tokenActivityTable,
  tokenDataTable,
  tokenOwnershipTable,
} from './indexerTables.ts';
import { parseCoinActivity, parseTokenActivity, parseTokenData, parseTokenOwnership } from './parseIndexerRows.ts';

export interface GraphqlSourceOptions {
  readonly graphql: GraphqlClient;
  /** `null`: only what the indexer's columns say. */
  readonly fullnode: FullnodeClient | null;
  readonly clock: Clock;
}

const prefixed = (ids: readonly string[]) => ids.map(id => `0x${id}`);

/** Events of a frozen store move nothing. */
const MOVING: HasuraCondition = { type: { _nlike: '%Frozen%' } };

function timesOf(range: TimeRange): HasuraCondition | undefined {
  const { from, before } = toSecondRange(range);
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
function collectionsOf({
  collections,
  excludedCollections: notCollections,
}: CollectionFilter): readonly (HasuraCondition | undefined)[] {
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

export function createGraphqlSource({ graphql: indexer, fullnode: node, clock }: GraphqlSourceOptions): AptosSource {
  const exact = createActivityEnricher(node, clock);
  const exactTokenDatas = createTokenDataEnricher(node);
  const restRows = node === null ? null : createCoinActivityFetcher(node, exact.pairedCoins);
  const stopping = new AbortController();
  const guarded = (signal: AbortSignal | undefined) =>
    signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);

  async function coinPage(
    where: readonly (HasuraCondition | undefined)[],
    slice: AptosPageRequest<ActivityKey>,
    signal: AbortSignal,
  ): Promise<AptosPage<CoinActivity>> {
    const { rows, hasNext } = await fetchTablePage(
      indexer,
      coinActivityTable,
      [...where, MOVING],
      slice,
      parseCoinActivity,
      signal,
    );
    return { ...(await exact.enrichCoinActivities(rows, signal)), hasNext };
  }

  /** The versions of the blocks by the indexer: from a block's own transaction to before the next block's. */
  async function blocksByIndexer(
    { blockHeights }: CoinActivitiesByBlockQuery,
    slice: AptosPageRequest<ActivityKey>,
    signal: AbortSignal,
  ): Promise<AptosPage<CoinActivity>> {
    const heights = [...new Set(blockHeights.flatMap(height => [height, height + 1n]))].map(String);
    const found = await indexer.fetchRows(
      {
        field: 'block_metadata_transactions',
        query:
          'query($heights: [bigint!]!) { block_metadata_transactions(where: {block_height: {_in: $heights}}) { block_height version } }',
        variables: { heights },
      },
      signal,
    );
    const starts = new Map(found.map(row => [parseU64(row['block_height']), parseU64(row['version'])] as const));
    const ranges = blockHeights.flatMap(height => {
      const first = starts.get(height);
      const next = starts.get(height + 1n);
      if (first === undefined || first === null) return [];
      return [{ transaction_version: { _gte: String(first), ...(next && { _lt: String(next) }) } }];
    });
    return ranges.length === 0
      ? { rows: [], hasNext: false, partialReason: null }
      : coinPage([{ _or: ranges }], slice, signal);
  }

  /** What the node alone can serve of a list, when the indexer can not be asked. */
  async function orSent<Row>(
    indexed: Promise<AptosPage<Row>>,
    sent: ((node: FullnodeClient) => Promise<AccountActivities<Row>>) | null,
  ): Promise<AptosPage<Row>> {
    try {
      return await indexed;
    } catch (error) {
      const fault = toFault(error);
      if (isFault(fault, 'cancelled') || node === null || sent === null) throw needsIndex(fault);
      const {
        rows,
        hasNext,
        isTruncated: cut,
      } = await sent(node).catch(other => Promise.reject(signalled(other, fault)));
      const how = cut
        ? `of their newest ${formatInteger(MAX_SCANNED_TRANSACTIONS)} transactions`
        : 'read from the node';
      const why = fault.message.replace(/\.$/, '');
      return { rows, hasNext, partialReason: `${why}: only what the wallets sent themselves is here, ${how}.` };
    }
  }

  return {
    async getCoinActivitiesByType({ coinType, ...range }, slice, signal) {
      const own = guarded(signal);
      const types = getAssetTypes([coinType]);
      return orSent(coinPage([{ asset_type: { _in: types } }, timesOf(range)], slice, own), null);
    },
    async getCoinActivitiesByOwner(query, slice, signal) {
      const own = guarded(signal);
      const { owners, coinTypes, excludedCoinTypes: notCoinTypes } = query;
      const where = [
        { owner_address: { _in: owners } },
        coinTypes && { asset_type: { _in: getAssetTypes(coinTypes) } },
        notCoinTypes && {
          _or: [{ asset_type: { _nin: getAssetTypes(notCoinTypes) } }, { asset_type: { _is_null: true } }],
        },
        timesOf(query),
      ];
      const matches = createCoinActivityFilter(query);
      return orSent(coinPage(where, slice, own), sender =>
        fetchAccountActivities<CoinActivity>(sender, owners, slice, own, async transaction => {
          const placed = { transaction, blockHeight: await heightOf(sender, transaction, own) };
          return ((await restRows?.fetchCoinActivities(placed, own)) ?? []).filter(matches);
        }),
      );
    },
    async getCoinActivitiesByBlock(query, slice, signal) {
      const own = guarded(signal);
      if (node === null || restRows === null) return orSent(blocksByIndexer(query, slice, own), null);
      try {
        return await fetchBlockCoinActivities(node, restRows, query.blockHeights, slice, own);
      } catch (error) {
        const fault = toFault(error);
        if (isFault(fault, 'cancelled')) throw fault;
        const rows = await blocksByIndexer(query, slice, own).catch(other => Promise.reject(signalled(other, fault)));
        return {
          ...rows,
          partialReason: rows.partialReason ?? `${fault.message.replace(/\.$/, '')}: read from the indexer instead.`,
        };
      }
    },
    async getTokenActivities({ wallets, ...filter }, slice, signal) {
      const own = guarded(signal);
      const where = [
        { _or: [{ from_address: { _in: wallets } }, { to_address: { _in: wallets } }] },
        ...collectionsOf(filter),
      ];
      const indexed = async () => {
        const { rows, hasNext } = await fetchTablePage(
          indexer,
          tokenActivityTable,
          where,
          slice,
          parseTokenActivity,
          own,
        );
        return { ...(await exact.enrichTokenActivities(rows, own)), hasNext };
      };
      const matches = createTokenActivityFilter(wallets, filter);
      return orSent(indexed(), sender =>
        fetchAccountActivities<TokenActivity>(sender, wallets, slice, own, async transaction =>
          processTransaction({ transaction, blockHeight: null }).tokenActivities.filter(matches),
        ),
      );
    },
    async getTokensByCreator({ creators }, slice, signal) {
      const own = guarded(signal);
      const where = [
        { current_collection: { creator_address: { _in: creators } } },
        { _or: [{ is_deleted_v2: { _is_null: true } }, { is_deleted_v2: { _eq: false } }] },
      ];
      const indexed = async () => {
        const { rows, hasNext } = await fetchTablePage(indexer, tokenDataTable, where, slice, parseTokenData, own);
        return { ...(await exactTokenDatas(rows, own)), hasNext };
      };
      return orSent(indexed(), null);
    },
    async getCollectionOwners({ collection, owners, excludedOwners: notOwners }, slice, signal) {
      const own = guarded(signal);
      const where = [
        { current_token_data: { collection_id: { _eq: `0x${collection}` } } },
        { amount: { _gt: '0' } },
        owners && { owner_address: { _in: owners } },
        notOwners && { owner_address: { _nin: notOwners } },
      ];
      const page = fetchTablePage(indexer, tokenOwnershipTable, where, slice, parseTokenOwnership, own);
      return orSent(
        page.then(found => ({ ...found, problem: null })),
        null,
      );
    },
    async getOwnedTokens({ owners, ...filter }, slice, signal) {
      const own = guarded(signal);
      const where = [{ owner_address: { _in: owners } }, { amount: { _gt: '0' } }, ...collectionsOf(filter)];
      const page = fetchTablePage(indexer, tokenOwnershipTable, where, slice, parseTokenOwnership, own);
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

async function heightOf(node: FullnodeClient, transaction: { readonly version?: unknown }, signal: AbortSignal) {
  const version = parseU64(transaction.version as never);
  return version === null ? null : (await node.fetchBlockByVersion(version, signal)).blockHeight;
}

/** The fault of the end that was asked last, which also names why the other one could not help. */
function signalled(error: unknown, other: HexLensError): HexLensError {
  const fault = toFault(error);
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
