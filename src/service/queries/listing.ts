// Pages of a list: what all of them begin and end with (filters, cursor, block range, count, freshness).

import { DEFAULT_DISABLE_TOTAL, EVM_PAGE_SIZE } from '../../api/decisions.ts';
import type { OperationId } from '../../api/operations/operations.ts';
import { type CursorContent, type CursorKey, parseCursorInteger } from '../../api/wire/cursor.ts';
import { createPage, type Page } from '../../api/wire/reply.ts';
import { INDEX_HEADER, SCAN_HEADER, TOTAL_HEADER } from '../../api/wire/responseHeaders.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { localizable } from '../../base/localize.ts';
import { toHeaderCall } from '../evm/blockHeader.ts';
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import { fetchBlockNumberAtTime } from '../evm/fetchBlockNumberAtTime.ts';
import { getFreshness } from '../evm/finality.ts';
import { ChainReorganizedError } from '../evm/repeatAfterReorg.ts';
import { parseHeaderResponse } from '../evm/rpcResults.ts';
import type { HandlerContext, HandlerResult } from '../handler.ts';
import type { CurrentIndex, QuerySource } from '../indexer/indexes.ts';
import type { IndexedQueryScope, QueryScope } from '../indexer/scopedIndexes.ts';
import { type LogPosition, MAX_BATCH_INDEX, MAX_LOG_PLACE, MAX_TRANSACTION_INDEX } from '../store/rows.ts';
import type { BlockRange, PageQuery } from '../store/store.ts';
import { type BlockSpan, type ListInput, PageCursor } from './pageCursor.ts';

export interface Listing<Source extends QuerySource = QuerySource> {
  readonly node: EvmNode;
  /** The rows that the page is read from. */
  readonly source: Source;
  readonly cursor: CursorContent | null;
  readonly limit: number;
  readonly page: number;
  /** Whether this page has to count the list: the client wants the total and no page before has counted. */
  readonly shouldCount: boolean;
  readonly range: BlockSpan;
  /** The reply with the page of these rows: one more than `limit` when there is another page. */
  finish<Row, T>(listed: ListedRows<Row, T>): Promise<HandlerResult<Page<T>>>;
}

export interface ListedRows<Row, T> {
  readonly rows: readonly Row[];
  readonly total: number | null;
  /** The number of the row's block comes first. */
  encodeKey(row: Row): CursorKey;
  /** The records of the rows that are shown, in their order. */
  readonly records: readonly T[];
  readonly extra?: Partial<Page<T>>;
  /** The key at which a page ends whose rows were cut off; `null` when they end with the range. */
  readonly stoppedAt?: CursorKey | null;
  /** The page depends on more than the chain (metadata, calls that are read later), so that it may not be cached. */
  readonly isUncacheable?: boolean;
}

/** The text of the header for an index that is behind. */
export const formatIndexHeader = ({ head, chainHeight }: Pick<QuerySource, 'head' | 'chainHeight'>): string =>
  `syncing; block ${head.number} of ${chainHeight}`;

/** The field `status` of lists of owners. */
export const getSyncStatus = (isSynced: boolean): 'SYNCED' | 'SYNCING' => (isSynced ? 'SYNCED' : 'SYNCING');

/** The text of the header for a page that ends before its range. */
export const formatScanHeader = (stoppedAt: number, isOldestFirst: boolean): string =>
  `partial; searched ${isOldestFirst ? 'up' : 'down'} to block ${stoppedAt}`;

