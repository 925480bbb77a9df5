// `aptosCoinSummary`: name, symbol and decimals of a coin type, from the coin itself or from the fungible asset that it became.
import { badInputFault } from '../../base/errors.ts';
import { toLongAddress } from '../aptos/address.ts';
import { getPairedMetadataAddress } from '../aptos/derivedIds.ts';
import { asString, getField } from '../aptos/jsonFields.ts';
import { MAX_COIN_TYPE_LENGTH, normalizeMoveType } from '../aptos/moveType.ts';
import { requireFullnode } from './aptosTransactionSummary.ts';
import type { Lookup } from './lookup.ts';

const TYPE = /^(0x[0-9a-f]{1,64})::[a-z_]\w*::[a-z_]\w*(?:<.+>)?$/i;
const LONGEST_NAME = 64;

export const aptosCoinSummary: Lookup<'aptosCoinSummary'> = async (input, { aptos }, signal) => {
  const network = aptos.get(input.network);
  const node = requireFullnode(network);
  const coinType = normalizeMoveType(input.coinType);
  const account = toLongAddress(TYPE.exec(coinType)?.[1]);
  if (account === null || coinType.length > MAX_COIN_TYPE_LENGTH)
    throw badInputFault([{ field: 'coinType', message: 'coinType must be <address>::<module>::<name>' }]);
  const metadata = getPairedMetadataAddress(coinType);
  const [coin, asset] = await Promise.all([
    node.fetchResource(account, `0x1::coin::CoinInfo<${coinType}>`, undefined, signal),
    node.fetchResource(metadata, '0x1::fungible_asset::Metadata', undefined, signal),
  ]);
  const said = coin ?? asset ?? undefined;
  const decimals = getField(said, 'decimals');
  const value = {
    kind: 'aptosCoin',
    network: network.name,
    coinType,
    name: asString(getField(said, 'name'))?.slice(0, LONGEST_NAME) ?? null,
    symbol: asString(getField(said, 'symbol'))?.slice(0, LONGEST_NAME) ?? null,
    decimals: decimals === undefined || !/^\d{1,3}$/.test(String(decimals)) ? null : Number(String(decimals)),
    metadata,
    asCoin: coin !== null,
    asFungibleAsset: asset !== null,
  } as const;
  return { value };
};
