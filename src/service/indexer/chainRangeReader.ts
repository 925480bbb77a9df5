// A run of blocks as the node has it now: headers that hang together, every indexed log of them, values, decoded to rows.
import { isFault, toFault } from '../../base/errors.ts';
import { type Hex, parseQuantity, toQuantity } from '../../base/hex.ts';
import { type BlockHeader, parseHeader, parseHeaderAt } from '../evm/blockHeader.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { fetchBlock } from '../evm/fetchBlock.ts';
import { parseLogLimit } from '../evm/logLimit.ts';
import { createLogWindow, type LogWindow } from '../evm/logWindow.ts';
import { InvalidResponseError, requireArray, requireHash, requireObject } from '../evm/responseFields.ts';
import type { RpcCall, RpcResponse } from '../evm/rpcMessage.ts';
import type { BlockRow, TransferRow } from '../store/rows.ts';
import { type ChainLog, parseChainLog, sortChainLogs } from './chainLog.ts';
import { type DecodedLogs, decodeLogs, findUndecidedContracts } from './decodeLogs.ts';
import { INDEXED_TOPICS } from './indexedTopics.ts';
import { mayContainIndexedLogs } from './logsBloom.ts';
import type { TokenContractCache } from './tokenContractCache.ts';

export interface DecodedRange {
  readonly blocks: readonly BlockRow[];
  /** With the values of their transactions, as far as those were read. */
  readonly transfers: readonly TransferRow[];
  readonly decoded: DecodedLogs;
}

export interface RangeReader {
  /** How many blocks the next range should span. */
  readonly rangeSize: number;
  /**
   * Both ends inclusive; `null` when the chain changed while it was read, so that the answers are of two forks. `behind`
   * is how many blocks more are waited for.
   */
  read(from: number, to: number, behind: number, signal: AbortSignal): Promise<DecodedRange | null>;
}

/** Every block costs a header, however empty. */
const WIDEST = 500;
/** Logs that one range should bring: measured best on Anvil, with several ranges under way; more take more memory only. */
const GOOD_RANGE = 1_000;
/**
 * Further than this behind what is waited for, transfers come without values. They are in whole blocks only, which cost
 * Anvil twice as much as all the logs (it finds the sender of each transaction); a page asks for those that it shows.
 */
const NEAR = 64;
const LOGS = 'eth_getLogs';
const HEADER = 'eth_getBlockByNumber';
const FULL_BLOCK = 'eth_getBlockByHash';
const TOPICS = [INDEXED_TOPICS];

type Torn = null;

const lower = (hex: Hex) => hex.toLowerCase() as Hex;

export const toHeaderCall = (block: number): RpcCall => ({ method: HEADER, params: [toQuantity(block), false] });

/** The header in the answer to a `headerCall`; `null` when the node has no such block. */
export function parseHeaderResponse(node: EvmNode, answer: RpcResponse | undefined, block: number): BlockHeader | null {
  const result = node.getResult(HEADER, answer);
  return node.validate(HEADER, () => parseHeaderAt(result, block));
}

export function createChainRangeReader(node: EvmNode, book: TokenContractCache): RangeReader {
  const window = createLogWindow(Math.min(node.cache.maxLogRange ?? WIDEST, WIDEST), null);
  return {
    get rangeSize() {
      return window.blocks;
    },
    async read(from, to, behind, signal) {
      const headers = await readHeaders(node, from, to, signal);
      if (headers === null) return null;
      const logs = await readLogs(node, window, headers, signal);
      if (logs === null) return null;
      window.recordFound(to - from + 1, logs.length, GOOD_RANGE);
      const decoded = decodeLogs(logs, await book.fetchKinds(findUndecidedContracts(logs), signal));
      const blocks = headers.map(blockRow);
      if (to - from + behind >= NEAR) return { blocks, transfers: decoded.transfers, decoded };
      const values = await readValues(node, blocksOf(logs, decoded.transfers), signal);
      if (values === null) return null;
      const transfers = decoded.transfers.map(row => ({ ...row, value: values.get(row.transactionHash) ?? null }));
      return { blocks, transfers, decoded };
    },
  };
}

