// Decodes logs of whole blocks to rows of the index. Contracts may emit anything: malformed logs are skipped.

import {
  CONSECUTIVE_TRANSFER,
  ORDER_FULFILLED,
  PUNK_ASSIGN,
  PUNK_BOUGHT,
  PUNK_TRANSFER,
  TRANSFER,
  TRANSFER_BATCH,
  TRANSFER_SINGLE,
} from '../../api/eventTopics.ts';
import { type Hex, ZERO_ADDRESS } from '../../base/hex.ts';
import { decodeAddressAt, decodeAddressTopic, decodeArrayAt, decodeUint256At, getByteLength } from '../evm/abiWords.ts';
import type { Erc20TransferRow, NftStandard, TradeRow, TransferRow } from '../store/rows.ts';
import type { ChainLog } from './chainLog.ts';
import { decodeSeaportOrder, type SeaportOrder, toTrades } from './seaportTrades.ts';

/**
 * Ids per block that ERC-2309 ConsecutiveTransfer logs may transfer: one such log may name 2^256 of them. Further ids are
 * skipped and counted.
 */
export const MAX_CONSECUTIVE_IDS = 100_000;

/** What a contract says it is, for logs that ERC-20 and NFT contracts emit alike. */
export interface TokenKind {
  /** `null` when it follows no known standard. */
  readonly standard: 'ERC20' | 'ERC721' | 'ERC1155' | null;
  /** Whether it names an owner of the id that it was called with. */
  readonly hasOwner: boolean;
  /** Whether it behaves like CryptoPunks. */
  readonly isPunks: boolean;
}

export const UNKNOWN_TOKEN_KIND: TokenKind = { standard: null, hasOwner: false, isPunks: false };

export interface TokenLogs {
  /** All in the order of the chain. `value` is `null`: a log does not have it. */
  readonly transfers: readonly TransferRow[];
  readonly erc20Transfers: readonly Erc20TransferRow[];
  readonly trades: readonly TradeRow[];
  /** Contracts of all transfers with the standard of their first row. */
  readonly tokens: ReadonlyMap<Hex, NftStandard | 'ERC20'>;
  /** Ids of ConsecutiveTransfer logs that were skipped. */
  readonly skippedIdCount: bigint;
}

/** The transfer of one id by one log. */
export type TokenMovement = Pick<TransferRow, 'standard' | 'from' | 'to' | 'tokenId' | 'amount' | 'operator'>;

interface AmbiguousTransfer {
  readonly from: Hex;
  readonly to: Hex;
  /** A token id or an amount: the log does not tell which. */
  readonly idOrAmount: bigint;
  /** Whether that is a topic, as in all ERC-721 and few ERC-20 tokens. */
  readonly isIndexed: boolean;
  /** The standard when the contract does not tell it either. */
  readonly fallback: 'ERC20' | 'ERC721';
}

/** What a contract is called with to find out its kind. */
export interface TokenSample {
  /** May be one of its ids. */
  readonly id: bigint;
  /** Whether it is a topic of a log: then it is an id, unless the contract is an ERC-20 that indexes amounts. */
  readonly isIndexed: boolean;
}

/** Contracts whose kind must be known before their logs can be decoded. */
export function findUndecidedContracts(logs: readonly ChainLog[]): ReadonlyMap<Hex, TokenSample> {
  const found = new Map<Hex, TokenSample>();
  for (const log of logs) {
    const known = found.get(log.address);
    if (known?.isIndexed === true) continue;
    const ambiguous = parseAmbiguousTransfer(log);
    if (ambiguous?.isIndexed === true || (ambiguous !== null && known === undefined))
      found.set(log.address, { id: ambiguous.idOrAmount, isIndexed: ambiguous.isIndexed });
    else if (known === undefined && isPunkLog(log)) found.set(log.address, { id: 0n, isIndexed: false });
  }
  return found;
}

/** Those, and contracts whose logs are of ERC-1155, which are described too. */
export function findTokenContracts(logs: readonly ChainLog[]): ReadonlyMap<Hex, TokenSample> {
  const found = new Map(findUndecidedContracts(logs));
  for (const log of logs) {
    if (found.has(log.address) || !ERC1155_TOPICS.includes(log.topics[0])) continue;
    const [first] = parseErc1155Transfers(log);
    if (first !== undefined) found.set(log.address, { id: first.tokenId, isIndexed: false });
  }
  return found;
}

/** A contract may log in the forms of both standards: where it names owners, an indexed value is an id. */
const isErc721 = ({ isIndexed, fallback }: AmbiguousTransfer, { standard, hasOwner }: TokenKind): boolean =>
  isIndexed ? standard !== 'ERC20' || hasOwner : (standard ?? fallback) === 'ERC721';

