// Lists over the index: what every page of one begins and ends with: filters, cursor, range, count, label.

import { DEFAULT_DISABLE_TOTAL, EVM_PAGE_SIZE } from '../../api/decisions.ts';
import type { Freshness } from '../../api/freshness.ts';
import type { OperationId } from '../../api/operations/operations.ts';
import { type CursorContent, type CursorKey, decodeCursor, encodeCursor } from '../../api/wire/cursor.ts';
import { createPage, type Page } from '../../api/wire/reply.ts';
import { INDEX_HEADER } from '../../api/wire/responseHeaders.ts';
import { badInputFault, HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { localizable } from '../../base/localize.ts';
import { type EvmNode, getFreshness } from '../evm/evmNode.ts';
import { fetchBlockNumberAtTime } from '../evm/fetchBlockNumberAtTime.ts';
import type { HandlerContext, HandlerResult } from '../handler.ts';
import type { CurrentIndex } from '../indexer/indexes.ts';
import type { QueryScope } from '../indexer/queryScope.ts';
import type { BlockRange, PageQuery, Store } from '../store/store.ts';

/** Parameters that every list has, and those of ranges. */
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

export interface Listing {
  readonly node: EvmNode;
  readonly indexed: CurrentIndex;
  readonly cursor: CursorContent | null;
  readonly limit: number;
  readonly page: number;
  /** Whether this page has to count the list: when asked to and no page before it has. */
  readonly shouldCount: boolean;
  /** Both ends inclusive, as settled by the first page for all that follow; empty when `from` is above `to`. */
  readonly range: { readonly from: number; readonly to: number };
  /** Lets go of what only this page needs. */
  close(): Promise<void>;
  /** The page of these rows: one more than `limit` when there is another page. */
  finish<Row, T>(found: ListedRows<Row, T>): HandlerResult<Page<T>>;
}

export interface ListedRows<Row, T> {
  readonly rows: readonly Row[];
  readonly total: number | null;
  encodeKey(row: Row): CursorKey;
  /** The records of the rows that are shown, in their order. */
  readonly records: readonly T[];
  readonly extra?: Partial<Page<T>>;
  /** The page rests on more than the chain (metadata): it is not to be kept. */
  readonly isUncacheable?: boolean;
}

/** How the list is shown does not shape it: a cursor goes with any of these. */
const PRESENTATION = ['cursor', 'limit', 'disableTotal', 'format', 'normalizeMetadata', 'mediaItems'];

/** What the header says of an index that is behind. */
export const formatIndexHeader = ({ head, chainHeight: height }: Pick<CurrentIndex, 'head' | 'chainHeight'>): string =>
  `syncing; block ${head.number} of ${height}`;

/** `first` is the number of the first page. Rejects with `bad-input`, `not-implemented` and the node's faults. */
export async function openListing(
  operation: OperationId,
  input: ListInput,
  first: number,
  scope: QueryScope,
  { nodes, indexes }: HandlerContext,
  signal: AbortSignal | undefined,
): Promise<Listing> {
  const node = await nodes.find(input.chain, signal);
  const filters = filtersOf(operation, node, input);
  const cursor = input.cursor === undefined ? null : decodeCursor(input.cursor, filters);
  if (cursor === null) refuseReversed(input);
  const limit = input.limit ?? EVM_PAGE_SIZE.default;
  const frozen = cursor?.pinned;
  const refuseOther = (genesisHash: Hex) => {
    if (cursor === null || frozen?.['genesis'] === genesisHash.slice(0, 18).toLowerCase()) return;
    const message = 'cursor belongs to the chain as it was before it was reset: start without a cursor';
    throw badInputFault([{ field: 'cursor', message }]);
  };
  const rangeIn = async (head: number, atTime: (seconds: number) => Promise<number | null>) =>
    frozen === undefined ? rangeOf(atTime, head, input) : { from: Number(frozen['from']), to: Number(frozen['to']) };
  const scan = scope.kind === 'page' && !(await indexes.isIndexedWhole(node, signal)) ? scope.scan : null;
  let indexed: CurrentIndex & { readonly stoppedAt?: number | null };
  let range: Listing['range'];
  if (scan === null) {
    indexed = await indexes.current(node, scope, signal);
    const { store, head } = indexed;
    refuseOther(store.info.genesisHash);
    range = await rangeIn(head.number, async seconds => (await store.readFirstBlockAt(seconds))?.number ?? null);
  } else {
    const state = await node.getState(signal);
    refuseOther(state.genesisHash);
    range = await rangeIn(state.headNumber, seconds => fetchBlockNumberAtTime(node, state, seconds, signal));
    const [blockNumber, logIndex, batchIndex] = (cursor?.key ?? []).map(Number);
    const before = blockNumber === undefined ? null : { blockNumber, logIndex: logIndex ?? 0, batchIndex: batchIndex ?? 0 };
    indexed = await indexes.scanPage(node, scan, { ...range, before, limit }, signal);
  }
  const { store, isSynced: synced, nodeState: state, stoppedAt = null } = indexed;
  const genesis = store.info.genesisHash.slice(0, 18);
  const page = cursor?.page ?? first;
  return {
    node,
    indexed,
    cursor,
    limit,
    page,
    // What is read page by page is not counted.
    shouldCount: (cursor?.total ?? null) === null && scan === null && !(input.disableTotal ?? DEFAULT_DISABLE_TOTAL),
    range,
    async close() {
      if (scan !== null) await store.close();
    },
    finish({ rows, records, encodeKey: key, extra, isUncacheable: unkept, ...found }) {
      const total = cursor?.total ?? found.total;
      const last = rows[limit - 1];
      const more =
        rows.length > limit && last !== undefined ? key(last) : stoppedAt === null ? null : [stoppedAt, 0, 0];
      const next =
        more === null
          ? null
          : encodeCursor({ filters, key: more, pinned: { ...range, genesis }, page: page + 1, total });
      const freshness: Freshness | undefined = synced && unkept !== true ? getFreshness(node, state, null) : undefined;
      return {
        output: createPage({ result: records, cursor: next, total, page, pageSize: limit, ...extra }),
        ...(freshness !== undefined && { freshness }),
        ...(!synced && { headers: { [INDEX_HEADER]: formatIndexHeader(indexed) } }),
      };
    },
  };
}

/** Rows strictly after the cursor's key, one more than the page holds. */
export function getPageQuery<Key>(listing: Listing, keyIn: (key: CursorKey) => Key): PageQuery<Key> {
  const { cursor, limit } = listing;
  return { limit: limit + 1, after: cursor === null ? undefined : keyIn(cursor.key) };
}

export const getBlockRange = ({ range }: Listing): BlockRange => ({ fromBlock: range.from, toBlock: range.to });

export const isEmptyRange = ({ range }: Listing): boolean => range.from > range.to;

/** A reorg in the middle of reading would mix two chains: then it is read again. */
const ATTEMPTS = 4;

export async function readConsistently<T>(store: Store, read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = await store.readHead();
    const outcome = await read().then(
      value => ({ value }),
      (error: unknown) => ({ error }),
    );
    // Blocks that were added meanwhile do not matter; the one that was newest must still be there.
    if (before !== null && (await store.readBlock(before.number))?.hash !== before.hash) continue;
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }
  throw new HexLensError('node-answer', localizable('The chain was reorganised again and again while it was read.'), {
    fix: localizable('Try again in a moment.'),
  });
}

