// Ranges of blocks that were read but not yet stored: gathered, because large transactions are far cheaper than small ones.

import type { Clock } from '../../base/clock.ts';
import type { Hex } from '../../base/hex.ts';
import type { BlockRow, MintRow, NftStandard, TokenRow, TradeRow, TransferRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import type { DecodedRange } from './chainRangeReader.ts';
import type { TokenContractCache } from './tokenContractCache.ts';

// Writes in the background, one at a time and in their order: while one is under way, the next is gathered.
export interface OneAtATime {
  /** Begins the next write when the last one has ended; false, beginning nothing, when that one did not work. */
  begin(): Promise<boolean>;
  /** The same, and waits for its end. */
  finish(): Promise<boolean>;
  /** Resolves when nothing is under way, however it ended. */
  settled(): Promise<void>;
}

/** `write` resolves with whether it worked; what it rejects with, the next call rejects with. */
export function oneAtATime(write: () => Promise<boolean>): OneAtATime {
  let last: Promise<boolean> = Promise.resolve(true);
  const begin = async () => {
    if (!(await last)) return false;
    last = write();
    last.catch(() => {}); // the next call hears of it
    return true;
  };
  return {
    begin,
    finish: async () => (await begin()) && last,
    async settled() {
      await last.catch(() => {});
    },
  };
}

export interface PendingRows {
  readonly blocks: readonly BlockRow[];
  readonly transfers: readonly TransferRow[];
  readonly mints: readonly MintRow[];
  readonly trades: readonly TradeRow[];
  /** Contracts with the standard of their first row, and an id of theirs where there is one. */
  readonly shapes: ReadonlyMap<Hex, NftStandard | 'ERC20'>;
  readonly samples: ReadonlyMap<Hex, bigint>;
  readonly leftOut: bigint;
}

export interface RowBuffer {
  add(range: DecodedRange): void;
  readonly isEmpty: boolean;
  /** Milliseconds until what was gathered should be stored, however little it is: somebody may be waiting for it. */
  readonly msUntilDue: number;
  /** True when it is time to store: enough rows, or no patience left. */
  readonly isDue: boolean;
  /** What was gathered, leaving nothing. */
  take(): PendingRows;
}

/** Twice as many are no faster, and take 50 MB more while one thread hands them to another. */
const MOST_ROWS = 10_000;
const MOST_BLOCKS = 10_000;
const LONGEST_MS = 500;

export function createRowBuffer(clock: Clock): RowBuffer {
  let ranges: DecodedRange[] = [];
  let rows = 0;
  let blocks = 0;
  let since = clock.now();
  const patience = () => Math.max(0, LONGEST_MS - (clock.now() - since));
  return {
    get isEmpty() {
      return ranges.length === 0;
    },
    get msUntilDue() {
      return patience();
    },
    add(range) {
      ranges.push(range);
      rows += range.transfers.length + range.decoded.mints.length + range.decoded.trades.length;
      blocks += range.blocks.length;
    },
    get isDue() {
      return ranges.length > 0 && (rows >= MOST_ROWS || blocks >= MOST_BLOCKS || patience() === 0);
    },
    take() {
      const taken = ranges;
      ranges = [];
      rows = 0;
      blocks = 0;
      since = clock.now();
      return merge(taken);
    },
  };
}

function merge(ranges: readonly DecodedRange[]): PendingRows {
  const shapes = new Map<Hex, NftStandard | 'ERC20'>();
  const samples = new Map<Hex, bigint>();
  let leftOut = 0n;
  for (const { decoded } of ranges) {
    for (const [token, shape] of decoded.tokens) if (!shapes.has(token)) shapes.set(token, shape);
    for (const { token, tokenId } of decoded.transfers) if (!samples.has(token)) samples.set(token, tokenId);
    leftOut += decoded.skippedIdCount;
  }
  return {
    blocks: ranges.flatMap(range => range.blocks),
    transfers: ranges.flatMap(range => range.transfers),
    mints: ranges.flatMap(range => range.decoded.mints),
    trades: ranges.flatMap(range => range.decoded.trades),
    shapes,
    samples,
    leftOut,
  };
}

// Rows of the token contracts that a store has no row of yet.
const MOST_LOOKED_UP = 500;

export interface Known {
  readonly store: Pick<Store, 'readTokens'>;
  readonly book: TokenContractCache;
  /** Contracts whose row is surely in the store. */
  readonly named: ReadonlySet<Hex>;
}

/** Asks the contracts of `pending` that nobody has asked. Rejects with the node's and the store's faults. */
export async function fetchMissingTokens(
  { store, book, named }: Known,
  { shapes, samples }: PendingRows,
  signal: AbortSignal,
): Promise<readonly TokenRow[]> {
  const missing = new Map([...shapes].filter(([token]) => !named.has(token)));
  const all = [...missing.keys()];
  for (let from = 0; from < all.length; from += MOST_LOOKED_UP)
    for (const token of (await store.readTokens(all.slice(from, from + MOST_LOOKED_UP))).keys()) missing.delete(token);
  return missing.size === 0 ? [] : book.fetchRows(missing, samples, signal);
}
