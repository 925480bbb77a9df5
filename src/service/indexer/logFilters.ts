// Which logs concern one contract or one wallet, as filters that a node applies, and as a test of what it gives.
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

const lower = (hex: Hex) => hex.toLowerCase() as Hex;
const topicOf = (address: Hex): Hex => `0x${'0'.repeat(24)}${lower(address).slice(2)}`;

export interface IndexLogFilter {
  readonly address?: Hex | readonly Hex[];
  /** By position: one of these; `null` is anything. Never ends in `null`, which some providers refuse. */
  readonly topics: readonly (readonly Hex[] | null)[];
}

/** Every event that moves an NFT. */
export const NFT_TRANSFER_TOPICS: readonly Hex[] = [
  TRANSFER,
  TRANSFER_SINGLE,
  TRANSFER_BATCH,
  CONSECUTIVE_TRANSFER,
  PUNK_ASSIGN,
  PUNK_TRANSFER,
  PUNK_BOUGHT,
];
/** Sender in the first indexed place (the receiver of a punk's assignment too), receiver in the second. */
const FIRST_AND_SECOND: readonly Hex[] = [TRANSFER, PUNK_TRANSFER];
/** Sender in the second indexed place, receiver in the third. */
const SECOND_AND_THIRD: readonly Hex[] = [TRANSFER_SINGLE, TRANSFER_BATCH, CONSECUTIVE_TRANSFER, PUNK_BOUGHT];

/**
 * A contract by its address. A wallet by the topics that name it: events that index nobody (CryptoKitties) cannot be
 * found by wallet, and are only in the index of their contract.
 */
export function createScopeFilters({ kind, address }: IndexScope): readonly IndexLogFilter[] {
  if (kind !== 'wallet') return [{ address, topics: [NFT_TRANSFER_TOPICS] }];
  const wallet: readonly Hex[] = [topicOf(address)];
  return [
    { topics: [[...FIRST_AND_SECOND, PUNK_ASSIGN], wallet] },
    { topics: [FIRST_AND_SECOND, null, wallet] },
    { topics: [SECOND_AND_THIRD, null, wallet] },
    { topics: [SECOND_AND_THIRD, null, null, wallet] },
  ];
}

/** ERC-20 mints of some contracts, or of all; to some wallets, or to all. Mints of ERC-721 look the same to a node. */
export function createMintFilter(tokens: readonly Hex[] = [], wallets: readonly Hex[] = []): IndexLogFilter {
  const nobody: readonly Hex[] = [topicOf(ZERO_ADDRESS)];
  const topics = [[TRANSFER], nobody, ...(wallets.length > 0 ? [wallets.map(topicOf)] : [])];
  return { ...(tokens.length > 0 && { address: tokens.map(lower) }), topics };
}

export function matchesFilter({ address, topics }: IndexLogFilter, log: ChainLog): boolean {
  if (address !== undefined && (typeof address === 'string' ? log.address !== address : !address.includes(log.address)))
    return false;
  return topics.every((any, index) => any === null || any.includes(log.topics[index] ?? '0x'));
}
