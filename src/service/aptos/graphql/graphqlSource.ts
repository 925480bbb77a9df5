// The data source over the public indexer's GraphQL API, completed by a fullnode. Either of the two may be unavailable.

import { toShortAptosAddress } from '../../../base/aptosAddress.ts';
import type { Clock } from '../../../base/clock.ts';
import { HexLensError, isFault, toFault } from '../../../base/errors.ts';
import { formatInteger } from '../../../base/formatUnits.ts';
import type { Hex } from '../../../base/hex.ts';
import { uncapitalize } from '../../../base/localize.ts';
import {
  createCoinActivityFilter,
  createTokenActivityFilter,
  getAssetTypes,
  toSecondRange,
} from '../activityFilters.ts';
import type {
  AptosKey,
  AptosListName,
  AptosPage,
  AptosPageRequest,
  AptosQuery,
  AptosRow,
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
import { type ActivityEnricher, createActivityEnricher } from '../fullnode/activityEnricher.ts';
import { fetchBlockCoinActivities, fetchTransactionCoinActivities } from '../fullnode/fetchCoinActivities.ts';
import type { FullnodeClient } from '../fullnode/fullnodeClient.ts';
import { createTokenDataEnricher, type EnrichTokenDatas } from '../fullnode/tokenDataEnricher.ts';
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

type FetchList<Name extends AptosListName> = (
  query: AptosQuery<Name>,
  page: AptosPageRequest<AptosKey<Name>>,
  signal: AbortSignal,
) => Promise<AptosPage<AptosRow<Name>>>;

export class GraphqlSource implements AptosSource {
  readonly #graphql: GraphqlClient;
  readonly #fullnode: FullnodeClient | null;
  readonly #enricher: ActivityEnricher;
  readonly #enrichTokenDatas: EnrichTokenDatas;
  readonly #stopping = new AbortController();
  /** How each list is read. */
  readonly #readers: { readonly [Name in AptosListName]: FetchList<Name> } = {
    coinActivitiesByType: async ({ coinType, ...range }, page, signal) => {
      const where = [{ asset_type: { _in: getAssetTypes([coinType]) } }, toTimeCondition(range)];
      return this.#withFullnodeFallback(this.#fetchCoinActivityPage(where, page, signal), null);
    },
    coinActivitiesByOwner: async (query, page, signal) => {
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
      return this.#withFullnodeFallback(this.#fetchCoinActivityPage(where, page, signal), fullnode =>
        fetchAccountActivities<CoinActivity>(fullnode, owners, page, signal, async transaction => {
          const blockHeight = await fetchBlockHeight(fullnode, transaction, signal);
          const activities = await fetchTransactionCoinActivities(
            fullnode,
            this.#enricher.pairedCoins,
            { transaction, blockHeight },
            signal,
          );
          return activities.filter(matches);
        }),
      );
    },
    coinActivitiesByBlock: async (query, page, signal) => {
      const fullnode = this.#fullnode;
      if (fullnode === null) return this.#withFullnodeFallback(this.#fetchBlocksFromIndexer(query, page, signal), null);
      try {
        return await fetchBlockCoinActivities(fullnode, this.#enricher.pairedCoins, query.blockHeights, page, signal);
      } catch (error) {
        const fault = toFault(error);
        if (isFault(fault, 'cancelled')) throw fault;
        const fromIndexer = await this.#fetchBlocksFromIndexer(query, page, signal).catch(indexerError =>
          Promise.reject(joinFaults(indexerError, fault)),
        );
        const reason = `${withoutFullStop(fault.message)}: read from the indexer instead.`;
        return { ...fromIndexer, partialReason: fromIndexer.partialReason ?? reason };
      }
    },
    tokenActivities: async ({ wallets, ...filter }, page, signal) => {
      const spellings = withShortSpellings(wallets);
      const where = [
        { _or: [{ from_address: { _in: spellings } }, { to_address: { _in: spellings } }] },
        ...toCollectionConditions(filter),
      ];
      const fetchFromIndexer = async () => {
        const tablePage = await fetchTablePage(this.#graphql, tokenActivityTable, where, page, signal);
        return { ...(await this.#enricher.enrichTokenActivities(tablePage.rows, signal)), hasNext: tablePage.hasNext };
      };
      const matches = createTokenActivityFilter(wallets, filter);
      return this.#withFullnodeFallback(fetchFromIndexer(), fullnode =>
        fetchAccountActivities<TokenActivity>(fullnode, wallets, page, signal, async transaction =>
          processTransaction({ transaction, blockHeight: null }).tokenActivities.filter(matches),
        ),
      );
    },
    tokensByCreator: async ({ creators }, page, signal) => {
      const where = [
        { current_collection: { creator_address: { _in: creators } } },
        { _or: [{ is_deleted_v2: { _is_null: true } }, { is_deleted_v2: { _eq: false } }] },
      ];
      const fetchFromIndexer = async () => {
        const { rows, hasNext } = await fetchTablePage(this.#graphql, tokenDataTable, where, page, signal);
        return { ...(await this.#enrichTokenDatas(rows, signal)), hasNext };
      };
      return this.#withFullnodeFallback(fetchFromIndexer(), null);
    },
    collectionOwners: async ({ collection, owners, excludedOwners }, page, signal) => {
      const where = [
        { current_token_data: { collection_id: { _eq: `0x${collection}` } } },
        NOT_ZERO,
        owners && { owner_address: { _in: owners } },
        excludedOwners && { owner_address: { _nin: excludedOwners } },
      ];
      return this.#withFullnodeFallback(this.#fetchOwnershipPage(where, page, signal), null);
    },
    ownedTokens: async ({ owners, ...filter }, page, signal) => {
      const where = [{ owner_address: { _in: owners } }, NOT_ZERO, ...toCollectionConditions(filter)];
      return this.#withFullnodeFallback(this.#fetchOwnershipPage(where, page, signal), null);
    },
  };

  constructor({ graphql, fullnode, clock }: GraphqlSourceOptions) {
    this.#graphql = graphql;
    this.#fullnode = fullnode;
    this.#enricher = createActivityEnricher(fullnode, clock);
    this.#enrichTokenDatas = createTokenDataEnricher(fullnode);
  }

  fetchPage: AptosSource['fetchPage'] = (list, query, page, signal) =>
    this.#readers[list](
      query,
      page,
      AbortSignal.any([this.#stopping.signal, ...(signal === undefined ? [] : [signal])]),
    );

  async stop(): Promise<void> {
    this.#stopping.abort();
  }

  async #fetchCoinActivityPage(
    conditions: readonly (HasuraCondition | undefined)[],
    page: AptosPageRequest<ActivityKey>,
    signal: AbortSignal,
  ): Promise<AptosPage<CoinActivity>> {
    const where = [...conditions, NOT_FROZEN_EVENTS];
    const { rows, hasNext } = await fetchTablePage(this.#graphql, coinActivityTable, where, page, signal);
    return { ...(await this.#enricher.enrichCoinActivities(rows, signal)), hasNext };
  }

  /** Activities of blocks by version ranges: from the block metadata transaction to that of the next block. */
  async #fetchBlocksFromIndexer(
    { blockHeights }: CoinActivitiesByBlockQuery,
    page: AptosPageRequest<ActivityKey>,
    signal: AbortSignal,
  ): Promise<AptosPage<CoinActivity>> {
    const heights = [...new Set(blockHeights.flatMap(height => [height, height + 1n]))].map(String);
    const blocks = await this.#graphql.fetchRows(
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
      : this.#fetchCoinActivityPage([{ _or: ranges }], page, signal);
  }

  async #fetchOwnershipPage(
    where: readonly (HasuraCondition | undefined)[],
    page: AptosPageRequest<OwnershipKey>,
    signal: AbortSignal,
  ): Promise<AptosPage<TokenOwnership>> {
    const tablePage = await fetchTablePage(this.#graphql, tokenOwnershipTable, where, page, signal);
    return { ...tablePage, partialReason: null };
  }

  /** When the indexer fails, the page consists of what the accounts sent themselves, if the list allows that. */
  async #withFullnodeFallback<Row>(
    fromIndexer: Promise<AptosPage<Row>>,
    fromFullnode: ((fullnode: FullnodeClient) => Promise<AccountActivities<Row>>) | null,
  ): Promise<AptosPage<Row>> {
    const fullnode = this.#fullnode;
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
}

async function fetchBlockHeight(fullnode: FullnodeClient, transaction: RestTransaction, signal: AbortSignal) {
  const version = parseU64(transaction['version']);
  return version === null ? null : (await fullnode.fetchBlockByVersion(version, signal)).blockHeight;
}

/** The fault of the fallback, with the reason why the first endpoint could not answer. */
function joinFaults(fallbackError: unknown, firstFault: HexLensError): HexLensError {
  const fault = toFault(fallbackError);
  if (isFault(fault, 'cancelled')) return fault;
  const message = `${withoutFullStop(fault.message)}; and ${uncapitalize(firstFault.message)}`;
  return new HexLensError(fault.code, message, {
    details: fault.details,
    fix: fault.fix,
    retryAfterMs: fault.retryAfterMs,
    cause: fault,
  });
}

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
