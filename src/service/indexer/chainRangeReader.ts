// Reads a range of whole blocks as the node has it now: connected headers, transactions, all indexed logs, values, as rows.

import { type Hex, parseQuantity, toLowerHex, toQuantity } from '../../base/hex.ts';
import { type BlockHeader, HEADER_METHOD, parseHeader, toHeaderCall } from '../evm/blockHeader.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { type FailedLogs, getLimitOfFault, isAboveHead, parseLogLimit, SlowRanges } from '../evm/logLimit.ts';
import { createLogRangeSizer, type LogRangeSizer } from '../evm/logRangeSizer.ts';
import { mayContainLogs } from '../evm/logsBloom.ts';
import { fetchNullRound } from '../evm/nullRounds.ts';
import { InvalidResponseError, readArray, requireHash, requireObject } from '../evm/responseFields.ts';
import type { RpcCall, RpcResponse } from '../evm/rpcMessage.ts';
import { parseHeaderResponse } from '../evm/rpcResults.ts';
import type { BlockRow, TransactionRow, TransferRow } from '../store/rows.ts';
import type { ChainLog } from './chainLog.ts';
import { fetchLogsOfLargeBlock } from './fetchLargeBlock.ts';
import { fetchTransactions, type TransactionValues } from './fetchTransactions.ts';
import { fetchLogsFromReceipts, INDEXED_LOGS, parseFilteredLogs } from './logFilters.ts';
import { orderLogs } from './orderLogs.ts';
import { findTokenContracts, parseTokenLogs, type TokenLogs } from './parseTokenLogs.ts';
import { LogShare, MAX_PART_WEIGHT, toRangeParts } from './rangeParts.ts';
import { MAX_LOGS_BYTES, readLogsBody } from './readLogsBody.ts';
import type { TokenContractCache } from './tokenContractCache.ts';

export interface DecodedRange {
  readonly blocks: readonly BlockRow[];
  readonly transactions: readonly TransactionRow[];
  /** With the values of their transactions, as far as those were read. */
  readonly transfers: readonly TransferRow[];
  readonly decoded: TokenLogs;
}

export interface RangeReader {
  /** How many blocks the next range should span. */
  readonly rangeSize: number;
  /** How many it may span at most, as far as is known. */
  readonly maxRangeSize: number;
  /**
   * Reads the blocks from `from` to `to`, both inclusive, in parts that fit into memory, each when it is requested.
   * `reorged`, which is the last: the chain changed meanwhile, so that the responses are of two forks, or the node no longer
   * has one of the blocks. `blocksLeft` is how many blocks are to be read after this range. `turn` resolves when all blocks
   * before it were taken: only then those are read that have more logs than one response should.
   */
  read(from: number, to: number, blocksLeft: number, signal: AbortSignal, turn?: Promise<void>): RangeParts;
}

export type RangeParts = AsyncGenerator<DecodedRange | 'reorged', void>;

/** A range of null rounds, as Filecoin has them. */
export const NO_BLOCKS: DecodedRange = {
  blocks: [],
  transactions: [],
  transfers: [],
  decoded: { transfers: [], erc20Transfers: [], trades: [], tokens: new Map(), skippedIdCount: 0n },
};

/** Every block costs a header, however empty. */
const MAX_RANGE_BLOCKS = 500;
/** Few, so that the first page of a busy chain comes soon; the range grows fast where it finds little. */
const INITIAL_RANGE_BLOCKS = 8;
/** Logs that one range should contain: fastest on Anvil with several ranges under way; more only take more memory. */
const GOOD_RANGE_LOGS = 1_000;
/** What one range should weigh: a quarter more is still read as one part, so that ranges go side by side. */
const GOOD_RANGE_WEIGHT = 0.6 * MAX_PART_WEIGHT;
/**
 * Only so close to the head transfers are read with values. Those are in whole blocks only, which cost Anvil twice as much
 * as all the logs (it recovers the sender of each transaction); a page fetches the values of the transfers that it shows.
 */
const MAX_BLOCKS_WITH_VALUES = 64;

export function toBlockRow({ number, hash, parentHash, time }: BlockHeader): BlockRow {
  return {
    number,
    hash: toLowerHex(hash),
    parentHash: toLowerHex(parentHash ?? hash),
    timestamp: time.getTime() / 1000,
  };
}

