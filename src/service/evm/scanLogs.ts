// Logs of a contract from one end of a range: range after range, until there are enough or time is up.

import type { Clock } from '../../base/clock.ts';
import { type Hex, toQuantity } from '../../base/hex.ts';
import { getLogPlaces, MAX_LOG_PLACE, MAX_TRANSACTION_INDEX } from '../store/rows.ts';
import { type BlockHeader, toHeaderCall } from './blockHeader.ts';
import type { EvmNode, NodeState } from './evmNode.ts';
import { fetchBlock } from './fetchBlock.ts';
import { FINALITY_DEPTH } from './finality.ts';
import { type FailedLogs, getLimitOfFault, isAboveHead, parseLogLimit, SlowRanges } from './logLimit.ts';
import { createLogRangeSizer } from './logRangeSizer.ts';
import { mayContainLogs } from './logsBloom.ts';
import { fetchNullRound } from './nullRounds.ts';
import type { PageRange } from './pageRange.ts';
import { type MissingBlock, readWhenPresent } from './readWhenPresent.ts';
import { ChainReorganizedError } from './repeatAfterReorg.ts';
import { InvalidResponseError, optionalSeconds, readArray, readLogs, requireObject } from './responseFields.ts';
import type { RpcCall } from './rpcMessage.ts';
import { parseHeaderResponse } from './rpcResults.ts';
import { parseUntimedLog, type UntimedLog } from './toBlockRecord.ts';

export interface LogFilter {
  readonly address: Hex;
  /** By position; `null` matches any topic. */
  readonly topics: readonly (Hex | null)[];
}

/** The position of a log, by which lists are ordered, newest first. */
export type LogKey = readonly [block: number, transactionIndex: number, place: number];

export interface LogScanRequest extends PageRange<LogKey> {
  readonly filter: LogFilter;
  /** Blocks per call that suited the page before; `null` on the first page. */
  readonly rangeSize: number | null;
  /** Whether the whole range is scanned and its logs counted. */
  readonly shouldCount: boolean;
  /** Called after each range. */
  onProgress?(blocksLeft: number): void;
}

export interface ScannedLogs {
  /** In the order of the page. */
  readonly logs: readonly UntimedLog[];
  /** Unix seconds by block hash, where the node sent them along with the logs. */
  readonly seconds: ReadonlyMap<Hex, number>;
  /** Where the next page starts; `null` when there is no further log in the range. */
  readonly next: LogKey | null;
  /** Blocks per call that suit the next page. */
  readonly rangeSize: number;
  /** How many there are in the whole range; `null` when not counted to the end. */
  readonly total: number | null;
  /** The last block that was scanned, when time or calls ran out before the page was full; else `null`. */
  readonly stoppedAt: number | null;
}

/** Behind a load balancer, logs of blocks so close to the head may be missing at a node that lags. */
const MAX_LAG_BLOCKS = 10;
/** Limits of one page: a long and sparse range is continued by the next page. */
const MAX_SCAN_CALLS = 60;
const MAX_LOG_SCAN_MS = 8_000;

/** Negative when `a` is older than `b`. */
function compareLogKeys(a: LogKey, b: LogKey): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** The last key, in the order of the page, that a log of a block can have. */
const getEdge = (block: number, isOldestFirst: boolean): LogKey =>
  isOldestFirst ? [block, MAX_TRANSACTION_INDEX, MAX_LOG_PLACE] : [block, 0, 0];

/** The first block, in the order of the page, that can have a log after this key. */
function getFirstBlockAfter(key: LogKey, isOldestFirst: boolean): number {
  if (compareLogKeys(key, getEdge(key[0], isOldestFirst)) !== 0) return key[0];
  return isOldestFirst ? key[0] + 1 : key[0] - 1;
}

