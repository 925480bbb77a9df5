// What a transaction moved: coins, ERC-20 amounts and NFTs per account, summed over its logs and internal calls.
import { TRANSFER, TRANSFER_BATCH, TRANSFER_SINGLE, WRAPPED_DEPOSIT, WRAPPED_WITHDRAWAL } from '../api/eventTopics.ts';
import { type Hex, ZERO_ADDRESS } from '../base/hex.ts';
import { type PlaceableCall, placeCalls } from './placeCalls.ts';
import type { TokenStandard } from './sharedSignatures.ts';

export interface MovementLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

export interface CoinTransfer {
  readonly from: string;
  /** `null`: a contract was created whose address is unknown. */
  readonly to: string | null;
  readonly value: bigint;
}

/** The call that a transaction is; `to` is the new contract where it creates one. */
export interface OwnCall extends CoinTransfer {
  readonly gas: bigint | null;
}

export interface MovementSource {
  /** See `getCoinTransfers`. */
  readonly coins: readonly CoinTransfer[];
  readonly logs: readonly MovementLog[];
  /** What a token of `getTransferTokens` (lower-case address) is; `null` where that is unknown: the form of its logs decides. */
  getStandard?(token: Hex): TokenStandard | null;
}

/** A call below the transaction's own. */
export interface InnerCall extends PlaceableCall {
  readonly value: bigint | null;
}

const NO_VALUE = /delegate|static|callcode/i;

/** The calls whose effects last, in the order of execution: without those that failed, and all that these had called. */
export function getLastingCalls(own: Pick<OwnCall, 'to' | 'gas'>, calls: readonly InnerCall[]): readonly InnerCall[] {
  const placed = placeCalls(own, calls);
  return calls.filter((_, index) => placed[index]?.isUndone === false);
}

/** Coins that a transaction moved: its own value first, then those of the calls whose effects last. */
export function getCoinTransfers(own: OwnCall, calls: readonly InnerCall[]): readonly CoinTransfer[] {
  const { from, to, value } = own;
  const inner = getLastingCalls(own, calls).flatMap(call =>
    call.from === null || call.value === null || NO_VALUE.test(call.type ?? '')
      ? []
      : [{ from: call.from, to: call.to, value: call.value }],
  );
  return [{ from, to, value }, ...inner];
}

/** The change of one asset of one account; changes of zero are left out. */
export interface AssetMovement {
  /** In lower case. */
  readonly account: Hex;
  /** `coin`: the chain's native coin; `token`: an ERC-20 amount; `nft`: pieces of one token id. */
  readonly kind: 'coin' | 'token' | 'nft';
  /** The token contract in lower case; `null` for the native coin. */
  readonly token: Hex | null;
  readonly tokenId: bigint | null;
  /** In the smallest unit; negative when the account gave it away. */
  readonly change: bigint;
}

const lower = (text: string): Hex => text.toLowerCase() as Hex;
const getWord = (data: string, index: number): bigint | null => {
  const word = data.slice(2 + 64 * index, 2 + 64 * (index + 1));
  return word.length === 64 ? BigInt(`0x${word}`) : null;
};
const toAccount = (topic: string | undefined): Hex | null =>
  topic !== undefined && topic.length === 66 && /^0x0{24}/.test(topic) ? lower(`0x${topic.slice(26)}`) : null;

/** The array of words whose offset is at `index`; `null` when the data does not hold it. */
function getWords(data: string, index: number): readonly bigint[] | null {
  const offset = getWord(data, index);
  if (offset === null || offset % 32n !== 0n || offset > 1_000_000n) return null;
  const at = Number(offset) / 32;
  const length = getWord(data, at);
  if (length === null || length > BigInt(Math.floor(data.length / 64))) return null;
  const words: bigint[] = [];
  for (let i = 1; i <= Number(length); i++) {
    const word = getWord(data, at + i);
    if (word === null) return null;
    words.push(word);
  }
  return words;
}

interface LoggedTransfer {
  readonly from: Hex;
  readonly to: Hex;
  readonly kind: 'token' | 'nft';
  readonly tokenId: bigint | null;
  readonly amount: bigint;
}

/** Tokens whose standard decides whether the number in their logs is an amount or an id. */
export const getTransferTokens = (logs: readonly MovementLog[]): ReadonlySet<Hex> =>
  new Set(logs.flatMap(({ address, topics }) => (topics[0] === TRANSFER ? [lower(address)] : [])));

