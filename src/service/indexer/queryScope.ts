// The part of a chain that a query needs: a development chain is indexed whole, a public one only as far as queries need.
import type { Hex } from '../../base/hex.ts';
import type { PageScan } from './scanPage.ts';

/** What a sparse index of one contract or wallet holds. */
export type ScopedQueryScope =
  /** NFT transfers of one contract, and thereby the owners of its tokens. */
  | { readonly kind: 'contract'; readonly address: Hex }
  /** NFT transfers from and to one wallet, and thereby what it owns. */
  | { readonly kind: 'wallet'; readonly address: Hex }
  /** Sales of one contract's NFTs in the last days before the newest block. */
  | { readonly kind: 'trades'; readonly address: Hex; readonly days: number };

/** What needs an index. */
export type IndexedQueryScope =
  /** Every NFT transfer, mint and sale. */
  { readonly kind: 'chain' } | ScopedQueryScope;

export type QueryScope =
  | IndexedQueryScope
  /** One page of the whole chain, which can be scanned where the chain is not indexed. */
  | { readonly kind: 'page'; readonly scan: PageScan };

export const WHOLE_CHAIN: IndexedQueryScope = { kind: 'chain' };
