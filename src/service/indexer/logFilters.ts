// Log filters for one contract or one wallet, applied by the node and checked again in its response.
import { type Hex, ZERO_ADDRESS } from '../../base/hex.ts';
import type { IndexScope } from '../store/store.ts';
import type { ChainLog } from './chainLog.ts';
import {
  CONSECUTIVE_TRANSFER,
  PUNK_ASSIGN,
  PUNK_BOUGHT,
  PUNK_TRANSFER,
  TRANSFER,
  TRANSFER_BATCH,
  TRANSFER_SINGLE,
} from './indexedTopics.ts';

const toLowerCase = (hex: Hex) => hex.toLowerCase() as Hex;
const toTopic = (address: Hex): Hex => `0x${'0'.repeat(24)}${toLowerCase(address).slice(2)}`;

export interface IndexLogFilter {
  readonly address?: Hex | readonly Hex[];
  /** By position: one of these, or any when `null`. Never ends in `null`, which some providers reject. */
  readonly topics: readonly (readonly Hex[] | null)[];
}

/** Every event that transfers an NFT. */
export const NFT_TRANSFER_TOPICS: readonly Hex[] = [
  TRANSFER,
  TRANSFER_SINGLE,
  TRANSFER_BATCH,
  CONSECUTIVE_TRANSFER,
  PUNK_ASSIGN,
  PUNK_TRANSFER,
  PUNK_BOUGHT,
];
/** Events whose first indexed argument is the sender and whose second is the receiver. */
const SENDER_FIRST: readonly Hex[] = [TRANSFER, PUNK_TRANSFER];
/** Events whose second indexed argument is the sender and whose third is the receiver. */
const SENDER_SECOND: readonly Hex[] = [TRANSFER_SINGLE, TRANSFER_BATCH, CONSECUTIVE_TRANSFER, PUNK_BOUGHT];

/**
 * A contract by its address. A wallet by the topics that hold it: events without indexed arguments (CryptoKitties) cannot
 * be found by wallet, and are only in the index of their contract.
 */
export function createScopeFilters({ kind, address }: IndexScope): readonly IndexLogFilter[] {
  if (kind !== 'wallet') return [{ address, topics: [NFT_TRANSFER_TOPICS] }];
  const wallet: readonly Hex[] = [toTopic(address)];
  return [
    { topics: [[...SENDER_FIRST, PUNK_ASSIGN], wallet] },
    { topics: [SENDER_FIRST, null, wallet] },
    { topics: [SENDER_SECOND, null, wallet] },
    { topics: [SENDER_SECOND, null, null, wallet] },
  ];
}

/** ERC-20 mints of these contracts, or of all; to these wallets, or to all. ERC-721 mints match it too. */
export function createMintFilter(tokens: readonly Hex[] = [], wallets: readonly Hex[] = []): IndexLogFilter {
  const fromZero: readonly Hex[] = [toTopic(ZERO_ADDRESS)];
  const topics = [[TRANSFER], fromZero, ...(wallets.length > 0 ? [wallets.map(toTopic)] : [])];
  return { ...(tokens.length > 0 && { address: tokens.map(toLowerCase) }), topics };
}

export function matchesFilter({ address, topics }: IndexLogFilter, log: ChainLog): boolean {
  if (address !== undefined && (typeof address === 'string' ? log.address !== address : !address.includes(log.address)))
    return false;
  return topics.every((allowed, index) => allowed === null || allowed.includes(log.topics[index] ?? '0x'));
}
