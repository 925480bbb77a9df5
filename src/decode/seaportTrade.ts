// Decodes logs of Seaport 1.1 to 1.6, which have the same events, for display: who offers what for what.

import type { DecodedItem } from './decodeAbi.ts';
import type { DecodedValue } from './decodeValues.ts';

/** In place of a token's address: the native coin of the chain. */
export const NATIVE_COIN = 'native';

const FULFILLED =
  'OrderFulfilled(bytes32,address,address,address,(uint8,address,uint256,uint256)[],(uint8,address,uint256,uint256,address)[])';
const MATCHED = 'OrdersMatched(bytes32[])';

/** Seaport's item types, by their number. */
const ITEM_KINDS = ['native', 'erc20', 'erc721', 'erc1155', 'erc721', 'erc1155'] as const;

export interface SeaportItem {
  /** `null`: an unknown item type. */
  readonly kind: (typeof ITEM_KINDS)[number] | null;
  /** Lower-case hex; the zero address for the native coin. */
  readonly token: string;
  /** Decimal text; only for NFTs. */
  readonly id: string;
  readonly amount: string;
  /** Lower-case hex. */
  readonly recipient: string;
}

export type SeaportTrade =
  | {
      readonly kind: 'fulfilled';
      readonly offerer: string;
      /** Items for the fulfiller; the log names one recipient for all. */
      readonly offer: readonly SeaportItem[];
      readonly consideration: readonly SeaportItem[];
    }
  /** Orders that were matched with each other; each has its own `fulfilled` log. */
  | { readonly kind: 'matched'; readonly orders: number };

const asList = (value: DecodedValue | undefined): readonly DecodedValue[] =>
  value === undefined || typeof value.value === 'string' ? [] : value.value;
const asText = (value: DecodedValue | undefined): string => (typeof value?.value === 'string' ? value.value : '');

function toItem(value: DecodedValue, receiver: string): SeaportItem {
  const [itemType, token, id, amount, recipient] = asList(value);
  return {
    kind: ITEM_KINDS[Number(asText(itemType))] ?? null,
    token: asText(token),
    id: asText(id),
    amount: asText(amount),
    recipient: recipient === undefined ? receiver : asText(recipient),
  };
}

/** Maximum number of items; the raw values contain all. */
const MAX_ITEMS = 100;

/** Values are read by position, because an ABI of the workspace may use other names. */
export function getSeaportTrade({ item, values }: DecodedItem): SeaportTrade | null {
  if (item.kind !== 'event') return null;
  if (item.canonical === MATCHED) return { kind: 'matched', orders: asList(values[0]).length };
  if (item.canonical !== FULFILLED) return null;
  const [, offerer, , recipient, offer, consideration] = values;
  const receiver = asText(recipient);
  const items = (list: DecodedValue | undefined) =>
    asList(list)
      .slice(0, MAX_ITEMS)
      .map(value => toItem(value, receiver));
  return { kind: 'fulfilled', offerer: asText(offerer), offer: items(offer), consideration: items(consideration) };
}

/** The unit of an item's amount: a token's address, `NATIVE_COIN`, or `null` for NFTs. */
export const getSeaportItemUnit = ({ kind, token }: SeaportItem): string | null =>
  kind === 'native' ? NATIVE_COIN : kind === 'erc20' ? token : null;
