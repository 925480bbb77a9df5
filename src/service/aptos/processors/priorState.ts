// What earlier transactions said that a later one may need: owners of tables and stores, pairs, collections, tokens.
import type { Hex } from '../../../base/hex.ts';

/** Which of an account's tables a handle names. */
export type TokenTableKind = 'tokens' | 'tokenData' | 'claims';

export interface TokenTable {
  readonly owner: Hex;
  readonly kind: TokenTableKind;
}

/** A store of a fungible asset. */
export interface FungibleStore {
  readonly owner: Hex | null;
  readonly metadata: Hex | null;
}

export interface Royalty {
  readonly payee: Hex | null;
  readonly numerator: bigint | null;
  readonly denominator: bigint | null;
}

/** What `0x4::aptos_token` lets the creator of a collection change in its tokens. */
export interface Mutability {
  readonly uri: boolean | null;
  readonly description: boolean | null;
  readonly properties: boolean | null;
  readonly royalty: boolean | null;
}

/** A `0x4` collection. */
export interface ObjectCollection {
  readonly creator: Hex | null;
  readonly name: string | null;
  readonly royalty: Royalty | null;
  readonly mutability: Mutability | null;
}

/** A `0x4` token. */
export interface ObjectTokenName {
  readonly collection: Hex | null;
  readonly name: string | null;
}

/** Each answers `null` when it does not know. Addresses and handles are padded. */
export interface PriorState {
  getTokenTable(handle: Hex): TokenTable | null;
  getFungibleStore(address: Hex): FungibleStore | null;
  /** The coin type that a metadata object is paired with. */
  getPairedCoin(metadata: Hex): string | null;
  getCollection(address: Hex): ObjectCollection | null;
  getToken(address: Hex): ObjectTokenName | null;
}

/** A transaction by itself. */
export const emptyPriorState: PriorState = {
  getTokenTable: () => null,
  getFungibleStore: () => null,
  getPairedCoin: () => null,
  getCollection: () => null,
  getToken: () => null,
};

/** What one transaction adds. Whatever it names is its newest state. */
export interface StateUpdates {
  readonly tokenTables: ReadonlyMap<Hex, TokenTable>;
  readonly fungibleStores: ReadonlyMap<Hex, FungibleStore>;
  /** Coin types that this transaction shows to exist; their metadata follows from them. */
  readonly coinTypes: ReadonlySet<string>;
  readonly collections: ReadonlyMap<Hex, ObjectCollection>;
  readonly tokens: ReadonlyMap<Hex, ObjectTokenName>;
}