export function createChainRangeReader(node: EvmNode, tokenContracts: TokenContractCache): RangeReader {
  const sizer = createLogRangeSizer(node, { maxBlocks: MAX_RANGE_BLOCKS, initialBlocks: INITIAL_RANGE_BLOCKS });
  const logShare = new LogShare();
  return {
    get rangeSize() {
      return sizer.rangeSize;
    },
    get maxRangeSize() {
      return sizer.maxRangeSize;
    },
    async *read(from, to, blocksLeft, signal, turn = Promise.resolve()) {
      const headers = await fetchHeaders(node, from, to, signal);
      if (headers === null) return yield 'reorged';
      if (headers.length === 0) return yield NO_BLOCKS;
      const withValues = to - from + blocksLeft < MAX_BLOCKS_WITH_VALUES;
      const last = headers.at(-1)?.number;
      let [logs, weight] = [0, 0];
      for (const part of toRangeParts(headers, logShare.value)) {
        weight += part.weight;
        let partLogs = 0;
        for await (const piece of readPart({ node, sizer, tokenContracts, turn }, part.headers, withValues, signal)) {
          if (piece === null) return yield 'reorged';
          const end = piece.range.blocks.at(-1)?.number;
          logs += piece.logCount;
          partLogs += piece.logCount;
          if (end === part.headers.at(-1)?.number) logShare.record(partLogs, part);
          const found = Math.max(logs, (weight / GOOD_RANGE_WEIGHT) * GOOD_RANGE_LOGS);
          if (end === last) sizer.recordFound(to - from + 1, found, GOOD_RANGE_LOGS);
          yield piece.range;
        }
      }
    },
  };
}

interface PartReaderDeps {
  readonly node: EvmNode;
  readonly sizer: LogRangeSizer;
  readonly tokenContracts: TokenContractCache;
  readonly turn: Promise<void>;
}

interface ReadPiece {
  readonly range: DecodedRange;
  readonly logCount: number;
}

/** In a piece for each response with logs; `null`, which is the last, when a reorg removed one of the blocks. */
async function* readPart(
  deps: PartReaderDeps,
  headers: readonly BlockHeader[],
  withValues: boolean,
  signal: AbortSignal,
): AsyncGenerator<ReadPiece | null, void> {
  const { node } = deps;
  const values = withValues ? new Map<Hex, bigint>() : undefined;
  const reading = fetchTransactions(node, headers, signal, values);
  reading.catch(() => {}); // awaited below, unless the logs fail first
  let left = headers;
  let size = headers.length;
  while (left.length > 0) {
    // Logs are decoded before the transactions arrive: they take more memory than their rows.
    const found = await fetchTokenLogs(deps, left.slice(0, size), signal);
    const transactions = found === null ? null : await reading;
    if (found === null || transactions === null) return yield null;
    const { decoded, logCount } = found;
    const transfers =
      values === undefined
        ? decoded.transfers
        : await addValues(node, found.headers, decoded.transfers, values, signal);
    if (transfers === null) return yield null;
    size = found.headers.length;
    left = left.slice(size);
    const numbers = new Set(found.headers.map(header => header.number));
    const blocks = found.headers.map(toBlockRow);
    const own = size === headers.length ? transactions : transactions.filter(row => numbers.has(row.blockNumber));
    yield { range: { blocks, transactions: own, transfers, decoded }, logCount };
  }
}

/** Of the first of these blocks: of as many as the node returns at once; `null` when a reorg removed one. */
async function fetchTokenLogs(
  deps: PartReaderDeps,
  headers: readonly BlockHeader[],
  signal: AbortSignal,
): Promise<{
  readonly decoded: TokenLogs;
  readonly logCount: number;
  readonly headers: readonly BlockHeader[];
} | null> {
  const found = await fetchLogs(deps, headers, signal);
  if (found === null) return null;
  const { logs } = found;
  // The writer needs descriptions of all of them: in one batch they take one round trip.
  const contracts = findTokenContracts(logs);
  const { number = 0 } = found.headers.at(-1) ?? {};
  const decoded = parseTokenLogs(logs, await deps.tokenContracts.fetchKinds(contracts, number, signal));
  return { decoded, logCount: logs.length, headers: found.headers };
}

