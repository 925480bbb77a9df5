// The events of a transaction, parsed once for all processors.
import type { Hex } from '../../../base/hex.ts';
import { ZERO_APTOS_ADDRESS } from '../address.ts';
import {
  asAddress,
  asArray,
  asObject,
  asString,
  asUnsigned,
  getField,
  type JsonObject,
  type JsonValue,
} from '../jsonFields.ts';

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

export function parseEvents(events: JsonValue): readonly AptosEvent[] {
  const parsed: AptosEvent[] = [];
  for (const [index, event] of asArray(events).entries()) {
    const type = asString(getField(event, 'type'));
    if (type === null) continue;
    parsed.push({
      index,
      type,
      account: asAddress(getField(event, 'guid', 'account_address')) ?? ZERO_APTOS_ADDRESS,
      creationNumber: asUnsigned(getField(event, 'guid', 'creation_number')) ?? 0n,
      sequenceNumber: asUnsigned(getField(event, 'sequence_number')) ?? 0n,
      data: asObject(getField(event, 'data')) ?? NO_DATA,
    });
  }
  return parsed;
}
