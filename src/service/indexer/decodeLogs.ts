// Logs of whole blocks to the rows of the index. Pure; what a contract logs may be hostile: what is malformed is skipped.

import { type Hex, ZERO_ADDRESS } from '../../base/hex.ts';
import { decodeAddressAt, decodeAddressTopic, decodeArrayAt, decodeUint256At, getByteLength } from '../evm/abiWords.ts';
import type { MintRow, NftStandard, TradeRow, TransferRow } from '../store/rows.ts';
import type { ChainLog } from './chainLog.ts';
import {
  CONSECUTIVE_TRANSFER,
  ORDER_FULFILLED,
  PUNK_ASSIGN,
  PUNK_BOUGHT,
  PUNK_TRANSFER,
  TRANSFER,
  TRANSFER_BATCH,
  TRANSFER_SINGLE,
} from './indexedTopics.ts';
import { decodeSeaportOrder, type SeaportOrder, toTrades } from './seaportTrades.ts';

// CryptoPunks, older than every standard: its events, and who received a punk whose sale log does not say so.
/** Contract and sender (both addresses, one behind the other) to the receiver of its last Transfer in this transaction. */
export type PunkReceivers = Map<string, Hex>;

const PUNK_TOPICS: readonly (Hex | undefined)[] = [PUNK_ASSIGN, PUNK_TRANSFER, PUNK_BOUGHT];

export const isPunkLog = (log: ChainLog): boolean => PUNK_TOPICS.includes(log.topics[0]);

export function decodePunk({ address, topics, data }: ChainLog, memory: PunkReceivers): TokenMovement | null {
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
  // An accepted bid is erased before it is logged, so the log has no buyer: the Transfer before it has.
  const to = topic === PUNK_BOUGHT && named === ZERO_ADDRESS ? (memory.get(`${address}${from}`) ?? null) : named;
  return to === null ? null : { ...punk, from, to, tokenId };
}

/**
 * Ids of one block that ERC-2309 ConsecutiveTransfer logs may stand for, all together: one such log may name 2^256 of
 * them. What goes beyond is left out and counted.
 */
export const MAX_CONSECUTIVE_IDS = 100_000;

/** What a contract says it is, where the shape of a log leaves it open. */
export interface TokenKind {
  /** `null` when its answers fit nothing we know. */
  readonly standard: 'ERC20' | 'ERC721' | 'ERC1155' | null;
  /** It answers as CryptoPunks does. */
  readonly isPunks: boolean;
}

export const UNKNOWN_TOKEN_KIND: TokenKind = { standard: null, isPunks: false };

export interface DecodedLogs {
  /** All in the order of the chain. `value` is `null` throughout: a log does not have it. */
  readonly transfers: readonly TransferRow[];
  readonly mints: readonly MintRow[];
  readonly trades: readonly TradeRow[];
  /** Contracts of transfers and mints with the standard of their first row. */
  readonly tokens: ReadonlyMap<Hex, NftStandard | 'ERC20'>;
  /** Ids of ConsecutiveTransfer logs that were left out. */
  readonly skippedIdCount: bigint;
}

/** One id that one log moves. */
export interface TokenMovement {
  readonly standard: NftStandard;
  readonly from: Hex;
  readonly to: Hex;
  readonly tokenId: bigint;
  readonly amount: bigint;
  readonly operator: Hex | null;
}

interface OldTransfer {
  readonly from: Hex;
  readonly to: Hex;
  /** A token id or an amount: the shape does not say which. */
  readonly number: bigint;
  /** What it is when the contract does not say either. */
  readonly fallback: 'ERC20' | 'ERC721';
}

/** Contracts that must be asked what they are before their logs can be decoded, each with an id that may be one of theirs. */
export function findUndecidedContracts(logs: readonly ChainLog[]): ReadonlyMap<Hex, bigint> {
  const found = new Map<Hex, bigint>();
  for (const log of logs) {
    if (found.has(log.address)) continue;
    const old = oldTransfer(log);
    if (old !== null) found.set(log.address, old.number);
    else if (isPunkLog(log)) found.set(log.address, 0n);
  }
  return found;
}

