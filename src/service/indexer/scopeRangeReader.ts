// A run of blocks of a public chain, as far as it concerns one contract or wallet: its logs, and the blocks they stand in.
import { isFault, toFault } from '../../base/errors.ts';
import { type Hex, toQuantity } from '../../base/hex.ts';
import { type BlockHeader, parseHeader } from '../evm/blockHeader.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { fetchBlock } from '../evm/fetchBlock.ts';
import { type LogLimit, parseLogLimit } from '../evm/logLimit.ts';
import { createLogWindow } from '../evm/logWindow.ts';
import { InvalidResponseError, optionalSeconds, requireArray, requireObject } from '../evm/responseFields.ts';
import type { RpcResponse } from '../evm/rpcMessage.ts';
import type { BlockRow } from '../store/rows.ts';
import type { IndexScope } from '../store/store.ts';
import { type ChainLog, parseChainLog, sortChainLogs } from './chainLog.ts';
import { type DecodedRange, parseHeaderResponse, type RangeReader, toHeaderCall } from './chainRangeReader.ts';
import { type DecodedLogs, decodeLogs, findUndecidedContracts } from './decodeLogs.ts';
import { fetchTransactionLogs } from './fetchTransactionLogs.ts';
import { createScopeFilters, type IndexLogFilter, matchesFilter } from './logFilters.ts';
import type { TokenContractCache } from './tokenContractCache.ts';

const LOGS = 'eth_getLogs';
const BY_HASH = 'eth_getBlockByHash';
/** Logs that one range should bring. */
const GOOD_RANGE = 2_000;

const lower = (hex: Hex) => hex.toLowerCase() as Hex;

export interface FilteredLogs {
  readonly logs: readonly ChainLog[];
  /** Times by block, where the node sends them along. */
  readonly seconds: ReadonlyMap<number, number>;
  readonly first: BlockHeader;
  readonly last: BlockHeader;
}

/** Values of transactions are not read: they are asked for when a record is shown. */
export function createScopeRangeReader(node: EvmNode, subject: IndexScope, book: TokenContractCache): RangeReader {
  const filters = createScopeFilters(subject);
  const window = createLogWindow(node.cache.maxLogRange, null);

  const decode = async (logs: readonly ChainLog[], signal: AbortSignal): Promise<DecodedLogs> => {
    const whole = subject.kind === 'trades' ? await fetchTransactionLogs(node, logs, signal) : logs;
    const decoded = decodeLogs(whole, await book.fetchKinds(findUndecidedContracts(whole), signal));
    return about(subject, decoded);
  };

  return {
    get rangeSize() {
      return window.blocks;
    },
    async read(from, to, _behind, signal) {
      const found = await fetchFilteredLogs(node, filters, window, from, to, signal);
      if (found === null) return null;
      window.recordFound(to - from + 1, found.logs.length, GOOD_RANGE);
      const decoded = await decode(found.logs, signal);
      const blocks = await fetchRowBlocks(node, found, decoded, signal);
      if (blocks === null) return null;
      const { state } = await node.sendWithState([], signal);
      // Above what is final, both ends must still be what they were before the logs were read.
      if (to > state.finalized && !(await stillThere(node, found, signal))) return null;
      return { blocks, transfers: decoded.transfers, decoded } satisfies DecodedRange;
    },
  };
}

/** Only what the store is about. */
function about({ kind, address }: IndexScope, decoded: DecodedLogs): DecodedLogs {
  const { transfers, trades, tokens, skippedIdCount: leftOut } = decoded;
  if (kind === 'trades') {
    const own = trades.filter(row => row.token === address);
    return { transfers: [], mints: [], trades: own, tokens: new Map(), skippedIdCount: 0n };
  }
  const own = kind === 'contract' ? transfers : transfers.filter(row => row.from === address || row.to === address);
  const named = new Set(own.map(row => row.token));
  return {
    transfers: own,
    mints: [],
    trades: [],
    tokens: new Map([...tokens].filter(([token]) => named.has(token))),
    skippedIdCount: leftOut,
  };
}

