// Reads what concerns one contract or wallet in a range of blocks of a public chain: its logs or sales, and their blocks.

import { TRANSFER } from '../../api/eventTopics.ts';
import { isFault } from '../../base/errors.ts';
import { type Hex, toQuantity } from '../../base/hex.ts';
import { type BlockHeader, parseHeader, toHeaderCall } from '../evm/blockHeader.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { type FailedLogs, getLimitOfFault, isAboveHead, parseLogLimit, SlowRanges } from '../evm/logLimit.ts';
import { createLogRangeSizer, type LogRangeSizer } from '../evm/logRangeSizer.ts';
import { mayContainLogs } from '../evm/logsBloom.ts';
import { fetchNullRound } from '../evm/nullRounds.ts';
import type { RpcResponse } from '../evm/rpcMessage.ts';
import { parseHeaderResponse } from '../evm/rpcResults.ts';
import { type BlockRow, compareLogPositions } from '../store/rows.ts';
import type { IndexScope } from '../store/store.ts';
import type { ChainLog } from './chainLog.ts';
import { isOnChain, NO_BLOCKS, type RangeReader, toBlockRow } from './chainRangeReader.ts';
import { fetchLogsOfLargeBlock } from './fetchLargeBlock.ts';
import {
  createScopeFilters,
  fetchLogsFromReceipts,
  INDEXED_LOGS,
  type IndexLogFilter,
  parseFilteredLogs,
} from './logFilters.ts';
import { fetchTransactionLogs, orderLogs } from './orderLogs.ts';
import { findTokenContracts, findUndecidedContracts, parseTokenLogs, type TokenLogs } from './parseTokenLogs.ts';
import { MAX_LOGS_BYTES } from './readLogsBody.ts';
import type { TokenContractCache } from './tokenContractCache.ts';

/** Logs that one range should contain. */
const GOOD_RANGE_LOGS = 2_000;

interface FilteredLogs {
  readonly logs: readonly ChainLog[];
  /** Unix times by block number, where the node sends them along. */
  readonly seconds: ReadonlyMap<number, number>;
  readonly first: BlockHeader;
  readonly last: BlockHeader;
}

/** Values of transactions are not read: they are fetched when a record is shown. */
export function createScopeRangeReader(
  node: EvmNode,
  scope: IndexScope,
  tokenContracts: TokenContractCache,
): RangeReader {
  const filters = createScopeFilters(scope);
  const sizer = createLogRangeSizer(node);
  // The writer needs descriptions of all tokens: in one batch they take one round trip.
  const findContracts = scope.kind === 'trades' ? findUndecidedContracts : findTokenContracts;

  /**
   * The sale of a CryptoPunk by accepted bid does not name its buyer, so that no filter finds it by wallet: the Transfer
   * before it in its transaction does.
   */
  const addPunkSales = async (
    logs: readonly ChainLog[],
    to: number,
    signal: AbortSignal,
  ): Promise<readonly ChainLog[]> => {
    const getKind = await tokenContracts.fetchKinds(findContracts(logs), to, signal);
    const punkTransfers = logs.filter(
      ({ address, topics }) => topics[0] === TRANSFER && topics.length === 3 && getKind(address).isPunks,
    );
    if (punkTransfers.length === 0) return logs;
    const sales = await fetchTransactionLogs(node, [INDEXED_LOGS], punkTransfers, signal);
    const hashes = new Set(sales.map(log => log.transactionHash));
    return [...logs.filter(log => !hashes.has(log.transactionHash)), ...sales].sort(compareLogPositions);
  };

  const decode = async (logs: readonly ChainLog[], to: number, signal: AbortSignal): Promise<TokenLogs> => {
    let all = logs;
    if (scope.kind === 'trades') all = await fetchTransactionLogs(node, [INDEXED_LOGS], logs, signal);
    else if (scope.kind === 'wallet') all = await addPunkSales(logs, to, signal);
    const decoded = parseTokenLogs(all, await tokenContracts.fetchKinds(findContracts(all), to, signal));
    return selectScope(scope, decoded);
  };

  return {
    get rangeSize() {
      return sizer.rangeSize;
    },
    get maxRangeSize() {
      return sizer.maxRangeSize;
    },
    async *read(from, to, _blocksLeft, signal, turn) {
      const seconds = new Map<number, number>();
      let hasBlocks = false;
      for await (const range of fetchRanges({ node, filters, sizer, seconds, turn }, from, to, signal)) {
        const found = range && (await toFilteredLogs(node, filters, range, seconds, signal));
        if (range === null || found === null) return yield 'reorged';
        sizer.recordFound(range.to - range.from + 1, found.logs.length, GOOD_RANGE_LOGS);
        const [decoded, isOfOneFork] = await Promise.all([
          // Where the chain has no block `to`, contracts can not be called at it.
          decode(found.logs, found.last.number, signal),
          isStillOnChain(node, found, range.to, signal),
        ]);
        const blocks = isOfOneFork ? await fetchRowBlocks(node, found, decoded, signal) : null;
        if (blocks === null) return yield 'reorged';
        yield { blocks, transactions: [], transfers: decoded.transfers, decoded };
        hasBlocks = true;
      }
      if (!hasBlocks) yield NO_BLOCKS;
    },
  };
}

