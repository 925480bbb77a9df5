// Logs of a contract from the newest block down: window after window, checked, until there are enough or time is up.
import type { Clock } from '../../base/clock.ts';
import { type Hex, toQuantity } from '../../base/hex.ts';
import type { EvmNode, NodeState } from './evmNode.ts';
import { parseUntimedLog, type UntimedLog } from './evmRecords.ts';
import { fetchBlock } from './fetchBlock.ts';
import { type LogLimit, parseLogLimit } from './logLimit.ts';
import { createLogWindow } from './logWindow.ts';
import {
  type BlockHeader,
  InvalidResponseError,
  optionalSeconds,
  parseHeaderAt,
  requireArray,
  type WireObject,
} from './responseFields.ts';
import type { RpcCall } from './rpcMessage.ts';

export interface LogFilter {
  readonly address: Hex;
  /** By position; `null` matches anything. */
  readonly topics: readonly (Hex | null)[];
}

/** Where a log stands; the list is ordered by it, descending. */
export type LogKey = readonly [block: number, transactionIndex: number, logIndex: number];

export interface LogScanRequest {
  readonly filter: LogFilter;
  readonly from: number;
  readonly to: number;
  /** Only logs strictly older than this one; absent on the first page. */
  readonly before: LogKey | null;
  /** Blocks per call that suited the page before; `null` on the first page. */
  readonly window: number | null;
  /** As many logs are returned at most. */
  readonly limit: number;
  /** Go through the whole range and count. */
  readonly shouldCount: boolean;
  /** Hears after each window how many blocks are left. */
  onProgress?(left: number): void;
}

export interface ScannedLogs {
  /** Newest first. */
  readonly logs: readonly UntimedLog[];
  /** Times by block hash that came along with the logs. */
  readonly seconds: ReadonlyMap<Hex, number>;
  /** Where the next page starts; `null` when there is nothing older in the range. */
  readonly next: LogKey | null;
  /** Blocks per call that suit the next page. */
  readonly window: number;
  /** How many there are in the whole range; `null` when not counted to the end. */
  readonly total: number | null;
  /** The lowest block that was looked at, when time or calls ran out before the page was full; else `null`. */
  readonly stoppedAt: number | null;
}

/** What one page may cost: a very long and sparse range is then continued by the next page. */
export const MAX_SCAN_CALLS = 60;
export const MAX_LOG_SCAN_MS = 8_000;
const LOGS = 'eth_getLogs';
const HEADER = 'eth_getBlockByNumber';
/** A node behind a load balancer may not have the newest block yet. */
const BEHIND_TRIES = 4;
const BEHIND_MS = 250;

export const getLogKey = (log: UntimedLog): LogKey => [log.blockNumber, log.transactionIndex, log.logIndex];

/** Negative when `a` is newer than `b`. */
export function compareLogKeys(a: LogKey, b: LogKey): number {
  return b[0] - a[0] || b[1] - a[1] || b[2] - a[2];
}

export async function scanLogs(
  node: EvmNode,
  state: NodeState,
  clock: Clock,
  scan: LogScanRequest,
  signal: AbortSignal | undefined,
): Promise<ScannedLogs> {
  const { filter, from, before, limit, shouldCount: count } = scan;
  const window = createLogWindow(node.cache.maxLogRange, scan.window);
  const until = clock.now() + MAX_LOG_SCAN_MS;
  const logs: UntimedLog[] = [];
  const seconds = new Map<Hex, number>();
  let top = Math.min(scan.to, before?.[0] ?? scan.to);
  let total = 0;
  let calls = 0;
  let windows = 0;
  // One more than asked for, to know whether there is another page.
  while (top >= from && (count || logs.length <= limit)) {
    // At least one window, so that every page gets further than the one before.
    if (windows > 0 && (calls >= MAX_SCAN_CALLS || clock.now() >= until)) break;
    calls++;
    const low = Math.max(from, top - window.blocks + 1);
    const span = top - low + 1;
    const found = await logsBetween(node, state, clock, filter, low, top, signal);
    if ('refused' in found) {
      window.recordLimit(span, found.refused);
      if (found.refused.kind === 'range') node.cache.maxLogRange = window.blocks;
      continue;
    }
    windows++;
    const { list } = found;
    for (const { log, time } of list) {
      if (before !== null && compareLogKeys(getLogKey(log), before) <= 0) continue;
      total++;
      if (logs.length > limit) continue;
      logs.push(log);
      if (time !== null) seconds.set(log.blockHash, time);
    }
    top = low - 1;
    scan.onProgress?.(Math.max(0, top - from + 1));
    const full = logs.length > limit;
    window.recordFound(span, list.length, count ? Number.POSITIVE_INFINITY : full ? limit : limit + 1 - logs.length);
  }
  const more = logs.length > limit;
  const page = more ? logs.slice(0, limit) : logs;
  const last = page.at(-1);
  const complete = top < from;
  return {
    logs: page,
    seconds,
    next: more && last !== undefined ? getLogKey(last) : complete ? null : [top + 1, 0, 0],
    window: window.blocks,
    total: count && complete ? total : null,
    stoppedAt: more || complete ? null : top + 1,
  };
}

