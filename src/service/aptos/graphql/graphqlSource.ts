// The data source over the public indexer's GraphQL API, completed by a fullnode. Either of the two may be unavailable.

import { toShortAptosAddress } from '../../../base/aptosAddress.ts';
import type { Clock } from '../../../base/clock.ts';
import { HexLensError, isFault, toFault } from '../../../base/errors.ts';
import { formatInteger } from '../../../base/formatUnits.ts';
import type { Hex } from '../../../base/hex.ts';
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
import { fetchBlockCoinActivities, fetchTransactionCoinActivities } from '../fullnode/fetchCoinActivities.ts';
import type { FullnodeClient } from '../fullnode/fullnodeClient.ts';
import { createTokenDataEnricher } from '../fullnode/tokenDataEnricher.ts';
import { parseU64 } from '../jsonFields.ts';
import type { ActivityKey, CoinActivity, OwnershipKey, TokenActivity, TokenOwnership } from '../models.ts';
import { processTransaction } from '../processors/processTransaction.ts';
import type { RestTransaction } from '../restTransaction.ts';
import type { GraphqlClient } from './graphqlClient.ts';
import {
  coinActivityTable,
  fetchTablePage,
  type HasuraCondition,
  tokenActivityTable,
  tokenDataTable,
  tokenOwnershipTable,
} from './indexerTables.ts';
import { parseCoinActivity, parseTokenActivity, parseTokenData, parseTokenOwnership } from './parseIndexerRows.ts';

export interface GraphqlSourceOptions {
  readonly graphql: GraphqlClient;
  /** Without a fullnode, rows have only what the indexer's columns contain. */
  readonly fullnode: FullnodeClient | null;
  readonly clock: Clock;
}

const withPrefix = (ids: readonly string[]) => ids.map(id => `0x${id}`);
/** The official indexer stores the senders of some activities without leading zeros. */
const withShortSpellings = (wallets: readonly Hex[]): readonly Hex[] => [
  ...new Set(wallets.flatMap(wallet => [wallet, toShortAptosAddress(wallet)])),
];
const withoutFullStop = (sentence: string) => sentence.replace(/\.$/, '');

/** Freezing a store is an activity of the indexer, but moves nothing. */
const NOT_FROZEN_EVENTS: HasuraCondition = { type: { _nlike: '%Frozen%' } };
const NOT_ZERO: HasuraCondition = { amount: { _gt: '0' } };

function toTimeCondition(range: TimeRange): HasuraCondition | undefined {
  const { from, before } = toSecondRange(range);
  if (from === null && before === null) return undefined;
  const toColumnText = (time: Date) => time.toISOString().slice(0, 19); // the column has no time zone and is UTC
  return {
    transaction_timestamp: {
      ...(from !== null && { _gte: toColumnText(from) }),
      ...(before !== null && { _lt: toColumnText(before) }),
    },
  };
}

/** `_nin` is false for a row without a collection, which exclusion must include. */
function toCollectionConditions({
  collections,
  excludedCollections,
}: CollectionFilter): readonly (HasuraCondition | undefined)[] {
  return [
    collections && { current_token_data: { collection_id: { _in: withPrefix(collections) } } },
    excludedCollections && {
      _or: [
        { current_token_data: { collection_id: { _nin: withPrefix(excludedCollections) } } },
        { _not: { current_token_data: {} } },
      ],
    },
  ];
}

