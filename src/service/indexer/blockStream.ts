// The blocks that an index lacks, as a stream of events: ranges read side by side, delivered in the order of the chain.
import { createCancelledFault } from '../../base/errors.ts';
import type { BlockRow } from '../store/rows.ts';
import type { DecodedRange, RangeParts, RangeReader } from './chainRangeReader.ts';

type BlockEvent =
  /** The next blocks of the chain, directly above those before. */
  | { readonly type: 'blocks'; readonly range: DecodedRange }
  /** The next blocks do not follow those before: the chain changed while it was read. The stream ends. */
  | { readonly type: 'reorg' };

interface BlockStreamOptions {
  readonly reader: RangeReader;
  /** Both ends inclusive. */
  readonly from: number;
  readonly to: number;
  /** The newest block that will not change: one range ends there, so that a reorg costs at most what is above it. */
  readonly finalized: number;
  /** The block below `from`; `null` when the index is empty. */
  readonly parent: BlockRow | null;
}

/** Ranges that are read at the same time. */
const MAX_CONCURRENT_RANGES = 4;
/**
 * So few blocks are read in ranges of the same size, all at the same time: more ranges would take as many round trips again.
 * The parts of each range fit into memory.
 */
const MAX_BLOCKS_AT_ONCE = 512;

/** A range that is being read, and its part that comes next. */
interface ReadAhead {
  readonly parts: RangeParts;
  next: ReturnType<RangeParts['next']>;
  /** All blocks before it were taken. */
  readonly turn: PromiseWithResolvers<void>;
}

function readNext(parts: RangeParts): ReadAhead['next'] {
  const next = parts.next();
  next.catch(() => {}); // awaited in its turn, unless an earlier one fails
  return next;
}

/**
 * Starts ranges only while the consumer waits for the next event, and is never more than one part of each ahead. Throws the
 * faults of the node. A consumer that ends the stream early aborts `signal` first.
 */
export async function* streamBlocks(
  { reader, from, to, finalized, parent }: BlockStreamOptions,
  signal: AbortSignal,
): AsyncGenerator<BlockEvent, void> {
  const ahead: ReadAhead[] = [];
  const count = to - from + 1;
  const isShort = count <= MAX_BLOCKS_AT_ONCE;
  const minRangeSize = isShort ? Math.ceil(count / MAX_CONCURRENT_RANGES) : 1;
  // The final block ends one more.
  const maxRanges = isShort ? MAX_CONCURRENT_RANGES + 1 : MAX_CONCURRENT_RANGES;
  let next = from;
  let tip = parent;
  try {
    for (;;) {
      while (ahead.length < maxRanges && next <= to) {
        const size = Math.max(reader.rangeSize, Math.min(minRangeSize, reader.maxRangeSize));
        const last = Math.min(to, next + size - 1, next <= finalized ? finalized : to);
        const turn = Promise.withResolvers<void>();
        turn.promise.catch(() => {}); // most ranges do not wait for it
        const parts = reader.read(next, last, to - last, signal, turn.promise);
        ahead.push({ parts, next: readNext(parts), turn });
        next = last + 1;
      }
      const [first] = ahead;
      if (first === undefined) return;
      first.turn.resolve();
      const { value: range } = await first.next;
      if (range === undefined) {
        ahead.shift();
        continue;
      }
      first.next = readNext(first.parts);
      // Without blocks, all its numbers are null rounds.
      if (range === 'reorged' || (tip !== null && (range.blocks[0]?.parentHash ?? tip.hash) !== tip.hash)) {
        yield { type: 'reorg' };
        return;
      }
      tip = range.blocks.at(-1) ?? tip;
      yield { type: 'blocks', range };
    }
  } finally {
    for (const { turn } of ahead) turn.reject(createCancelledFault());
    await Promise.allSettled(ahead.map(range => range.next));
  }
}