/** `null` when a reorg removed one of the blocks. */
async function addValues(
  node: EvmNode,
  headers: readonly BlockHeader[],
  transfers: readonly TransferRow[],
  values: TransactionValues,
  signal: AbortSignal,
): Promise<readonly TransferRow[] | null> {
  const withoutValue = transfers.filter(row => !values.has(row.transactionHash));
  const missing = await fetchValues(node, getTransferBlocks(headers, withoutValue), signal);
  if (missing === null) return null;
  const getValue = (hash: Hex) => values.get(hash) ?? missing.get(hash) ?? null;
  return transfers.map(row => ({ ...row, value: getValue(row.transactionHash) }));
}

/** Without null rounds; `null` when they are not of one fork, or the node lacks one. */
async function fetchHeaders(
  node: EvmNode,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<readonly BlockHeader[] | null> {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const responses = await node.rpc.sendAll(
    numbers.map(number => toHeaderCall(number)),
    signal,
  );
  const headers: BlockHeader[] = [];
  let isAfterGap = false;
  for (const [index, number] of numbers.entries()) {
    const found = parseHeaderResponse(node, responses[index], number);
    if (found === null) {
      isAfterGap = true;
      continue;
    }
    const header = isAfterGap ? (await fetchNullRound(node, number - 1, signal))?.above : found;
    if (header === undefined) return null;
    isAfterGap = false;
    if (header.parentHash === null)
      throw node.rpc.invalidResponse(HEADER_METHOD, `block ${number} does not name the block before it`);
    const parent = headers.at(-1);
    if (parent !== undefined && header.parentHash !== parent.hash) return null;
    headers.push(header);
  }
  if (headers.at(-1)?.number !== to && (await fetchNullRound(node, to, signal)) === null) return null;
  return headers;
}

interface FoundLogs {
  readonly logs: readonly ChainLog[];
  /** The blocks of which these are all. */
  readonly headers: readonly BlockHeader[];
}

/**
 * The indexed logs of the first of these blocks, of as many as the node returns at once, in the order of the chain; `null` when
 * a reorg removed one.
 */
async function fetchLogs(
  deps: PartReaderDeps,
  wanted: readonly BlockHeader[],
  signal: AbortSignal,
): Promise<FoundLogs | null> {
  const { node } = deps;
  const found = await fetchFirstLogs(deps, wanted, signal);
  if (found === null) return null;
  const { headers } = found;
  const logs = [...found.logs];
  const hashes = new Map(headers.map(header => [header.number, toLowerHex(header.hash)]));
  if (logs.some(log => hashes.get(log.blockNumber) !== log.blockHash)) return null;
  // A log names its block. A block without logs may have been another one at the moment when the logs were read: its
  // bloom filter tells whether logs are missing.
  const blocksWithLogs = new Set(logs.map(log => log.blockNumber));
  let isCertain = true;
  for (const header of headers) {
    if (blocksWithLogs.has(header.number)) continue;
    const mayContain = mayContainLogs(header.wire['logsBloom'], INDEXED_LOGS);
    if (mayContain === null) isCertain = false;
    if (mayContain !== true) continue;
    const missing = await fetchLogsOfBlock(node, header, signal);
    if (missing === null) return null;
    logs.push(...missing);
  }
  const last = headers.at(-1);
  if (!isCertain && last !== undefined && !(await isOnChain(node, last, signal))) return null;
  return { logs: await orderLogs(node, [INDEXED_LOGS], [logs], signal), headers };
}

/** Whether the node's chain still has this block. */
export async function isOnChain(node: EvmNode, block: BlockHeader, signal: AbortSignal): Promise<boolean> {
  const [response] = await node.rpc.sendAll([toHeaderCall(block.number)], signal);
  return parseHeaderResponse(node, response, block.number)?.hash === block.hash;
}

/** Not all of them where that is too much for the node or for one response; `null` when it no longer has the blocks. */
async function fetchFirstLogs(
  { node, sizer, turn }: PartReaderDeps,
  wanted: readonly BlockHeader[],
  signal: AbortSignal,
): Promise<FoundLogs | null> {
  const slowRanges = new SlowRanges();
  let headers = wanted;
  let maxBytes: number | undefined = MAX_LOGS_BYTES;
  for (;;) {
    const [first, last] = [headers[0], headers.at(-1)];
    if (first === undefined || last === undefined) return { logs: [], headers };
    const [low, high] = [first.number, last.number];
    const range = { fromBlock: toQuantity(low), toBlock: toQuantity(high) };
    const response = await sendLogsCall(node, range, signal, maxBytes);
    if (!('limit' in response) && response.error === undefined) {
      const { result } = response;
      const logs = node.validate('eth_getLogs', () => parseFilteredLogs(result, INDEXED_LOGS, low, high));
      return { logs, headers };
    }
    const limit = 'limit' in response ? response.limit : parseLogLimit(response.error);
    if (limit !== null && low < high) {
      if ('limit' in response) slowRanges.record(limit, response.fault);
      sizer.recordLimit(high - low + 1, limit);
      const end = low + sizer.rangeSize;
      headers = headers.filter(({ number }) => number < end);
      continue;
    }
    if ('limit' in response) {
      if (response.limit.kind === 'time') throw response.fault;
      if (maxBytes !== undefined) {
        await turn;
        const [logs] = (await fetchLogsOfLargeBlock(node, [INDEXED_LOGS], low, signal)) ?? [];
        if (logs !== undefined) return { logs, headers };
        maxBytes = undefined;
        continue;
      }
    } else if (limit === null) {
      // Anvil rejects a range that begins above its head, as it does for a moment in a reorg: that is no fault.
      if (isAboveHead(response.error) || !(await isOnChain(node, last, signal))) return null;
      throw node.rpc.faults.fromRpcError('eth_getLogs', response.error);
    }
    const block = await fetchLogsFromReceipts(node, [INDEXED_LOGS], low, signal);
    return block && { logs: block.logs, headers };
  }
}

async function sendLogsCall(
  node: EvmNode,
  blocks: Readonly<Record<string, Hex>>,
  signal: AbortSignal,
  maxBytes?: number,
): Promise<RpcResponse | FailedLogs> {
  try {
    const params = [{ ...blocks, ...INDEXED_LOGS }];
    const limits = maxBytes === undefined ? {} : { maxBytes };
    const call: RpcCall = { method: 'eth_getLogs', params, readBody: readLogsBody, ...limits };
    const [response] = await node.rpc.sendAll([call], signal);
    if (response === undefined) throw node.rpc.invalidResponse('eth_getLogs', 'there is none');
    return response;
  } catch (fault) {
    const limit = getLimitOfFault(fault);
    if (limit === null) throw fault;
    return { limit, fault };
  }
}

/** `null` when the block is gone. */
async function fetchLogsOfBlock(
  node: EvmNode,
  header: BlockHeader,
  signal: AbortSignal,
): Promise<readonly ChainLog[] | null> {
  const { hash, number } = header;
  const response = await sendLogsCall(node, { blockHash: hash }, signal);
  // Not every node takes a hash here, and none has the hash of a block that a reorg removed.
  if (!('limit' in response) && response.error === undefined) {
    const logs = node.validate('eth_getLogs', () => parseFilteredLogs(response.result, INDEXED_LOGS, number, number));
    if (logs.length > 0) return logs;
  }
  // The bloom filter of the block says that there may be some: its receipts are certain.
  return (await fetchLogsFromReceipts(node, [INDEXED_LOGS], hash, signal))?.logs ?? null;
}

/** Hashes of the blocks with NFT transfers. */
function getTransferBlocks(headers: readonly BlockHeader[], transfers: readonly TransferRow[]): readonly Hex[] {
  const numbers = new Set(transfers.map(row => row.blockNumber));
  return headers.filter(({ number }) => numbers.has(number)).map(({ hash }) => toLowerHex(hash));
}

/** Native value by transaction hash, of whole blocks, with one call per block; `null` when the node no longer has one. */
async function fetchValues(
  node: EvmNode,
  hashes: readonly Hex[],
  signal: AbortSignal,
): Promise<ReadonlyMap<Hex, bigint> | null> {
  const responses = await node.rpc.sendAll(
    hashes.map(hash => ({ method: 'eth_getBlockByHash', params: [hash, true] })),
    signal,
  );
  const values = new Map<Hex, bigint>();
  for (const [index, hash] of hashes.entries()) {
    const result = node.getResult('eth_getBlockByHash', responses[index]);
    const exists = node.validate('eth_getBlockByHash', () => {
      const block = parseHeader(result);
      if (block === null) return false;
      if (toLowerHex(block.hash) !== hash)
        throw new InvalidResponseError(`block ${block.hash} came instead of ${hash}`);
      for (const entry of readArray(block.wire, 'transactions')) {
        const transaction = requireObject(entry, 'a transaction');
        const value = parseQuantity(transaction['value']);
        if (value !== null) values.set(toLowerHex(requireHash(transaction, 'hash')), value);
      }
      return true;
    });
    if (!exists) return null;
  }
  return values;
}
