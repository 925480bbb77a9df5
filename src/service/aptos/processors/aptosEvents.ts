// The events of a transaction, read once: type, where they were emitted, data.
import type { Hex } from '../../../base/hex.ts';
import { ZERO } from '../address.ts';
import { addressOf, at, listOf, objectOf, textOf, type Value, wholeOf } from '../jsonFields.ts';
import type { JsonObject } from '../transaction.ts';

export interface ChainEvent {
  readonly index: number;
  readonly type: string;
  /** Of a module event the zero address, and zero for both numbers. */
  readonly account: Hex;
  readonly creationNumber: bigint;
  readonly sequenceNumber: bigint;
  readonly data: JsonObject;
}

const NO_DATA: JsonObject = {};

export function readEvents(events: Value): readonly ChainEvent[] {
  const read: ChainEvent[] = [];
  for (const [index, event] of listOf(events).entries()) {
    const type = textOf(at(event, 'type'));
    if (type === null) continue;
    read.push({
      index,
      type,
      account: addressOf(at(event, 'guid', 'account_address')) ?? ZERO,
      creationNumber: wholeOf(at(event, 'guid', 'creation_number')) ?? 0n,
      sequenceNumber: wholeOf(at(event, 'sequence_number')) ?? 0n,
      data: objectOf(at(event, 'data')) ?? NO_DATA,
    });
  }
  return read;
}
