// How many blocks the next `eth_getLogs` spans: quickly wider where little is found, narrower where a node refuses (AIMD).
import type { LogLimit } from './logLimit.ts';

const INITIAL_BLOCKS = 32;
export const MAX_LOG_RANGE_BLOCKS = 100_000;
/** Factor by which the range grows until the first limit, and where nothing is found. */
const FAST_GROWTH = 4;
/** After a limit it grows by this fraction of itself, until the next one halves it. */
const SLOW_GROWTH = 8;
/** Logs per call that are useful at most. */
const MAX_WANTED_LOGS = 2_000;

export type LogRangeSizer = ReturnType<typeof createLogRangeSizer>;

/** What is known of a node; see `NodeCache`. */
interface KnownLimits {
  readonly cache: { maxLogRange: number | null };
}

/**
 * @param node Its limit applies, and is set where it turns out to be another.
 * @param maxBlocks The most that a call should span in any case.
 * @param initialBlocks Blocks per call that suited the page before, if there was one.
 */
export function createLogRangeSizer(
  node: KnownLimits,
  { maxBlocks = MAX_LOG_RANGE_BLOCKS, initialBlocks }: { maxBlocks?: number; initialBlocks?: number | null } = {},
) {
  const limitToNode = (wanted: number) => Math.max(1, Math.min(wanted, node.cache.maxLogRange ?? maxBlocks, maxBlocks));
  let blocks = initialBlocks ?? INITIAL_BLOCKS;
  let hasMetLimit = false;
  return {
    /** How many blocks the next call should span. */
    get rangeSize() {
      return limitToNode(blocks);
    },
    /** How many blocks a call may span at most, as far as is known. */
    get maxRangeSize() {
      return limitToNode(maxBlocks);
    },
    /** Notes that a call over `blocks` returned `found` logs, and that `wanted` more are looked for. */
    recordFound(span: number, found: number, wanted: number) {
      const wider = hasMetLimit && found > 0 ? span + Math.ceil(span / SLOW_GROWTH) : span * FAST_GROWTH;
      // Enough for what is wanted, with a quarter to spare; where nothing is found nothing can be estimated.
      const enough = found === 0 ? wider : Math.ceil((span * Math.min(wanted, MAX_WANTED_LOGS) * 1.25) / found);
      blocks = limitToNode(Math.min(wider, enough));
    },
    /** Notes that a call over `blocks` exceeded a limit. */
    recordLimit(span: number, { kind, blocks: named }: LogLimit) {
      hasMetLimit = true;
      const isNamed = named !== null && named < span;
      // What took too long was about as many times as wide as the range before it.
      blocks = Math.max(1, isNamed ? named : Math.floor(span / (kind === 'time' ? FAST_GROWTH : 2)));
      // Too many logs in this range says nothing about other ranges; too many blocks holds for all of them.
      // Ranges that are under way at the same time may be wider than one that was refused already.
      if (kind === 'range' || kind === 'time')
        node.cache.maxLogRange = Math.min(blocks, node.cache.maxLogRange ?? blocks);
    },
  };
}
