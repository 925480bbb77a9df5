// Log filters of the indexes, applied by the node and checked again in its response.
import {
  CONSECUTIVE_TRANSFER,
  ORDER_FULFILLED,
  PUNK_ASSIGN,
  PUNK_BOUGHT,
  PUNK_TRANSFER,
  TRANSFER,
  TRANSFER_BATCH,
  TRANSFER_SINGLE,
} from '../../api/eventTopics.ts';
import { type Hex, toLowerHex, ZERO_ADDRESS } from '../../base/hex.ts';
import type { BlockHeader } from '../evm/blockHeader.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { fetchBlock } from '../evm/fetchBlock.ts';
import { InvalidResponseError, optionalSeconds, readArray, readLogs, requireObject } from '../evm/responseFields.ts';
import type { IndexScope } from '../store/store.ts';
import { type ChainLog, parseChainLog } from './chainLog.ts';
import { ReadLogs } from './readLogsBody.ts';

/** Every event that transfers a token. */
export const TRANSFER_TOPICS: readonly Hex[] = [
  TRANSFER,
  TRANSFER_SINGLE,
  TRANSFER_BATCH,
  CONSECUTIVE_TRANSFER,
  PUNK_ASSIGN,
  PUNK_TRANSFER,
  PUNK_BOUGHT,
];

/** Every event that the index of a whole chain is made from. */
export const INDEXED_TOPICS: readonly Hex[] = [...TRANSFER_TOPICS, ORDER_FULFILLED];

const toTopic = (address: Hex): Hex => `0x${'0'.repeat(24)}${toLowerHex(address).slice(2)}`;

export interface IndexLogFilter {
  readonly address?: Hex | readonly Hex[];
  /** By position: one of these, or any when `null`. Never ends in `null`, which some providers reject. */
  readonly topics: readonly (readonly Hex[] | null)[];
}

/** Every log of the index of a whole chain. */
export const INDEXED_LOGS: IndexLogFilter = { topics: [INDEXED_TOPICS] };

/** Events whose first indexed argument is the sender and whose second is the receiver. */
const SENDER_FIRST: readonly Hex[] = [TRANSFER, PUNK_TRANSFER];
/** Events whose second indexed argument is the sender and whose third is the receiver. */
const SENDER_SECOND: readonly Hex[] = [TRANSFER_SINGLE, TRANSFER_BATCH, CONSECUTIVE_TRANSFER, PUNK_BOUGHT];

/**
 * A contract by its address. A wallet by the topics that hold it: events without indexed arguments (CryptoKitties) cannot
 * be found by wallet, and are only in the index of their contract.
 */
export function createScopeFilters({ kind, address }: IndexScope): readonly IndexLogFilter[] {
  if (kind !== 'wallet') return [{ address, topics: [TRANSFER_TOPICS] }];
  const wallet: readonly Hex[] = [toTopic(address)];
  return [
    { topics: [[...SENDER_FIRST, PUNK_ASSIGN], wallet] },
    { topics: [SENDER_FIRST, null, wallet] },
    { topics: [SENDER_SECOND, null, wallet] },
    { topics: [SENDER_SECOND, null, null, wallet] },
  ];
}

/** ERC-20 mints of these contracts, or of all; to these wallets, or to all. ERC-721 mints match it too. */
export function createMintFilter(contracts: readonly Hex[] = [], wallets: readonly Hex[] = []): IndexLogFilter {
  const fromZero: readonly Hex[] = [toTopic(ZERO_ADDRESS)];
  const topics = [[TRANSFER], fromZero, ...(wallets.length > 0 ? [wallets.map(toTopic)] : [])];
  return { ...(contracts.length > 0 && { address: contracts.map(toLowerHex) }), topics };
}

export function matchesFilter({ address, topics }: IndexLogFilter, log: ChainLog): boolean {
  if (address !== undefined && (typeof address === 'string' ? log.address !== address : !address.includes(log.address)))
    return false;
  return topics.every((allowed, index) => allowed === null || allowed.includes(log.topics[index] ?? '0x'));
}

/**
 * The logs in a response to `eth_getLogs`. Notes the times of their blocks in `seconds`, where the node sends them along.
 * Throws `InvalidResponseError` for logs that the filter does not match.
 */
export function parseFilteredLogs(
  result: unknown,
  filter: IndexLogFilter,
  low: number,
  high: number,
  seconds?: Map<number, number>,
): readonly ChainLog[] {
  const logs = result instanceof ReadLogs ? result.logs : parseLogs(result, seconds);
  for (const log of logs) {
    if (log.blockNumber < low || log.blockNumber > high)
      throw new InvalidResponseError(`there is a log of block ${log.blockNumber}, outside ${low} to ${high}`);
    if (!matchesFilter(filter, log)) throw new InvalidResponseError('there is a log that the filter does not match');
  }
  return logs;
}

function parseLogs(result: unknown, seconds: Map<number, number> | undefined): readonly ChainLog[] {
  const logs: ChainLog[] = [];
  for (const value of readLogs(result)) {
    const wire = requireObject(value, 'a log');
    if (wire['removed'] === true) continue;
    const log = parseChainLog(value);
    const time = seconds === undefined ? null : optionalSeconds(wire, 'blockTimestamp');
    if (time !== null) seconds?.set(log.blockNumber, time);
    logs.push(log);
  }
  return logs;
}

/**
 * The same logs from the receipts of one block, for nodes that do not return them by `eth_getLogs`; `null` when the node does
 * not have the block.
 */
export async function fetchLogsFromReceipts(
  node: EvmNode,
  filters: readonly IndexLogFilter[],
  id: number | Hex,
  signal: AbortSignal,
): Promise<{ readonly header: BlockHeader; readonly logs: readonly ChainLog[] } | null> {
  const block = await fetchBlock(node, id, signal);
  if (block === null) return null;
  const logs = node.validate('eth_getBlockReceipts', () =>
    [...block.receipts, ...block.otherReceipts]
      .flatMap(receipt => readArray(receipt, 'logs').map(parseChainLog))
      .filter(log => filters.some(filter => matchesFilter(filter, log))),
  );
  return { header: block.header, logs };
}