/** `logs` are whole transactions in the order of the chain; `kindOf` is asked about the contracts of `undecided` only. */
export function decodeLogs(logs: readonly ChainLog[], kindOf: (address: Hex) => TokenKind): DecodedLogs {
  const transfers: TransferRow[] = [];
  const mints: MintRow[] = [];
  const orders: SeaportOrder[] = [];
  const tokens = new Map<Hex, NftStandard | 'ERC20'>();
  const punkMemory: PunkReceivers = new Map();
  let leftOut = 0n;
  let block = -1;
  let transaction: Hex | null = null;
  let room = MAX_CONSECUTIVE_IDS;

  const add = (log: ChainLog, movement: TokenMovement, batchIndex: number) => {
    const { blockNumber, logIndex, transactionHash, transactionIndex, address: token } = log;
    const place = { blockNumber, logIndex, batchIndex, transactionHash, transactionIndex };
    transfers.push({ ...place, token, ...movement, value: null });
    if (!tokens.has(token)) tokens.set(token, movement.standard);
  };

  for (const log of logs) {
    if (log.blockNumber !== block) room = MAX_CONSECUTIVE_IDS;
    if (log.transactionHash !== transaction) punkMemory.clear();
    block = log.blockNumber;
    transaction = log.transactionHash;

    const [topic] = log.topics;
    if (topic === ORDER_FULFILLED) {
      const order = decodeSeaportOrder(log);
      if (order !== null) orders.push(order);
    } else if (topic === CONSECUTIVE_TRANSFER) {
      const run = consecutive(log);
      if (run === null) continue;
      const count = run.count < BigInt(room) ? Number(run.count) : room;
      for (let index = 0; index < count; index++)
        add(log, { ...run.movement, tokenId: run.movement.tokenId + BigInt(index) }, index);
      room -= count;
      leftOut += run.count - BigInt(count);
    } else if (isPunkLog(log)) {
      const movement = kindOf(log.address).isPunks ? decodePunk(log, punkMemory) : null;
      if (movement !== null) add(log, movement, 0);
    } else if (topic === TRANSFER) {
      const old = oldTransfer(log);
      if (old === null) {
        const movement = erc721(log);
        if (movement !== null) add(log, movement, 0);
        continue;
      }
      const kind = kindOf(log.address);
      const { from, to, number } = old;
      if (kind.isPunks) punkMemory.set(`${log.address}${from}`, to);
      if ((kind.standard ?? old.fallback) === 'ERC721')
        add(log, { standard: 'ERC721', from, to, tokenId: number, amount: 1n, operator: null }, 0);
      else if (from === ZERO_ADDRESS) {
        mints.push(mintOf(log, to, number));
        if (!tokens.has(log.address)) tokens.set(log.address, 'ERC20');
      }
    } else {
      for (const [batchIndex, movement] of erc1155(log).entries()) add(log, movement, batchIndex);
    }
  }
  return { transfers, mints, trades: toTrades(orders, transfers), tokens, skippedIdCount: leftOut };
}

function mintOf(log: ChainLog, to: Hex, amount: bigint): MintRow {
  const { blockNumber, logIndex, transactionHash, transactionIndex, address: token } = log;
  return { blockNumber, logIndex, transactionHash, transactionIndex, token, to, amount };
}

/** ERC-721: everything is indexed. */
function erc721({ topics, data }: ChainLog): TokenMovement | null {
  const [, fromTopic, toTopic, idTopic] = topics;
  const from = decodeAddressTopic(fromTopic);
  const to = decodeAddressTopic(toTopic);
  if (from === null || to === null || idTopic === undefined || data !== '0x') return null;
  return { standard: 'ERC721', from, to, tokenId: BigInt(idTopic), amount: 1n, operator: null };
}

/** ERC-20 and tokens older than ERC-721: the number is not indexed, or nothing is (CryptoKitties). */
function oldTransfer({ topics, data }: ChainLog): OldTransfer | null {
  if (topics[0] !== TRANSFER) return null;
  const bare = topics.length === 1;
  if (getByteLength(data) !== (bare ? 96 : 32) || (!bare && topics.length !== 3)) return null;
  const from = bare ? decodeAddressAt(data, 0) : decodeAddressTopic(topics[1]);
  const to = bare ? decodeAddressAt(data, 32) : decodeAddressTopic(topics[2]);
  const number = decodeUint256At(data, bare ? 64 : 0);
  if (from === null || to === null || number === null) return null;
  return { from, to, number, fallback: bare ? 'ERC721' : 'ERC20' };
}

function erc1155(log: ChainLog): readonly TokenMovement[] {
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
    // Within the data, as `arrayAt` has made sure.
    tokenId: decodeUint256At(data, ids.start + 32 * index) ?? 0n,
    amount: decodeUint256At(data, amounts.start + 32 * index) ?? 0n,
  }));
}

/** ERC-2309: the ids from the second topic up to the data, both included. */
function consecutive({ topics, data }: ChainLog): { readonly movement: TokenMovement; readonly count: bigint } | null {
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
