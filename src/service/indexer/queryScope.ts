// What of a chain an answer rests on: on a development chain all of it is indexed; of a public one only what is asked for.
import type { Hex } from '../../base/hex.ts';
import type { PageScan } from './scanPage.ts';

export type QueryScope =
  /** Every NFT transfer, mint and sale. */
  | { readonly kind: 'chain' }
  /** The same, but one page of it will do: that can be read from any chain. */
  | { readonly kind: 'page'; readonly scan: PageScan }
  /** NFT transfers of one contract, and so the owners of its tokens. */
  | { readonly kind: 'contract'; readonly address: Hex }
  /** NFT transfers from and to one wallet, and so what it owns. */
  | { readonly kind: 'wallet'; readonly address: Hex }
  /** Sales of one contract's NFTs in the last days before the newest block. */
  | { readonly kind: 'trades'; readonly address: Hex; readonly days: number };

export const WHOLE_CHAIN: QueryScope = { kind: 'chain' };