function filtersOf(operation: OperationId, node: EvmNode, input: ListInput): CursorContent['filters'] {
  const shaping = Object.entries(input).filter(([name]) => !PRESENTATION.includes(name));
  const plain = shaping.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]);
  return { ...Object.fromEntries(plain), operation, chain: node.selector };
}

function refuseReversed({ fromBlock, toBlock, fromDate, toDate }: ListInput): void {
  if (fromBlock !== undefined && toBlock !== undefined && fromBlock > toBlock)
    throw badInputFault([
      { field: 'from_block', message: localizable('from_block {0} is greater than to_block {1}', fromBlock, toBlock) },
    ]);
  if (fromDate !== undefined && toDate !== undefined && fromDate > toDate)
    throw badInputFault([{ field: 'from_date', message: localizable('from_date is later than to_date') }]);
}

/** `atTime` gives the first block at or after a moment; what is not below `head`, or `null`, is behind it. */
async function rangeOf(
  atTime: (seconds: number) => Promise<number | null>,
  head: number,
  input: ListInput,
): Promise<Listing['range']> {
  const { fromBlock = 0, toBlock = head, fromDate, toDate } = input;
  const blockAt = async (seconds: number) => (await atTime(seconds)) ?? head + 1;
  const [from, after] = await Promise.all([
    fromDate === undefined ? fromBlock : blockAt(Math.ceil(fromDate.getTime() / 1000)),
    toDate === undefined ? toBlock + 1 : blockAt(Math.floor(toDate.getTime() / 1000) + 1),
  ]);
  // Blocks to come are not part of the list: its pages must not change while the chain grows.
  return { from, to: Math.min(after - 1, head) };
}