function blockRow({ number, hash, parentHash, time }: BlockHeader): BlockRow {
  return { number, hash: lower(hash), parentHash: lower(parentHash ?? hash), timestamp: time.getTime() / 1000 };
}

async function readHeaders(
  node: EvmNode,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<readonly BlockHeader[] | Torn> {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const answers = await node.rpc.sendAll(numbers.map(toHeaderCall), signal);
  const headers: BlockHeader[] = [];
  for (const [index, number] of numbers.entries()) {
    const header = parseHeaderResponse(node, answers[index], number);
    if (header === null) return null;
    if (header.parentHash === null)
      throw node.rpc.invalidResponse(HEADER, `block ${number} does not name the block before it`);
    const before = headers.at(-1);
    if (before !== undefined && header.parentHash !== before.hash) return null;
    headers.push(header);
  }
  return headers;
}

/** The indexed logs of exactly these blocks, in the order of the chain. */
async function readLogs(
  node: EvmNode,
  window: LogWindow,
  headers: readonly BlockHeader[],
  signal: AbortSignal,
): Promise<readonly ChainLog[] | Torn> {
  const first = headers[0];
  const last = headers.at(-1);
  if (first === undefined || last === undefined) return [];
  const found = await logsBetween(node, window, first.number, last.number, signal);
  if (found === null) return null;
  const logs = [...found];
  const hashes = new Map(headers.map(header => [header.number, lower(header.hash)]));
  if (logs.some(log => hashes.get(log.blockNumber) !== log.blockHash)) return null;
  // A log names its block, but a block without logs may have been another one a moment ago, when the logs were read.
  const withLogs = new Set(logs.map(log => log.blockNumber));
  let sure = true;
  for (const header of headers) {
    if (withLogs.has(header.number)) continue;
    const may = mayContainIndexedLogs(header.wire['logsBloom']);
    if (may === null) sure = false;
    if (may !== true) continue;
    const own = await logsOfHash(node, header, signal);
    if (own === null) return null;
    logs.push(...own);
  }
  if (!sure) {
    const now = parseHeaderResponse(
      node,
      (await node.rpc.sendAll([toHeaderCall(last.number)], signal))[0],
      last.number,
    );
    if (now?.hash !== last.hash) return null;
  }
  return node.validate(LOGS, () => sortChainLogs(logs));
}

/** In as many calls as the node wants; `null` when it no longer has the blocks. */
async function logsBetween(
  node: EvmNode,
  window: LogWindow,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<readonly ChainLog[] | Torn> {
  const logs: ChainLog[] = [];
  let low = from;
  let span = to - from + 1;
  while (low <= to) {
    const high = Math.min(to, low + span - 1);
    const answer = await askLogs(node, { fromBlock: toQuantity(low), toBlock: toQuantity(high) }, signal);
    if (answer !== 'too-large' && answer.error === undefined) {
      for (const log of node.validate(LOGS, () => logsIn(answer.result, low, high))) logs.push(log);
      low = high + 1;
      continue;
    }
    const limit = answer === 'too-large' ? ({ kind: 'results', blocks: null } as const) : parseLogLimit(answer.error);
    if (limit !== null && low < high) {
      window.recordLimit(high - low + 1, limit);
      span = window.blocks;
      if (limit.kind === 'range') node.cache.maxLogRange = span;
      continue;
    }
    if (limit === null && answer !== 'too-large') {
      // Anvil refuses a range that begins above its head: after a reorg that is no fault.
      if ((await headNumber(node, signal)) < low) return null;
      throw node.rpc.faults.fromRpcError(LOGS, answer.error);
    }
    const whole = await logsByReceipts(node, low, signal);
    if (whole === null) return null;
    for (const log of whole) logs.push(log);
    low = high + 1;
  }
  return logs;
}

async function askLogs(
  node: EvmNode,
  where: Readonly<Record<string, Hex>>,
  signal: AbortSignal,
): Promise<RpcResponse | 'too-large'> {
  try {
    return await node.rpc.send(LOGS, [{ ...where, topics: TOPICS }], signal);
  } catch (error) {
    if (isFault(error, 'too-large')) return 'too-large';
    throw toFault(error);
  }
}

async function headNumber(node: EvmNode, signal: AbortSignal): Promise<number> {
  return (await node.fetchState(signal)).headNumber;
}

/** Throws `InvalidResponseError` when the node gives logs that were not asked for. */
function logsIn(result: unknown, low: number, high: number): readonly ChainLog[] {
  if (!Array.isArray(result)) throw new InvalidResponseError('it is not a list of logs');
  const logs: ChainLog[] = [];
  for (const value of result as readonly unknown[]) {
    if (requireObject(value, 'a log')['removed'] === true) continue;
    const log = parseChainLog(value);
    if (log.blockNumber < low || log.blockNumber > high)
      throw new InvalidResponseError(`there is a log of block ${log.blockNumber}, outside ${low} to ${high}`);
    if (!isIndexed(log)) throw new InvalidResponseError('there is a log that the filter does not let through');
    logs.push(log);
  }
  return logs;
}

const isIndexed = ({ topics: [topic] }: ChainLog) => topic !== undefined && INDEXED_TOPICS.includes(topic);

async function logsOfHash(
  node: EvmNode,
  header: BlockHeader,
  signal: AbortSignal,
): Promise<readonly ChainLog[] | Torn> {
  const answer = await askLogs(node, { blockHash: header.hash }, signal);
  // Not every node takes a hash here, and none has one that a reorg took away.
  if (answer === 'too-large' || answer.error !== undefined) return logsByReceipts(node, header.hash, signal);
  return node.validate(LOGS, () => logsIn(answer.result, header.number, header.number));
}

/** The receipts of a block hold the same logs, and are given in another way. */
async function logsByReceipts(
  node: EvmNode,
  id: number | Hex,
  signal: AbortSignal,
): Promise<readonly ChainLog[] | Torn> {
  const block = await fetchBlock(node, id, signal);
  if (block === null) return null;
  return node.validate('eth_getBlockReceipts', () =>
    block.receipts.flatMap(receipt => requireArray(receipt, 'logs').map(parseChainLog)).filter(isIndexed),
  );
}

/** Hashes of the blocks in which NFTs moved. */
function blocksOf(logs: readonly ChainLog[], transfers: readonly TransferRow[]): readonly Hex[] {
  const numbers = new Set(transfers.map(row => row.blockNumber));
  const hashes = new Set<Hex>();
  for (const log of logs) if (numbers.has(log.blockNumber)) hashes.add(log.blockHash);
  return [...hashes];
}

/** Native value by transaction hash, of whole blocks: one call a block, whatever is in it. */
async function readValues(
  node: EvmNode,
  hashes: readonly Hex[],
  signal: AbortSignal,
): Promise<ReadonlyMap<Hex, bigint> | Torn> {
  const answers = await node.rpc.sendAll(
    hashes.map(hash => ({ method: FULL_BLOCK, params: [hash, true] })),
    signal,
  );
  const values = new Map<Hex, bigint>();
  for (const [index, hash] of hashes.entries()) {
    const result = node.getResult(FULL_BLOCK, answers[index]);
    const there = node.validate(FULL_BLOCK, () => {
      const block = parseHeader(result);
      if (block === null) return false;
      if (lower(block.hash) !== hash) throw new InvalidResponseError(`block ${block.hash} came instead of ${hash}`);
      for (const entry of requireArray(block.wire, 'transactions')) {
        const transaction = requireObject(entry, 'a transaction');
        const value = parseQuantity(transaction['value']);
        if (value !== null) values.set(lower(requireHash(transaction, 'hash')), value);
      }
      return true;
    });
    if (!there) return null;
  }
  return values;
}
