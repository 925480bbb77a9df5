// A committed transaction as a fullnode's REST API returns it. None of its fields is trusted.
import { asObject, asString, getField, type JsonObject } from './jsonFields.ts';

/** Fields are read with `jsonFields.ts`, which returns `null` for a value that does not have the expected shape. */
export type RestTransaction = JsonObject;

/** A transaction and the height of its block, which REST transactions do not contain. */
export interface TransactionInBlock {
  readonly transaction: RestTransaction;
  /** `null` when it is not known. */
  readonly blockHeight: bigint | null;
}

/** The entry function that a transaction calls, also through a multisig account; `null` for scripts. */
export function getEntryFunction(transaction: RestTransaction): string | null {
  const payload = asObject(transaction['payload']);
  const type = payload?.['type'];
  if (type === 'entry_function_payload') return asString(payload?.['function']);
  return type === 'multisig_payload' ? asString(getField(payload, 'transaction_payload', 'function')) : null;
}
