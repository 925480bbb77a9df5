// `contractLogs`: event logs of one contract by block, block range or dates, and topics, in pages.

import { DEFAULT_DISABLE_TOTAL, EVM_PAGE_SIZE, FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import type { Input } from '../../api/operations/operations.ts';
import { type CursorContent, parseCursorInteger } from '../../api/wire/cursor.ts';
import { createPage } from '../../api/wire/reply.ts';
import { SCAN_HEADER, TOTAL_HEADER } from '../../api/wire/responseHeaders.ts';
import type { Hex } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { fetchBlockTimes } from '../evm/fetchBlock.ts';
import { getFreshness } from '../evm/finality.ts';
import { MAX_LOG_RANGE_BLOCKS } from '../evm/logRangeSizer.ts';
import { toDate } from '../evm/responseFields.ts';
import { type LogKey, type LogScanRequest, scanLogs } from '../evm/scanLogs.ts';
import type { Handler } from '../handler.ts';
import { formatScanHeader, resolveNodeRange } from '../queries/listing.ts';
import { PageCursor } from '../queries/pageCursor.ts';
import type { TaskRegistry } from '../taskRegistry.ts';

type LogsInput = Input<'contractLogs'>;

export const contractLogs: Handler<'contractLogs'> = async (input, { nodes, clock, tasks }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const pageCursor = new PageCursor('contractLogs', node, input, FIRST_PAGE_NUMBER.plain);
  const { content: cursor, page } = pageCursor;
  const state = await node.fetchState(signal);
  const range = await resolveNodeRange(node, state, pageCursor, input, signal);
  const isOldestFirst = input.order === 'asc';
  const limit = input.limit ?? EVM_PAGE_SIZE.default;
  const shouldCount = cursor === null && !(input.disableTotal ?? DEFAULT_DISABLE_TOTAL);
  const request = {
    filter: { address: input.address, topics: getTopics(input) },
    from: range.from,
    to: Math.min(range.to, state.headNumber),
    after: cursor === null ? null : decodeKey(cursor),
    isOldestFirst,
    rangeSize: cursor === null ? null : parseCursorInteger(cursor.pinned?.['window'], MAX_LOG_RANGE_BLOCKS),
    limit,
    shouldCount,
  };
  const progress = createScanProgress(request, tasks, node.selector);
  const scanned = await scanLogs(node, state, clock, { ...request, onProgress: progress.update }, signal).finally(
    progress.end,
  );
  const total = cursor?.total ?? scanned.total;
  const result = await addTimes(node, scanned.logs, scanned.seconds, signal);
  // The cursor may be further than the last record, where nothing was found.
  const last = result.findLast(log => Number(log.blockNumber) === scanned.next?.[0]);
  const nextCursor = pageCursor.encodeNext({
    key: scanned.next,
    range,
    window: scanned.rangeSize,
    genesisHash: state.genesisHash,
    blockHash: last?.blockHash,
    total,
  });
  // A range without an upper end grows with the chain.
  const isClosed =
    input.blockNumber !== undefined || (input.toBlock !== undefined && input.toBlock <= state.headNumber);
  return {
    output: createPage({ result, cursor: nextCursor, total, page, pageSize: limit }),
    freshness: getFreshness(node, state, isClosed ? range.to : null),
    headers: {
      ...(scanned.stoppedAt !== null && { [SCAN_HEADER]: formatScanHeader(scanned.stoppedAt, isOldestFirst) }),
      ...(shouldCount &&
        scanned.total === null && { [TOTAL_HEADER]: 'unavailable; the range is too long to be counted' }),
    },
  };
};

/** Each request is a task of its own. */
let requestCount = 0;

/** Reports how many of the range's blocks have been scanned. */
function createScanProgress(
  { filter, from, to, after, isOldestFirst }: LogScanRequest,
  tasks: TaskRegistry,
  chain: string,
) {
  const { report } = tasks.add({ task: `logs ${++requestCount}`, kind: 'logs', chain, address: filter.address });
  const rest = isOldestFirst ? to - Math.max(from, after?.[0] ?? from) : Math.min(to, after?.[0] ?? to) - from;
  const total = Math.max(0, rest + 1);
  let done = 0;
  report({ isRunning: true, done, total });
  return {
    update(blocksLeft: number) {
      done = total - blocksLeft;
      report({ isRunning: true, done, total });
    },
    end: () => report({ isRunning: false, done, total }),
  };
}

function getTopics({ topic0, topic1, topic2, topic3 }: LogsInput): readonly (Hex | null)[] {
  return [topic0 ?? null, topic1 ?? null, topic2 ?? null, topic3 ?? null];
}

function decodeKey(cursor: CursorContent): LogKey {
  const [block, transactionIndex, logIndex] = cursor.key;
  return [parseCursorInteger(block), parseCursorInteger(transactionIndex), parseCursorInteger(logIndex)];
}

/** The records with their blocks' times: those that the node sent along, the others from headers in one round trip. */
async function addTimes(
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
