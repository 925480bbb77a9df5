// Reads a range of whole blocks as the node has it now: connected headers, transactions, all indexed logs, values, as rows.

import { type Hex, parseQuantity, toLowerHex, toQuantity } from '../../base/hex.ts';
import { type BlockHeader, HEADER_METHOD, parseHeader, toHeaderCall } from '../evm/blockHeader.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { type FailedLogs, getLimitOfFault, isAboveHead, parseLogLimit, SlowRanges } from '../evm/logLimit.ts';
import { createLogRangeSizer, type LogRangeSizer } from '../evm/logRangeSizer.ts';
import { mayContainLogs } from '../evm/logsBloom.ts';
import { fetchNullRound } from '../evm/nullRounds.ts';
import { InvalidResponseError, readArray, requireHash, requireObject } from '../evm/responseFields.ts';
import type { RpcResponse } from '../evm/rpcMessage.ts';
import { parseHeaderResponse } from '../evm/rpcResults.ts';
import type { BlockRow, TransactionRow, TransferRow } from '../store/rows.ts';
import type { ChainLog } from './chainLog.ts';
import { fetchTransactions } from './fetchTransactions.ts';
import { fetchLogsFromReceipts, INDEXED_LOGS, parseFilteredLogs } from './logFilters.ts';
import { orderLogs } from './orderLogs.ts';
import { findTokenContracts, parseTokenLogs, type TokenLogs } from './parseTokenLogs.ts';
import { MAX_PART_LOGS, toRangeParts } from './rangeParts.ts';
import { readLogsBody } from './readLogsBody.ts';
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
   * has one of the blocks. `blocksLeft` is how many blocks are to be read after this range.
   */
  read(from: number, to: number, blocksLeft: number, signal: AbortSignal): RangeParts;
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
/** Logs that one range should be able to contain: a quarter more is still read as one part, so that ranges go side by side. */
const GOOD_RANGE_MAX_LOGS = 0.6 * MAX_PART_LOGS;
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
  return {
    get rangeSize() {
      return sizer.rangeSize;
    },
    get maxRangeSize() {
      return sizer.maxRangeSize;
    },
    async *read(from, to, blocksLeft, signal) {
      const headers = await fetchHeaders(node, from, to, signal);
      if (headers === null) return yield 'reorged';
      if (headers.length === 0) return yield NO_BLOCKS;
      const withValues = to - from + blocksLeft < MAX_BLOCKS_WITH_VALUES;
      let [logCount, maxLogs] = [0, 0];
      for (const part of toRangeParts(headers)) {
        const read = await readPart({ node, sizer, tokenContracts }, part.headers, withValues, signal);
        if (read === null) return yield 'reorged';
        logCount += read.logCount;
        maxLogs += part.maxLogs;
        const found = Math.max(logCount, (maxLogs / GOOD_RANGE_MAX_LOGS) * GOOD_RANGE_LOGS);
        if (part.headers.at(-1) === headers.at(-1)) sizer.recordFound(to - from + 1, found, GOOD_RANGE_LOGS);
        yield read.range;
      }
    },
  };
}

interface PartReaderDeps {
  readonly node: EvmNode;
  readonly sizer: LogRangeSizer;
  readonly tokenContracts: TokenContractCache;
}