export async function scanLogs(
  node: EvmNode,
  state: NodeState,
  clock: Clock,
  scan: LogScanRequest,
  signal: AbortSignal | undefined,
): Promise<ScannedLogs> {
  const { after, isOldestFirst, limit, shouldCount } = scan;
  const compare = (a: LogKey, b: LogKey) => (isOldestFirst ? compareLogKeys(a, b) : compareLogKeys(b, a));
  const sizer = createLogRangeSizer(node, { initialBlocks: scan.rangeSize });
  const slowRanges = new SlowRanges();
  const deadline = clock.now() + MAX_LOG_SCAN_MS;
  const logs: FoundLog[] = [];
  const secondsByHash = new Map<Hex, number>();
  const first = after === null ? null : getFirstBlockAfter(after, isOldestFirst);
  let from = isOldestFirst ? Math.max(scan.from, first ?? scan.from) : scan.from;
  let to = isOldestFirst ? scan.to : Math.min(scan.to, first ?? scan.to);
  let total = 0;
  let calls = 0;
  let rangeCount = 0;
  const tops: BlockHeader[] = [];
  // One more than the page holds, to know whether there is another page.
  while (to >= from && (shouldCount || logs.length <= limit)) {
    // At least one range, so that every page gets further than the one before it.
    if (rangeCount > 0 && (calls >= MAX_SCAN_CALLS || clock.now() >= deadline)) break;
    calls++;
    const span = Math.min(sizer.rangeSize, to - from + 1);
    const low = isOldestFirst ? from : to - span + 1;
    const top = low + span - 1;
    const fetched = await fetchLogsBetween(node, state, clock, scan, low, top, signal);
    if ('limit' in fetched) {
      sizer.recordLimit(span, fetched.limit);
      slowRanges.record(fetched.limit, fetched.fault);
      continue;
    }
    slowRanges.reset();
    rangeCount++;
    const { found } = fetched;
    if (fetched.isBloomChecked) calls++;
    if (fetched.newest !== null) tops.push(fetched.newest);
    for (const entry of found.toSorted((a, b) => compare(a.key, b.key))) {
      if (after !== null && compare(entry.key, after) <= 0) continue;
      total++;
      if (logs.length > limit) continue;
      logs.push(entry);
      if (entry.seconds !== null) secondsByHash.set(entry.log.blockHash, entry.seconds);
    }
    if (isOldestFirst) from = top + 1;
    else to = low - 1;
    scan.onProgress?.(Math.max(0, to - from + 1));
    const isFull = logs.length > limit;
    sizer.recordFound(
      span,
      found.length,
      shouldCount ? Number.POSITIVE_INFINITY : isFull ? limit : limit + 1 - logs.length,
    );
  }
  // The ranges are read one after the other: a reorg in between would mix two forks.
  const witness = isOldestFirst ? tops.at(-2) : tops[0];
  if (rangeCount > 1 && witness !== undefined && (await wasReplaced(node, witness, state, signal)))
    throw new ChainReorganizedError();
  const hasMore = logs.length > limit;
  const page = hasMore ? logs.slice(0, limit) : logs;
  const last = page.at(-1);
  const isComplete = to < from;
  const stoppedAt = isOldestFirst ? from - 1 : to + 1;
  return {
    logs: page.map(({ log }) => log),
    seconds: secondsByHash,
    next: hasMore && last !== undefined ? last.key : isComplete ? null : getEdge(stoppedAt, isOldestFirst),
    rangeSize: sizer.rangeSize,
    total: shouldCount && isComplete ? total : null,
    stoppedAt: hasMore || isComplete ? null : stoppedAt,
  };
}

interface FoundLog extends TimedLog {
  readonly key: LogKey;
}

interface TimedLog {
  readonly log: UntimedLog;
  /** Unix time of its block, where the node sent it along. */
  readonly seconds: number | null;
}

type FetchedLogs =
  | {
      readonly found: readonly FoundLog[];
      /** The header of the highest block, unless that is final. */
      readonly newest: BlockHeader | null;
      /** Whether the logs of the highest block were requested by its hash too. */
      readonly isBloomChecked: boolean;
    }
  | FailedLogs;

/** Of a public chain the block may only be missing on one node behind a load balancer. */
async function wasReplaced(
  node: EvmNode,
  { number, hash }: BlockHeader,
  { isDevelopment }: NodeState,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const [response] = await node.rpc.sendAll([toHeaderCall(number)], signal);
  const header = parseHeaderResponse(node, response, number);
  return header === null ? isDevelopment : header.hash !== hash;
}

/** The logs of a range of blocks, newest first, or the limit that the range exceeds. */
async function fetchLogsBetween(
  node: EvmNode,
  state: NodeState,
  clock: Clock,
  { filter, from, to }: LogScanRequest,
  low: number,
  top: number,
  signal: AbortSignal | undefined,
): Promise<FetchedLogs> {
  const read = async (): Promise<FetchedLogs | MissingBlock> => {
    // The top block is requested too, so that a node which is behind is not taken for a chain without logs.
    const calls: RpcCall[] = [toLogsCall(filter, { fromBlock: toQuantity(low), toBlock: toQuantity(top) })];
    if (top > state.finalized) calls.push(toHeaderCall(top));
    const sent = await node.rpc.sendAll(calls, signal).catch((fault: unknown) => {
      const limit = low < top ? getLimitOfFault(fault) : null;
      if (limit === null) throw fault;
      return { limit, fault };
    });
    if ('limit' in sent) return sent;
    const [logsResponse, headerResponse] = sent;
    let newest: BlockHeader | null = null;
    if (headerResponse !== undefined) {
      newest = parseHeaderResponse(node, headerResponse, top);
      if (newest === null && top < state.headNumber) newest = (await fetchNullRound(node, top, signal))?.below ?? null;
      if (newest === null) return { missing: top };
    }
    const error = logsResponse?.error;
    if (error !== undefined) {
      // On a development chain a reorg has removed the block.
      const mayLag = !state.isDevelopment && state.headNumber - top <= FINALITY_DEPTH;
      if (mayLag && isAboveHead(error)) return { missing: top };
      const limit = parseLogLimit(error);
      const fault = node.rpc.faults.fromRpcError('eth_getLogs', error);
      if (limit === null) throw fault;
      if (low < top) return { limit, fault };
      // Of more than a block that would take a call for each.
      if (limit.kind === 'unsaid' && from < to) throw node.rpc.faults.withoutLogs(error);
      const logs = await fetchLogsFromReceipts(node, filter, top, signal);
      return logs === null ? { missing: top } : { found: logs, newest, isBloomChecked: false };
    }
    let found = node.validate('eth_getLogs', () => parseLogs(logsResponse?.result, filter, low, top));
    let isBloomChecked = false;
    const isNew = state.headNumber - top <= MAX_LAG_BLOCKS;
    const ofNewest = found.filter(({ log }) => log.blockNumber === newest?.number);
    if (newest !== null && isNew && ofNewest.length === 0 && mayHoldLogs(newest, filter)) {
      // Behind a load balancer, a node that lags behind the one that sent the header returns no logs of its block.
      const missing = await fetchLogsOfBlock(node, filter, newest, signal);
      if (missing === null) return { missing: top };
      found = [...missing, ...found];
      isBloomChecked = true;
    }
    const isReorged = ofNewest.some(({ log }) => log.blockHash !== newest?.hash);
    return isReorged ? { missing: top } : { found, newest, isBloomChecked };
  };
  return readWhenPresent(read, { node, method: 'eth_getLogs', clock }, signal);
}