/** `firstPage` is the number of the first page. Rejects with `bad-input`, `not-implemented` and the node's faults. */
export function openListing(
  operation: OperationId,
  input: ListInput,
  firstPage: number,
  scope: IndexedQueryScope,
  context: HandlerContext,
  signal: AbortSignal | undefined,
): Promise<Listing<CurrentIndex>>;
export function openListing(
  operation: OperationId,
  input: ListInput,
  firstPage: number,
  scope: QueryScope,
  context: HandlerContext,
  signal: AbortSignal | undefined,
): Promise<Listing>;
export async function openListing(
  operation: OperationId,
  input: ListInput & { readonly order?: string | undefined },
  firstPage: number,
  scope: QueryScope,
  { nodes, indexes }: HandlerContext,
  signal: AbortSignal | undefined,
): Promise<Listing> {
  const node = await nodes.find(input.chain, signal);
  const pageCursor = new PageCursor(operation, node, input, firstPage);
  const { content: cursor, page } = pageCursor;
  const limit = input.limit ?? EVM_PAGE_SIZE.default;
  const isOldestFirst = input.order === 'asc';
  const scan = scope.kind === 'page' && !(await indexes.isIndexedWhole(node, signal)) ? scope.scan : null;
  let source: QuerySource;
  let range: BlockSpan;
  let stoppedAt: number | null = null;
  let genesisHash: Hex;
  if (scan === null) {
    const current = await indexes.current(node, scope, signal);
    const { store, head } = current;
    source = current;
    genesisHash = store.info.genesisHash;
    await pageCursor.rejectOtherChain(genesisHash, async number => {
      // An index that has not come so far cannot tell.
      const block = number > head.number ? null : await store.readBlock(number);
      return number > head.number ? null : (block?.hash ?? '0x');
    });
    const findBlockAt = async (seconds: number) => (await store.readFirstBlockAt(seconds))?.number ?? null;
    range = pageCursor.range ?? (await resolveRange(findBlockAt, head.number, input));
  } else {
    // The first page begins at an end of the range, the others where the one before ended.
    const state = await (cursor === null ? node.fetchState(signal) : node.getState(signal));
    genesisHash = state.genesisHash;
    range = await resolveNodeRange(node, state, pageCursor, input, signal);
    const after = cursor === null ? null : decodeLogPosition(cursor.key);
    const scanned = await indexes.scanPage(node, scan, { ...range, after, isOldestFirst, limit }, signal);
    source = scanned;
    stoppedAt = scanned.stoppedAt;
  }
  const { isSynced, nodeState } = source;
  return {
    node,
    source,
    cursor,
    limit,
    page,
    // A list that is scanned page by page is not counted.
    shouldCount: (cursor?.total ?? null) === null && scan === null && !(input.disableTotal ?? DEFAULT_DISABLE_TOTAL),
    range,
    async finish({ rows, records, encodeKey, extra, isUncacheable, ...listed }) {
      const total = cursor?.total ?? listed.total;
      const last = rows[limit - 1];
      const hasMore = rows.length > limit && last !== undefined;
      const stop =
        listed.stoppedAt ?? (stoppedAt === null ? null : encodeLogPosition(getEdge(stoppedAt, isOldestFirst)));
      const key = hasMore ? encodeKey(last) : stop;
      const block = hasMore ? await source.store.readBlock(Number(key?.[0])) : null;
      const nextCursor = pageCursor.encodeNext({ key, range, genesisHash, blockHash: block?.hash, total });
      const freshness = isSynced && isUncacheable !== true ? getFreshness(node, nodeState, null) : undefined;
      return {
        output: createPage({ result: records, cursor: nextCursor, total, page, pageSize: limit, ...extra }),
        ...(freshness !== undefined && { freshness }),
        headers: {
          ...(!isSynced && { [INDEX_HEADER]: formatIndexHeader(source) }),
          ...(!hasMore && stop !== null && { [SCAN_HEADER]: formatScanHeader(Number(stop[0]), isOldestFirst) }),
          ...(scan !== null && input.disableTotal === false && { [TOTAL_HEADER]: 'unavailable; the chain is scanned' }),
        },
      };
    },
  };
}

/** Rows strictly after the cursor's key, one more than the page holds. */
export function getPageQuery<Key>({ cursor, limit }: Listing, decodeKey: (key: CursorKey) => Key): PageQuery<Key> {
  return { limit: limit + 1, after: cursor === null ? undefined : decodeKey(cursor.key) };
}

export const getBlockRange = ({ range }: Listing): BlockRange => ({ fromBlock: range.from, toBlock: range.to });

export const isEmptyRange = ({ range }: Listing): boolean => range.from > range.to;

/** A reorg while rows are read would mix two chains: then they are read again. */
const MAX_ATTEMPTS = 4;

