// The state that processors need from before a transaction, and the updates that each transaction makes to it.
import type { Hex } from '../../../base/hex.ts';

/** The table of `TokenStore.tokens`, `Collections.token_data` or `PendingClaims.pending_claims`. */
export type TokenTableKind = 'tokens' | 'tokenData' | 'claims';

export interface TokenTable {
  readonly owner: Hex;
  readonly kind: TokenTableKind;
}

/** `0x1::fungible_asset::FungibleStore`. */
export interface FungibleStore {
  readonly owner: Hex | null;
  readonly metadata: Hex | null;
}

export interface Royalty {
  readonly payee: Hex | null;
  readonly numerator: bigint | null;
  readonly denominator: bigint | null;
}

/** Which fields of tokens the creator of a `0x4::aptos_token` collection may change. */
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

/** Methods return `null` for unknown addresses. Addresses and handles are in their long form. */
export interface PriorState {
  getTokenTable(handle: Hex): TokenTable | null;
  getFungibleStore(address: Hex): FungibleStore | null;
  /** The coin type of the coin that is paired with a metadata object. */
  getPairedCoin(metadata: Hex): string | null;
  getCollection(address: Hex): ObjectCollection | null;
  getToken(address: Hex): ObjectTokenName | null;
}

/** For processing a transaction on its own. */
export const emptyPriorState: PriorState = {
  getTokenTable: () => null,
  getFungibleStore: () => null,
  getPairedCoin: () => null,
  getCollection: () => null,
  getToken: () => null,
};

/** The newest state of everything that a transaction changed. */
export interface StateUpdates {
  readonly tokenTables: ReadonlyMap<Hex, TokenTable>;
  readonly fungibleStores: ReadonlyMap<Hex, FungibleStore>;
  /** Coin types that occur in the transaction; their metadata addresses are derived from them. */
  readonly coinTypes: ReadonlySet<string>;
  readonly collections: ReadonlyMap<Hex, ObjectCollection>;
  readonly tokens: ReadonlyMap<Hex, ObjectTokenName>;
}
