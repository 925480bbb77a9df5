// The write set changes of a transaction, parsed once: the state of objects, tables and coin stores after it.
import { getOrInsert } from '../../../base/getOrInsert.ts';
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

const RESOURCE_FIELDS: ReadonlyMap<string, keyof ObjectResources> = new Map(
  Object.entries({
    '0x1::object::ObjectCore': 'core',
    '0x1::fungible_asset::FungibleStore': 'fungibleStore',
    '0x4::token::Token': 'token',
    '0x4::token::TokenIdentifiers': 'identifiers',
    '0x4::property_map::PropertyMap': 'properties',
    '0x4::royalty::Royalty': 'royalty',
    '0x4::collection::Collection': 'collection',
    '0x4::aptos_token::AptosCollection': 'mutability',
  } as const),
);

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

interface EventHandleCoin {
  readonly creationNumber: string;
  readonly coinType: string;
}

export class WriteSetChanges {
  readonly objects = new Map<Hex, ObjectResources>();
  /** Objects whose deletion is among the changes. */
  readonly deletedObjects = new Set<Hex>();
  /** Token tables by handle. */
  readonly tokenTables = new Map<Hex, TokenTable>();
  readonly tableItems: TableItemChange[] = [];
  readonly coinTypes = new Set<string>();
  /** Coin types by account and creation number of the event handle. */
  readonly #eventHandleCoins = new Map<Hex, EventHandleCoin[]>();
  /** Coin types of the coin stores that each account lost. */
  readonly #deletedStoreCoins = new Map<Hex, readonly string[]>();

  constructor(changes: JsonValue) {
    for (const change of asArray(changes)) {
      const fields = asObject(change);
      const kind = fields?.['type'];
      if (kind === 'write_resource') {
        const address = asAddress(fields?.['address']);
        const resource = asObject(fields?.['data']);
        const type = asString(resource?.['type']);
        const data = asObject(resource?.['data']);
        if (address !== null && type !== null && data !== null) this.#addResource(address, type, data);
      } else if (kind === 'delete_resource') {
        const address = asAddress(fields?.['address']);
        const type = asString(fields?.['resource']);
        if (address !== null && type !== null) this.#deleteResource(address, type);
      } else if (kind === 'write_table_item' || kind === 'delete_table_item')
        this.#addTableItem(change, kind === 'delete_table_item');
    }
  }

  /** The coin type of an event handle of a coin store in this transaction. */
  getEventHandleCoin(account: Hex, creationNumber: bigint): string | null {
    const coins = this.#eventHandleCoins.get(account);
    if (coins === undefined) return null;
    const number = creationNumber.toString();
    return coins.findLast(coin => coin.creationNumber === number)?.coinType ?? null;
  }

  /** The coin type of the coin store that an account lost in this transaction; `null` when there were several. */
  getDeletedStoreCoin(account: Hex): string | null {
    const storeCoins = this.#deletedStoreCoins.get(account);
    return storeCoins?.length === 1 ? (storeCoins[0] ?? null) : null;
  }

  #addResource(address: Hex, type: string, data: JsonObject): void {
    const field = RESOURCE_FIELDS.get(type);
    if (field !== undefined) getOrInsert(this.objects, address, createEmptyResources)[field] = data;
    else if (type === '0x3::token::TokenStore')
      this.#addTokenTable(address, 'tokens', getField(data, 'tokens', 'handle'));
    else if (type === '0x3::token::Collections')
      this.#addTokenTable(address, 'tokenData', getField(data, 'token_data', 'handle'));
    else if (type === '0x3::token_transfers::PendingClaims')
      this.#addTokenTable(address, 'claims', getField(data, 'pending_claims', 'handle'));
    else if (type === '0x1::coin::PairedCoinType') {
      const coinType = parseTypeInfo(getField(data, 'type'));
      if (coinType !== null && coinType.length <= MAX_COIN_TYPE_LENGTH) this.coinTypes.add(coinType);
    } else if (type.startsWith(COIN_INFO)) this.#parseCoinType(type, COIN_INFO);
    else if (type.startsWith(COIN_STORE)) {
      const coinType = this.#parseCoinType(type, COIN_STORE);
      if (coinType !== null) this.#addCoinStore(coinType, data);
    }
  }

  #deleteResource(address: Hex, type: string): void {
    if (type === '0x1::object::ObjectGroup' || type === '0x4::token::Token') {
      this.deletedObjects.add(address);
      return;
    }
    const coinType = this.#parseCoinType(type, COIN_STORE);
    const lost = this.#deletedStoreCoins;
    if (coinType !== null) lost.set(address, [...(lost.get(address) ?? []), coinType]);
  }

  #addTableItem(change: JsonValue, isDeleted: boolean): void {
    const handle = asAddress(getField(change, 'handle'));
    if (handle === null) return;
    const [rawKey, rawValue] = [getField(change, 'key'), getField(change, 'value')];
    this.tableItems.push({ isDeleted, handle, rawKey, rawValue, data: asObject(getField(change, 'data')) });
  }

  #addTokenTable(owner: Hex, kind: TokenTable['kind'], handle: JsonValue): void {
    const longHandle = asAddress(handle);
    if (longHandle !== null) this.tokenTables.set(longHandle, { owner, kind });
  }

  #addCoinStore(coinType: string, data: JsonObject): void {
    for (const handle of [data['deposit_events'], data['withdraw_events']]) {
      const id = asObject(asObject(asObject(handle)?.['guid'])?.['id']);
      const account = asAddress(id?.['addr']);
      const creationNumber = asString(id?.['creation_num']);
      if (account !== null && creationNumber !== null)
        getOrInsert(this.#eventHandleCoins, account, () => []).push({ creationNumber, coinType });
    }
  }

  /** The type argument of a coin's resource. */
  #parseCoinType(type: string, genericName: string): string | null {
    const typeArgument = getTypeArgument(type, genericName);
    if (typeArgument === null || typeArgument.length > MAX_COIN_TYPE_LENGTH) return null;
    const coinType = normalizeMoveType(typeArgument);
    this.coinTypes.add(coinType);
    return coinType;
  }
}