/**
 * Calls `read` again until the block that was newest before it is still there after it. Rejects with `ChainReorganizedError`
 * when the source has fewer blocks than when the request got it: another request, or process, undoes a reorg.
 */
export async function readConsistently<T>(
  { store, wasShortened }: Pick<QuerySource, 'store' | 'wasShortened'>,
  read: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const before = await store.readHead();
    const outcome = await read().then(
      value => ({ value }),
      (error: unknown) => ({ error }),
    );
    if (wasShortened(before)) throw new ChainReorganizedError();
    if (before !== null && (await store.readBlock(before.number))?.hash !== before.hash) continue;
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }
  throw new HexLensError('node-answer', localizable('The chain was reorganized again and again while it was read.'), {
    fix: localizable('Try again in a moment.'),
  });
}

async function fetchBlockHash(node: EvmNode, number: number, signal: AbortSignal | undefined): Promise<Hex | null> {
  const [response] = await node.rpc.sendAll([toHeaderCall(number)], signal);
  return parseHeaderResponse(node, response, number)?.hash ?? null;
}

/** The last position, in the order of the list, that a log of a block can have. */
const getEdge = (blockNumber: number, isOldestFirst: boolean): LogPosition =>
  isOldestFirst
    ? {
        blockNumber,
        transactionIndex: MAX_TRANSACTION_INDEX,
        place: MAX_LOG_PLACE,
        batchIndex: MAX_BATCH_INDEX,
      }
    : { blockNumber, transactionIndex: 0, place: 0, batchIndex: 0 };

/**
 * Both ends inclusive.
 *
 * @param findBlockAt Finds the first block at or after a Unix time; `null`, or a number above `head`, when there is none.
 */
async function resolveRange(
  findBlockAt: (seconds: number) => Promise<number | null>,
  head: number,
  { fromBlock = 0, toBlock = head, fromDate, toDate }: ListInput,
): Promise<BlockSpan> {
  const getBlockAt = async (seconds: number) => (await findBlockAt(seconds)) ?? head + 1;
  const [from, end] = await Promise.all([
    fromDate === undefined ? fromBlock : getBlockAt(Math.ceil(fromDate.getTime() / 1000)),
    toDate === undefined ? toBlock + 1 : getBlockAt(Math.floor(toDate.getTime() / 1000) + 1),
  ]);
  // Future blocks are not part of the list: its pages must not change while the chain grows.
  return { from, to: Math.min(end - 1, head) };
}

/**
 * The range of a page that is read from the node, not from an index. Rejects a cursor of another chain, or of a block that
 * was replaced.
 */
export async function resolveNodeRange(
  node: EvmNode,
  state: NodeState,
  cursor: PageCursor,
  input: ListInput & { readonly blockNumber?: number | undefined },
  signal: AbortSignal | undefined,
): Promise<BlockSpan> {
  await cursor.rejectOtherChain(state.genesisHash, number => fetchBlockHash(node, number, signal));
  const { blockNumber } = input;
  if (cursor.range !== null) return cursor.range;
  if (blockNumber !== undefined) return { from: blockNumber, to: blockNumber };
  const findBlockAt = (seconds: number) => fetchBlockNumberAtTime(node, state, seconds, signal);
  return resolveRange(findBlockAt, state.headNumber, input);
}

export const encodeLogPosition = ({ blockNumber, transactionIndex, place, batchIndex }: LogPosition): CursorKey => [
  blockNumber,
  transactionIndex,
  place,
  batchIndex,
];

/** How many fields of a cursor's key a position takes. */
export const LOG_POSITION_FIELDS = 4;

export function decodeLogPosition([blockNumber, transactionIndex, place, batchIndex]: CursorKey): LogPosition {
  return {
    blockNumber: parseCursorInteger(blockNumber),
    transactionIndex: parseCursorInteger(transactionIndex, MAX_TRANSACTION_INDEX),
    place: parseCursorInteger(place, MAX_LOG_PLACE),
    batchIndex: parseCursorInteger(batchIndex, MAX_BATCH_INDEX),
  };
}
