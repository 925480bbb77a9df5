// One transaction, read once, as all the rules look at it.

import type { Hex } from '../../../base/hex.ts';
import { getPairedMetadataAddress } from '../derivedIds.ts';
import { asAddress, asObjectAddress, asUnsigned, getField, type JsonObject } from '../jsonFields.ts';
import { getEntryFunction, type TransactionInBlock } from '../transaction.ts';
import { type AptosEvent, parseEvents } from './aptosEvents.ts';
import type { FungibleStore, PriorState } from './priorState.ts';
import { parseWriteSetChanges, type WriteSetChanges } from './writeSetChanges.ts';

export interface TransactionPosition {
  readonly transactionVersion: bigint;
  readonly blockHeight: bigint | null;
  readonly transactionTimestamp: Date;
}

export interface TransactionContext {
  readonly transaction: JsonObject;
  readonly position: TransactionPosition;
  readonly sender: Hex | null;
  readonly entryFunction: string | null;
  readonly events: readonly AptosEvent[];
  readonly changes: WriteSetChanges;
  /** Stores that say themselves that they are gone (`0x1::fungible_asset::FungibleStoreDeletion`). */
  readonly deletedFungibleStores: ReadonlyMap<Hex, FungibleStore>;
  readonly priorState: PriorState;
  getPairedCoin(metadata: Hex): string | null;
  /** Something that should have been a row and is not; the reason is for the log. */
  reportSkipped(reason: string): void;
}

/** A chain would need thousands of years to get there; numbers below are exact everywhere. */
const HIGHEST = BigInt(Number.MAX_SAFE_INTEGER);

/** `null` when it has no version or no time: then it is no committed transaction. */
export function createTransactionContext(
  { transaction, blockHeight }: TransactionInBlock,
  memory: PriorState,
  leaveOut: (reason: string) => void,
): TransactionContext | null {
  const transactionVersion = asUnsigned(getField(transaction, 'version'));
  const transactionTimestamp = timeOf(transaction);
  if (transactionVersion === null || transactionTimestamp === null || transactionVersion > HIGHEST) return null;
  const events = parseEvents(getField(transaction, 'events'));
  const changes = parseWriteSetChanges(getField(transaction, 'changes'));
  const deletedStores = new Map<Hex, FungibleStore>();
  for (const { type, data } of events) {
    if (type !== '0x1::fungible_asset::FungibleStoreDeletion') continue;
    const store = asObjectAddress(getField(data, 'store'));
    if (store === null) continue;
    deletedStores.set(store, {
      owner: asAddress(getField(data, 'owner')),
      metadata: asObjectAddress(getField(data, 'metadata')),
    });
  }
  let pairs: Map<Hex, string> | null = null;
  return {
    transaction,
    position: { transactionVersion, blockHeight, transactionTimestamp },
    sender: asAddress(getField(transaction, 'sender')),
    entryFunction: getEntryFunction(transaction),
    events,
    changes,
    deletedFungibleStores: deletedStores,
    priorState: memory,
    getPairedCoin(metadata) {
      const known = memory.getPairedCoin(metadata);
      if (known !== null) return known;
      pairs ??= new Map([...changes.coinTypes].map(coin => [getPairedMetadataAddress(coin), coin] as const));
      return pairs.get(metadata) ?? null;
    },
    reportSkipped: leaveOut,
  };
}

/** Microseconds as whole seconds; genesis has no time of its own and is at the epoch. */
function timeOf(transaction: JsonObject): Date | null {
  const micros = asUnsigned(getField(transaction, 'timestamp'));
  if (micros === null) return getField(transaction, 'type') === 'genesis_transaction' ? new Date(0) : null;
  const seconds = micros / 1_000_000n;
  return seconds <= 8_640_000_000_000n ? new Date(Number(seconds) * 1000) : null;
}
