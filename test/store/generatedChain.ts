// Generated chains for store tests: the content of a block follows from its hash, so that it can be generated again.
import { createHash } from 'node:crypto';
import type { Hex } from '../../src/base/hex.ts';
import { ZERO_ADDRESS } from '../../src/base/hex.ts';
import {
  type BlockBatch,
  type BlockRow,
  type Erc20TransferRow,
  getLogPlaces,
  type TokenRow,
  type TradeRow,
  type TransactionRow,
  type TransferRow,
} from '../../src/service/store/rows.ts';

export const hashText = (text: string): Hex => `0x${createHash('sha256').update(text).digest('hex')}`;

/** A readable address: `address('a', 1)` is 0xa00…01. */
export function address(kind: string, number: number): Hex {
  return `0x${kind}${number.toString(16).padStart(40 - kind.length, '0')}`;
}

/** Two blocks each have the same timestamp, as on chains with several blocks a second. */
export const getBlockTime = (number: number) => 1_700_000_000 + 12 * (number >> 1);

export const genesis: BlockRow = {
  number: 0,
  hash: hashText('genesis'),
  parentHash: hashText(''),
  timestamp: getBlockTime(0),
};

/** The child of a block; `fork` distinguishes the children of one parent. */
export function createNextBlock(parent: BlockRow | null, fork = ''): BlockRow {
  if (parent === null) return genesis;
  const number = parent.number + 1;
  return { number, hash: hashText(`${parent.hash} ${fork}`), parentHash: parent.hash, timestamp: getBlockTime(number) };
}

export function createNextBlocks(parent: BlockRow | null, count: number, fork = ''): readonly BlockRow[] {
  const blocks: BlockRow[] = [];
  for (let last = parent; blocks.length < count; ) {
    last = createNextBlock(last, fork);
    blocks.push(last);
  }
  return blocks;
}

export const WALLETS = [1, 2, 3, 4, 5].map(number => address('a', number));
/** The last one uses two standards for the same ids. */
export const NFTS = [1, 2, 3, 4].map(number => address('c', number));
export const COINS = [1, 2, 3].map(number => address('e', number));
export const MARKETPLACES = [1, 2].map(number => address('f', number));
export const IDS = [0n, 1n, 255n, 256n, 2n ** 64n, 2n ** 256n - 1n];

/** Pseudo-random numbers from a seed (mulberry32). */
export function createDice(seed: number): (sides: number) => number {
  let state = seed | 0;
  return sides => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % sides;
  };
}

const getSeed = (hash: Hex) => Number.parseInt(hash.slice(2, 10), 16);

interface Content {
  readonly transactions: readonly TransactionRow[];
  readonly transfers: readonly TransferRow[];
  readonly erc20Transfers: readonly Erc20TransferRow[];
  readonly trades: readonly TradeRow[];
}