export function createGraphqlSource({ graphql, fullnode, clock }: GraphqlSourceOptions): AptosSource {
  const { enrichCoinActivities, enrichTokenActivities, pairedCoins } = createActivityEnricher(fullnode, clock);
  const enrichTokenDatas = createTokenDataEnricher(fullnode);
  const stopping = new AbortController();
  const untilStopped = (signal: AbortSignal | undefined) =>
    signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);

  async function fetchCoinActivityPage(
    conditions: readonly (HasuraCondition | undefined)[],
    page: AptosPageRequest<ActivityKey>,
    signal: AbortSignal,
  ): Promise<AptosPage<CoinActivity>> {
    const where = [...conditions, NOT_FROZEN_EVENTS];
    const { rows, hasNext } = await fetchTablePage(graphql, coinActivityTable, where, page, parseCoinActivity, signal);
    return { ...(await enrichCoinActivities(rows, signal)), hasNext };
  }

  /** Activities of blocks by version ranges: from the block metadata transaction to that of the next block. */
  async function fetchBlocksFromIndexer(
    { blockHeights }: CoinActivitiesByBlockQuery,
    page: AptosPageRequest<ActivityKey>,
    signal: AbortSignal,
  ): Promise<AptosPage<CoinActivity>> {
    const heights = [...new Set(blockHeights.flatMap(height => [height, height + 1n]))].map(String);
    const blocks = await graphql.fetchRows(
      {
        field: 'block_metadata_transactions',
        query:
          'query($heights: [bigint!]!) { block_metadata_transactions(where: {block_height: {_in: $heights}}) { block_height version } }',
        variables: { heights },
      },
      signal,
    );
    const firstVersions = new Map(
      blocks.map(block => [parseU64(block['block_height']), parseU64(block['version'])] as const),
    );
    const ranges = blockHeights.flatMap(height => {
      const first = firstVersions.get(height);
      const next = firstVersions.get(height + 1n);
      if (first === undefined || first === null) return [];
      return [{ transaction_version: { _gte: String(first), ...(next && { _lt: String(next) }) } }];
    });
    return ranges.length === 0
      ? { rows: [], hasNext: false, partialReason: null }
      : fetchCoinActivityPage([{ _or: ranges }], page, signal);
  }

  async function fetchOwnershipPage(
    where: readonly (HasuraCondition | undefined)[],
    page: AptosPageRequest<OwnershipKey>,
    signal: AbortSignal,
  ): Promise<AptosPage<TokenOwnership>> {
    const tablePage = await fetchTablePage(graphql, tokenOwnershipTable, where, page, parseTokenOwnership, signal);
    return { ...tablePage, partialReason: null };
  }

  /** When the indexer fails, the page consists of what the accounts sent themselves, if the list allows that. */
  async function withFullnodeFallback<Row>(
    fromIndexer: Promise<AptosPage<Row>>,
    fromFullnode: ((fullnode: FullnodeClient) => Promise<AccountActivities<Row>>) | null,
  ): Promise<AptosPage<Row>> {
    try {
      return await fromIndexer;
    } catch (error) {
      const fault = toFault(error);
      if (isFault(fault, 'cancelled') || fullnode === null || fromFullnode === null) throw withIndexerFix(fault);
      const { rows, hasNext, isTruncated } = await fromFullnode(fullnode).catch(fullnodeError =>
        Promise.reject(joinFaults(fullnodeError, fault)),
      );
      const scope = isTruncated
        ? `of their newest ${formatInteger(MAX_SCANNED_TRANSACTIONS)} transactions`
        : 'read from the node';
      const partialReason = `${withoutFullStop(fault.message)}: only what the wallets sent themselves is here, ${scope}.`;
      return { rows, hasNext, partialReason };
    }
  }

  return {
    async getCoinActivitiesByType({ coinType, ...range }, page, signal) {
      const where = [{ asset_type: { _in: getAssetTypes([coinType]) } }, toTimeCondition(range)];
      return withFullnodeFallback(fetchCoinActivityPage(where, page, untilStopped(signal)), null);
    },
    async getCoinActivitiesByOwner(query, page, callerSignal) {
      const signal = untilStopped(callerSignal);
      const { owners, coinTypes, excludedCoinTypes } = query;
      const where = [
        { owner_address: { _in: withShortSpellings(owners) } },
        coinTypes && { asset_type: { _in: getAssetTypes(coinTypes) } },
        excludedCoinTypes && {
          _or: [{ asset_type: { _nin: getAssetTypes(excludedCoinTypes) } }, { asset_type: { _is_null: true } }],
        },
        toTimeCondition(query),
      ];
      const matches = createCoinActivityFilter(query);
      return withFullnodeFallback(fetchCoinActivityPage(where, page, signal), fullnode =>
        fetchAccountActivities<CoinActivity>(fullnode, owners, page, signal, async transaction => {
          const blockHeight = await fetchBlockHeight(fullnode, transaction, signal);
          const activities = await fetchTransactionCoinActivities(
            fullnode,
            pairedCoins,
            { transaction, blockHeight },
            signal,
          );
          return activities.filter(matches);
        }),
      );
    },
    async getCoinActivitiesByBlock(query, page, callerSignal) {
      const signal = untilStopped(callerSignal);
      if (fullnode === null) return withFullnodeFallback(fetchBlocksFromIndexer(query, page, signal), null);
      try {
        return await fetchBlockCoinActivities(fullnode, pairedCoins, query.blockHeights, page, signal);
      } catch (error) {
        const fault = toFault(error);
        if (isFault(fault, 'cancelled')) throw fault;
        const fromIndexer = await fetchBlocksFromIndexer(query, page, signal).catch(indexerError =>
          Promise.reject(joinFaults(indexerError, fault)),
        );
        const reason = `${withoutFullStop(fault.message)}: read from the indexer instead.`;
        return { ...fromIndexer, partialReason: fromIndexer.partialReason ?? reason };
      }
    },
    async getTokenActivities({ wallets, ...filter }, page, callerSignal) {
      const signal = untilStopped(callerSignal);
      const spellings = withShortSpellings(wallets);
      const where = [
        { _or: [{ from_address: { _in: spellings } }, { to_address: { _in: spellings } }] },
        ...toCollectionConditions(filter),
      ];
      const fetchFromIndexer = async () => {
        const tablePage = await fetchTablePage(graphql, tokenActivityTable, where, page, parseTokenActivity, signal);
        return { ...(await enrichTokenActivities(tablePage.rows, signal)), hasNext: tablePage.hasNext };
      };
      const matches = createTokenActivityFilter(wallets, filter);
      return withFullnodeFallback(fetchFromIndexer(), fullnode =>
        fetchAccountActivities<TokenActivity>(fullnode, wallets, page, signal, async transaction =>
          processTransaction({ transaction, blockHeight: null }).tokenActivities.filter(matches),
        ),
      );
    },
    async getTokensByCreator({ creators }, page, callerSignal) {
      const signal = untilStopped(callerSignal);
      const where = [
        { current_collection: { creator_address: { _in: creators } } },
        { _or: [{ is_deleted_v2: { _is_null: true } }, { is_deleted_v2: { _eq: false } }] },
      ];
      const fetchFromIndexer = async () => {
        const { rows, hasNext } = await fetchTablePage(graphql, tokenDataTable, where, page, parseTokenData, signal);
        return { ...(await enrichTokenDatas(rows, signal)), hasNext };
      };
      return withFullnodeFallback(fetchFromIndexer(), null);
    },
    async getCollectionOwners({ collection, owners, excludedOwners }, page, signal) {
      const where = [
        { current_token_data: { collection_id: { _eq: `0x${collection}` } } },
        NOT_ZERO,
        owners && { owner_address: { _in: owners } },
        excludedOwners && { owner_address: { _nin: excludedOwners } },
      ];
      return withFullnodeFallback(fetchOwnershipPage(where, page, untilStopped(signal)), null);
    },
    async getOwnedTokens({ owners, ...filter }, page, signal) {
      const where = [{ owner_address: { _in: owners } }, NOT_ZERO, ...toCollectionConditions(filter)];
      return withFullnodeFallback(fetchOwnershipPage(where, page, untilStopped(signal)), null);
    },
    async stop() {
      stopping.abort();
    },
  };
}

async function fetchBlockHeight(fullnode: FullnodeClient, transaction: RestTransaction, signal: AbortSignal) {
  const version = parseU64(transaction['version']);
  return version === null ? null : (await fullnode.fetchBlockByVersion(version, signal)).blockHeight;
}

/** The fault of the fallback, with the reason why the first endpoint could not answer. */
function joinFaults(fallbackError: unknown, firstFault: HexLensError): HexLensError {
  const fault = toFault(fallbackError);
  if (isFault(fault, 'cancelled')) return fault;
  const message = `${withoutFullStop(fault.message)}; and ${lowerFirst(firstFault.message)}`;
  return new HexLensError(fault.code, message, {
    details: fault.details,
    fix: fault.fix,
    retryAfterMs: fault.retryAfterMs,
    cause: fault,
  });
}

const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Adds to a temporary fault of the indexer that a fullnode cannot answer this list. */
function withIndexerFix(fault: HexLensError): HexLensError {
  if (!fault.retryable) return fault;
  return new HexLensError(fault.code, fault.message, {
    details: fault.details,
    fix: `${fault.fix ?? 'Try again later.'} A node alone cannot answer this.`,
    retryAfterMs: fault.retryAfterMs,
    cause: fault,
  });
}