/** In as many calls as the node wants; `null` when it does not have the blocks, or not the same ones throughout. */
export async function fetchFilteredLogs(
  node: EvmNode,
  filters: readonly IndexLogFilter[],
  window: ReturnType<typeof createLogWindow>,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<FilteredLogs | null> {
  const logs: ChainLog[] = [];
  const seconds = new Map<number, number>();
  let first: BlockHeader | null = null;
  let last: BlockHeader | null = null;
  let low = from;
  let span = to - from + 1;
  while (low <= to) {
    const high = Math.min(to, low + span - 1);
    const answers = await ask(node, filters, low, high, signal);
    const refusal = answers === 'too-large' ? undefined : answers.logs.find(answer => answer.error)?.error;
    let limit: LogLimit | null = answers === 'too-large' ? { kind: 'results', blocks: null } : null;
    if (refusal !== undefined) {
      limit = parseLogLimit(refusal);
      if (limit === null) throw node.rpc.faults.fromRpcError(LOGS, refusal);
    }
    if (limit !== null && low < high) {
      window.recordLimit(high - low + 1, limit);
      span = window.blocks;
      if (limit.kind === 'range') node.cache.maxLogRange = span;
      continue;
    }
    if (limit !== null || answers === 'too-large') {
      const block = await fetchBlock(node, low, signal);
      if (block === null) return null;
      const own = node.validate('eth_getBlockReceipts', () =>
        block.receipts
          .flatMap(receipt => requireArray(receipt, 'logs').map(parseChainLog))
          .filter(log => filters.some(filter => matchesFilter(filter, log))),
      );
      for (const log of own) logs.push(log);
      first ??= block.header;
      last = block.header;
      low++;
      continue;
    }
    const begin = parseHeaderResponse(node, answers.first, low);
    const end = parseHeaderResponse(node, answers.last, high);
    // A node behind a load balancer that does not have the blocks yet would give no logs of them.
    if (begin === null || end === null) return null;
    for (const [index, filter] of filters.entries()) {
      const read = () => logsIn(answers.logs[index]?.result, filter, low, high, seconds);
      for (const log of node.validate(LOGS, read)) logs.push(log);
    }
    if (last !== null && begin.parentHash !== last.hash) return null;
    first ??= begin;
    last = end;
    low = high + 1;
  }
  if (first === null || last === null) return null;
  const ends = [first, last];
  if (logs.some(log => ends.some(end => end.number === log.blockNumber && lower(end.hash) !== log.blockHash)))
    return null;
  return { logs: node.validate(LOGS, () => sortChainLogs(logs)), seconds, first, last };
}

interface Answers {
  readonly first: RpcResponse | undefined;
  readonly last: RpcResponse | undefined;
  readonly logs: readonly RpcResponse[];
}

async function ask(
  node: EvmNode,
  filters: readonly IndexLogFilter[],
  low: number,
  high: number,
  signal: AbortSignal,
): Promise<Answers | 'too-large'> {
  const range = { fromBlock: toQuantity(low), toBlock: toQuantity(high) };
  const calls = filters.map(filter => ({ method: LOGS, params: [{ ...filter, ...range }] }));
  try {
    const [first, last, ...logs] = await node.rpc.sendAll([toHeaderCall(low), toHeaderCall(high), ...calls], signal);
    return { first, last, logs };
  } catch (error) {
    if (isFault(error, 'too-large')) return 'too-large';
    throw toFault(error);
  }
}

/** Throws `InvalidResponseError` when the node gives logs that were not asked for. */
function logsIn(
  result: unknown,
  filter: IndexLogFilter,
  low: number,
  high: number,
  seconds: Map<number, number>,
): readonly ChainLog[] {
  if (!Array.isArray(result)) throw new InvalidResponseError('it is not a list of logs');
  const logs: ChainLog[] = [];
  for (const value of result as readonly unknown[]) {
    const wire = requireObject(value, 'a log');
    if (wire['removed'] === true) continue;
    const log = parseChainLog(value);
    if (log.blockNumber < low || log.blockNumber > high)
      throw new InvalidResponseError(`there is a log of block ${log.blockNumber}, outside ${low} to ${high}`);
    if (!matchesFilter(filter, log))
      throw new InvalidResponseError('there is a log that the filter does not let through');
    const time = optionalSeconds(wire, 'blockTimestamp');
    if (time !== null) seconds.set(log.blockNumber, time);
    logs.push(log);
  }
  return logs;
}

/** The blocks with rows, and both ends of the range, which a reorg is noticed by. */
export async function fetchRowBlocks(
  node: EvmNode,
  { logs, seconds, first, last }: FilteredLogs,
  { transfers, mints, trades }: DecodedLogs,
  signal: AbortSignal,
): Promise<readonly BlockRow[] | null> {
  const rows = new Map<number, BlockRow>();
  const hashes = new Map(logs.map(log => [log.blockNumber, log.blockHash]));
  const untimed: Hex[] = [];
  for (const number of new Set([...transfers, ...mints, ...trades].map(row => row.blockNumber))) {
    const hash = hashes.get(number);
    const time = seconds.get(number);
    if (hash === undefined || number === first.number || number === last.number) continue;
    if (time === undefined) untimed.push(hash);
    else rows.set(number, { number, hash, parentHash: hash, timestamp: time });
  }
  const calls = untimed.map(hash => ({ method: BY_HASH, params: [hash, false] }));
  const answers = await node.rpc.sendAll(calls, signal);
  for (const [index, hash] of untimed.entries()) {
    const header = node.validate(BY_HASH, () => parseHeader(node.getResult(BY_HASH, answers[index])));
    if (header === null) return null; // a reorg took it away
    if (lower(header.hash) !== hash)
      throw node.rpc.invalidResponse(BY_HASH, `block ${header.hash} came instead of ${hash}`);
    rows.set(header.number, blockRow(header));
  }
  for (const header of [first, last]) rows.set(header.number, blockRow(header));
  return [...rows.values()].sort((a, b) => a.number - b.number);
}

function blockRow({ number, hash, parentHash, time }: BlockHeader): BlockRow {
  return { number, hash: lower(hash), parentHash: lower(parentHash ?? hash), timestamp: time.getTime() / 1000 };
}

async function stillThere(node: EvmNode, { first, last }: FilteredLogs, signal: AbortSignal): Promise<boolean> {
  const answers = await node.rpc.sendAll([toHeaderCall(first.number), toHeaderCall(last.number)], signal);
  return [first, last].every(
    ({ number, hash }, index) => parseHeaderResponse(node, answers[index], number)?.hash === hash,
  );
}
