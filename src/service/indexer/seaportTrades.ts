// Decodes OrderFulfilled logs of Seaport 1.1 to 1.6 and its forks to trades of the index: NFTs for the native coin only.
import { type Hex, ZERO_ADDRESS } from '../../base/hex.ts';
import {
  decodeAddressAt,
  decodeAddressTopic,
  decodeArrayAt,
  decodeUint32At,
  decodeUint256At,
} from '../evm/abiWords.ts';
import type { TradeRow, TransferRow } from '../store/rows.ts';
import type { ChainLog } from './chainLog.ts';

/** An order that offers NFTs for the native coin. */
export interface SeaportOrder {
  readonly log: ChainLog;
  readonly offerer: Hex;
  /** The zero address when the order was matched with others. */
  readonly recipient: Hex;
  readonly offer: readonly { readonly tokenAddress: Hex; readonly tokenId: bigint }[];
  readonly price: bigint;
}

/** Item types of Seaport. */
const NATIVE = 0;
const ERC721 = 2;
const ERC1155 = 3;
/** Bytes of a SpentItem (itemType, token, identifier, amount) and of a ReceivedItem (the same and recipient). */
const SPENT_ITEM_BYTES = 128;
const RECEIVED_ITEM_BYTES = 160;

/**
 * `null` when it is no sale for the native coin: an accepted ERC-20 bid and the buyer's half of matched orders offer no
 * NFT, a swap requests something else, a gift requests nothing.
 */
export function decodeSeaportOrder(log: ChainLog): SeaportOrder | null {
  const { topics, data } = log;
  const offerer = decodeAddressTopic(topics[1]);
  const recipient = decodeAddressAt(data, 32);
  const spent = decodeArrayAt(data, 64, SPENT_ITEM_BYTES);
  const received = decodeArrayAt(data, 96, RECEIVED_ITEM_BYTES);
  if (topics.length !== 3 || offerer === null || recipient === null || spent === null || received === null) return null;
  let price = 0n;
  for (let index = 0; index < received.length; index++) {
    const at = received.start + RECEIVED_ITEM_BYTES * index;
    const amount = decodeUint256At(data, at + 96);
    if (decodeUint32At(data, at) !== NATIVE || amount === null) return null;
    price += amount;
  }
  if (price === 0n || price >= 1n << 256n) return null;
  const offer: { tokenAddress: Hex; tokenId: bigint }[] = [];
  for (let index = 0; index < spent.length; index++) {
    const at = spent.start + SPENT_ITEM_BYTES * index;
    const kind = decodeUint32At(data, at);
    const token = decodeAddressAt(data, at + 32);
    const tokenId = decodeUint256At(data, at + 64);
    if ((kind !== ERC721 && kind !== ERC1155) || token === null || tokenId === null) return null;
    offer.push({ tokenAddress: token, tokenId });
  }
  return { log, offerer, recipient, offer, price };
}

/**
 * One row per collection of an order: its ids with the whole price, which cannot be divided among collections. Any contract
 * can emit OrderFulfilled: an order counts only if its NFTs were transferred from the offerer in the same transaction.
 */
export function toTrades(orders: readonly SeaportOrder[], transfers: readonly TransferRow[]): readonly TradeRow[] {
  if (orders.length === 0) return [];
  const receivers = getReceivers(transfers);
  const rows: TradeRow[] = [];
  for (const { log, offerer, recipient, offer, price } of orders) {
    const idsByToken = new Map<Hex, bigint[]>();
    let receiver: Hex | null = null;
    let wasTransferred = true;
    for (const { tokenAddress, tokenId } of offer) {
      const to = receivers.get(getTransferKey(log.transactionHash, tokenAddress, tokenId, offerer));
      if (to === undefined) wasTransferred = false;
      receiver ??= to ?? null;
      const ids = idsByToken.get(tokenAddress) ?? [];
      ids.push(tokenId);
      idsByToken.set(tokenAddress, ids);
    }
    if (!wasTransferred || receiver === null) continue;
    const buyer = recipient === ZERO_ADDRESS ? receiver : recipient;
    const { blockNumber, transactionIndex, place, transactionHash, address: marketplace } = log;
    for (const [token, tokenIds] of idsByToken)
      rows.push({
        blockNumber,
        transactionIndex,
        place,
        transactionHash,
        tokenAddress: token,
        tokenIds,
        seller: offerer,
        buyer,
        marketplace,
        price,
      });
  }
  return rows;
}

const getTransferKey = (transaction: Hex, token: Hex, id: bigint, from: Hex) => `${transaction}${token}${from}${id}`;

/** Receiver by transaction, id and sender; the last one when the sender transferred the id more than once. */
function getReceivers(transfers: readonly TransferRow[]): ReadonlyMap<string, Hex> {
  const receivers = new Map<string, Hex>();
  for (const { transactionHash, tokenAddress, tokenId, from, to } of transfers)
    receivers.set(getTransferKey(transactionHash, tokenAddress, tokenId, from), to);
  return receivers;
}
