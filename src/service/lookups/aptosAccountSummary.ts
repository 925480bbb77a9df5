// `aptosAccountSummary`: kind, APT balance, sequence number, object and published packages of an Aptos address.

import { parseAptosAddress } from '../../base/aptosAddress.ts';
import { createBadInputFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { APT_METADATA_ADDRESS } from '../aptos/address.ts';
import { getPrimaryStoreAddress } from '../aptos/derivedIds.ts';
import type { FullnodeClient } from '../aptos/fullnode/fullnodeClient.ts';
import { asAddress, asArray, asString, asUnsigned, getField, type Json } from '../aptos/jsonFields.ts';
import { APT_COIN_TYPE } from '../aptos/moveType.ts';
import { type Lookup, requireFullnode } from './lookup.ts';

const MAX_PACKAGES = 8;
const MAX_NAME_LENGTH = 64;

/** Kinds of objects by their resource, the most specific first. */
const OBJECT_KINDS = [
  ['0x4::token::Token', 'token'],
  ['0x4::collection::Collection', 'collection'],
  ['0x1::fungible_asset::Metadata', 'fungibleAsset'],
  ['0x1::fungible_asset::FungibleStore', 'assetStore'],
] as const;

export const aptosAccountSummary: Lookup<'aptosAccountSummary'> = async (input, { aptos }, signal) => {
  const network = aptos.get(input.network);
  const fullnode = requireFullnode(network);
  const address = parseAptosAddress(input.address);
  if (address === null)
    throw createBadInputFault([{ field: 'address', message: 'address must be 0x and 1 to 64 hex digits' }]);
  const fetchResource = async (type: string): Promise<Json> => fullnode.fetchResource(address, type, undefined, signal);
  const [ledger, account, accountResource, objectCore, packageRegistry, balance, ...kindResources] = await Promise.all([
    fullnode.fetchLedgerInfo(signal),
    fullnode.fetchAccount(address, signal),
    fetchResource('0x1::account::Account'),
    fetchResource('0x1::object::ObjectCore'),
    fetchResource('0x1::code::PackageRegistry'),
    fetchAptBalance(fullnode, address, signal),
    ...OBJECT_KINDS.map(([type]) => fetchResource(type)),
  ]);
  const [kind, data] =
    OBJECT_KINDS.map(([, name], index) => [name, kindResources[index] ?? null] as const).find(
      ([, resource]) => resource !== null,
    ) ?? [];
  const name =
    kind === 'token'
      ? (asString(getField((await fetchResource('0x4::token::TokenIdentifiers')) ?? undefined, 'name', 'value')) ??
        asString(getField(data ?? undefined, 'name')))
      : asString(getField(data ?? undefined, 'name'));
  // Nodes return an account for every address, as accounts need no resource (AIP-115): only used ones count.
  const isAccount =
    accountResource !== null || (account !== null && account.sequenceNumber > 0n) || (balance ?? 0n) > 0n;
  const value = {
    kind: 'aptosAccount',
    network: network.name,
    address,
    holds: objectCore !== null ? 'object' : isAccount ? 'account' : 'nothing',
    balance,
    sequenceNumber: isAccount ? (account?.sequenceNumber ?? null) : null,
    packages: asArray(getField(packageRegistry ?? undefined, 'packages'))
      .flatMap(entry => asString(getField(entry, 'name'))?.slice(0, MAX_NAME_LENGTH) ?? [])
      .slice(0, MAX_PACKAGES),
    owner: asAddress(getField(objectCore ?? undefined, 'owner')),
    object: kind ?? null,
    name: name?.slice(0, MAX_NAME_LENGTH) ?? null,
    ledgerVersion: ledger.ledgerVersion,
  } as const;
  return { value };
};

/** APT as coin and as fungible asset: the sum of the chain's view function, or of the resources where it is missing. */
async function fetchAptBalance(
  fullnode: FullnodeClient,
  address: Hex,
  signal: AbortSignal | undefined,
): Promise<bigint | null> {
  const call = { function: '0x1::coin::balance', typeArguments: [APT_COIN_TYPE], arguments: [address] };
  const sum = asUnsigned((await fullnode.callView(call, signal))?.[0]);
  if (sum !== null) return sum;
  const store = getPrimaryStoreAddress(address, APT_METADATA_ADDRESS);
  const [coinStore, fungibleStore, concurrentBalance] = await Promise.all([
    fullnode.fetchResource(address, `0x1::coin::CoinStore<${APT_COIN_TYPE}>`, undefined, signal),
    fullnode.fetchResource(store, '0x1::fungible_asset::FungibleStore', undefined, signal),
    fullnode.fetchResource(store, '0x1::fungible_asset::ConcurrentFungibleBalance', undefined, signal),
  ]);
  return (
    (asUnsigned(getField(coinStore ?? undefined, 'coin', 'value')) ?? 0n) +
    (asUnsigned(getField(fungibleStore ?? undefined, 'balance')) ?? 0n) +
    (asUnsigned(getField(concurrentBalance ?? undefined, 'balance', 'value')) ?? 0n)
  );
}
