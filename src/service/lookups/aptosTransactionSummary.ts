// `aptosTransactionSummary`: an Aptos transaction by version or hash, with the height of its block.

import type { AptosTransactionSummary } from '../../api/lookups.ts';
import { createBadInputFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { FullnodeClient } from '../aptos/fullnode/fullnodeClient.ts';
import { asAddress, asArray, asBoolean, asString, asUnsigned, getField } from '../aptos/jsonFields.ts';
import { getEntryFunction, type RestTransaction } from '../aptos/restTransaction.ts';
import { type Lookup, requireFullnode } from './lookup.ts';

const MAX_STATUS_LENGTH = 200;

export const aptosTransactionSummary: Lookup<'aptosTransactionSummary'> = async (input, { aptos }, signal) => {
  const network = aptos.get(input.network);
  const fullnode = requireFullnode(network);
  const transaction = await fetchTransaction(fullnode, input.transaction.trim().toLowerCase(), signal);
  if (transaction === null) return { value: { kind: 'aptosNothing', network: network.name } };
  const version = asUnsigned(getField(transaction, 'version'));
  const block = version === null ? null : await fullnode.fetchBlockByVersion(version, signal);
  return { value: toSummary(network.name, transaction, version, block?.blockHeight ?? null) };
};

function fetchTransaction(
  fullnode: FullnodeClient,
  versionOrHash: string,
  signal: AbortSignal | undefined,
): Promise<RestTransaction | null> {
  if (/^\d{1,20}$/.test(versionOrHash)) return fullnode.fetchTransaction(BigInt(versionOrHash), signal);
  if (/^0x[0-9a-f]{64}$/.test(versionOrHash)) return fullnode.fetchTransactionByHash(versionOrHash, signal);
  const message = 'transaction must be a version (decimal digits) or a hash (0x and 64 hex digits)';
  throw createBadInputFault([{ field: 'transaction', message }]);
}

function toSummary(
  network: string,
  transaction: RestTransaction,
  version: bigint | null,
  blockHeight: bigint | null,
): AptosTransactionSummary {
  const micros = version === null ? null : asUnsigned(getField(transaction, 'timestamp'));
  return {
    kind: 'aptosTransaction',
    network,
    hash: (asString(getField(transaction, 'hash')) ?? '0x') as Hex, // nodes return hex only
    status: version === null ? 'pending' : asBoolean(getField(transaction, 'success')) === true ? 'success' : 'failed',
    vmStatus: asString(getField(transaction, 'vm_status'))?.slice(0, MAX_STATUS_LENGTH) ?? null,
    version,
    type: asString(getField(transaction, 'type')) ?? 'transaction',
    sender: asAddress(getField(transaction, 'sender')),
    sequenceNumber: asUnsigned(getField(transaction, 'sequence_number')),
    entryFunction: getEntryFunction(transaction),
    gasUsed: asUnsigned(getField(transaction, 'gas_used')),
    gasUnitPrice: asUnsigned(getField(transaction, 'gas_unit_price')),
    time: micros === null ? null : new Date(Number(micros / 1000n)),
    blockHeight,
    events: asArray(getField(transaction, 'events')).length,
  };
}