/**
 * @param logs Whole transactions in the order of the chain.
 * @param getKind Called for the contracts of `findUndecidedContracts` only.
 */
export function parseTokenLogs(logs: readonly ChainLog[], getKind: (address: Hex) => TokenKind): TokenLogs {
  const transfers: TransferRow[] = [];
  const erc20Transfers: Erc20TransferRow[] = [];
  const orders: SeaportOrder[] = [];
  const tokens = new Map<Hex, NftStandard | 'ERC20'>();
  const punkReceivers: PunkReceivers = new Map();
  let skippedIdCount = 0n;
  let block = -1;
  let transaction: Hex | null = null;
  let remainingIds = MAX_CONSECUTIVE_IDS;

  const add = (log: ChainLog, movement: TokenMovement, batchIndex: number) => {
    transfers.push(toTransferRow(log, movement, batchIndex));
    if (!tokens.has(log.address)) tokens.set(log.address, movement.standard);
  };

  for (const log of logs) {
    if (log.blockNumber !== block) remainingIds = MAX_CONSECUTIVE_IDS;
    if (log.transactionHash !== transaction) punkReceivers.clear();
    block = log.blockNumber;
    transaction = log.transactionHash;

    const [topic] = log.topics;
    if (topic === ORDER_FULFILLED) {
      const order = decodeSeaportOrder(log);
      if (order !== null) orders.push(order);
    } else if (topic === CONSECUTIVE_TRANSFER) {
      const run = parseConsecutiveTransfer(log);
      if (run === null) continue;
      const count = run.count < BigInt(remainingIds) ? Number(run.count) : remainingIds;
      for (let index = 0; index < count; index++)
        add(log, { ...run.movement, tokenId: run.movement.tokenId + BigInt(index) }, index);
      remainingIds -= count;
      skippedIdCount += run.count - BigInt(count);
    } else if (isPunkLog(log)) {
      const movement = getKind(log.address).isPunks ? parsePunkTransfer(log, punkReceivers) : null;
      if (movement !== null) add(log, movement, 0);
    } else if (topic === TRANSFER) {
      const ambiguous = parseAmbiguousTransfer(log);
      if (ambiguous === null) continue;
      const kind = getKind(log.address);
      const { from, to, idOrAmount } = ambiguous;
      if (kind.isPunks) punkReceivers.set(`${log.address}${from}`, to);
      if (isErc721(ambiguous, kind))
        add(log, { standard: 'ERC721', from, to, tokenId: idOrAmount, amount: 1n, operator: null }, 0);
      else {
        erc20Transfers.push(toErc20TransferRow(log, from, to, idOrAmount));
        if (!tokens.has(log.address)) tokens.set(log.address, 'ERC20');
      }
    } else {
      for (const [batchIndex, movement] of parseErc1155Transfers(log).entries()) add(log, movement, batchIndex);
    }
  }
  return { transfers, erc20Transfers, trades: toTrades(orders, transfers), tokens, skippedIdCount };
}

/** Without spreads, which copy objects that are dropped at once. */
function toTransferRow(log: ChainLog, movement: TokenMovement, batchIndex: number): TransferRow {
  const { blockNumber, place, transactionHash, transactionIndex, address: tokenAddress } = log;
  const { standard, from, to, tokenId, amount, operator } = movement;
  return {
    blockNumber,
    transactionIndex,
    place,
    batchIndex,
    transactionHash,
    tokenAddress,
    standard,
    from,
    to,
    tokenId,
    amount,
    operator,
    value: null,
  };
}

function toErc20TransferRow(log: ChainLog, from: Hex, to: Hex, amount: bigint): Erc20TransferRow {
  const { blockNumber, place, transactionHash, transactionIndex, address: token } = log;
  return { blockNumber, transactionIndex, place, transactionHash, tokenAddress: token, from, to, amount };
}

/**
 * ERC-721: all arguments are indexed, as in an ERC-20 here and there. ERC-20 and tokens older than ERC-721: the last argument is
 * not indexed, or none is (CryptoKitties).
 */
