// What earlier transactions said that a later one may need: owners of tables and stores, pairs, collections, tokens.
import type { Hex } from '../../../base/hex.ts';

/** Which of an account's tables a handle names. */
export type TableKind = 'tokens' | 'tokenData' | 'claims';

export interface KnownTable {
  readonly owner: Hex;
  readonly kind: TableKind;
}

/** A store of a fungible asset. */
export interface KnownStore {
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
export interface KnownCollection {
  readonly creator: Hex | null;
  readonly name: string | null;
  readonly royalty: Royalty | null;
  readonly mutability: Mutability | null;
}

/** A `0x4` token. */
export interface KnownToken {
  readonly collection: Hex | null;
  readonly name: string | null;
}

/** Each answers `null` when it does not know. Addresses and handles are padded. */
export interface Memory {
  table(handle: Hex): KnownTable | null;
  store(address: Hex): KnownStore | null;
  /** The coin type that a metadata object is paired with. */
  coinOf(metadata: Hex): string | null;
  collection(address: Hex): KnownCollection | null;
  token(address: Hex): KnownToken | null;
}

/** A transaction by itself. */
export const noMemory: Memory = {
  table: () => null,
  store: () => null,
  coinOf: () => null,
  collection: () => null,
  token: () => null,
};

/** What one transaction adds. Whatever it names is its newest state. */
export interface Learnt {
  readonly tables: ReadonlyMap<Hex, KnownTable>;
  readonly stores: ReadonlyMap<Hex, KnownStore>;
  /** Coin types that this transaction shows to exist; their metadata follows from them. */
  readonly coinTypes: ReadonlySet<string>;
  readonly collections: ReadonlyMap<Hex, KnownCollection>;
  readonly tokens: ReadonlyMap<Hex, KnownToken>;
}