/** Transfers that a log tells of; none for other logs and malformed ones. */
function getTokenTransfers({ topics, data }: MovementLog, standard: TokenStandard | null): readonly LoggedTransfer[] {
  const [topic0, second, third, fourth] = topics;
  const value = getWord(data, 0);
  if (topic0 === TRANSFER) {
    const [from, to] = [toAccount(second), toAccount(third)];
    if (from === null || to === null) return [];
    const number = fourth === undefined ? value : BigInt(fourth);
    if (number === null) return [];
    const isNft = fourth === undefined ? standard === 'ERC721' : standard !== 'ERC20';
    return isNft
      ? [{ from, to, kind: 'nft', tokenId: number, amount: 1n }]
      : [{ from, to, kind: 'token', tokenId: null, amount: number }];
  }
  if (topic0 === WRAPPED_DEPOSIT || topic0 === WRAPPED_WITHDRAWAL) {
    const account = toAccount(second);
    if (account === null || value === null || topics.length !== 2) return [];
    const [from, to] = topic0 === WRAPPED_DEPOSIT ? [ZERO_ADDRESS, account] : [account, ZERO_ADDRESS];
    return [{ from, to, kind: 'token', tokenId: null, amount: value }];
  }
  if (topic0 !== TRANSFER_SINGLE && topic0 !== TRANSFER_BATCH) return [];
  const [from, to] = [toAccount(third), toAccount(fourth)];
  if (from === null || to === null) return [];
  const single = topic0 === TRANSFER_SINGLE;
  const ids = single ? [value] : getWords(data, 0);
  const amounts = single ? [getWord(data, 1)] : getWords(data, 1);
  if (ids === null || amounts === null || ids.length !== amounts.length) return [];
  return ids.flatMap((tokenId, index) => {
    const amount = amounts[index] ?? null;
    return tokenId === null || amount === null ? [] : [{ from, to, kind: 'nft' as const, tokenId, amount }];
  });
}

/** Tokens that log in the forms of both standards have amounts and ids: then the form decides. */
function findTokensOfBothForms(logs: readonly MovementLog[]): ReadonlySet<Hex> {
  const [indexed, plain] = [true, false].map(isIndexed =>
    getTransferTokens(logs.filter(({ topics }) => (topics.length === 4) === isIndexed)),
  );
  return new Set([...(indexed ?? [])].filter(token => plain?.has(token)));
}

/** What every account gave and got, in the order in which the accounts appear; without the zero address. */
export function getAssetMovements({ coins, logs, getStandard }: MovementSource): readonly AssetMovement[] {
  const changes = new Map<string, AssetMovement>();
  const add = (movement: AssetMovement): void => {
    const { account, kind, token, tokenId, change } = movement;
    if (account === ZERO_ADDRESS || change === 0n) return;
    const key = `${account} ${kind} ${token} ${tokenId}`;
    changes.set(key, { ...movement, change: change + (changes.get(key)?.change ?? 0n) });
  };
  for (const { from, to, value } of coins) {
    add({ account: lower(from), kind: 'coin', token: null, tokenId: null, change: -value });
    if (to !== null) add({ account: lower(to), kind: 'coin', token: null, tokenId: null, change: value });
  }
  const both = findTokensOfBothForms(logs);
  const readTransfers = (log: MovementLog) => {
    const token = lower(log.address);
    return getTokenTransfers(log, both.has(token) ? null : (getStandard?.(token) ?? null));
  };
  const toKey = (address: string, { from, to, amount }: LoggedTransfer) => `${lower(address)} ${from} ${to} ${amount}`;
  const transferred = new Set(
    logs
      .filter(({ topics }) => topics[0] === TRANSFER)
      .flatMap(log => readTransfers(log).map(transfer => toKey(log.address, transfer))),
  );
  for (const log of logs)
    for (const transfer of readTransfers(log)) {
      const { from, to, kind, tokenId, amount } = transfer;
      // Some wrapped coins log a Transfer too.
      if (log.topics[0] !== TRANSFER && kind === 'token' && transferred.has(toKey(log.address, transfer))) continue;
      const asset = { kind, token: lower(log.address), tokenId };
      add({ account: from, ...asset, change: -amount });
      add({ account: to, ...asset, change: amount });
    }
  return [...changes.values()].filter(({ change }) => change !== 0n);
}
