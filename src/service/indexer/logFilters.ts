// Log filters of the indexes, applied by the node and checked again in its response.
import { type Hex, toLowerHex, ZERO_ADDRESS } from '../../base/hex.ts';
import type { BlockHeader } from '../evm/blockHeader.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { fetchBlock } from '../evm/fetchBlock.ts';
import { InvalidResponseError, optionalSeconds, readArray, readLogs, requireObject } from '../evm/responseFields.ts';
import type { IndexScope } from '../store/store.ts';
import { type ChainLog, parseChainLog } from './chainLog.ts';
import { ReadLogs } from './readLogsBody.ts';

// First topics of the events that the index is made from: keccak-256 of the signatures.

/** `Transfer(address,address,uint256)`: ERC-20, ERC-721 and older tokens, distinguished by the form of the log. */
export const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** ERC-1155: `TransferSingle(address,address,address,uint256,uint256)`. */
export const TRANSFER_SINGLE: Hex = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
/** ERC-1155: `TransferBatch(address,address,address,uint256[],uint256[])`. */
export const TRANSFER_BATCH: Hex = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';
/** ERC-2309: `ConsecutiveTransfer(uint256,uint256,address,address)`. */
export const CONSECUTIVE_TRANSFER: Hex = '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d';
/** CryptoPunks: `Assign(address,uint256)`, a mint. */
export const PUNK_ASSIGN: Hex = '0x8a0e37b73a0d9c82e205d4d1a3ff3d0b57ce5f4d7bccf6bac03336dc101cb7ba';
/** CryptoPunks: `PunkTransfer(address,address,uint256)`. */
export const PUNK_TRANSFER: Hex = '0x05af636b70da6819000c49f85b21fa82081c632069bb626f30932034099107d8';
/** CryptoPunks: `PunkBought(uint256,uint256,address,address)`. */
export const PUNK_BOUGHT: Hex = '0x58e5d5a525e3b40bc15abaa38b5882678db1ee68befd2f60bafe3a7fd06db9e3';
/** Seaport 1.1 to 1.6: `OrderFulfilled(bytes32,address,address,address,SpentItem[],ReceivedItem[])`. */
export const ORDER_FULFILLED: Hex = '0x9d9af8e38d66c62e2c12f0225249fd9d721c54b83f48d9352c97c6cacdcb6f31';

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
