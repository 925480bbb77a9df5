// `aptosTransactionSummary`: a transaction of an Aptos network by version or hash, with the height of its block.

import type { AptosTransactionSummary } from '../../api/lookups.ts';
import { badInputFault, HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { AptosNetworkAccess } from '../aptos/aptosNetworks.ts';
import { getEntryFunction } from '../aptos/entryFunction.ts';
import type { FullnodeClient } from '../aptos/fullnode/fullnodeClient.ts';
import { asAddress, asArray, asBoolean, asString, asUnsigned, getField } from '../aptos/jsonFields.ts';
import type { RestTransaction } from '../aptos/transaction.ts';
import type { Lookup } from './lookup.ts';

const MOST_TYPES = 8;
const LONGEST_STATUS = 200;

export const aptosTransactionSummary: Lookup<'aptosTransactionSummary'> = async (input, { aptos }, signal) => {
  const network = aptos.get(input.network);
  const node = requireFullnode(network);
  const wanted = input.transaction.trim().toLowerCase();
  const found = await read(node, wanted, signal);
  if (found === null) return { value: { kind: 'aptosNothing', network: network.name } };
  const version = asUnsigned(getField(found, 'version'));
  const block = version === null ? null : await node.fetchBlockByVersion(version, signal);
  return { value: summaryOf(network.name, found, version, block?.blockHeight ?? null) };
};

/** Throws `no-node` where a network has an indexer only. */
export function requireFullnode({ name, fullnode: node }: AptosNetworkAccess): FullnodeClient {
  if (node !== null) return node;
  throw new HexLensError('no-node', `Aptos ${name} has no node configured.`, {
    fix: 'Add the REST address of its node to the setting hexlens.aptos.networks.',
  });
}

function read(node: FullnodeClient, wanted: string, signal: AbortSignal | undefined): Promise<RestTransaction | null> {
  if (/^\d{1,20}$/.test(wanted)) return node.fetchTransaction(BigInt(wanted), signal);
  if (/^0x[0-9a-f]{64}$/.test(wanted)) return node.fetchTransactionByHash(wanted, signal);
  const message = 'transaction must be a version (decimal digits) or a hash (0x and 64 hex digits)';
  throw badInputFault([{ field: 'transaction', message }]);
}

function summaryOf(
  network: string,
  transaction: RestTransaction,
  version: bigint | null,
  blockHeight: bigint | null,
): AptosTransactionSummary {
  const events = asArray(getField(transaction, 'events'));
  const micros = version === null ? null : asUnsigned(getField(transaction, 'timestamp'));
  return {
    kind: 'aptosTransaction',
    network,
    hash: (asString(getField(transaction, 'hash')) ?? '0x') as Hex, // a node prints no other
    status: version === null ? 'pending' : asBoolean(getField(transaction, 'success')) === true ? 'success' : 'failed',
    vmStatus: asString(getField(transaction, 'vm_status'))?.slice(0, LONGEST_STATUS) ?? null,
    version,
    type: asString(getField(transaction, 'type')) ?? 'transaction',
    sender: asAddress(getField(transaction, 'sender')),
    sequenceNumber: asUnsigned(getField(transaction, 'sequence_number')),
    entryFunction: getEntryFunction(transaction),
    gasUsed: asUnsigned(getField(transaction, 'gas_used')),
    gasUnitPrice: asUnsigned(getField(transaction, 'gas_unit_price')),
    time: micros === null ? null : new Date(Number(micros / 1000n)),
    blockHeight,
    events: events.length,
    eventTypes: events.flatMap(event => asString(getField(event, 'type')) ?? []).slice(0, MOST_TYPES),
  };
}
