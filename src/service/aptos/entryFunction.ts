// Which function a transaction called.

import { asString, getField } from './jsonFields.ts';
import type { JsonObject } from './transaction.ts';

/** The function that was called; a multisig account's is inside. Scripts have none. */
export function getEntryFunction(transaction: JsonObject): string | null {
  const payload = getField(transaction, 'payload');
  const kind = getField(payload, 'type');
  if (kind === 'entry_function_payload') return asString(getField(payload, 'function'));
  return kind === 'multisig_payload' ? asString(getField(payload, 'transaction_payload', 'function')) : null;
}
