// `contractLogs`: event logs of one contract by block, range of blocks or dates, and topics, newest first, page by page.

import { DEFAULT_DISABLE_TOTAL, EVM_PAGE_SIZE, FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import type { Input } from '../../api/operations/operations.ts';
import { type CursorContent, decodeCursor, encodeCursor } from '../../api/wire/cursor.ts';
import { createPage } from '../../api/wire/reply.ts';
import { SCAN_HEADER, TOTAL_HEADER } from '../../api/wire/responseHeaders.ts';
import { badInputFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { localizable } from '../../base/localize.ts';
import { type EvmNode, getFreshness, type NodeState } from '../evm/evmNode.ts';
import { fetchBlockTimes } from '../evm/fetchBlock.ts';
import { fetchBlockNumberAtTime } from '../evm/fetchBlockNumberAtTime.ts';
import { toDate } from '../evm/responseFields.ts';
import { type LogKey, type LogScanRequest, scanLogs } from '../evm/scanLogs.ts';
import type { Handler } from '../handler.ts';
import { createProgressReporter, type ProgressReporterDeps } from '../indexer/progressReporter.ts';

type LogsInput = Input<'contractLogs'>;

/** Both ends inclusive, as settled by the first page for all that follow. */
interface Range {
  readonly from: number;
  readonly to: number;
}

export const contractLogs: Handler<'contractLogs'> = async (
  input,
  { nodes, clock, reportProgress: report },
  signal,
) => {
  const node = await nodes.find(input.chain, signal);
  const filters = filtersOf(node, input);
  const cursor = input.cursor === undefined ? null : decodeCursor(input.cursor, filters);
  if (cursor === null) refuseReversed(input);
  const state = await node.fetchState(signal);
  const range = cursor === null ? await rangeOf(node, state, input, signal) : frozenRange(cursor, state);
  const limit = input.limit ?? EVM_PAGE_SIZE.default;
  const count = cursor === null && !(input.disableTotal ?? DEFAULT_DISABLE_TOTAL);
  const scan = {
    filter: { address: input.address, topics: topicsOf(input) },
    from: range.from,
    to: Math.min(range.to, state.headNumber),
    before: cursor === null ? null : keyIn(cursor),
    window: cursor === null ? null : Number(cursor.pinned?.['window']) || null,
    limit,
    shouldCount: count,
  };
  const said = sayingOf(scan, { clock, report }, node.selector);
  const found = await scanLogs(node, state, clock, { ...scan, onProgress: said.searched }, signal).finally(said.end);
  const page = cursor?.page ?? FIRST_PAGE_NUMBER.plain;
  const total = cursor?.total ?? found.total;
  const result = await withTimes(node, found.logs, found.seconds, signal);
  const next =
    found.next === null
      ? null
      : encodeCursor({
          filters,
          key: found.next,
          pinned: { ...range, window: found.window, genesis: genesisMark(state) },
          page: page + 1,
          total,
        });
  // A range that is open at the top grows with the chain.
  const closed = input.blockNumber !== undefined || (input.toBlock !== undefined && input.toBlock <= state.headNumber);
  return {
    output: createPage({ result, cursor: next, total, page, pageSize: limit }),
    freshness: getFreshness(node, state, closed ? range.to : null),
    headers: {
      ...(found.stoppedAt !== null && { [SCAN_HEADER]: `partial; searched down to block ${found.stoppedAt}` }),
      ...(count && found.total === null && { [TOTAL_HEADER]: 'unavailable; the range is too long to be counted' }),
    },
  };
};

/** Each request is work of its own. */
let requests = 0;

/** Tells who waits how many of the range's blocks were searched. */
function sayingOf({ filter, from, to, before }: LogScanRequest, deps: ProgressReporterDeps, chain: string) {
  const of = { task: `logs ${++requests}`, kind: 'logs', chain, address: filter.address } as const;
  const take = createProgressReporter(deps, of);
  const total = Math.max(0, Math.min(to, before?.[0] ?? to) - from + 1);
  let done = 0;
  take({ isRunning: true, done, total });
  return {
    searched(left: number) {
      done = total - left;
      take({ isRunning: true, done, total });
    },
    end: () => take({ isRunning: false, done, total }),
  };
}

/** What a cursor must be used with again. */
function filtersOf(node: EvmNode, input: LogsInput): CursorContent['filters'] {
  const { cursor: _cursor, limit: _limit, disableTotal: _disableTotal, fromDate, toDate, ...rest } = input;
  return {
    ...rest,
    operation: 'contractLogs',
    chain: node.selector,
    fromDate: fromDate?.toISOString(),
    toDate: toDate?.toISOString(),
  };
}

function topicsOf({ topic0, topic1, topic2, topic3 }: LogsInput): readonly (Hex | null)[] {
  return [topic0 ?? null, topic1 ?? null, topic2 ?? null, topic3 ?? null];
}

function refuseReversed({ fromBlock, toBlock, fromDate, toDate }: LogsInput): void {
  if (fromBlock !== undefined && toBlock !== undefined && fromBlock > toBlock)
    throw badInputFault([
      { field: 'from_block', message: localizable('from_block {0} is greater than to_block {1}', fromBlock, toBlock) },
    ]);
  if (fromDate !== undefined && toDate !== undefined && fromDate > toDate)
    throw badInputFault([{ field: 'from_date', message: localizable('from_date is later than to_date') }]);
}

async function rangeOf(
  node: EvmNode,
  state: NodeState,
  input: LogsInput,
  signal: AbortSignal | undefined,
): Promise<Range> {
  const { blockNumber, fromBlock, toBlock, fromDate, toDate } = input;
  if (blockNumber !== undefined) return { from: blockNumber, to: blockNumber };
  const [from, after] = await Promise.all([
    fromDate === undefined
      ? (fromBlock ?? 0)
      : fetchBlockNumberAtTime(node, state, Math.ceil(fromDate.getTime() / 1000), signal),
    toDate === undefined
      ? (toBlock ?? state.headNumber) + 1
      : fetchBlockNumberAtTime(node, state, Math.floor(toDate.getTime() / 1000) + 1, signal),
  ]);
  // Blocks to come are not part of the list: its pages must not change while the chain grows.
  return { from, to: Math.min(after - 1, state.headNumber) };
}

/** Enough of the genesis hash to notice a chain that was reset between two pages. */
const genesisMark = (state: NodeState) => state.genesisHash.slice(0, 18);

function frozenRange(cursor: CursorContent, state: NodeState): Range {
  const { from, to, genesis } = cursor.pinned ?? {};
  if (genesis !== genesisMark(state)) {
    const message = 'cursor belongs to the chain as it was before it was reset: start without a cursor';
    throw badInputFault([{ field: 'cursor', message }]);
  }
  return { from: Number(from), to: Number(to) };
}

function keyIn(cursor: CursorContent): LogKey {
  const [block, transactionIndex, logIndex] = cursor.key;
  return [Number(block), Number(transactionIndex), Number(logIndex)];
}

/** The records with their blocks' times: what the node sent along, else from the headers, all in one round trip. */
async function withTimes(
  node: EvmNode,
  logs: Awaited<ReturnType<typeof scanLogs>>['logs'],
  seconds: ReadonlyMap<Hex, number>,
  signal: AbortSignal | undefined,
) {
  for (const [hash, time] of seconds) {
    const date = node.validate('eth_getLogs', () => toDate(time));
    node.cache.timeByHash.set(hash, date);
  }
  const hashes = logs.map(log => log.blockHash);
  const timeOfBlock = await fetchBlockTimes(node, hashes, signal);
  return logs.map(log => ({ ...log, blockTimestamp: timeOfBlock(log.blockHash) }));
}
