// What a market's log says was exchanged: Seaport 1.1 to 1.6, whose events have been the same since.

import type { DecodedItem } from './decodeAbi.ts';
import type { DecodedValue } from './decodeValues.ts';

/** The native coin of the chain, where a token's address would stand. */
export const NATIVE_COIN = 'native';

const FULFILLED =
  'OrderFulfilled(bytes32,address,address,address,(uint8,address,uint256,uint256)[],(uint8,address,uint256,uint256,address)[])';
const MATCHED = 'OrdersMatched(bytes32[])';

/** Seaport's item types, by their number. */
const ITEM_KINDS = ['native', 'erc20', 'erc721', 'erc1155', 'erc721', 'erc1155'] as const;

export interface SeaportItem {
  /** `null`: a number that Seaport does not have. */
  readonly kind: (typeof ITEM_KINDS)[number] | null;
  /** Lower-case hex; the zero address for the native coin. */
  readonly token: string;
  /** Decimal text; means something for NFTs alone. */
  readonly id: string;
  readonly amount: string;
  /** Lower-case hex. */
  readonly recipient: string;
}

export type SeaportTrade =
  | {
      readonly kind: 'fulfilled';
      readonly offerer: string;
      /** Items of the offer go to whoever fulfilled the order; the log names one recipient for all. */
      readonly offer: readonly SeaportItem[];
      readonly consideration: readonly SeaportItem[];
    }
  /** Orders that were matched with each other: each has a log of its own. */
  | { readonly kind: 'matched'; readonly orders: number };

const listOf = (value: DecodedValue | undefined): readonly DecodedValue[] =>
  value === undefined || typeof value.value === 'string' ? [] : value.value;
const textOf = (value: DecodedValue | undefined): string => (typeof value?.value === 'string' ? value.value : '');

function itemOf(value: DecodedValue, receiver: string): SeaportItem {
  const [itemType, token, id, amount, recipient] = listOf(value);
  return {
    kind: ITEM_KINDS[Number(textOf(itemType))] ?? null,
    token: textOf(token),
    id: textOf(id),
    amount: textOf(amount),
    recipient: recipient === undefined ? receiver : textOf(recipient),
  };
}

/** More items than a person reads; all of them are in the raw values. */
const MAX_ITEMS = 100;

/** By position, not by name: a workspace's ABI may call them otherwise. */
export function getSeaportTrade({ item, values }: DecodedItem): SeaportTrade | null {
  if (item.kind !== 'event') return null;
  if (item.canonical === MATCHED) return { kind: 'matched', orders: listOf(values[0]).length };
  if (item.canonical !== FULFILLED) return null;
  const [, offerer, , recipient, offer, consideration] = values;
  const receiver = textOf(recipient);
  const items = (list: DecodedValue | undefined) =>
    listOf(list)
      .slice(0, MAX_ITEMS)
      .map(value => itemOf(value, receiver));
  return { kind: 'fulfilled', offerer: textOf(offerer), offer: items(offer), consideration: items(consideration) };
}

/** What an item's amount is counted in: a token's address, `NATIVE`, or nothing for NFTs. */
export const getSeaportItemUnit = ({ kind, token }: SeaportItem): string | null =>
  kind === 'native' ? NATIVE_COIN : kind === 'erc20' ? token : null;
