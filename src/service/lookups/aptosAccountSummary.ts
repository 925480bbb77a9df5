// `aptosAccountSummary`: what an Aptos address is and holds: APT in both forms, sequence number, object, published packages.
import { badInputFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { APT_METADATA_ADDRESS, toLongAddress } from '../aptos/address.ts';
import { getPrimaryStoreAddress } from '../aptos/derivedIds.ts';
import type { FullnodeClient } from '../aptos/fullnode/fullnodeClient.ts';
import { asAddress, asArray, asString, asUnsigned, getField } from '../aptos/jsonFields.ts';
import { APT_COIN_TYPE } from '../aptos/moveType.ts';
import type { Json } from '../aptos/transaction.ts';
import { requireFullnode } from './aptosTransactionSummary.ts';
import type { Lookup } from './lookup.ts';

const MOST_PACKAGES = 8;
const LONGEST_NAME = 64;

/** The object's kind by the resource that makes it one, most telling first. */
const KINDS = [
  ['0x4::token::Token', 'token'],
  ['0x4::collection::Collection', 'collection'],
  ['0x1::fungible_asset::Metadata', 'fungibleAsset'],
  ['0x1::fungible_asset::FungibleStore', 'assetStore'],
] as const;

export const aptosAccountSummary: Lookup<'aptosAccountSummary'> = async (input, { aptos }, signal) => {
  const network = aptos.get(input.network);
  const node = requireFullnode(network);
  const address = toLongAddress(input.address);
  if (address === null)
    throw badInputFault([{ field: 'address', message: 'address must be 0x and 1 to 64 hex digits' }]);
  const resource = async (type: string): Promise<Json> => node.fetchResource(address, type, undefined, signal);
  const [ledger, account, own, core, registry, balance, ...kinds] = await Promise.all([
    node.fetchLedgerInfo(signal),
    node.fetchAccount(address, signal),
    resource('0x1::account::Account'),
    resource('0x1::object::ObjectCore'),
    resource('0x1::code::PackageRegistry'),
    balanceOf(node, address, signal),
    ...KINDS.map(([type]) => resource(type)),
  ]);
  const [kind, data] =
    KINDS.map(([, name], index) => [name, kinds[index] ?? null] as const).find(([, found]) => found !== null) ?? [];
  const name =
    kind === 'token'
      ? (asString(getField((await resource('0x4::token::TokenIdentifiers')) ?? undefined, 'name', 'value')) ??
        asString(getField(data ?? undefined, 'name')))
      : asString(getField(data ?? undefined, 'name'));
  // Since accounts need no resource any more (AIP-115), a node answers for every address: what was used counts.
  const isAccount = own !== null || (account !== null && account.sequenceNumber > 0n) || (balance ?? 0n) > 0n;
  const value = {
    kind: 'aptosAccount',
    network: network.name,
    address,
    holds: core !== null ? 'object' : isAccount ? 'account' : 'nothing',
    balance,
    sequenceNumber: isAccount ? (account?.sequenceNumber ?? null) : null,
    packages: asArray(getField(registry ?? undefined, 'packages'))
      .flatMap(entry => asString(getField(entry, 'name'))?.slice(0, LONGEST_NAME) ?? [])
      .slice(0, MOST_PACKAGES),
    owner: asAddress(getField(core ?? undefined, 'owner')),
    object: kind ?? null,
    name: name?.slice(0, LONGEST_NAME) ?? null,
    ledgerVersion: ledger.ledgerVersion,
  } as const;
  return { value };
};

/** Coins and fungible assets together: by the chain's own sum, else by the two places where they can be. */
async function balanceOf(node: FullnodeClient, address: Hex, signal: AbortSignal | undefined): Promise<bigint | null> {
  const call = { function: '0x1::coin::balance', typeArguments: [APT_COIN_TYPE], arguments: [address] };
  const sum = asUnsigned((await node.callView(call, signal))?.[0]);
  if (sum !== null) return sum;
  const store = getPrimaryStoreAddress(address, APT_METADATA_ADDRESS);
  const [coins, asset, concurrent] = await Promise.all([
    node.fetchResource(address, `0x1::coin::CoinStore<${APT_COIN_TYPE}>`, undefined, signal),
    node.fetchResource(store, '0x1::fungible_asset::FungibleStore', undefined, signal),
    node.fetchResource(store, '0x1::fungible_asset::ConcurrentFungibleBalance', undefined, signal),
  ]);
  return (
    (asUnsigned(getField(coins ?? undefined, 'coin', 'value')) ?? 0n) +
    (asUnsigned(getField(asset ?? undefined, 'balance')) ?? 0n) +
    (asUnsigned(getField(concurrent ?? undefined, 'balance', 'value')) ?? 0n)
  );
}
