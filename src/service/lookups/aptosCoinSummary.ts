// `aptosCoinSummary`: name, symbol and decimals of a coin type, from the coin itself or from the fungible asset that it became.
import { badInput } from '../../base/errors.ts';
import { padAddress } from '../aptos/address.ts';
import { pairedMetadata } from '../aptos/derivedIds.ts';
import { at, textOf } from '../aptos/jsonFields.ts';
import { LONGEST_COIN_TYPE, normaliseType } from '../aptos/moveType.ts';
import { nodeOf } from './aptosTransactionSummary.ts';
import type { Lookup } from './lookup.ts';

const TYPE = /^(0x[0-9a-f]{1,64})::[a-z_]\w*::[a-z_]\w*(?:<.+>)?$/i;
const LONGEST_NAME = 64;

export const aptosCoinSummary: Lookup<'aptosCoinSummary'> = async (input, { aptos }, signal) => {
  const network = aptos.find(input.network);
  const node = nodeOf(network);
  const coinType = normaliseType(input.coinType);
  const account = padAddress(TYPE.exec(coinType)?.[1]);
  if (account === null || coinType.length > LONGEST_COIN_TYPE)
    throw badInput([{ field: 'coinType', message: 'coinType must be <address>::<module>::<name>' }]);
  const metadata = pairedMetadata(coinType);
  const [coin, asset] = await Promise.all([
    node.resource(account, `0x1::coin::CoinInfo<${coinType}>`, undefined, signal),
    node.resource(metadata, '0x1::fungible_asset::Metadata', undefined, signal),
  ]);
  const said = coin ?? asset ?? undefined;
  const decimals = at(said, 'decimals');
  const value = {
    kind: 'aptosCoin',
    network: network.name,
    coinType,
    name: textOf(at(said, 'name'))?.slice(0, LONGEST_NAME) ?? null,
    symbol: textOf(at(said, 'symbol'))?.slice(0, LONGEST_NAME) ?? null,
    decimals: decimals === undefined || !/^\d{1,3}$/.test(String(decimals)) ? null : Number(String(decimals)),
    metadata,
    asCoin: coin !== null,
    asFungibleAsset: asset !== null,
  } as const;
  return { value };
};
