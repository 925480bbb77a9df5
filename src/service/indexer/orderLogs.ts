// The logs of a range in the order of the chain: by their log indexes, or by the receipts where those do not tell it.
import { type Hex, toLowerHex } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { InvalidResponseError, readArray, requireHash, requireObject } from '../evm/responseFields.ts';
import { compareLogPositions, compareTransactionPositions, getLogPlaces } from '../store/rows.ts';
import { type ChainLog, parseChainLog } from './chainLog.ts';
import { type IndexLogFilter, matchesFilter } from './logFilters.ts';

interface FoundLog {
  readonly log: ChainLog;
  /** Which of the filters has found it. */
  readonly filter: number;
}

/**
 * The logs that match one of the filters, each once, in the order of the chain. Reads the receipts of transactions whose log
 * indexes do not ascend, or name two logs, as where each clause of a transaction has its own (VeChain).
 *
 * @param answers The logs of the same range of blocks that the node has found by each filter.
 */
export async function orderLogs(
  node: EvmNode,
  filters: readonly IndexLogFilter[],
  answers: readonly (readonly ChainLog[])[],
  signal: AbortSignal,
): Promise<readonly ChainLog[]> {
  const [only = []] = answers;
  if (answers.length === 1 && isInOrder(only)) return only;
  const found = answers.flatMap((logs, filter) => logs.map((log): FoundLog => ({ log, filter })));
  const ordered: ChainLog[] = [];
  const unclear: ChainLog[] = [];
  for (const logs of groupByTransaction(found, ({ log }) => log)) {
    const placed = getPlacedLogs(logs);
    if (placed !== null) for (const log of placed) ordered.push(log);
    else for (const { log } of logs) unclear.push(log);
  }
  if (unclear.length > 0) ordered.push(...(await fetchTransactionLogs(node, filters, unclear, signal)));
  return ordered.sort(compareLogPositions);
}

/** Whether each log is at a later position than the one before. */
const isInOrder = (logs: readonly ChainLog[]): boolean =>
  logs.every((log, at) => at === 0 || compareLogPositions(logs[at - 1] ?? log, log) < 0);

/** By their positions, since some nodes give two transactions of a block the same index. */
function groupByTransaction<T>(items: readonly T[], getLog: (item: T) => ChainLog): readonly (readonly T[])[] {
  const groups: T[][] = [];
  let last: ChainLog | null = null;
  for (const item of items.toSorted((a, b) => compareTransactionPositions(getLog(a), getLog(b)))) {
    const log = getLog(item);
    if (last !== null && compareTransactionPositions(last, log) === 0) groups.at(-1)?.push(item);
    else groups.push([item]);
    last = log;
  }
  return groups;
}

/** The logs of one transaction, each once; `null` when their log indexes do not tell their order. */
function getPlacedLogs(found: readonly FoundLog[]): readonly ChainLog[] | null {
  const lastPlaces = new Map<number, number>();
  const byPlace = new Map<number, ChainLog>();
  for (const { log, filter } of found) {
    const other = byPlace.get(log.place);
    if (log.place <= (lastPlaces.get(filter) ?? -1) || (other !== undefined && !isSameLog(other, log))) return null;
    lastPlaces.set(filter, log.place);
    byPlace.set(log.place, log);
  }
  return [...byPlace.values()];
}

const isSameLog = (a: ChainLog, b: ChainLog): boolean =>
  a.transactionHash === b.transactionHash &&
  a.address === b.address &&
  a.data === b.data &&
  a.topics.join() === b.topics.join();

/**
 * The logs in the receipts of the transactions of `found` that match one of the filters, in the order of the chain. Rejects
 * with `node-answer` when a receipt is missing.
 */
export async function fetchTransactionLogs(
  node: EvmNode,
  filters: readonly IndexLogFilter[],
  found: readonly ChainLog[],
  signal: AbortSignal,
): Promise<readonly ChainLog[]> {
  const firstByHash = new Map(found.toReversed().map(log => [log.transactionHash, log]));
  const hashes = [...firstByHash.keys()];
  const calls = hashes.map(hash => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
  const responses = await node.rpc.sendAll(calls, signal);
  const receipts = new Map<Hex, readonly ChainLog[]>();
  for (const [index, first] of [...firstByHash.values()].entries()) {
    const result = node.getResult('eth_getTransactionReceipt', responses[index]);
    receipts.set(
      first.transactionHash,
      node.validate('eth_getTransactionReceipt', () => parseReceiptLogs(result, first)),
    );
  }
  return groupByTransaction(found, log => log).flatMap(group => {
    const logs = [...new Set(group.map(log => log.transactionHash))].flatMap(hash => receipts.get(hash) ?? []);
    const places = getLogPlaces(logs.map(log => log.place));
    return logs
      .map((log, index) => ({
        ...log,
        transactionIndex: group[0]?.transactionIndex ?? log.transactionIndex,
        place: places[index] ?? log.place,
      }))
      .filter(log => filters.some(filter => matchesFilter(filter, log)));
  });
}

/** All logs of the receipt of a transaction of which `found` is one. */
function parseReceiptLogs(result: unknown, found: ChainLog): readonly ChainLog[] {
  const receipt = requireObject(result, 'the receipt');
  if (toLowerHex(requireHash(receipt, 'transactionHash')) !== found.transactionHash)
    throw new InvalidResponseError('it is of another transaction');
  const logs = readArray(receipt, 'logs').map(parseChainLog);
  if (logs.some(log => log.blockHash !== found.blockHash))
    throw new InvalidResponseError('it is in another block than its logs were');
  const same = logs.filter(log => isSameLog(log, found));
  const [first] = same;
  if (first === undefined) throw new InvalidResponseError('a log that it should have is missing');
  if (same.some(log => log.place === found.place)) return logs;
  // Ganache numbers the logs of each receipt from 0, while its `eth_getLogs` numbers those of the block.
  const shift = found.place - first.place;
  return logs.map(log => ({ ...log, place: log.place + shift }));
}
