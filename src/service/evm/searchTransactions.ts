// Transactions from and to an address without an index of ours: by one of the node, by nonces, or block by block.

import type { Clock } from '../../base/clock.ts';
import { type Hex, isHex, parseQuantity, toQuantity } from '../../base/hex.ts';
import { compareTransactionPositions, type LocatedTransaction, type TransactionPosition } from '../store/rows.ts';
import { HEADER_METHOD, parseHeaderAt } from './blockHeader.ts';
import type { EvmNode } from './evmNode.ts';
import { fetchNullRound } from './nullRounds.ts';
import type { PageRange } from './pageRange.ts';
import { parseDelegate } from './proxyProbe.ts';
import { type MissingBlock, readWhenPresent } from './readWhenPresent.ts';
import {
  InvalidResponseError,
  optionalAddress,
  optionalCreatedContract,
  readArray,
  requireArray,
  requireHash,
  requireNumber,
  requireObject,
} from './responseFields.ts';
import type { RpcResponse } from './rpcMessage.ts';
import { toStateFault } from './sendAtBlock.ts';

export interface TransactionSearch extends PageRange<TransactionPosition> {
  /** In lower case. */
  readonly address: Hex;
}

export interface FoundTransactions {
  /** The method that found them. */
  readonly source: string;
  /** In the order of the list. */
  readonly transactions: readonly LocatedTransaction[];
  /** The block at which the search stopped, when time ran out before the page was full; else `null`. */
  readonly stoppedAt: number | null;
  /** What this source can not see, one sentence; `null` when it sees everything. */
  readonly problem: string | null;
}

/** A long and sparse range is continued by the next page. */
const MAX_TRANSACTION_SEARCH_MS = 8_000;
/** Blocks of a public chain have hundreds of transactions. */
const MAX_BLOCKS_BY_NONCE = 25;
/** Whole blocks in the first round, and at most: each round reads twice as many as the one before. */
const FIRST_ROUND_BLOCKS = 25;
const MAX_ROUND_BLOCKS = 400;

const ASSET_TRANSFERS = 'alchemy_getAssetTransfers';
const SEARCH_BEFORE = 'ots_searchTransactionsBefore';
const SEARCH_AFTER = 'ots_searchTransactionsAfter';
/** Nodes with that method return no more at once. */
const MAX_SEARCH_PAGE = 25;
/** Clients that have an index of traces by address. Others execute every block of the range again. */
const TRACE_INDEX_CLIENTS = /^(erigon|openethereum|parity)/i;
const TRACES_PER_PAGE = 1_000;
/** Blocks of the first range; each further one has eight times as many. */
const FIRST_TRACED_BLOCKS = 10_000;

const toLowerCase = (address: Hex | null) => (address?.toLowerCase() ?? null) as Hex | null;

interface ParsedTransaction extends LocatedTransaction {
  readonly sender: Hex | null;
  readonly recipient: Hex | null;
}

function parseTransaction(value: unknown): ParsedTransaction {
  const wire = requireObject(value, 'a transaction');
  return {
    transactionHash: requireHash(wire, 'hash').toLowerCase() as Hex,
    blockNumber: requireNumber(wire, 'blockNumber'),
    transactionIndex: requireNumber(wire, 'transactionIndex'),
    sender: toLowerCase(optionalAddress(wire, 'from')),
    recipient: toLowerCase(optionalAddress(wire, 'to')),
  };
}

const SEEN_EVERYTHING = { source: HEADER_METHOD, problem: null } as const;

function parseOtterscanPage(result: unknown, isOldestFirst: boolean) {
  const page = requireObject(result, 'the page');
  const receipts = requireArray(page, 'receipts').map(entry => requireObject(entry, 'a receipt'));
  const created = new Map(
    receipts.map(one => [toLowerCase(requireHash(one, 'transactionHash')), toLowerCase(optionalCreatedContract(one))]),
  );
  return {
    isLast: page[isOldestFirst ? 'firstPage' : 'lastPage'] === true,
    transactions: requireArray(page, 'txs').map(entry => {
      const transaction = parseTransaction(entry);
      return { ...transaction, created: created.get(transaction.transactionHash) ?? null };
    }),
  };
}