/** `null` when a reorg removed one of the blocks. */
async function readPart(
  { node, sizer, tokenContracts }: PartReaderDeps,
  headers: readonly BlockHeader[],
  withValues: boolean,
  signal: AbortSignal,
): Promise<{ readonly range: DecodedRange; readonly logCount: number } | null> {
  // Logs are decoded before the transactions arrive: they take more memory than their rows.
  const fetchTokenLogs = async () => {
    const logs = await fetchLogs(node, sizer, headers, signal);
    if (logs === null) return null;
    // The writer needs descriptions of all of them: in one batch they take one round trip.
    const contracts = findTokenContracts(logs);
    const { number = 0 } = headers.at(-1) ?? {};
    const decoded = parseTokenLogs(logs, await tokenContracts.fetchKinds(contracts, number, signal));
    return { decoded, logCount: logs.length };
  };
  const values = withValues ? new Map<Hex, bigint>() : undefined;
  const [found, transactions] = await Promise.all([fetchTokenLogs(), fetchTransactions(node, headers, signal, values)]);
  if (found === null || transactions === null) return null;
  const { decoded, logCount } = found;
  const blocks = headers.map(toBlockRow);
  if (values === undefined) return { range: { blocks, transactions, transfers: decoded.transfers, decoded }, logCount };
  const withoutValue = decoded.transfers.filter(row => !values.has(row.transactionHash));
  const missing = await fetchValues(node, getTransferBlocks(headers, withoutValue), signal);
  if (missing === null) return null;
  const getValue = (hash: Hex) => values.get(hash) ?? missing.get(hash) ?? null;
  const transfers = decoded.transfers.map(row => ({ ...row, value: getValue(row.transactionHash) }));
  return { range: { blocks, transactions, transfers, decoded }, logCount };
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

/** The indexed logs of exactly these blocks, in the order of the chain; `null` when a reorg removed one of them. */
async function fetchLogs(
  node: EvmNode,
  sizer: LogRangeSizer,
  headers: readonly BlockHeader[],
  signal: AbortSignal,
): Promise<readonly ChainLog[] | null> {
  const first = headers[0];
  const last = headers.at(-1);
  if (first === undefined || last === undefined) return [];
  const found = await fetchLogsBetween(node, sizer, first.number, last, signal);
  if (found === null) return null;
  const logs = [...found];
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
  if (!isCertain && !(await isOnChain(node, last, signal))) return null;
  return orderLogs(node, [INDEXED_LOGS], [logs], signal);
}

/** Whether the node's chain still has this block. */
export async function isOnChain(node: EvmNode, block: BlockHeader, signal: AbortSignal): Promise<boolean> {
  const [response] = await node.rpc.sendAll([toHeaderCall(block.number)], signal);
  return parseHeaderResponse(node, response, block.number)?.hash === block.hash;
}

/** Up to the block `last`, in as many calls as the node needs; `null` when it no longer has the blocks. */
async function fetchLogsBetween(
  node: EvmNode,
  sizer: LogRangeSizer,
  from: number,
  last: BlockHeader,
  signal: AbortSignal,
): Promise<readonly ChainLog[] | null> {
  const to = last.number;
  const logs: ChainLog[] = [];
  const slowRanges = new SlowRanges();
  let low = from;
  let span = to - from + 1;
  while (low <= to) {
    const high = Math.min(to, low + span - 1);
    const response = await sendLogsCall(node, { fromBlock: toQuantity(low), toBlock: toQuantity(high) }, signal);
    if (!('limit' in response) && response.error === undefined) {
      slowRanges.reset();
      for (const log of node.validate('eth_getLogs', () => parseFilteredLogs(response.result, INDEXED_LOGS, low, high)))
        logs.push(log);
      low = high + 1;
      continue;
    }
    const limit = 'limit' in response ? response.limit : parseLogLimit(response.error);
    if (limit !== null && low < high) {
      if ('limit' in response) slowRanges.record(limit, response.fault);
      sizer.recordLimit(high - low + 1, limit);
      span = sizer.rangeSize;
      continue;
    }
    if ('limit' in response) {
      if (response.limit.kind === 'time') throw response.fault;
    } else if (limit === null) {
      // Anvil rejects a range that begins above its head, as it does for a moment in a reorg: that is no fault.
      if (isAboveHead(response.error) || !(await isOnChain(node, last, signal))) return null;
      throw node.rpc.faults.fromRpcError('eth_getLogs', response.error);
    }
    const block = await fetchLogsFromReceipts(node, [INDEXED_LOGS], low, signal);
    if (block === null) return null;
    for (const log of block.logs) logs.push(log);
    low = high + 1;
  }
  return logs;
}

async function sendLogsCall(
  node: EvmNode,
  blocks: Readonly<Record<string, Hex>>,
  signal: AbortSignal,
): Promise<RpcResponse | FailedLogs> {
  try {
    const call = { method: 'eth_getLogs', params: [{ ...blocks, ...INDEXED_LOGS }], readBody: readLogsBody };
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