interface Found {
  readonly log: UntimedLog;
  readonly time: number | null;
}

type Answered = { readonly list: readonly Found[] } | { readonly refused: LogLimit };

/** The logs of a range of blocks, newest first, or why the node does not give so many at once. */
async function logsBetween(
  node: EvmNode,
  state: NodeState,
  clock: Clock,
  filter: LogFilter,
  low: number,
  top: number,
  signal: AbortSignal | undefined,
): Promise<Answered> {
  for (let attempt = 1; attempt <= BEHIND_TRIES; attempt++) {
    if (attempt > 1) await clock.sleep(BEHIND_MS * attempt, signal);
    // The top block comes along, so that a node which is behind is not taken for a chain without logs.
    const calls: RpcCall[] = [logsCall(filter, low, top)];
    if (top > state.finalized) calls.push({ method: HEADER, params: [toQuantity(top), false] });
    const [logsAnswer, headerAnswer] = await node.rpc.sendAll(calls, signal);
    let newest: BlockHeader | null = null;
    if (headerAnswer !== undefined) {
      const result = node.getResult(HEADER, headerAnswer);
      newest = node.validate(HEADER, () => parseHeaderAt(result, top));
      if (newest === null) continue;
    }
    const refusal = logsAnswer?.refusal;
    if (refusal !== undefined) {
      const limit = parseLogLimit(refusal);
      if (limit === null) throw node.rpc.faults.fromRpcError(LOGS, refusal);
      return low < top ? { refused: limit } : { list: await logsOfBlock(node, filter, top, signal) };
    }
    const list = node.validate(LOGS, () => readLogs(logsAnswer?.result, filter, low, top));
    const torn = newest !== null && list.some(({ log }) => log.blockNumber === top && log.blockHash !== newest.hash);
    if (!torn) return { list };
  }
  throw node.rpc.invalidResponse(LOGS, `it does not have block ${top} although its head is ${state.headNumber}`, {
    fix: 'It may be behind: try again in a moment.',
  });
}

function logsCall({ address, topics }: LogFilter, low: number, top: number): RpcCall {
  const wanted = [...topics];
  // Some providers refuse a filter that ends in wildcards.
  while (wanted.length > 0 && wanted.at(-1) === null) wanted.pop();
  const range = { fromBlock: toQuantity(low), toBlock: toQuantity(top) };
  return { method: LOGS, params: [{ address, ...range, ...(wanted.length > 0 && { topics: wanted }) }] };
}

/** Throws `Implausible` when the node gives logs that were not asked for. */
function readLogs(result: unknown, filter: LogFilter, low: number, top: number): Found[] {
  if (!Array.isArray(result)) throw new InvalidResponseError('it is not a list of logs');
  const list: Found[] = [];
  for (const value of result as readonly WireObject[]) {
    const log = parseUntimedLog(value);
    if (value['removed'] === true) continue;
    if (log.blockNumber < low || log.blockNumber > top)
      throw new InvalidResponseError(`there is a log of block ${log.blockNumber}, outside ${low} to ${top}`);
    if (!matches(log, filter)) throw new InvalidResponseError(`there is a log that the filter does not let through`);
    list.push({ log, time: optionalSeconds(value, 'blockTimestamp') });
  }
  return list.sort((a, b) => compareLogKeys(getLogKey(a.log), getLogKey(b.log)));
}

function matches(log: UntimedLog, { address, topics }: LogFilter): boolean {
  if (log.address !== address) return false;
  const has = [log.topic0, log.topic1, log.topic2, log.topic3];
  return topics.every((topic, index) => topic === null || has[index]?.toLowerCase() === topic);
}

/** One block holds more logs than the node gives in one answer: its receipts hold them too, and are given by block. */
async function logsOfBlock(
  node: EvmNode,
  filter: LogFilter,
  number: number,
  signal: AbortSignal | undefined,
): Promise<Found[]> {
  const block = await fetchBlock(node, number, signal);
  if (block === null) throw node.rpc.invalidResponse(HEADER, `block ${number} is missing`);
  return node.validate('eth_getBlockReceipts', () =>
    block.receipts
      .flatMap(receipt => requireArray(receipt, 'logs'))
      .map(value => ({ log: parseUntimedLog(value), time: block.header.time.getTime() / 1000 }))
      .filter(({ log }) => matches(log, filter))
      .sort((a, b) => compareLogKeys(getLogKey(a.log), getLogKey(b.log))),
  );
}