/** The call that a transaction begins with; `null` for calls within it and for rewards. Its numbers are JSON numbers, not hex. */
function parseTrace(value: unknown): (LocatedTransaction & { readonly parties: readonly (Hex | null)[] }) | null {
  const wire = requireObject(value, 'a trace');
  if (requireArray(wire, 'traceAddress').length > 0 || !isHex(wire['transactionHash'])) return null;
  const action = requireObject(wire['action'], 'the action of a trace');
  const created = wire['result']
    ? optionalAddress(requireObject(wire['result'], 'the result of a trace'), 'address')
    : null;
  const [blockNumber, transactionIndex] = [Number(wire['blockNumber']), Number(wire['transactionPosition'])];
  if (!Number.isSafeInteger(blockNumber) || !Number.isSafeInteger(transactionIndex))
    throw new InvalidResponseError('a trace has no position in the chain');
  return {
    transactionHash: requireHash(wire, 'transactionHash').toLowerCase() as Hex,
    blockNumber,
    transactionIndex,
    parties: [optionalAddress(action, 'from'), optionalAddress(action, 'to'), created].map(toLowerCase),
  };
}

/** Blocks strictly after `low`, up to `high`, in which the address sent `highNonce - lowNonce` transactions. */
interface NonceRange {
  readonly low: number;
  readonly high: number;
  readonly lowNonce: bigint;
  readonly highNonce: bigint;
}

const countNonces = (ranges: readonly NonceRange[]): bigint =>
  ranges.reduce((sum, { lowNonce, highNonce }) => sum + highNonce - lowNonce, 0n);

/** The first ranges that together have so many transactions, without empty ones. */
function takeFirst(ranges: readonly NonceRange[], count: number): readonly NonceRange[] {
  const taken: NonceRange[] = [];
  for (const range of ranges) {
    if (countNonces(taken) >= count) break;
    if (range.highNonce > range.lowNonce) taken.push(range);
  }
  return taken;
}

function getCreatedContract(node: EvmNode, response: RpcResponse | undefined): Hex | null {
  const result = node.getResult('eth_getTransactionReceipt', response);
  if (result === null || result === undefined) return null;
  return node.validate('eth_getTransactionReceipt', () =>
    toLowerCase(optionalCreatedContract(requireObject(result, 'the receipt'))),
  );
}

export interface SearchDeps {
  readonly node: EvmNode;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/** One search, which rejects with the faults of the node. */
export class TransactionSearcher {
  readonly #deps: SearchDeps;
  readonly #search: TransactionSearch;
  /** What is not found by then is left to the next page. */
  readonly #deadline: number;

  constructor(search: TransactionSearch, deps: SearchDeps) {
    this.#search = search;
    this.#deps = deps;
    this.#deadline = deps.clock.now() + MAX_TRANSACTION_SEARCH_MS;
  }

