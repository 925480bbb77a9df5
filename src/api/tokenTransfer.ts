// What one log of an ERC-20, ERC-721 or ERC-1155 says was transferred.

import type { Hex } from '../base/hex.ts';
import { TRANSFER, TRANSFER_BATCH, TRANSFER_SINGLE } from './eventTopics.ts';

export interface TokenTransfer {
  readonly tokenAddress: Hex;
  readonly from: Hex;
  readonly to: Hex;
  /** `null` for an ERC-721, which has one of each. */
  readonly amount: bigint | null;
  /** `null` for an ERC-20. */
  readonly tokenId: bigint | null;
}

const isWords = (value: unknown, count: number): value is Hex =>
  typeof value === 'string' && value.length === 2 + count * 64 && /^0x[0-9a-f]*$/i.test(value);

const toAddress = (word: Hex): Hex => `0x${word.slice(26).toLowerCase()}`;

export interface UncheckedLog {
  readonly address?: unknown;
  /** In their order, absent ones left out. */
  readonly topics?: unknown;
  readonly data?: unknown;
}

/**
 * Few ERC-20 tokens index the amount, so that their logs have the form of an ERC-721: the contract tells.
 *
 * @param standard Of the contract, where it is known.
 */
export function withStandard(transfer: TokenTransfer, standard: string | null): TokenTransfer {
  const isErc20 = standard === 'ERC20' && transfer.amount === null;
  return isErc20 ? { ...transfer, amount: transfer.tokenId, tokenId: null } : transfer;
}

/** The array of words whose offset is the word at `index`; `null` when the data does not hold it whole. */
function readWords(words: readonly bigint[], index: number): readonly bigint[] | null {
  const offset = words[index] ?? 1n;
  const at = Number(offset / 32n);
  const length = offset % 32n === 0n ? words[at] : undefined;
  if (length === undefined || length > BigInt(words.length - at - 1)) return null;
  return words.slice(at + 1, at + 1 + Number(length));
}

/** None for any other log, and for a malformed one: contracts may emit anything. */
export function parseTokenTransfers({ address, topics, data }: UncheckedLog): readonly TokenTransfer[] {
  if (typeof address !== 'string' || !/^0x[0-9a-f]{40}$/i.test(address)) return [];
  if (!Array.isArray(topics) || !topics.every((topic): topic is Hex => isWords(topic, 1))) return [];
  const [topic0, first, second, third] = topics;
  const tokenAddress = address.toLowerCase() as Hex; // checked above
  if (first === undefined || second === undefined) return [];
  if (topic0?.toLowerCase() === TRANSFER) {
    const parties = { tokenAddress, from: toAddress(first), to: toAddress(second) };
    if (third !== undefined) return [{ ...parties, amount: null, tokenId: BigInt(third) }];
    return isWords(data, 1) ? [{ ...parties, amount: BigInt(data), tokenId: null }] : [];
  }
  const isBatch = topic0?.toLowerCase() === TRANSFER_BATCH;
  if ((!isBatch && topic0?.toLowerCase() !== TRANSFER_SINGLE) || third === undefined) return [];
  if (typeof data !== 'string' || !/^0x(?:[0-9a-f]{64})+$/i.test(data)) return [];
  const words = (data.slice(2).match(/.{64}/g) ?? []).map(word => BigInt(`0x${word}`));
  if (!isBatch && words.length !== 2) return [];
  const ids = isBatch ? readWords(words, 0) : words.slice(0, 1);
  const amounts = isBatch ? readWords(words, 1) : words.slice(1);
  if (ids?.length !== amounts?.length) return [];
  const parties = { tokenAddress, from: toAddress(second), to: toAddress(third) };
  return (ids ?? []).map((tokenId, index) => ({ ...parties, tokenId, amount: amounts?.[index] ?? 0n }));
}
