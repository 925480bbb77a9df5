// One transaction with its events and changes, parsed once for all processors.
import type { Hex } from '../../../base/hex.ts';
import { ZERO_APTOS_ADDRESS } from '../address.ts';
import { getPairedMetadataAddress } from '../derivedIds.ts';
import {
  asAddress,
  asArray,
  asObject,
  asObjectAddress,
  asString,
  asUnsigned,
  type JsonObject,
  type JsonValue,
} from '../jsonFields.ts';
import { getEntryFunction, type RestTransaction, type TransactionInBlock } from '../restTransaction.ts';
import type { FungibleStore, PriorState } from './priorState.ts';
import { WriteSetChanges } from './writeSetChanges.ts';

export interface AptosEvent {
  /** Index in the transaction. */
  readonly index: number;
  readonly type: string;
  /** Of the event handle. A module event has the zero address, and zero for both numbers. */
  readonly account: Hex;
  readonly creationNumber: bigint;
  readonly sequenceNumber: bigint;
  readonly data: JsonObject;
}

const NO_DATA: JsonObject = {};

function parseEvents(events: JsonValue): readonly AptosEvent[] {
  const parsed: AptosEvent[] = [];
  let index = -1;
  for (const event of asArray(events)) {
    index++;
    const fields = asObject(event);
    const type = asString(fields?.['type']);
    if (type === null) continue;
    const guid = asObject(fields?.['guid']);
    parsed.push({
      index,
      type,
      account: asAddress(guid?.['account_address']) ?? ZERO_APTOS_ADDRESS,
      creationNumber: asUnsigned(guid?.['creation_number']) ?? 0n,
      sequenceNumber: asUnsigned(fields?.['sequence_number']) ?? 0n,
      data: asObject(fields?.['data']) ?? NO_DATA,
    });
  }
  return parsed;
}

export interface AptosTransactionPosition {
  readonly transactionVersion: bigint;
  readonly blockHeight: bigint | null;
  readonly transactionTimestamp: Date;
}

export interface TransactionContext {
  readonly transaction: RestTransaction;
  readonly position: AptosTransactionPosition;
  readonly sender: Hex | null;
  readonly entryFunction: string | null;
  readonly events: readonly AptosEvent[];
  readonly changes: WriteSetChanges;
  /** Stores with a `0x1::fungible_asset::FungibleStoreDeletion` event. */
  readonly deletedFungibleStores: ReadonlyMap<Hex, FungibleStore>;
  readonly priorState: PriorState;
  /** The coin type of a metadata object, from the prior state or from this transaction. */
  getPairedCoin(metadata: Hex): string | null;
  /** Reports a row that could not be parsed; the reason is logged. */
  reportSkipped(reason: string): void;
}

/** Versions are stored as numbers. */
const MAX_VERSION = BigInt(Number.MAX_SAFE_INTEGER);
const MAX_DATE_SECONDS = 8_640_000_000_000n;

/** `null` for a transaction without version or timestamp, which is not committed. */
export function createTransactionContext(
  { transaction, blockHeight }: TransactionInBlock,
  priorState: PriorState,
  reportSkipped: (reason: string) => void,
): TransactionContext | null {
  const transactionVersion = asUnsigned(transaction['version']);
  const transactionTimestamp = parseTimestamp(transaction);
  if (transactionVersion === null || transactionTimestamp === null || transactionVersion > MAX_VERSION) return null;
  const events = parseEvents(transaction['events']);
  const changes = new WriteSetChanges(transaction['changes']);
  let pairedCoins: Map<Hex, string> | null = null;
  return {
    transaction,
    position: { transactionVersion, blockHeight, transactionTimestamp },
    sender: asAddress(transaction['sender']),
    entryFunction: getEntryFunction(transaction),
    events,
    changes,
    deletedFungibleStores: collectDeletedStores(events),
    priorState,
    getPairedCoin(metadata) {
      const priorCoin = priorState.getPairedCoin(metadata);
      if (priorCoin !== null) return priorCoin;
      pairedCoins ??= new Map([...changes.coinTypes].map(coin => [getPairedMetadataAddress(coin), coin] as const));
      return pairedCoins.get(metadata) ?? null;
    },
    reportSkipped,
  };
}

const NO_STORES: ReadonlyMap<Hex, FungibleStore> = new Map();

function collectDeletedStores(events: readonly AptosEvent[]): ReadonlyMap<Hex, FungibleStore> {
  let deleted: Map<Hex, FungibleStore> | null = null;
  for (const { type, data } of events) {
    if (type !== '0x1::fungible_asset::FungibleStoreDeletion') continue;
    const store = asObjectAddress(data['store']);
    if (store === null) continue;
    deleted ??= new Map();
    deleted.set(store, { owner: asAddress(data['owner']), metadata: asObjectAddress(data['metadata']) });
  }
  return deleted ?? NO_STORES;
}

/** Most transactions of a block have the time of the one before. */
let lastTimestamp: { readonly text: JsonValue; readonly date: Date | null } = { text: '', date: null };

/** Microseconds as whole seconds. The genesis transaction has no timestamp and gets the Unix epoch. */
function parseTimestamp(transaction: RestTransaction): Date | null {
  const text = transaction['timestamp'];
  if (text === lastTimestamp.text) return lastTimestamp.date;
  const microseconds = asUnsigned(text);
  if (microseconds === null) return transaction['type'] === 'genesis_transaction' ? new Date(0) : null;
  const seconds = microseconds / 1_000_000n;
  const date = seconds <= MAX_DATE_SECONDS ? new Date(Number(seconds) * 1000) : null;
  lastTimestamp = { text, date };
  return date;
}