/** All rows of a block. Not all make sense: contracts may log anything. */
function getBlockContent({ number, hash }: BlockRow): Content {
  const roll = createDice(getSeed(hash));
  const pick = <T>(list: readonly T[]): T => {
    const item = list[roll(list.length)];
    if (item === undefined) throw new Error('Nothing to pick from.');
    return item;
  };
  const pickOwner = () => (roll(4) === 0 ? ZERO_ADDRESS : pick(WALLETS));
  const transfers: TransferRow[] = [];
  const erc20Transfers: Erc20TransferRow[] = [];
  const trades: TradeRow[] = [];
  const values = Array.from({ length: 3 }, () => pick([null, 0n, 10n ** 18n, 2n ** 256n - 1n]));
  for (let log = 0, count = roll(6); log < count; log++) {
    const token = pick(NFTS);
    const standardIndex = NFTS.indexOf(token);
    const standard =
      standardIndex === 0 || (standardIndex === 3 && roll(3) === 0)
        ? 'ERC721'
        : standardIndex === 1
          ? 'CRYPTOPUNKS'
          : 'ERC1155';
    const isErc1155 = standard === 'ERC1155';
    const [from, to] = [pickOwner(), pickOwner()];
    for (let batchIndex = 0, ids = isErc1155 ? 1 + roll(3) : 1; batchIndex < ids; batchIndex++)
      transfers.push({
        blockNumber: number,
        // The second log of a transaction has the lower index: as where each clause numbers its own.
        place: getLogPlaces([3, 0])[log & 1] ?? 0,
        batchIndex,
        transactionHash: hashText(`${hash} ${log >> 1}`),
        transactionIndex: log >> 1,
        tokenAddress: token,
        tokenId: pick(IDS),
        standard,
        from,
        to,
        amount: isErc1155 ? pick([0n, 1n, 2n, 3n, 2n ** 255n]) : 1n,
        operator: isErc1155 ? pick(WALLETS) : null,
        value: values[log >> 1] ?? null,
      });
  }
  for (let log = 0, count = roll(4); log < count; log++)
    erc20Transfers.push({
      blockNumber: number,
      place: 100 + log,
      transactionHash: hashText(`${hash} m${log}`),
      transactionIndex: log,
      tokenAddress: pick(COINS),
      from: roll(2) === 0 ? ZERO_ADDRESS : pick(WALLETS),
      to: pick(WALLETS),
      amount: pick([0n, 7n, 2n ** 256n - 1n]),
    });
  for (let log = 0, count = roll(3); log < count; log++)
    trades.push({
      blockNumber: number,
      place: 200 + log,
      transactionIndex: log,
      transactionHash: hashText(`${hash} t${log}`),
      tokenAddress: pick(NFTS),
      tokenIds: IDS.slice(0, 1 + roll(3)),
      seller: pick(WALLETS),
      buyer: pick(WALLETS),
      marketplace: pick(MARKETPLACES),
      price: pick([9n, 10n, 100n, 10n ** 18n, 2n ** 255n]),
    });
  const transactions = Array.from({ length: roll(4) }, (_, transactionIndex): TransactionRow => {
    const [from, to] = [pick(WALLETS), pick([...WALLETS, null])];
    const others = WALLETS.filter(wallet => wallet !== from && wallet !== to && roll(3) === 0);
    return {
      blockNumber: number,
      transactionIndex,
      transactionHash: hashText(`${hash} x${transactionIndex}`),
      from,
      to,
      internalRecipients: roll(3) === 0 ? null : others,
    };
  });
  return { transactions, transfers, erc20Transfers, trades };
}

export function createTokenRow(token: Hex): TokenRow {
  const coin = COINS.includes(token);
  return {
    tokenAddress: token,
    standard: coin ? 'ERC20' : 'ERC1155',
    name: token.endsWith('1') ? null : `Name of ${token}`,
    symbol: token.slice(-2),
    decimals: coin ? 18 : null,
  };
}

/** A batch of these blocks with their rows and token contracts. */
export function createBatch(blocks: readonly BlockRow[]): BlockBatch {
  const contents = blocks.map(getBlockContent);
  const transfers = contents.flatMap(content => content.transfers);
  const erc20Transfers = contents.flatMap(content => content.erc20Transfers);
  const tokens = new Set([...transfers, ...erc20Transfers].map(row => row.tokenAddress));
  return {
    blocks,
    transactions: contents.flatMap(content => content.transactions),
    transfers,
    erc20Transfers,
    trades: contents.flatMap(content => content.trades),
    tokens: [...tokens].map(createTokenRow),
  };
}

/** A batch of one block with these rows. */
export function createBlockBatch(parent: BlockRow | null, rows: Partial<Omit<BlockBatch, 'blocks'>>): BlockBatch {
  const none = { transactions: [], transfers: [], erc20Transfers: [], trades: [], tokens: [] };
  return { blocks: [createNextBlock(parent)], ...none, ...rows };
}

/** By default an ERC-721 mint. */
export function createTransferRow(row: Partial<TransferRow> & Pick<TransferRow, 'blockNumber' | 'to'>): TransferRow {
  return {
    place: 0,
    batchIndex: 0,
    transactionHash: hashText('transaction'),
    transactionIndex: 0,
    tokenAddress: address('c', 1),
    tokenId: 1n,
    standard: 'ERC721',
    from: ZERO_ADDRESS,
    amount: 1n,
    operator: null,
    value: null,
    ...row,
  };
}
