// `aptosCoinSummary`: name, symbol and decimals of a coin type, from the coin or from its paired fungible asset.

import { parseAptosAddress } from '../../base/aptosAddress.ts';
import { createBadInputFault } from '../../base/errors.ts';
import { getPairedMetadataAddress } from '../aptos/derivedIds.ts';
import { asString, getField } from '../aptos/jsonFields.ts';
import { MAX_COIN_TYPE_LENGTH, normalizeMoveType } from '../aptos/moveType.ts';
import { type Lookup, requireFullnode } from './lookup.ts';

const COIN_TYPE = /^(0x[0-9a-f]{1,64})::[a-z_]\w*::[a-z_]\w*(?:<.+>)?$/i;
const MAX_NAME_LENGTH = 64;

export const aptosCoinSummary: Lookup<'aptosCoinSummary'> = async (input, { aptos }, signal) => {
  const network = aptos.get(input.network);
  const fullnode = requireFullnode(network);
  const coinType = normalizeMoveType(input.coinType);
  const account = parseAptosAddress(COIN_TYPE.exec(coinType)?.[1]);
  if (account === null || coinType.length > MAX_COIN_TYPE_LENGTH)
    throw createBadInputFault([{ field: 'coinType', message: 'coinType must be <address>::<module>::<name>' }]);
  const metadata = getPairedMetadataAddress(coinType);
  const [coin, asset] = await Promise.all([
    fullnode.fetchResource(account, `0x1::coin::CoinInfo<${coinType}>`, undefined, signal),
    fullnode.fetchResource(metadata, '0x1::fungible_asset::Metadata', undefined, signal),
  ]);
  const info = coin ?? asset ?? undefined;
  const decimals = getField(info, 'decimals');
  const value = {
    kind: 'aptosCoin',
    network: network.name,
    coinType,
    name: asString(getField(info, 'name'))?.slice(0, MAX_NAME_LENGTH) ?? null,
    symbol: asString(getField(info, 'symbol'))?.slice(0, MAX_NAME_LENGTH) ?? null,
    decimals: decimals === undefined || !/^\d{1,3}$/.test(String(decimals)) ? null : Number(String(decimals)),
    metadata,
    asCoin: coin !== null,
    asFungibleAsset: asset !== null,
  } as const;
  return { value };
};
