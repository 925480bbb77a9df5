// Which function a transaction called.

import { at, textOf } from './jsonFields.ts';
import type { JsonObject } from './transaction.ts';

/** The function that was called; a multisig account's is inside. Scripts have none. */
export function entryFunctionOf(transaction: JsonObject): string | null {
  const payload = at(transaction, 'payload');
  const kind = at(payload, 'type');
  if (kind === 'entry_function_payload') return textOf(at(payload, 'function'));
  return kind === 'multisig_payload' ? textOf(at(payload, 'transaction_payload', 'function')) : null;
}
