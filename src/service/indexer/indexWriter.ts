// Writes read blocks to the store in the background, in large batches: those are far cheaper than many small ones.

import type { Clock } from '../../base/clock.ts';
import type { Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { toBatches } from '../../base/toBatches.ts';
import type { BlockBatch, BlockRow, NftStandard, TokenRow } from '../store/rows.ts';
import { LeadershipLostError, type Store } from '../store/store.ts';
import type { DecodedRange, RangeReader } from './chainRangeReader.ts';
import { MAX_CONSECUTIVE_IDS } from './parseTokenLogs.ts';
import type { TokenContractCache } from './tokenContractCache.ts';

/** A store with what this process knows of its content. */
export interface OpenIndex {
  readonly store: Store;
  readonly tokenContracts: TokenContractCache;
  readonly reader: RangeReader;
  /** Token contracts whose row is in the store. */
  readonly storedTokens: Set<Hex>;
  /** The newest block of the store; `null` while it is empty. */
  readonly head: BlockRow | null;
  /** The block at which the index begins. */
  readonly firstBlock: number;
}

export interface IndexWriterDeps {
  readonly index: OpenIndex;
  /** The chain's name, for the log. */
  readonly selector: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with the newest block of each batch that was written. */
  onWritten(head: BlockRow): void;
}

/** Twice as many are no faster, and take 50 MB more while one thread hands them to another. */
const MAX_BATCH_ROWS = 10_000;
const MAX_BATCH_BLOCKS = 10_000;
const MAX_BATCH_AGE_MS = 500;
const MAX_STORED_TOKENS = 50_000;
/** Token contracts that one query of the store looks for. */
const MAX_TOKENS_PER_READ = 500;

/** One write at a time, in order: the next batch is collected while one is written. */
export class IndexWriter {
  readonly #deps: IndexWriterDeps;
  readonly #signal: AbortSignal;
  /** The batch that is collected. */
  #ranges: DecodedRange[] = [];
  #rowCount = 0;
  #blockCount = 0;
  #batchStart: number;
  /** Whether the store was as this process left it. */
  #lastWrite: Promise<boolean> = Promise.resolve(true);

  constructor(deps: IndexWriterDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
    this.#batchStart = deps.clock.now();
  }

  /** True when nothing waits to be written. */
  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  /** True when the batch is large or old enough to be written. */
  get isDue(): boolean {
    const isLarge = this.#rowCount >= MAX_BATCH_ROWS || this.#blockCount >= MAX_BATCH_BLOCKS;
    return !this.isEmpty && (isLarge || this.msUntilDue === 0);
  }

  /** Milliseconds until the batch is due, however small: a request may be waiting for it. */
  get msUntilDue(): number {
    return Math.max(0, MAX_BATCH_AGE_MS - (this.#deps.clock.now() - this.#batchStart));
  }

  /** Takes blocks that follow those that were added before. */
  add(range: DecodedRange): void {
    this.#ranges.push(range);
    const { erc20Transfers, trades } = range.decoded;
    this.#rowCount += range.transactions.length + range.transfers.length + erc20Transfers.length + trades.length;
    this.#blockCount += range.blocks.length;
  }

  /**
   * Starts to write the batch when the write before has ended. Resolves with false, writing nothing, when that one found
   * the store changed by another process; rejects with the fault of that one.
   */
  async startFlush(): Promise<boolean> {
    if (!(await this.#lastWrite)) return false;
    this.#lastWrite = this.#write(this.#takeBatch());
    this.#lastWrite.catch(() => {}); // the next call rejects with it
    return true;
  }

  /** The same, and waits until the batch is written. */
  async flush(): Promise<boolean> {
    return (await this.startFlush()) && this.#lastWrite;
  }

  /** Resolves when nothing is being written; never rejects. */
  async settled(): Promise<void> {
    await this.#lastWrite.catch(() => {});
  }

  #takeBatch(): PendingRows {
    const taken = this.#ranges;
    this.#ranges = [];
    this.#rowCount = 0;
    this.#blockCount = 0;
    this.#batchStart = this.#deps.clock.now();
    return mergeRanges(taken);
  }

  /** False when the store is no longer as this process left it: another one has it open too. */
  async #write(rows: PendingRows): Promise<boolean> {
    const { index, selector, log, onWritten } = this.#deps;
    const { store, head, firstBlock, storedTokens } = index;
    const { standards, sampleIds: _, skippedIdCount, ...batch } = rows;
    const last = rows.blocks.at(-1);
    if (last === undefined) return true;
    if (skippedIdCount > 0n)
      log.warn(
        `${skippedIdCount} NFTs of ${selector} are not in its index: more than ${MAX_CONSECUTIVE_IDS} in one block.`,
      );
    const tokens = await fetchMissingTokens(index, rows, last.number, this.#signal);
    this.#signal.throwIfAborted();
    try {
      const coveredFrom = head === null ? firstBlock : head.number + 1;
      await store.applyBatch({ ...(store.info.scope !== undefined && { coveredFrom }), ...batch, tokens });
    } catch (error) {
      const found = await store.readHead();
      if (found?.hash !== head?.hash || error instanceof LeadershipLostError) return false;
      throw error;
    }
    if (storedTokens.size > MAX_STORED_TOKENS) storedTokens.clear();
    for (const token of standards.keys()) storedTokens.add(token);
    onWritten(last);
    return true;
  }
}

interface PendingRows extends Omit<BlockBatch, 'coveredFrom' | 'tokens'> {
  /** Token contracts with the standard of their first row. */
  readonly standards: ReadonlyMap<Hex, NftStandard | 'ERC20'>;
  /** Token contracts with one of their ids, where there is one. */
  readonly sampleIds: ReadonlyMap<Hex, bigint>;
  readonly skippedIdCount: bigint;
}

function mergeRanges(ranges: readonly DecodedRange[]): PendingRows {
  const standards = new Map<Hex, NftStandard | 'ERC20'>();
  const sampleIds = new Map<Hex, bigint>();
  let skippedIdCount = 0n;
  for (const { decoded } of ranges) {
    for (const [token, standard] of decoded.tokens) if (!standards.has(token)) standards.set(token, standard);
    for (const { tokenAddress, tokenId } of decoded.transfers)
      if (!sampleIds.has(tokenAddress)) sampleIds.set(tokenAddress, tokenId);
    skippedIdCount += decoded.skippedIdCount;
  }
  return {
    blocks: ranges.flatMap(range => range.blocks),
    transactions: ranges.flatMap(range => range.transactions),
    transfers: ranges.flatMap(range => range.transfers),
    erc20Transfers: ranges.flatMap(range => range.decoded.erc20Transfers),
    trades: ranges.flatMap(range => range.decoded.trades),
    standards,
    sampleIds,
    skippedIdCount,
  };
}

/** Rows of the token contracts that the store has none of yet. Rejects with the faults of node and store. */
async function fetchMissingTokens(
  { store, tokenContracts, storedTokens }: OpenIndex,
  { standards, sampleIds }: PendingRows,
  block: number,
  signal: AbortSignal,
): Promise<readonly TokenRow[]> {
  const missing = new Map([...standards].filter(([token]) => !storedTokens.has(token)));
  for (const addresses of toBatches([...missing.keys()], MAX_TOKENS_PER_READ)) {
    const stored = await store.readTokens(addresses);
    for (const token of stored.keys()) missing.delete(token);
  }
  return missing.size === 0 ? [] : tokenContracts.fetchRows(missing, sampleIds, block, signal);
}