const mayHoldLogs = ({ wire }: BlockHeader, { address, topics }: LogFilter): boolean =>
  mayContainLogs(wire['logsBloom'], { address, topics: topics.map(topic => topic && [topic]) }) === true;

type LogRange = { readonly fromBlock: Hex; readonly toBlock: Hex } | { readonly blockHash: Hex };

function toLogsCall({ address, topics }: LogFilter, range: LogRange): RpcCall {
  const wanted = [...topics];
  // Some providers reject a filter that ends in wildcards.
  while (wanted.length > 0 && wanted.at(-1) === null) wanted.pop();
  return { method: 'eth_getLogs', params: [{ address, ...range, ...(wanted.length > 0 && { topics: wanted }) }] };
}

/** Throws `InvalidResponseError` for logs that the filter does not match. */
function parseLogs(result: unknown, filter: LogFilter, low: number, top: number): FoundLog[] {
  const found: TimedLog[] = [];
  for (const value of readLogs(result)) {
    const wire = requireObject(value, 'a log');
    if (wire['removed'] === true) continue;
    const log = parseUntimedLog(wire);
    if (log.blockNumber < low || log.blockNumber > top)
      throw new InvalidResponseError(`there is a log of block ${log.blockNumber}, outside ${low} to ${top}`);
    if (!matchesLogFilter(log, filter)) throw new InvalidResponseError(`there is a log that the filter does not match`);
    found.push({ log, seconds: optionalSeconds(wire, 'blockTimestamp') });
  }
  return sortNewestFirst(found);
}

/** @param logs Those of a transaction in its order, which log indexes may not have. */
function sortNewestFirst(logs: readonly TimedLog[]): FoundLog[] {
  const transactions = Map.groupBy(logs, ({ log }) => `${log.blockNumber} ${log.transactionIndex}`);
  return [...transactions.values()]
    .flatMap(list => {
      const places = getLogPlaces(list.map(({ log }) => log.logIndex));
      return list.map(({ log, seconds }, at): FoundLog => {
        return { log, seconds, key: [log.blockNumber, log.transactionIndex, places[at] ?? log.logIndex] };
      });
    })
    .sort((a, b) => compareLogKeys(b.key, a.key));
}

function matchesLogFilter(log: UntimedLog, { address, topics }: LogFilter): boolean {
  if (log.address !== address) return false;
  const has = [log.topic0, log.topic1, log.topic2, log.topic3];
  return topics.every((topic, index) => topic === null || has[index]?.toLowerCase() === topic);
}

/** By the hash of the block, so that no node that lacks it can return an empty list; `null` when it is missing. */
async function fetchLogsOfBlock(
  node: EvmNode,
  filter: LogFilter,
  { hash, number }: BlockHeader,
  signal: AbortSignal | undefined,
): Promise<readonly FoundLog[] | null> {
  const [response] = await node.rpc.sendAll([toLogsCall(filter, { blockHash: hash })], signal);
  // Not every node takes a hash here.
  if (response?.error !== undefined) return fetchLogsFromReceipts(node, filter, hash, signal);
  return node.validate('eth_getLogs', () => parseLogs(response?.result, filter, number, number));
}

/** For a block that has more logs than the node returns at once; `null` when it is missing. */
async function fetchLogsFromReceipts(
  node: EvmNode,
  filter: LogFilter,
  id: number | Hex,
  signal: AbortSignal | undefined,
): Promise<readonly FoundLog[] | null> {
  const block = await fetchBlock(node, id, signal);
  if (block === null) return null;
  return node.validate('eth_getBlockReceipts', () =>
    sortNewestFirst(
      [...block.receipts, ...block.otherReceipts]
        .flatMap(receipt => readArray(receipt, 'logs'))
        .map(value => ({ log: parseUntimedLog(value), seconds: block.header.time.getTime() / 1000 }))
        .filter(({ log }) => matchesLogFilter(log, filter)),
    ),
  );
}
