// The write set changes of a transaction, parsed once: the state of objects, tables and coin stores after it.
import type { Hex } from '../../../base/hex.ts';
import { asAddress, asArray, asObject, asString, getField, type JsonObject, type JsonValue } from '../jsonFields.ts';
import { getTypeArgument, MAX_COIN_TYPE_LENGTH, normalizeMoveType, parseTypeInfo } from '../moveType.ts';
import type { TokenTable } from './priorState.ts';

/** The resources of one address that the processors read, as the node decoded them. */
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
  readonly isDeleted: boolean;
  readonly handle: Hex;
  /** BCS of the key. */
  readonly rawKey: JsonValue;
  /** BCS of the value; absent when the item was deleted. */
  readonly rawValue: JsonValue;
  /** `{ key, key_type, value, value_type }` as the node decoded it; `null` from most nodes. */
  readonly data: JsonObject | null;
}

export type WriteSetChanges = ReturnType<typeof parseWriteSetChanges>;

const RESOURCE_FIELDS: Readonly<Record<string, keyof ObjectResources>> = {
  '0x1::object::ObjectCore': 'core',
  '0x1::fungible_asset::FungibleStore': 'fungibleStore',
  '0x4::token::Token': 'token',
  '0x4::token::TokenIdentifiers': 'identifiers',
  '0x4::property_map::PropertyMap': 'properties',
  '0x4::royalty::Royalty': 'royalty',
  '0x4::collection::Collection': 'collection',
  '0x4::aptos_token::AptosCollection': 'mutability',
};

const createEmptyResources = (): ObjectResources => ({
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

export function parseWriteSetChanges(changes: JsonValue) {
  /** Coin types by `account/creation number` of the event handle. */
  const eventHandleCoins = new Map<string, string>();
  const deletedStoreCoins = new Map<Hex, readonly string[]>();
  const objects = new Map<Hex, ObjectResources>();
  const tokenTables = new Map<Hex, TokenTable>();
  const deletedObjects = new Set<Hex>();
  const tableItems: TableItemChange[] = [];
  const coinTypes = new Set<string>();

  const parseCoinType = (type: string, genericName: string): string | null => {
    const typeArgument = getTypeArgument(type, genericName);
    if (typeArgument === null || typeArgument.length > MAX_COIN_TYPE_LENGTH) return null;
    const coinType = normalizeMoveType(typeArgument);
    coinTypes.add(coinType);
    return coinType;
  };
  const addTokenTable = (owner: Hex, kind: TokenTable['kind'], handle: JsonValue) => {
    const longHandle = asAddress(handle);
    if (longHandle !== null) tokenTables.set(longHandle, { owner, kind });
  };
  const addCoinStore = (coinType: string, data: JsonObject) => {
    for (const name of ['deposit_events', 'withdraw_events']) {
      const account = asAddress(getField(data, name, 'guid', 'id', 'addr'));
      const creationNumber = asString(getField(data, name, 'guid', 'id', 'creation_num'));
      if (account !== null && creationNumber !== null) eventHandleCoins.set(`${account}/${creationNumber}`, coinType);
    }
  };

  const addResource = (address: Hex, type: string, data: JsonObject) => {
    const field = Object.hasOwn(RESOURCE_FIELDS, type) ? RESOURCE_FIELDS[type] : undefined;
    if (field !== undefined) {
      const resources = objects.get(address) ?? createEmptyResources();
      resources[field] = data;
      objects.set(address, resources);
    } else if (type === '0x3::token::TokenStore') addTokenTable(address, 'tokens', getField(data, 'tokens', 'handle'));
    else if (type === '0x3::token::Collections')
      addTokenTable(address, 'tokenData', getField(data, 'token_data', 'handle'));
    else if (type === '0x3::token_transfers::PendingClaims')
      addTokenTable(address, 'claims', getField(data, 'pending_claims', 'handle'));
    else if (type === '0x1::coin::PairedCoinType') {
      const coinType = parseTypeInfo(getField(data, 'type'));
      if (coinType !== null && coinType.length <= MAX_COIN_TYPE_LENGTH) coinTypes.add(coinType);
    } else if (type.startsWith(COIN_INFO)) parseCoinType(type, COIN_INFO);
    else if (type.startsWith(COIN_STORE)) {
      const coinType = parseCoinType(type, COIN_STORE);
      if (coinType !== null) addCoinStore(coinType, data);
    }
  };
  const deleteResource = (address: Hex, type: string) => {
    if (type === '0x1::object::ObjectGroup' || type === '0x4::token::Token') {
      deletedObjects.add(address);
      return;
    }
    const coinType = parseCoinType(type, COIN_STORE);
    if (coinType !== null) deletedStoreCoins.set(address, [...(deletedStoreCoins.get(address) ?? []), coinType]);
  };

  for (const change of asArray(changes)) {
    const kind = asString(getField(change, 'type'));
    if (kind === 'write_resource') {
      const address = asAddress(getField(change, 'address'));
      const type = asString(getField(change, 'data', 'type'));
      const data = asObject(getField(change, 'data', 'data'));
      if (address !== null && type !== null && data !== null) addResource(address, type, data);
    } else if (kind === 'delete_resource') {
      const address = asAddress(getField(change, 'address'));
      const type = asString(getField(change, 'resource'));
      if (address !== null && type !== null) deleteResource(address, type);
    } else if (kind === 'write_table_item' || kind === 'delete_table_item') {
      const handle = asAddress(getField(change, 'handle'));
      if (handle === null) continue;
      tableItems.push({
        isDeleted: kind === 'delete_table_item',
        handle,
        rawKey: getField(change, 'key'),
        rawValue: getField(change, 'value'),
        data: asObject(getField(change, 'data')),
      });
    }
  }
  return {
    /** The coin type of an event handle of a coin store in this transaction. */
    getEventHandleCoin: (account: Hex, creationNumber: bigint): string | null =>
      eventHandleCoins.get(`${account}/${creationNumber}`) ?? null,
    /** The coin type of the coin store that an account lost in this transaction; `null` when there were several. */
    getDeletedStoreCoin(account: Hex): string | null {
      const storeCoins = deletedStoreCoins.get(account);
      return storeCoins?.length === 1 ? (storeCoins[0] ?? null) : null;
    },
    objects,
    /** Objects whose deletion is among the changes. */
    deletedObjects,
    /** Token tables by handle. */
    tokenTables,
    tableItems,
    coinTypes,
  };
}
