// One transaction, read once, as all the rules look at it.
import type { Hex } from '../../../base/hex.ts';
import { pairedMetadata } from '../derivedIds.ts';
import { entryFunctionOf } from '../entryFunction.ts';
import { addressOf, at, referenceOf, wholeOf } from '../jsonFields.ts';
import type { JsonObject, PlacedTransaction } from '../transaction.ts';
import { type ChainEvent, readEvents } from './aptosEvents.ts';
import type { KnownStore, Memory } from './priorState.ts';
import { type Changes, readChanges } from './writeSetChanges.ts';

export interface Placed {
  readonly transactionVersion: bigint;
  readonly blockHeight: bigint | null;
  readonly transactionTimestamp: Date;
}

export interface Scene {
  readonly transaction: JsonObject;
  readonly placed: Placed;
  readonly sender: Hex | null;
  readonly entryFunction: string | null;
  readonly events: readonly ChainEvent[];
  readonly changes: Changes;
  /** Stores that say themselves that they are gone (`0x1::fungible_asset::FungibleStoreDeletion`). */
  readonly deletedStores: ReadonlyMap<Hex, KnownStore>;
  readonly memory: Memory;
  coinOf(metadata: Hex): string | null;
  /** Something that should have been a row and is not; the reason is for the log. */
  leaveOut(reason: string): void;
}

/** A chain would need thousands of years to get there; numbers below are exact everywhere. */
const HIGHEST = BigInt(Number.MAX_SAFE_INTEGER);

/** `null` when it has no version or no time: then it is no committed transaction. */
export function sceneOf(
  { transaction, blockHeight }: PlacedTransaction,
  memory: Memory,
  leaveOut: (reason: string) => void,
): Scene | null {
  const transactionVersion = wholeOf(at(transaction, 'version'));
  const transactionTimestamp = timeOf(transaction);
  if (transactionVersion === null || transactionTimestamp === null || transactionVersion > HIGHEST) return null;
  const events = readEvents(at(transaction, 'events'));
  const changes = readChanges(at(transaction, 'changes'));
  const deletedStores = new Map<Hex, KnownStore>();
  for (const { type, data } of events) {
    if (type !== '0x1::fungible_asset::FungibleStoreDeletion') continue;
    const store = referenceOf(at(data, 'store'));
    if (store === null) continue;
    deletedStores.set(store, { owner: addressOf(at(data, 'owner')), metadata: referenceOf(at(data, 'metadata')) });
  }
  let pairs: Map<Hex, string> | null = null;
  return {
    transaction,
    placed: { transactionVersion, blockHeight, transactionTimestamp },
    sender: addressOf(at(transaction, 'sender')),
    entryFunction: entryFunctionOf(transaction),
    events,
    changes,
    deletedStores,
    memory,
    coinOf(metadata) {
      const known = memory.coinOf(metadata);
      if (known !== null) return known;
      pairs ??= new Map([...changes.coinTypes].map(coin => [pairedMetadata(coin), coin] as const));
      return pairs.get(metadata) ?? null;
    },
    leaveOut,
  };
}

/** Microseconds as whole seconds; genesis has no time of its own and is at the epoch. */
function timeOf(transaction: JsonObject): Date | null {
  const micros = wholeOf(at(transaction, 'timestamp'));
  if (micros === null) return at(transaction, 'type') === 'genesis_transaction' ? new Date(0) : null;
  const seconds = micros / 1_000_000n;
  return seconds <= 8_640_000_000_000n ? new Date(Number(seconds) * 1000) : null;
}