  /** Reads every block of the range: for forks of long chains, which are not indexed, and have few blocks of their own. */
  async searchBlocks(): Promise<FoundTransactions> {
    const { node, signal } = this.#deps;
    const { address, isOldestFirst, limit } = this.#search;
    const { result: code } = await node.rpc.send('eth_getCode', [address, 'latest'], signal);
    const hasCode = isHex(code) && code !== '0x';
    let { from, to } = this.#getRemainingRange();
    let found: readonly LocatedTransaction[] = [];
    for (let round = 0; from <= to && found.length < limit; round++) {
      if (round > 0 && this.#isLate())
        return { ...SEEN_EVERYTHING, transactions: found, stoppedAt: isOldestFirst ? from - 1 : to + 1 };
      const count = Math.min(FIRST_ROUND_BLOCKS * 2 ** Math.min(round, 8), MAX_ROUND_BLOCKS, to - from + 1);
      const low = isOldestFirst ? from : to - count + 1;
      const numbers = Array.from({ length: count }, (_, index) => low + index);
      const transactions = await this.#fetchBlocks(numbers);
      const own = transactions.filter(({ sender, recipient }) => sender === address || recipient === address);
      const creations = hasCode ? await this.#selectCreations(transactions) : [];
      found = this.#select([...found, ...own, ...creations]);
      if (isOldestFirst) from += count;
      else to -= count;
    }
    return { ...SEEN_EVERYTHING, transactions: found, stoppedAt: null };
  }

  /** By the index of the node; by nonces where it has none. */
  async searchNodeIndex(): Promise<FoundTransactions> {
    return (
      (await this.#searchOtterscan()) ??
      (await this.#searchAssetTransfers()) ??
      (await this.#searchTraces()) ??
      (await this.#searchNonces())
    );
  }

  #isLate(): boolean {
    return this.#deps.clock.now() >= this.#deadline;
  }

  /** What of `candidates` belongs on the page, each once, in the order of the list. */
  #select(candidates: readonly LocatedTransaction[]): readonly LocatedTransaction[] {
    const { from, to, after, isOldestFirst, limit } = this.#search;
    const sign = isOldestFirst ? 1 : -1;
    const unique = new Map(candidates.map(one => [one.transactionHash, one]));
    return [...unique.values()]
      .filter(one => one.blockNumber >= from && one.blockNumber <= to)
      .filter(one => after === null || sign * compareTransactionPositions(one, after) > 0)
      .sort((a, b) => sign * compareTransactionPositions(a, b))
      .slice(0, limit);
  }

  /** The blocks that are still to be searched when a page begins. */
  #getRemainingRange(): { from: number; to: number } {
    const { from, to, after, isOldestFirst } = this.#search;
    if (after === null) return { from, to };
    return isOldestFirst
      ? { from: Math.max(from, after.blockNumber), to }
      : { from, to: Math.min(to, after.blockNumber) };
  }

  async #fetchBlocks(numbers: readonly number[]): Promise<readonly ParsedTransaction[]> {
    const { node, clock, signal } = this.#deps;
    const transactions = new Map<number, readonly ParsedTransaction[]>();
    const read = async (): Promise<readonly ParsedTransaction[] | MissingBlock> => {
      const wanted = numbers.filter(number => !transactions.has(number));
      const responses = await node.rpc.sendAll(
        wanted.map(number => ({ method: HEADER_METHOD, params: [toQuantity(number), true] })),
        signal,
      );
      for (const [index, number] of wanted.entries()) {
        const result = node.getResult(HEADER_METHOD, responses[index]);
        node.validate(HEADER_METHOD, () => {
          const header = parseHeaderAt(result, number);
          if (header !== null) transactions.set(number, readArray(header.wire, 'transactions').map(parseTransaction));
        });
      }
      const missing = wanted.filter(number => !transactions.has(number));
      for (const number of missing.toSorted((a, b) => a - b)) {
        if ((await fetchNullRound(node, number, signal)) === null) return { missing: number };
        transactions.set(number, []);
      }
      return numbers.flatMap(number => transactions.get(number) ?? []);
    };
    return readWhenPresent(read, { node, method: HEADER_METHOD, clock }, signal);
  }

  /** The transactions that created the contract at the address. */
  async #selectCreations(transactions: readonly ParsedTransaction[]): Promise<readonly ParsedTransaction[]> {
    const { node, signal } = this.#deps;
    const { address } = this.#search;
    const creations = transactions.filter(({ sender, recipient }) => recipient === null && sender !== address);
    const responses = await node.rpc.sendAll(
      creations.map(({ transactionHash }) => ({ method: 'eth_getTransactionReceipt', params: [transactionHash] })),
      signal,
    );
    return creations.filter((_, index) => getCreatedContract(node, responses[index]) === address);
  }

  /** `null` when the node does not have the method, or no index for it. */
  async #searchOtterscan(): Promise<FoundTransactions | null> {
    const { node, signal } = this.#deps;
    const { address, isOldestFirst, limit } = this.#search;
    const source = isOldestFirst ? SEARCH_AFTER : SEARCH_BEFORE;
    const { from, to } = this.#getRemainingRange();
    let found: readonly LocatedTransaction[] = [];
    // Both ends are exclusive; 0 is the end of the chain.
    for (let edge = isOldestFirst ? Math.max(0, from - 1) : to + 1; ; ) {
      if (!node.rpc.isAvailable(source)) return null;
      const response = await node.rpc.send(source, [address, edge, Math.min(limit, MAX_SEARCH_PAGE)], signal);
      if (response.error !== undefined || response.result === null) return null;
      const { transactions, isLast } = node.validate(source, () => parseOtterscanPage(response.result, isOldestFirst));
      const own = transactions.filter(
        one => one.sender === address || one.recipient === address || one.created === address,
      );
      found = this.#select([...found, ...own]);
      const blocks = transactions.map(one => one.blockNumber);
      const next = isOldestFirst ? Math.max(...blocks) : Math.min(...blocks);
      const isDone = isLast || transactions.length === 0 || found.length >= limit;
      if (isDone || (isOldestFirst ? next >= to : next <= from)) break;
      if (edge !== 0 && (isOldestFirst ? next <= edge : next >= edge))
        throw node.rpc.invalidResponse(source, 'its pages are in no order');
      edge = next;
      if (this.#isLate()) return { source, transactions: found, stoppedAt: edge, problem: null };
    }
    return { source, transactions: found, stoppedAt: null, problem: null };
  }