/** Only the rows that belong to the scope. */
function selectScope({ kind, address }: IndexScope, decoded: TokenLogs): TokenLogs {
  const { transfers, erc20Transfers, trades, tokens, skippedIdCount } = decoded;
  if (kind === 'trades') {
    const own = trades.filter(row => row.tokenAddress === address);
    return { transfers: [], erc20Transfers: [], trades: own, tokens: new Map(), skippedIdCount: 0n };
  }
  const isOwn = (row: { readonly from: Hex; readonly to: Hex }) =>
    kind === 'contract' || row.from === address || row.to === address;
  const ownTransfers = transfers.filter(isOwn);
  const ownErc20Transfers = erc20Transfers.filter(isOwn);
  const ownTokens = new Set([...ownTransfers, ...ownErc20Transfers].map(row => row.tokenAddress));
  return {
    transfers: ownTransfers,
    erc20Transfers: ownErc20Transfers,
    trades: [],
    tokens: new Map([...tokens].filter(([token]) => ownTokens.has(token))),
    skippedIdCount,
  };
}

/** `null` when the node does not have the blocks, or not the same ones throughout. `no-blocks`: the chain has none (null rounds). */
export async function fetchFilteredLogs(
  node: EvmNode,
  filters: readonly IndexLogFilter[],
  sizer: LogRangeSizer,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<FilteredLogs | 'no-blocks' | null> {
  const answers: readonly ChainLog[][] = filters.map(() => []);
  const seconds = new Map<number, number>();
  let first: BlockHeader | null = null;
  let last: BlockHeader | null = null;
  for await (const range of fetchRanges({ node, filters, sizer, seconds }, from, to, signal)) {
    if (range === null || (last !== null && range.first.parentHash !== last.hash)) return null;
    for (const [index, logs] of range.answers.entries()) for (const log of logs) answers[index]?.push(log);
    first ??= range.first;
    last = range.last;
  }
  if (first === null || last === null) return 'no-blocks';
  return toFilteredLogs(node, filters, { answers, first, last }, seconds, signal);
}

/** In the order of the chain; `null` when a log is of another block than the ends. */
async function toFilteredLogs(
  node: EvmNode,
  filters: readonly IndexLogFilter[],
  { answers, first, last }: RangeLogs,
  seconds: ReadonlyMap<number, number>,
  signal: AbortSignal,
): Promise<FilteredLogs | null> {
  const ends = [first, last];
  const isReplaced = (log: ChainLog) =>
    ends.some(end => end.number === log.blockNumber && end.hash.toLowerCase() !== log.blockHash);
  if (answers.some(logs => logs.some(isReplaced))) return null;
  return { logs: await orderLogs(node, filters, answers, signal), seconds, first, last };
}

interface RangeReaderDeps {
  readonly node: EvmNode;
  readonly filters: readonly IndexLogFilter[];
  readonly sizer: LogRangeSizer;
  /** Gets the times of blocks that come with logs. */
  readonly seconds: Map<number, number>;
  /** See `RangeReader`. */
  readonly turn?: Promise<void> | undefined;
}

interface FoundRange extends RangeLogs {
  /** Both inclusive, also where the chain has no block of that number. */
  readonly from: number;
  readonly to: number;
}

/** In a range for each response, without those that have no blocks; `null`, which is the last, when the node does not have them. */
async function* fetchRanges(
  deps: RangeReaderDeps,
  from: number,
  to: number,
  signal: AbortSignal,
): AsyncGenerator<FoundRange | null, void> {
  let span = to - from + 1;
  for (let low = from; low <= to; low += span) {
    const { high, range } = await fetchFirstRange(deps, low, Math.min(to, low + span - 1), signal);
    if (range === null) return yield null;
    span = high - low + 1;
    if (range !== 'no-blocks') yield { ...range, from: low, to: high };
  }
}

/** Up to a block before `to` where that is too much for the node or for one response. */
async function fetchFirstRange(
  { node, filters, sizer, seconds, turn }: RangeReaderDeps,
  low: number,
  to: number,
  signal: AbortSignal,
): Promise<{ readonly high: number; readonly range: RangeLogs | 'no-blocks' | null }> {
  const slowRanges = new SlowRanges();
  let high = to;
  let maxBytes: number | undefined = MAX_LOGS_BYTES;
  for (;;) {
    const range = await fetchLogsOfRange(node, filters, low, high, seconds, signal, maxBytes);
    if (range === null || range === 'no-blocks' || !('limit' in range)) return { high, range };
    if (low < high) {
      slowRanges.record(range.limit, range.fault);
      sizer.recordLimit(high - low + 1, range.limit);
      high = low + sizer.rangeSize - 1;
      continue;
    }
    // An index reads millions of blocks: it would take a call for each.
    if (range.limit.kind === 'unsaid' || range.limit.kind === 'time') throw range.fault;
    if (maxBytes !== undefined && isFault(range.fault, 'too-large')) {
      await turn;
      const large = await fetchLargeBlock(node, filters, low, signal);
      if (large !== 'other-form') return { high, range: large };
      maxBytes = undefined;
      continue;
    }
    // One block has more logs than the node returns at once: its receipts hold them too.
    const block = await fetchLogsFromReceipts(node, filters, low, signal);
    return { high, range: block && { answers: [block.logs], first: block.header, last: block.header } };
  }
}

async function fetchLargeBlock(
  node: EvmNode,
  filters: readonly IndexLogFilter[],
  number: number,
  signal: AbortSignal,
): Promise<RangeLogs | 'other-form' | null> {
  const answers = await fetchLogsOfLargeBlock(node, filters, number, signal);
  if (answers === null) return 'other-form';
  const [response] = await node.rpc.sendAll([toHeaderCall(number)], signal);
  const header = parseHeaderResponse(node, response, number);
  return header && { answers, first: header, last: header };
}

interface RangeLogs {
  /** What was found by each filter; all of it in the first when it was read from receipts. */
  readonly answers: readonly (readonly ChainLog[])[];
  readonly first: BlockHeader;
  readonly last: BlockHeader;
}

/**
 * In one batch; the limit that the node names when that is too much for it, `null` when it does not have the blocks. Notes
 * the times of blocks in `seconds`.
 */
async function fetchLogsOfRange(
  node: EvmNode,
  filters: readonly IndexLogFilter[],
  low: number,
  high: number,
  seconds: Map<number, number>,
  signal: AbortSignal,
  maxBytes: number | undefined,
): Promise<RangeLogs | FailedLogs | 'no-blocks' | null> {
  const responses = await sendLogsCalls(node, filters, low, high, signal, maxBytes);
  if ('limit' in responses) return responses;
  const error = responses.logs.find(response => response.error)?.error;
  if (error !== undefined) {
    const limit = parseLogLimit(error);
    if (limit !== null) return { limit, fault: node.rpc.faults.withoutLogs(error) };
    if (isAboveHead(error)) return null;
    // A node also rejects the range when a reorg has just made its chain shorter.
    const end = parseHeaderResponse(node, responses.last, high);
    if (end === null || !(await isOnChain(node, end, signal))) return null;
    throw node.rpc.faults.fromRpcError('eth_getLogs', error);
  }
  let first = parseHeaderResponse(node, responses.first, low);
  let last = parseHeaderResponse(node, responses.last, high);
  if (first === null) first = (await fetchNullRound(node, low, signal))?.above ?? null;
  if (last === null) last = (await fetchNullRound(node, high, signal))?.below ?? null;
  // A node behind a load balancer that does not have the blocks yet would return no logs of them.
  if (first === null || last === null) return null;
  if (first.number > last.number) return 'no-blocks';
  const answers = parseAnswers(node, filters, responses.logs, low, high, seconds);
  for (const header of low === high ? [last] : [first, last]) {
    // Behind a load balancer, a node that lags behind the one that sent the header returns no logs of its block.
    if (answers.some(logs => logs.some(log => log.blockNumber === header.number))) continue;
    if (!filters.some(filter => mayContainLogs(header.wire['logsBloom'], filter) === true)) continue;
    const missing = await fetchLogsOfBlock(node, filters, header, seconds, signal);
    if (missing === null) return null;
    for (const [index, logs] of missing.entries()) for (const log of logs) answers[index]?.push(log);
  }
  return { answers, first, last };
}

/** What the node has found by each filter. */
const parseAnswers = (
  node: EvmNode,
  filters: readonly IndexLogFilter[],
  responses: readonly RpcResponse[],
  low: number,
  high: number,
  seconds: Map<number, number>,
): readonly ChainLog[][] =>
  node.validate('eth_getLogs', () =>
    filters.map((filter, index) => [...parseFilteredLogs(responses[index]?.result, filter, low, high, seconds)]),
  );

/** By the hash of the block, so that no node that lacks it can return an empty list; `null` when the block is gone. */
async function fetchLogsOfBlock(
  node: EvmNode,
  filters: readonly IndexLogFilter[],
  { hash, number }: BlockHeader,
  seconds: Map<number, number>,
  signal: AbortSignal,
): Promise<RangeLogs['answers'] | null> {
  const responses = await node.rpc.sendAll(
    filters.map(filter => ({ method: 'eth_getLogs', params: [{ ...filter, blockHash: hash }] })),
    signal,
  );
  // Not every node takes a hash here.
  if (responses.some(response => response.error !== undefined)) {
    const block = await fetchLogsFromReceipts(node, filters, hash, signal);
    return block && [block.logs];
  }
  return parseAnswers(node, filters, responses, number, number, seconds);
}

interface LogsResponses {
  /** Headers of the first and the last block. */
  readonly first: RpcResponse | undefined;
  readonly last: RpcResponse | undefined;
  /** In the order of the filters. */
  readonly logs: readonly RpcResponse[];
}

async function sendLogsCalls(
  node: EvmNode,
  filters: readonly IndexLogFilter[],
  low: number,
  high: number,
  signal: AbortSignal,
  maxBytes: number | undefined,
): Promise<LogsResponses | FailedLogs> {
  const range = { fromBlock: toQuantity(low), toBlock: toQuantity(high) };
  const limits = maxBytes === undefined ? {} : { maxBytes };
  const calls = filters.map(filter => ({ method: 'eth_getLogs', params: [{ ...filter, ...range }], ...limits }));
  try {
    const [first, last, ...logs] = await node.rpc.sendAll([toHeaderCall(low), toHeaderCall(high), ...calls], signal);
    return { first, last, logs };
  } catch (fault) {
    const limit = getLimitOfFault(fault);
    if (limit === null) throw fault;
    return { limit, fault };
  }
}

/** The blocks with rows, and both ends of the range, by which a reorg is noticed; `null` when a reorg removed one. */
export async function fetchRowBlocks(
  node: EvmNode,
  { logs, seconds, first, last }: FilteredLogs,
  { transfers, erc20Transfers, trades }: TokenLogs,
  signal: AbortSignal,
): Promise<readonly BlockRow[] | null> {
  const rows = new Map<number, BlockRow>();
  const hashes = new Map(logs.map(log => [log.blockNumber, log.blockHash]));
  const withoutTime: Hex[] = [];
  for (const number of new Set([...transfers, ...erc20Transfers, ...trades].map(row => row.blockNumber))) {
    const hash = hashes.get(number);
    const timestamp = seconds.get(number);
    if (hash === undefined || number === first.number || number === last.number) continue;
    if (timestamp === undefined) withoutTime.push(hash);
    else rows.set(number, { number, hash, parentHash: hash, timestamp });
  }
  const calls = withoutTime.map(hash => ({ method: 'eth_getBlockByHash', params: [hash, false] }));
  const responses = await node.rpc.sendAll(calls, signal);
  for (const [index, hash] of withoutTime.entries()) {
    const header = node.validate('eth_getBlockByHash', () =>
      parseHeader(node.getResult('eth_getBlockByHash', responses[index])),
    );
    if (header === null) return null;
    if (header.hash.toLowerCase() !== hash)
      throw node.rpc.invalidResponse('eth_getBlockByHash', `block ${header.hash} came instead of ${hash}`);
    rows.set(header.number, toBlockRow(header));
  }
  for (const header of [first, last]) rows.set(header.number, toBlockRow(header));
  return [...rows.values()].sort((a, b) => a.number - b.number);
}

/** Above the finalized block, both ends must still be the same as before the logs were read. */
async function isStillOnChain(
  node: EvmNode,
  { first, last }: FilteredLogs,
  to: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { finalized } = await node.getState(signal);
  if (to <= finalized) return true;
  const responses = await node.rpc.sendAll([toHeaderCall(first.number), toHeaderCall(last.number)], signal);
  return [first, last].every(
    ({ number, hash }, index) => parseHeaderResponse(node, responses[index], number)?.hash === hash,
  );
}
