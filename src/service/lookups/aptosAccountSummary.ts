// `aptosAccountSummary`: what an Aptos address is and holds: APT in both forms, sequence number, object, published packages.
import { badInput } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { APT_METADATA, padAddress } from '../aptos/address.ts';
import { primaryStore } from '../aptos/derivedIds.ts';
import type { Fullnode } from '../aptos/fullnode/fullnodeClient.ts';
import { addressOf, at, listOf, textOf, wholeOf } from '../aptos/jsonFields.ts';
import { APT_COIN } from '../aptos/moveType.ts';
import type { Json } from '../aptos/transaction.ts';
import { nodeOf } from './aptosTransactionSummary.ts';
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
  const network = aptos.find(input.network);
  const node = nodeOf(network);
  const address = padAddress(input.address);
  if (address === null) throw badInput([{ field: 'address', message: 'address must be 0x and 1 to 64 hex digits' }]);
  const resource = async (type: string): Promise<Json> => node.resource(address, type, undefined, signal);
  const [ledger, account, own, core, registry, balance, ...kinds] = await Promise.all([
    node.ledger(signal),
    node.account(address, signal),
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
      ? (textOf(at((await resource('0x4::token::TokenIdentifiers')) ?? undefined, 'name', 'value')) ??
        textOf(at(data ?? undefined, 'name')))
      : textOf(at(data ?? undefined, 'name'));
  // Since accounts need no resource any more (AIP-115), a node answers for every address: what was used counts.
  const isAccount = own !== null || (account !== null && account.sequenceNumber > 0n) || (balance ?? 0n) > 0n;
  const value = {
    kind: 'aptosAccount',
    network: network.name,
    address,
    holds: core !== null ? 'object' : isAccount ? 'account' : 'nothing',
    balance,
    sequenceNumber: isAccount ? (account?.sequenceNumber ?? null) : null,
    packages: listOf(at(registry ?? undefined, 'packages'))
      .flatMap(entry => textOf(at(entry, 'name'))?.slice(0, LONGEST_NAME) ?? [])
      .slice(0, MOST_PACKAGES),
    owner: addressOf(at(core ?? undefined, 'owner')),
    object: kind ?? null,
    name: name?.slice(0, LONGEST_NAME) ?? null,
    ledgerVersion: ledger.ledgerVersion,
  } as const;
  return { value };
};

/** Coins and fungible assets together: by the chain's own sum, else by the two places where they can be. */
async function balanceOf(node: Fullnode, address: Hex, signal: AbortSignal | undefined): Promise<bigint | null> {
  const call = { function: '0x1::coin::balance', typeArguments: [APT_COIN], arguments: [address] };
  const sum = wholeOf((await node.view(call, signal))?.[0]);
  if (sum !== null) return sum;
  const store = primaryStore(address, APT_METADATA);
  const [coins, asset, concurrent] = await Promise.all([
    node.resource(address, `0x1::coin::CoinStore<${APT_COIN}>`, undefined, signal),
    node.resource(store, '0x1::fungible_asset::FungibleStore', undefined, signal),
    node.resource(store, '0x1::fungible_asset::ConcurrentFungibleBalance', undefined, signal),
  ]);
  return (
    (wholeOf(at(coins ?? undefined, 'coin', 'value')) ?? 0n) +
    (wholeOf(at(asset ?? undefined, 'balance')) ?? 0n) +
    (wholeOf(at(concurrent ?? undefined, 'balance', 'value')) ?? 0n)
  );
}
