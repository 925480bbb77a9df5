// A run of blocks of a public chain, as far as it concerns one contract or wallet: its logs, and the blocks they stand in.
import { asFault, isFault } from '../../base/errors.ts';
import { type Hex, toQuantity } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { fetchBlock } from '../evm/fetchBlock.ts';
import { type LogLimit, logLimit } from '../evm/logLimit.ts';
import { createLogWindow } from '../evm/logWindow.ts';
import { type Header, headerIn, Implausible, listIn, objectIn, secondsOrNullIn } from '../evm/responseFields.ts';
import type { RpcAnswer } from '../evm/rpcMessage.ts';
import type { BlockRow } from '../store/rows.ts';
import type { Subject } from '../store/store.ts';
import { type ChainLog, chainLog, inChainOrder } from './chainLog.ts';
import { type BlockRange, headerCall, headerOf, type RangeReader } from './chainRangeReader.ts';
import { type DecodedLogs, decodeLogs, undecided } from './decodeLogs.ts';
import { receiptLogs } from './fetchTransactionLogs.ts';
import { filtersOf, passes, type SubjectFilter } from './logFilters.ts';
import type { ContractBook } from './tokenContractCache.ts';

const LOGS = 'eth_getLogs';
const BY_HASH = 'eth_getBlockByHash';
/** Logs that one range should bring. */
const GOOD_RANGE = 2_000;

const lower = (hex: Hex) => hex.toLowerCase() as Hex;

export interface FoundLogs {
  readonly logs: readonly ChainLog[];
  /** Times by block, where the node sends them along. */
  readonly seconds: ReadonlyMap<number, number>;
  readonly first: Header;
  readonly last: Header;
}

/** Values of transactions are not read: they are asked for when a record is shown. */
export function createSubjectReader(node: EvmNode, subject: Subject, book: ContractBook): RangeReader {
  const filters = filtersOf(subject);
  const window = createLogWindow(node.memory.logRange, null);

  const decode = async (logs: readonly ChainLog[], signal: AbortSignal): Promise<DecodedLogs> => {
    const whole = subject.kind === 'trades' ? await receiptLogs(node, logs, signal) : logs;
    const decoded = decodeLogs(whole, await book.kinds(undecided(whole), signal));
    return about(subject, decoded);
  };

  return {
    get span() {
      return window.blocks;
    },
    async read(from, to, _behind, signal) {
      const found = await findLogs(node, filters, window, from, to, signal);
      if (found === null) return null;
      window.found(to - from + 1, found.logs.length, GOOD_RANGE);
      const decoded = await decode(found.logs, signal);
      const blocks = await rowBlocks(node, found, decoded, signal);
      if (blocks === null) return null;
      const { state } = await node.ask([], signal);
      // Above what is final, both ends must still be what they were before the logs were read.
      if (to > state.finalized && !(await stillThere(node, found, signal))) return null;
      return { blocks, transfers: decoded.transfers, decoded } satisfies BlockRange;
    },
  };
}

/** Only what the store is about. */
function about({ kind, address }: Subject, decoded: DecodedLogs): DecodedLogs {
  const { transfers, trades, tokens, leftOut } = decoded;
  if (kind === 'trades') {
    const own = trades.filter(row => row.token === address);
    return { transfers: [], mints: [], trades: own, tokens: new Map(), leftOut: 0n };
  }
  const own = kind === 'contract' ? transfers : transfers.filter(row => row.from === address || row.to === address);
  const named = new Set(own.map(row => row.token));
  return {
    transfers: own,
    mints: [],
    trades: [],
    tokens: new Map([...tokens].filter(([token]) => named.has(token))),
    leftOut,
  };
}

