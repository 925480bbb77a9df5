// One pass over a transaction's changes: what each address, table and event handle holds after it.
import type { Hex } from '../../../base/hex.ts';
import { padAddress } from '../address.ts';
import { addressOf, at, listOf, objectOf, textOf, type Value } from '../jsonFields.ts';
import { genericOf, LONGEST_COIN_TYPE, normaliseType } from '../moveType.ts';
import type { JsonObject } from '../transaction.ts';
import type { KnownTable } from './priorState.ts';

/** The resources of one address that the rules read, as the node decoded them. */
export interface ObjectState {
  core: JsonObject | null;
  assetStore: JsonObject | null;
  token: JsonObject | null;
  identifiers: JsonObject | null;
  properties: JsonObject | null;
  royalty: JsonObject | null;
  collection: JsonObject | null;
  mutability: JsonObject | null;
}

export interface TableItem {
  readonly deleted: boolean;
  readonly handle: Hex;
  /** BCS of the key, and of the value unless it was deleted. */
  readonly rawKey: Value;
  readonly rawValue: Value;
  /** What the node decoded: `{ key, key_type, value, value_type }`; most nodes send `null`. */
  readonly data: JsonObject | null;
}

export interface Changes {
  /** Coin type of an event handle of this transaction's coin stores. */
  handleCoin(account: Hex, creationNumber: bigint): string | null;
  /** Coin type of the coin store that this transaction took away from an account; `null` too when there were several. */
  deletedCoin(account: Hex): string | null;
  readonly objects: ReadonlyMap<Hex, ObjectState>;
  /** Objects that are no more, as far as the changes say so. */
  readonly deletedObjects: ReadonlySet<Hex>;
  readonly tables: ReadonlyMap<Hex, KnownTable>;
  readonly items: readonly TableItem[];
  readonly coinTypes: ReadonlySet<string>;
}

const RESOURCES: Readonly<Record<string, keyof ObjectState>> = {
  '0x1::object::ObjectCore': 'core',
  '0x1::fungible_asset::FungibleStore': 'assetStore',
  '0x4::token::Token': 'token',
  '0x4::token::TokenIdentifiers': 'identifiers',
  '0x4::property_map::PropertyMap': 'properties',
  '0x4::royalty::Royalty': 'royalty',
  '0x4::collection::Collection': 'collection',
  '0x4::aptos_token::AptosCollection': 'mutability',
};

const blank = (): ObjectState => ({
  core: null,
  assetStore: null,
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
function typeOfInfo(info: Value): string | null {
  const account = addressOf(at(info, 'account_address'));
  const names = ['module_name', 'struct_name'].map(name => textOf(at(info, name)));
  if (account === null || !names.every(name => name !== null && /^0x([0-9a-f]{2})+$/i.test(name))) return null;
  const [module, struct] = names.map(name => Buffer.from((name ?? '').slice(2), 'hex').toString('utf8'));
  return normaliseType(`${account}::${module}::${struct}`);
}

export function readChanges(changes: Value): Changes {
  const handles = new Map<string, string>();
  const deletedStores = new Map<Hex, readonly string[]>();
  const objects = new Map<Hex, ObjectState>();
  const tables = new Map<Hex, KnownTable>();
  const deletedObjects = new Set<Hex>();
  const items: TableItem[] = [];
  const coinTypes = new Set<string>();

  const coinOf = (type: string, name: string): string | null => {
    const generic = genericOf(type, name);
    if (generic === null || generic.length > LONGEST_COIN_TYPE) return null;
    const coin = normaliseType(generic);
    coinTypes.add(coin);
    return coin;
  };
  const table = (owner: Hex, kind: KnownTable['kind'], handle: Value) => {
    const padded = padAddress(handle);
    if (padded !== null) tables.set(padded, { owner, kind });
  };

  const written = (address: Hex, type: string, data: JsonObject) => {
    const part = Object.hasOwn(RESOURCES, type) ? RESOURCES[type] : undefined;
    if (part !== undefined) {
      const state = objects.get(address) ?? blank();
      state[part] = data;
      objects.set(address, state);
    } else if (type === '0x3::token::TokenStore') table(address, 'tokens', at(data, 'tokens', 'handle'));
    else if (type === '0x3::token::Collections') table(address, 'tokenData', at(data, 'token_data', 'handle'));
    else if (type === '0x3::token_transfers::PendingClaims')
      table(address, 'claims', at(data, 'pending_claims', 'handle'));
    else if (type === '0x1::coin::PairedCoinType') {
      const coin = typeOfInfo(at(data, 'type'));
      if (coin !== null && coin.length <= LONGEST_COIN_TYPE) coinTypes.add(coin);
    } else if (type.startsWith(COIN_INFO)) coinOf(type, COIN_INFO);
    else if (type.startsWith(COIN_STORE)) {
      const coin = coinOf(type, COIN_STORE);
      if (coin === null) return;
      for (const name of ['deposit_events', 'withdraw_events']) {
        const account = addressOf(at(data, name, 'guid', 'id', 'addr'));
        const number = textOf(at(data, name, 'guid', 'id', 'creation_num'));
        if (account !== null && number !== null) handles.set(`${account}/${number}`, coin);
      }
    }
  };

  for (const change of listOf(changes)) {
    const kind = textOf(at(change, 'type'));
    if (kind === 'write_resource' || kind === 'delete_resource') {
      const address = addressOf(at(change, 'address'));
      const type = textOf(kind === 'write_resource' ? at(change, 'data', 'type') : at(change, 'resource'));
      if (address === null || type === null) continue;
      const data = objectOf(at(change, 'data', 'data'));
      if (kind === 'write_resource') {
        if (data !== null) written(address, type, data);
      } else if (type === '0x1::object::ObjectGroup' || type === '0x4::token::Token') deletedObjects.add(address);
      else {
        const coin = coinOf(type, COIN_STORE);
        if (coin !== null) deletedStores.set(address, [...(deletedStores.get(address) ?? []), coin]);
      }
    } else if (kind === 'write_table_item' || kind === 'delete_table_item') {
      const handle = addressOf(at(change, 'handle'));
      if (handle === null) continue;
      items.push({
        deleted: kind === 'delete_table_item',
        handle,
        rawKey: at(change, 'key'),
        rawValue: at(change, 'value'),
        data: objectOf(at(change, 'data')),
      });
    }
  }
  return {
    handleCoin: (account, creationNumber) => handles.get(`${account}/${creationNumber}`) ?? null,
    deletedCoin(account) {
      const coins = deletedStores.get(account);
      return coins?.length === 1 ? (coins[0] ?? null) : null;
    },
    objects,
    deletedObjects,
    tables,
    items,
    coinTypes,
  };
}
