// Which logs concern one contract or one wallet, as filters that a node applies, and as a test of what it gives.
import type { Hex } from '../../base/hex.ts';
import type { Subject } from '../store/store.ts';
import type { ChainLog } from './chainLog.ts';
import {
  CONSECUTIVE_TRANSFER,
  PUNK_ASSIGN,
  PUNK_BOUGHT,
  PUNK_TRANSFER,
  TRANSFER,
  TRANSFER_BATCH,
  TRANSFER_SINGLE,
} from './topics.ts';

export interface SubjectFilter {
  readonly address?: Hex;
  /** By position: one of these; `null` is anything. Never ends in `null`, which some providers refuse. */
  readonly topics: readonly (readonly Hex[] | null)[];
}

const MOVES: readonly Hex[] = [
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
export function filtersOf({ kind, address }: Subject): readonly SubjectFilter[] {
  if (kind !== 'wallet') return [{ address, topics: [MOVES] }];
  const wallet: readonly Hex[] = [`0x${'0'.repeat(24)}${address.slice(2)}`];
  return [
    { topics: [[...FIRST_AND_SECOND, PUNK_ASSIGN], wallet] },
    { topics: [FIRST_AND_SECOND, null, wallet] },
    { topics: [SECOND_AND_THIRD, null, wallet] },
    { topics: [SECOND_AND_THIRD, null, null, wallet] },
  ];
}

export function passes({ address, topics }: SubjectFilter, log: ChainLog): boolean {
  if (address !== undefined && log.address !== address) return false;
  return topics.every((any, index) => any === null || any.includes(log.topics[index] ?? '0x'));
}