  /** `null` when the node does not have the method. */
  async #searchAssetTransfers(): Promise<FoundTransactions | null> {
    const { node, signal } = this.#deps;
    const { address, isOldestFirst, limit } = this.#search;
    const { from, to } = this.#getRemainingRange();
    const options = {
      fromBlock: toQuantity(from),
      toBlock: toQuantity(to),
      category: ['external'],
      excludeZeroValue: false,
      order: isOldestFirst ? 'asc' : 'desc',
      withMetadata: false,
    };
    const hashes = new Set<Hex>();
    for (const side of [{ fromAddress: address }, { toAddress: address }]) {
      let pageKey: string | null = null;
      // The transactions of the block in which the page before ended come again, so that they are not counted.
      for (let count = 0; count < limit; ) {
        if (!node.rpc.isAvailable(ASSET_TRANSFERS)) return null;
        const request = { ...options, ...side, maxCount: toQuantity(limit), ...(pageKey && { pageKey }) };
        const response: RpcResponse = await node.rpc.send(ASSET_TRANSFERS, [request], signal);
        if (response.error !== undefined) return null;
        const page = node.validate(ASSET_TRANSFERS, () => {
          const wire = requireObject(response.result, 'the page');
          const transfers = requireArray(wire, 'transfers').map(entry => requireObject(entry, 'a transfer'));
          for (const one of transfers) {
            const hash = requireHash(one, 'hash').toLowerCase() as Hex;
            if (!hashes.has(hash) && requireNumber(one, 'blockNum') !== this.#search.after?.blockNumber) count++;
            hashes.add(hash);
          }
          return { length: transfers.length, key: typeof wire['pageKey'] === 'string' ? wire['pageKey'] : null };
        });
        pageKey = page.key;
        if (pageKey === null || page.length === 0) break;
      }
    }
    // The method does not tell the order within a block: the transactions themselves do.
    const responses = await node.rpc.sendAll(
      [...hashes].map(hash => ({ method: 'eth_getTransactionByHash', params: [hash] })),
      signal,
    );
    const located = responses.map(response => {
      const result = node.getResult('eth_getTransactionByHash', response);
      return node.validate('eth_getTransactionByHash', () => parseTransaction(result));
    });
    const problem = 'The transaction that created the address as a contract is missing.';
    return { source: ASSET_TRANSFERS, transactions: this.#select(located), stoppedAt: null, problem };
  }

  /** `null` when the node does not have the method, or no index for it. */
  async #searchTraces(): Promise<FoundTransactions | null> {
    const { node, signal } = this.#deps;
    const { clientVersion } = await node.getState(signal);
    if (!TRACE_INDEX_CLIENTS.test(clientVersion ?? '')) return null;
    const { isOldestFirst, limit } = this.#search;
    let { from, to } = this.#getRemainingRange();
    let found: readonly LocatedTransaction[] = [];
    for (let blocks = FIRST_TRACED_BLOCKS; from <= to && found.length < limit; blocks *= 8) {
      const count = Math.min(blocks, to - from + 1);
      const low = isOldestFirst ? from : to - count + 1;
      // The first range is always read whole, so that each page gets further.
      const isLate = () => blocks > FIRST_TRACED_BLOCKS && this.#isLate();
      const own = await this.#fetchTraced(low, low + count - 1, isLate);
      if (own === 'refused') return null;
      if (own === 'late')
        return {
          source: 'trace_filter',
          transactions: found,
          stoppedAt: isOldestFirst ? from - 1 : to + 1,
          problem: null,
        };
      found = this.#select([...found, ...own]);
      if (isOldestFirst) from += count;
      else to -= count;
    }
    return { source: 'trace_filter', transactions: found, stoppedAt: null, problem: null };
  }