function parseAmbiguousTransfer({ topics, data }: ChainLog): AmbiguousTransfer | null {
  if (topics[0] !== TRANSFER) return null;
  const [, fromTopic, toTopic, valueTopic] = topics;
  if (valueTopic !== undefined) {
    const [from, to] = [decodeAddressTopic(fromTopic), decodeAddressTopic(toTopic)];
    if (from === null || to === null || data !== '0x') return null;
    return { from, to, idOrAmount: BigInt(valueTopic), isIndexed: true, fallback: 'ERC721' };
  }
  const hasNoIndexed = topics.length === 1;
  if (getByteLength(data) !== (hasNoIndexed ? 96 : 32) || (!hasNoIndexed && topics.length !== 3)) return null;
  const from = hasNoIndexed ? decodeAddressAt(data, 0) : decodeAddressTopic(fromTopic);
  const to = hasNoIndexed ? decodeAddressAt(data, 32) : decodeAddressTopic(toTopic);
  const idOrAmount = decodeUint256At(data, hasNoIndexed ? 64 : 0);
  if (from === null || to === null || idOrAmount === null) return null;
  return { from, to, idOrAmount, isIndexed: false, fallback: hasNoIndexed ? 'ERC721' : 'ERC20' };
}

const ERC1155_TOPICS: readonly (Hex | undefined)[] = [TRANSFER_SINGLE, TRANSFER_BATCH];

function parseErc1155Transfers(log: ChainLog): readonly TokenMovement[] {
  const { topics, data } = log;
  const [topic, operatorTopic, fromTopic, toTopic] = topics;
  const operator = decodeAddressTopic(operatorTopic);
  const from = decodeAddressTopic(fromTopic);
  const to = decodeAddressTopic(toTopic);
  if (operator === null || from === null || to === null) return [];
  const shared = { standard: 'ERC1155', from, to, operator } as const;
  if (topic === TRANSFER_SINGLE) {
    const tokenId = decodeUint256At(data, 0);
    const amount = decodeUint256At(data, 32);
    return tokenId === null || amount === null || getByteLength(data) !== 64 ? [] : [{ ...shared, tokenId, amount }];
  }
  if (topic !== TRANSFER_BATCH) return [];
  const ids = decodeArrayAt(data, 0, 32);
  const amounts = decodeArrayAt(data, 32, 32);
  if (ids === null || amounts === null || ids.length !== amounts.length) return [];
  return Array.from({ length: ids.length }, (_, index) => ({
    ...shared,
    // Never absent: `decodeArrayAt` has checked the length of the data.
    tokenId: decodeUint256At(data, ids.start + 32 * index) ?? 0n,
    amount: decodeUint256At(data, amounts.start + 32 * index) ?? 0n,
  }));
}

/** ERC-2309: the ids from the second topic up to the data, both included. */
function parseConsecutiveTransfer({
  topics,
  data,
}: ChainLog): { readonly movement: TokenMovement; readonly count: bigint } | null {
  const [, firstTopic, fromTopic, toTopic] = topics;
  const from = decodeAddressTopic(fromTopic);
  const to = decodeAddressTopic(toTopic);
  const last = decodeUint256At(data, 0);
  if (from === null || to === null || last === null || firstTopic === undefined || getByteLength(data) !== 32)
    return null;
  const first = BigInt(firstTopic);
  if (last < first) return null;
  return {
    movement: { standard: 'ERC721', from, to, tokenId: first, amount: 1n, operator: null },
    count: last - first + 1n,
  };
}

/**
 * Receiver of the last Transfer in this transaction, by contract and sender (their addresses concatenated). CryptoPunks is
 * older than every standard; the log of a sale by accepted bid does not name the buyer.
 */
type PunkReceivers = Map<string, Hex>;

const PUNK_TOPICS: readonly (Hex | undefined)[] = [PUNK_ASSIGN, PUNK_TRANSFER, PUNK_BOUGHT];

const isPunkLog = (log: ChainLog): boolean => PUNK_TOPICS.includes(log.topics[0]);

function parsePunkTransfer({ address, topics, data }: ChainLog, receivers: PunkReceivers): TokenMovement | null {
  const [topic, first, second, third] = topics;
  const punk = { standard: 'CRYPTOPUNKS', amount: 1n, operator: null } as const;
  const tokenId = topic === PUNK_BOUGHT ? (first === undefined ? null : BigInt(first)) : decodeUint256At(data, 0);
  if (tokenId === null || getByteLength(data) !== 32) return null;
  if (topic === PUNK_ASSIGN) {
    const to = decodeAddressTopic(first);
    return to === null || topics.length !== 2 ? null : { ...punk, from: ZERO_ADDRESS, to, tokenId };
  }
  const from = decodeAddressTopic(topic === PUNK_BOUGHT ? second : first);
  const named = decodeAddressTopic(topic === PUNK_BOUGHT ? third : second);
  if (from === null || named === null || topics.length !== (topic === PUNK_BOUGHT ? 4 : 3)) return null;
  // An accepted bid is erased before it is logged, so the log has no buyer, but the Transfer before it has.
  const to = topic === PUNK_BOUGHT && named === ZERO_ADDRESS ? (receivers.get(`${address}${from}`) ?? null) : named;
  return to === null ? null : { ...punk, from, to, tokenId };
}
