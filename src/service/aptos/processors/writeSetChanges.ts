// One pass over a transaction's changes: what each address, table and event handle holds after it.

import type { Hex } from '../../../base/hex.ts';
import { toLongAddress } from '../address.ts';
import { asAddress, asArray, asObject, asString, getField, type JsonObject, type JsonValue } from '../jsonFields.ts';
import { getTypeArgument, MAX_COIN_TYPE_LENGTH, normalizeMoveType } from '../moveType.ts';
import type { TokenTable } from './priorState.ts';

/** The resources of one address that the rules read, as the node decoded them. */
export interface ObjectResources {
  core: JsonObject | null;
  fungibleStore: JsonObject | null;
  token: JsonObject | null;
  identifiers: JsonObject | null;
  properties: JsonObject | null;
  royalty: JsonObject | null;
  collection: JsonObject | null;
  mutability: JsonObject | null;
}

export interface TableItemChange {
  readonly deleted: boolean;
  readonly handle: Hex;
  /** BCS of the key, and of the value unless it was deleted. */
  readonly rawKey: JsonValue;
  readonly rawValue: JsonValue;
  /** What the node decoded: `{ key, key_type, value, value_type }`; most nodes send `null`. */
  readonly data: JsonObject | null;
}

export interface WriteSetChanges {
  /** Coin type of an event handle of this transaction's coin stores. */
  getEventHandleCoin(account: Hex, creationNumber: bigint): string | null;
  /** Coin type of the coin store that this transaction took away from an account; `null` too when there were several. */
  getDeletedStoreCoin(account: Hex): string | null;
  readonly objects: ReadonlyMap<Hex, ObjectResources>;
  /** Objects that are no more, as far as the changes say so. */
  readonly deletedObjects: ReadonlySet<Hex>;
  readonly tokenTables: ReadonlyMap<Hex, TokenTable>;
  readonly tableItems: readonly TableItemChange[];
  readonly coinTypes: ReadonlySet<string>;
}

const RESOURCES: Readonly<Record<string, keyof ObjectResources>> = {
  '0x1::object::ObjectCore': 'core',
  '0x1::fungible_asset::FungibleStore': 'fungibleStore',
  '0x4::token::Token': 'token',
  '0x4::token::TokenIdentifiers': 'identifiers',
  '0x4::property_map::PropertyMap': 'properties',
  '0x4::royalty::Royalty': 'royalty',
  '0x4::collection::Collection': 'collection',
  '0x4::aptos_token::AptosCollection': 'mutability',
};

const blank = (): ObjectResources => ({
  core: null,
  fungibleStore: null,
  token: null,
  identifiers: null,
  properties: null,
  royalty: null,
  collection: null,
  mutability: null,
});

const COIN_STORE = '0x1::coin::CoinStore';
const COIN_INFO = '0x1::coin::CoinInfo';

/** Module and struct names are hex of ASCII in a `TypeInfo`. */
function typeOfInfo(info: JsonValue): string | null {
  const account = asAddress(getField(info, 'account_address'));
  const names = ['module_name', 'struct_name'].map(name => asString(getField(info, name)));
  if (account === null || !names.every(name => name !== null && /^0x([0-9a-f]{2})+$/i.test(name))) return null;
  const [module, struct] = names.map(name => Buffer.from((name ?? '').slice(2), 'hex').toString('utf8'));
  return normalizeMoveType(`${account}::${module}::${struct}`);
}

export function parseWriteSetChanges(changes: JsonValue): WriteSetChanges {
  const handles = new Map<string, string>();
  const deletedStores = new Map<Hex, readonly string[]>();
  const objects = new Map<Hex, ObjectResources>();
  const tables = new Map<Hex, TokenTable>();
  const deletedObjects = new Set<Hex>();
  const items: TableItemChange[] = [];
  const coinTypes = new Set<string>();

  const coinOf = (type: string, name: string): string | null => {
    const generic = getTypeArgument(type, name);
    if (generic === null || generic.length > MAX_COIN_TYPE_LENGTH) return null;
    const coin = normalizeMoveType(generic);
    coinTypes.add(coin);
    return coin;
  };
  const table = (owner: Hex, kind: TokenTable['kind'], handle: JsonValue) => {
    const padded = toLongAddress(handle);
    if (padded !== null) tables.set(padded, { owner, kind });
  };

  const written = (address: Hex, type: string, data: JsonObject) => {
    const part = Object.hasOwn(RESOURCES, type) ? RESOURCES[type] : undefined;
    if (part !== undefined) {
      const state = objects.get(address) ?? blank();
      state[part] = data;
      objects.set(address, state);
    } else if (type === '0x3::token::TokenStore') table(address, 'tokens', getField(data, 'tokens', 'handle'));
    else if (type === '0x3::token::Collections') table(address, 'tokenData', getField(data, 'token_data', 'handle'));
    else if (type === '0x3::token_transfers::PendingClaims')
      table(address, 'claims', getField(data, 'pending_claims', 'handle'));
    else if (type === '0x1::coin::PairedCoinType') {
      const coin = typeOfInfo(getField(data, 'type'));
      if (coin !== null && coin.length <= MAX_COIN_TYPE_LENGTH) coinTypes.add(coin);
    } else if (type.startsWith(COIN_INFO)) coinOf(type, COIN_INFO);
    else if (type.startsWith(COIN_STORE)) {
      const coin = coinOf(type, COIN_STORE);
      if (coin === null) return;
      for (const name of ['deposit_events', 'withdraw_events']) {
        const account = asAddress(getField(data, name, 'guid', 'id', 'addr'));
        const number = asString(getField(data, name, 'guid', 'id', 'creation_num'));
        if (account !== null && number !== null) handles.set(`${account}/${number}`, coin);
      }
    }
  };

  for (const change of asArray(changes)) {
    const kind = asString(getField(change, 'type'));
    if (kind === 'write_resource' || kind === 'delete_resource') {
      const address = asAddress(getField(change, 'address'));
      const type = asString(
        kind === 'write_resource' ? getField(change, 'data', 'type') : getField(change, 'resource'),
      );
      if (address === null || type === null) continue;
      const data = asObject(getField(change, 'data', 'data'));
      if (kind === 'write_resource') {
        if (data !== null) written(address, type, data);
      } else if (type === '0x1::object::ObjectGroup' || type === '0x4::token::Token') deletedObjects.add(address);
      else {
        const coin = coinOf(type, COIN_STORE);
        if (coin !== null) deletedStores.set(address, [...(deletedStores.get(address) ?? []), coin]);
      }
    } else if (kind === 'write_table_item' || kind === 'delete_table_item') {
      const handle = asAddress(getField(change, 'handle'));
      if (handle === null) continue;
      items.push({
        deleted: kind === 'delete_table_item',
        handle,
        rawKey: getField(change, 'key'),
        rawValue: getField(change, 'value'),
        data: asObject(getField(change, 'data')),
      });
    }
  }
  return {
    getEventHandleCoin: (account, creationNumber) => handles.get(`${account}/${creationNumber}`) ?? null,
    getDeletedStoreCoin(account) {
      const coins = deletedStores.get(account);
      return coins?.length === 1 ? (coins[0] ?? null) : null;
    },
    objects,
    deletedObjects,
    tokenTables: tables,
    tableItems: items,
    coinTypes,
  };
}
