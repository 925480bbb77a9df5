// `aptosTransactionSummary`: a transaction of an Aptos network by version or hash, with the height of its block.

import type { AptosTransactionSummary } from '../../api/lookups.ts';
import { badInput, HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { NetworkAccess } from '../aptos/aptosNetworks.ts';
import { entryFunctionOf } from '../aptos/entryFunction.ts';
import type { Fullnode } from '../aptos/fullnode/fullnodeClient.ts';
import { addressOf, at, boolOf, listOf, textOf, wholeOf } from '../aptos/jsonFields.ts';
import type { RestTransaction } from '../aptos/transaction.ts';
import type { Lookup } from './lookup.ts';

const MOST_TYPES = 8;
const LONGEST_STATUS = 200;

export const aptosTransactionSummary: Lookup<'aptosTransactionSummary'> = async (input, { aptos }, signal) => {
  const network = aptos.find(input.network);
  const node = nodeOf(network);
  const wanted = input.transaction.trim().toLowerCase();
  const found = await read(node, wanted, signal);
  if (found === null) return { value: { kind: 'aptosNothing', network: network.name } };
  const version = wholeOf(at(found, 'version'));
  const block = version === null ? null : await node.blockByVersion(version, signal);
  return { value: summaryOf(network.name, found, version, block?.blockHeight ?? null) };
};

/** Throws `no-node` where a network has an indexer only. */
export function nodeOf({ name, node }: NetworkAccess): Fullnode {
  if (node !== null) return node;
  throw new HexLensError('no-node', `Aptos ${name} has no node configured.`, {
    fix: 'Add the REST address of its node to the setting hexlens.aptos.networks.',
  });
}

function read(node: Fullnode, wanted: string, signal: AbortSignal | undefined): Promise<RestTransaction | null> {
  if (/^\d{1,20}$/.test(wanted)) return node.transaction(BigInt(wanted), signal);
  if (/^0x[0-9a-f]{64}$/.test(wanted)) return node.transactionByHash(wanted, signal);
  const message = 'transaction must be a version (decimal digits) or a hash (0x and 64 hex digits)';
  throw badInput([{ field: 'transaction', message }]);
}

function summaryOf(
  network: string,
  transaction: RestTransaction,
  version: bigint | null,
  blockHeight: bigint | null,
): AptosTransactionSummary {
  const events = listOf(at(transaction, 'events'));
  const micros = version === null ? null : wholeOf(at(transaction, 'timestamp'));
  return {
    kind: 'aptosTransaction',
    network,
    hash: (textOf(at(transaction, 'hash')) ?? '0x') as Hex, // a node prints no other
    status: version === null ? 'pending' : boolOf(at(transaction, 'success')) === true ? 'success' : 'failed',
    vmStatus: textOf(at(transaction, 'vm_status'))?.slice(0, LONGEST_STATUS) ?? null,
    version,
    type: textOf(at(transaction, 'type')) ?? 'transaction',
    sender: addressOf(at(transaction, 'sender')),
    sequenceNumber: wholeOf(at(transaction, 'sequence_number')),
    entryFunction: entryFunctionOf(transaction),
    gasUsed: wholeOf(at(transaction, 'gas_used')),
    gasUnitPrice: wholeOf(at(transaction, 'gas_unit_price')),
    time: micros === null ? null : new Date(Number(micros / 1000n)),
    blockHeight,
    events: events.length,
    eventTypes: events.flatMap(event => textOf(at(event, 'type')) ?? []).slice(0, MOST_TYPES),
  };
}