  /** The transactions of these blocks from and to the address, and the one that created it. `late`: there was no time for all. */
  async #fetchTraced(
    low: number,
    high: number,
    isLate: () => boolean,
  ): Promise<readonly LocatedTransaction[] | 'refused' | 'late'> {
    const { node, signal } = this.#deps;
    const { address } = this.#search;
    const found: LocatedTransaction[] = [];
    const blocks = { fromBlock: toQuantity(low), toBlock: toQuantity(high), count: TRACES_PER_PAGE };
    for (const side of [{ fromAddress: [address] }, { toAddress: [address] }]) {
      let previous = '';
      for (let after = 0; ; after += TRACES_PER_PAGE) {
        if (isLate()) return 'late';
        if (!node.rpc.isAvailable('trace_filter')) return 'refused';
        const { result, error } = await node.rpc.send('trace_filter', [{ ...blocks, ...side, after }], signal);
        if (error !== undefined) return 'refused';
        const page = node.validate('trace_filter', () => requireArray({ result }, 'result'));
        const first = JSON.stringify(page[0]);
        if (after > 0 && first === previous) throw node.rpc.invalidResponse('trace_filter', 'its pages repeat');
        previous = first;
        const traces = node.validate('trace_filter', () => page.map(parseTrace));
        for (const trace of traces) if (trace?.parties.includes(address)) found.push(trace);
        if (traces.length < TRACES_PER_PAGE) break;
      }
    }
    return found;
  }

  /** What an address sent shows in its nonce: bisection finds the blocks, for all transactions of the page at once. */
  async #searchNonces(): Promise<FoundTransactions> {
    const { node, signal } = this.#deps;
    const { address, isOldestFirst, limit, after } = this.#search;
    // The rest of the block in which the page before ended: its nonces would count again what that page had.
    const edge = after === null ? [] : await this.#fetchBlocks([after.blockNumber]);
    const from =
      after !== null && isOldestFirst ? Math.max(this.#search.from, after.blockNumber + 1) : this.#search.from;
    const to = after !== null && !isOldestFirst ? Math.min(this.#search.to, after.blockNumber - 1) : this.#search.to;
    const selectSent = (transactions: readonly ParsedTransaction[]) =>
      this.#select([...edge, ...transactions].filter(({ sender }) => sender === address));
    const fetchNonces = async (blocks: readonly number[]): Promise<readonly bigint[]> => {
      const responses = await node.rpc.sendAll(
        blocks.map(block => ({ method: 'eth_getTransactionCount', params: [address, toQuantity(block)] })),
        signal,
      );
      return responses.map(response => {
        if (response.error !== undefined) throw toStateFault(node, 'eth_getTransactionCount', response.error);
        const nonce = parseQuantity(response.result);
        if (nonce === null) throw node.rpc.invalidResponse('eth_getTransactionCount', 'it is not a quantity');
        return nonce;
      });
    };
    const problem = 'The node has no index by address: only transactions that the address sent are listed.';
    // The nonce of a contract counts what it created. It sends no transactions, unless it is an account with a delegate.
    const { result: code } = await node.rpc.send('eth_getCode', [address, 'latest'], signal);
    if (isHex(code) && code !== '0x' && parseDelegate(code) === null)
      return { source: 'eth_getTransactionCount', transactions: [], stoppedAt: null, problem };
    if (from > to) return { source: 'eth_getTransactionCount', transactions: selectSent([]), stoppedAt: null, problem };
    const [highNonce = 0n, lowNonce = 0n] = await fetchNonces(from === 0 ? [to] : [to, from - 1]);
    // In the order of the list.
    let ranges: readonly NonceRange[] = [{ low: from - 1, high: to, lowNonce, highNonce }];
    for (;;) {
      ranges = takeFirst(ranges, Math.min(limit, MAX_BLOCKS_BY_NONCE));
      const wide = ranges.filter(({ low, high }) => high - low > 1);
      if (wide.length === 0) break;
      const middles = wide.map(({ low, high }) => Math.floor((low + high) / 2));
      const nonces = await fetchNonces(middles);
      const halves = new Map(
        wide.map((range, index) => {
          const [middle = 0, nonce = 0n] = [middles[index], nonces[index]];
          const lower = { ...range, high: middle, highNonce: nonce };
          const upper = { ...range, low: middle, lowNonce: nonce };
          return [range, isOldestFirst ? [lower, upper] : [upper, lower]] as const;
        }),
      );
      ranges = ranges.flatMap(range => halves.get(range) ?? [range]);
    }
    const transactions = await this.#fetchBlocks(ranges.map(({ high }) => high));
    const sent = selectSent(transactions);
    const last = ranges.at(-1);
    const isCut = countNonces(ranges) < highNonce - lowNonce && sent.length < limit;
    return {
      source: 'eth_getTransactionCount',
      transactions: sent,
      stoppedAt: isCut && last !== undefined ? last.high : null,
      problem,
    };
  }
}