/** In as many calls as the node wants; `null` when it does not have the blocks, or not the same ones throughout. */
export async function findLogs(
  node: EvmNode,
  filters: readonly SubjectFilter[],
  window: ReturnType<typeof createLogWindow>,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<FoundLogs | null> {
  const logs: ChainLog[] = [];
  const seconds = new Map<number, number>();
  let first: Header | null = null;
  let last: Header | null = null;
  let low = from;
  let span = to - from + 1;
  while (low <= to) {
    const high = Math.min(to, low + span - 1);
    const answers = await ask(node, filters, low, high, signal);
    const refusal = answers === 'too-large' ? undefined : answers.logs.find(answer => answer.refusal)?.refusal;
    let limit: LogLimit | null = answers === 'too-large' ? { kind: 'results', blocks: null } : null;
    if (refusal !== undefined) {
      limit = logLimit(refusal);
      if (limit === null) throw node.rpc.faults.ofRefusal(LOGS, refusal);
    }
    if (limit !== null && low < high) {
      window.refused(high - low + 1, limit);
      span = window.blocks;
      if (limit.kind === 'range') node.memory.logRange = span;
      continue;
    }
    if (limit !== null || answers === 'too-large') {
      const block = await fetchBlock(node, low, signal);
      if (block === null) return null;
      const own = node.believe('eth_getBlockReceipts', () =>
        block.receipts
          .flatMap(receipt => listIn(receipt, 'logs').map(chainLog))
          .filter(log => filters.some(filter => passes(filter, log))),
      );
      for (const log of own) logs.push(log);
      first ??= block.header;
      last = block.header;
      low++;
      continue;
    }
    const begin = headerOf(node, answers.first, low);
    const end = headerOf(node, answers.last, high);
    // A node behind a load balancer that does not have the blocks yet would give no logs of them.
    if (begin === null || end === null) return null;
    for (const [index, filter] of filters.entries()) {
      const read = () => logsIn(answers.logs[index]?.result, filter, low, high, seconds);
      for (const log of node.believe(LOGS, read)) logs.push(log);
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
  return { logs: node.believe(LOGS, () => inChainOrder(logs)), seconds, first, last };
}

interface Answers {
  readonly first: RpcAnswer | undefined;
  readonly last: RpcAnswer | undefined;
  readonly logs: readonly RpcAnswer[];
}

async function ask(
  node: EvmNode,
  filters: readonly SubjectFilter[],
  low: number,
  high: number,
  signal: AbortSignal,
): Promise<Answers | 'too-large'> {
  const range = { fromBlock: toQuantity(low), toBlock: toQuantity(high) };
  const calls = filters.map(filter => ({ method: LOGS, params: [{ ...filter, ...range }] }));
  try {
    const [first, last, ...logs] = await node.rpc.askAll([headerCall(low), headerCall(high), ...calls], signal);
    return { first, last, logs };
  } catch (error) {
    if (isFault(error, 'too-large')) return 'too-large';
    throw asFault(error);
  }
}

/** Throws `Implausible` when the node gives logs that were not asked for. */
function logsIn(
  result: unknown,
  filter: SubjectFilter,
  low: number,
  high: number,
  seconds: Map<number, number>,
): readonly ChainLog[] {
  if (!Array.isArray(result)) throw new Implausible('it is not a list of logs');
  const logs: ChainLog[] = [];
  for (const value of result as readonly unknown[]) {
    const wire = objectIn(value, 'a log');
    if (wire['removed'] === true) continue;
    const log = chainLog(value);
    if (log.blockNumber < low || log.blockNumber > high)
      throw new Implausible(`there is a log of block ${log.blockNumber}, outside ${low} to ${high}`);
    if (!passes(filter, log)) throw new Implausible('there is a log that the filter does not let through');
    const time = secondsOrNullIn(wire, 'blockTimestamp');
    if (time !== null) seconds.set(log.blockNumber, time);
    logs.push(log);
  }
  return logs;
}

/** The blocks with rows, and both ends of the range, which a reorg is noticed by. */
export async function rowBlocks(
  node: EvmNode,
  { logs, seconds, first, last }: FoundLogs,
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
    else rows.set(number, { number, hash, parentHash: hash, time });
  }
  const calls = untimed.map(hash => ({ method: BY_HASH, params: [hash, false] }));
  const answers = await node.rpc.askAll(calls, signal);
  for (const [index, hash] of untimed.entries()) {
    const header = node.believe(BY_HASH, () => headerIn(node.result(BY_HASH, answers[index])));
    if (header === null) return null; // a reorg took it away
    if (lower(header.hash) !== hash) throw node.rpc.doubt(BY_HASH, `block ${header.hash} came instead of ${hash}`);
    rows.set(header.number, blockRow(header));
  }
  for (const header of [first, last]) rows.set(header.number, blockRow(header));
  return [...rows.values()].sort((a, b) => a.number - b.number);
}

function blockRow({ number, hash, parentHash, time }: Header): BlockRow {
  return { number, hash: lower(hash), parentHash: lower(parentHash ?? hash), time: time.getTime() / 1000 };
}

async function stillThere(node: EvmNode, { first, last }: FoundLogs, signal: AbortSignal): Promise<boolean> {
  const answers = await node.rpc.askAll([headerCall(first.number), headerCall(last.number)], signal);
  return [first, last].every(({ number, hash }, index) => headerOf(node, answers[index], number)?.hash === hash);
}
