// Pages of a list: what all of them begin and end with (filters, cursor, block range, count, freshness).

import { DEFAULT_DISABLE_TOTAL, EVM_PAGE_SIZE } from '../../api/decisions.ts';
import type { OperationId } from '../../api/operations/operations.ts';
import {
  type CursorContent,
  type CursorKey,
  decodeCursor,
  encodeCursor,
  parseCursorInteger,
  parseCursorShortHash,
} from '../../api/wire/cursor.ts';
import { createPage, type Page } from '../../api/wire/reply.ts';
import { INDEX_HEADER, SCAN_HEADER, TOTAL_HEADER } from '../../api/wire/responseHeaders.ts';
import { createBadInputFault, HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { localizable } from '../../base/localize.ts';
import { toHeaderCall } from '../evm/blockHeader.ts';
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import { fetchBlockNumberAtTime } from '../evm/fetchBlockNumberAtTime.ts';
import { getFreshness } from '../evm/finality.ts';
import { parseHeaderResponse } from '../evm/rpcResults.ts';
import type { HandlerContext, HandlerResult } from '../handler.ts';
import type { CurrentIndex, QuerySource } from '../indexer/indexes.ts';
import type { RowSource } from '../indexer/scanPage.ts';
import type { IndexedQueryScope, QueryScope } from '../indexer/scopedIndexes.ts';
import { type LogPosition, MAX_BATCH_INDEX, MAX_LOG_PLACE, MAX_TRANSACTION_INDEX } from '../store/rows.ts';
import type { BlockRange, PageQuery } from '../store/store.ts';

/** Parameters that every list has, and those of block ranges. */
export interface ListInput {
  readonly chain?: string | undefined;
  readonly limit?: number | undefined;
  readonly disableTotal?: boolean | undefined;
  readonly cursor?: string | undefined;
  readonly fromBlock?: number | undefined;
  readonly toBlock?: number | undefined;
  readonly fromDate?: Date | undefined;
  readonly toDate?: Date | undefined;
}

export interface Listing<Source extends QuerySource = QuerySource> {
  readonly node: EvmNode;
  /** The rows that the page is read from. */
  readonly source: Source;
  readonly cursor: CursorContent | null;
  readonly limit: number;
  readonly page: number;
  /** Whether this page has to count the list: the client wants the total and no page before has counted. */
  readonly shouldCount: boolean;
  /** Both ends inclusive, fixed by the first page for all that follow; empty when `from` is above `to`. */
  readonly range: { readonly from: number; readonly to: number };
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

/** Parameters that only change how the list is shown: a cursor may be used with any values of them. */
const PRESENTATION_PARAMETERS = [
  'cursor',
  'limit',
  'disableTotal',
  'format',
  'normalizeMetadata',
  'mediaItems',
  'tokenCounts',
];

/** The text of the header for an index that is behind. */
export const formatIndexHeader = ({ head, chainHeight }: Pick<QuerySource, 'head' | 'chainHeight'>): string =>
  `syncing; block ${head.number} of ${chainHeight}`;

/** The text of the header for a page that ends before its range. */
export const formatScanHeader = (stoppedAt: number): string => `partial; searched down to block ${stoppedAt}`;

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
  input: ListInput,
  firstPage: number,
  scope: QueryScope,
  { nodes, indexes }: HandlerContext,
  signal: AbortSignal | undefined,
): Promise<Listing> {
  const node = await nodes.find(input.chain, signal);
  const filters = getCursorFilters(operation, node, input);
  const cursor = input.cursor === undefined ? null : decodeCursor(input.cursor, filters);
  if (cursor === null) rejectReversedRange(input);
  const limit = input.limit ?? EVM_PAGE_SIZE.default;
  const scan = scope.kind === 'page' && !(await indexes.isIndexedWhole(node, signal)) ? scope.scan : null;
  let source: QuerySource;
  let range: Listing['range'];
  let stoppedAt: number | null = null;
  let genesisHash: Hex;
  if (scan === null) {
    const current = await indexes.current(node, scope, signal);
    const { store, head } = current;
    source = current;
    genesisHash = store.info.genesisHash;
    rejectOtherChain(cursor, genesisHash);
    await rejectReorg(cursor, async number => {
      // An index that has not come so far cannot tell.
      const block = number > head.number ? null : await store.readBlock(number);
      return number > head.number ? null : (block?.hash ?? '0x');
    });
    const findBlockAt = async (seconds: number) => (await store.readFirstBlockAt(seconds))?.number ?? null;
    range = getPinnedRange(cursor) ?? (await resolveRange(findBlockAt, head.number, input));
  } else {
    rejectOldestFirst(input);
    // The first page begins at the newest block, the others below the one before.
    const state = await (cursor === null ? node.fetchState(signal) : node.getState(signal));
    genesisHash = state.genesisHash;
    range = await resolveNodeRange(node, state, cursor, input, signal);
    const before = cursor === null ? null : decodeLogPosition(cursor.key);
    const scanned = await indexes.scanPage(node, scan, { ...range, before, limit }, signal);
    source = scanned;
    stoppedAt = scanned.stoppedAt;
  }
  const { isSynced, nodeState } = source;
  const page = cursor?.page ?? firstPage;
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
      const stop = listed.stoppedAt ?? (stoppedAt === null ? null : [stoppedAt, 0, 0, 0]);
      const nextKey = hasMore ? encodeKey(last) : stop;
      const block = hasMore ? await source.store.readBlock(Number(nextKey?.[0])) : null;
      const pinned = {
        ...range,
        genesis: shortenHash(genesisHash),
        ...(block !== null && { [PINNED_HASH]: shortenHash(block.hash) }),
      };
      const nextCursor =
        nextKey === null ? null : encodeCursor({ filters, key: nextKey, pinned, page: page + 1, total });
      const freshness = isSynced && isUncacheable !== true ? getFreshness(node, nodeState, null) : undefined;
      return {
        output: createPage({ result: records, cursor: nextCursor, total, page, pageSize: limit, ...extra }),
        ...(freshness !== undefined && { freshness }),
        headers: {
          ...(!isSynced && { [INDEX_HEADER]: formatIndexHeader(source) }),
          ...(!hasMore && stop !== null && { [SCAN_HEADER]: formatScanHeader(Number(stop[0])) }),
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

/** Calls `read` again until the block that was newest before it is still there after it. */
export async function readConsistently<T>(
  store: Pick<RowSource, 'readHead' | 'readBlock'>,
  read: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const before = await store.readHead();
    const outcome = await read().then(
      value => ({ value }),
      (error: unknown) => ({ error }),
    );
    if (before !== null && (await store.readBlock(before.number))?.hash !== before.hash) continue;
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }
  throw new HexLensError('node-answer', localizable('The chain was reorganised again and again while it was read.'), {
    fix: localizable('Try again in a moment.'),
  });
}

/** The parameters that a cursor belongs to. */
export function getCursorFilters(operation: OperationId, node: EvmNode, input: ListInput): CursorContent['filters'] {
  const parameters = Object.entries(input).filter(([name]) => !PRESENTATION_PARAMETERS.includes(name));
  const plain = parameters.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]);
  return { ...Object.fromEntries(plain), operation, chain: node.selector };
}

/** Enough of a hash to notice that the chain was reset or reorganised between two pages. */
export const shortenHash = (hash: Hex): string => hash.slice(0, 18).toLowerCase();

/** The value of a cursor that holds the hash of the block in which its page ended. */
export const PINNED_HASH = 'hash';

function rejectOtherChain(cursor: CursorContent | null, genesisHash: Hex): void {
  if (cursor === null || cursor.pinned?.['genesis'] === shortenHash(genesisHash)) return;
  const message = 'cursor belongs to the chain as it was before it was reset: start without a cursor';
  throw createBadInputFault([{ field: 'cursor', message }]);
}

async function fetchBlockHash(node: EvmNode, number: number, signal: AbortSignal | undefined): Promise<Hex | null> {
  const [response] = await node.rpc.sendAll([toHeaderCall(number)], signal);
  return parseHeaderResponse(node, response, number)?.hash ?? null;
}

/**
 * Rejects with `chain-changed` when the block in which the page before ended is another one now: rows could repeat or be
 * missing. `readHash` returns `null` when that is not known. A reorg above that block changes nothing of the pages below.
 */
async function rejectReorg(
  cursor: CursorContent | null,
  readHash: (block: number) => Promise<Hex | null>,
): Promise<void> {
  const field = cursor?.pinned?.[PINNED_HASH];
  if (cursor === null || field === undefined) return;
  const pinnedHash = parseCursorShortHash(field);
  const hash = await readHash(parseCursorInteger(cursor.key[0]));
  if (hash === null || shortenHash(hash) === pinnedHash) return;
  throw new HexLensError(
    'chain-changed',
    localizable('The chain was reorganised after the page before: records could repeat or be missing.'),
    { fix: localizable('Start again without a cursor.') },
  );
}

/** The block range that the first page fixed; `null` on the first page. */
const getPinnedRange = (cursor: CursorContent | null): Listing['range'] | null =>
  cursor === null
    ? null
    : { from: parseCursorInteger(cursor.pinned?.['from']), to: parseCursorInteger(cursor.pinned?.['to']) };

/** A page that is scanned begins at the newest block. */
function rejectOldestFirst(input: ListInput & { readonly order?: unknown }): void {
  if (input.order !== 'asc') return;
  const message = localizable('order must be desc for all of a public chain, which is read from its newest block down');
  throw createBadInputFault([{ field: 'order', message }]);
}

export function rejectReversedRange({ fromBlock, toBlock, fromDate, toDate }: ListInput): void {
  if (fromBlock !== undefined && toBlock !== undefined && fromBlock > toBlock)
    throw createBadInputFault([
      { field: 'from_block', message: localizable('from_block {0} is greater than to_block {1}', fromBlock, toBlock) },
    ]);
  if (fromDate !== undefined && toDate !== undefined && fromDate > toDate)
    throw createBadInputFault([{ field: 'from_date', message: localizable('from_date is later than to_date') }]);
}

/**
 * Both ends inclusive.
 *
 * @param findBlockAt Finds the first block at or after a Unix time; `null`, or a number above `head`, when there is none.
 */
async function resolveRange(
  findBlockAt: (seconds: number) => Promise<number | null>,
  head: number,
  { fromBlock = 0, toBlock = head, fromDate, toDate }: ListInput,
): Promise<Listing['range']> {
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
  cursor: CursorContent | null,
  input: ListInput & { readonly blockNumber?: number | undefined },
  signal: AbortSignal | undefined,
): Promise<Listing['range']> {
  rejectOtherChain(cursor, state.genesisHash);
  await rejectReorg(cursor, number => fetchBlockHash(node, number, signal));
  const { blockNumber } = input;
  const pinned = getPinnedRange(cursor);
  if (pinned !== null) return pinned;
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
