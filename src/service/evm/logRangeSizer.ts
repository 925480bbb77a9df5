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

export interface LogRangeSizer {
  /** How many blocks the next call should span. */
  readonly rangeSize: number;
  /** Notes that a call over `blocks` returned `found` logs, and that `wanted` more are looked for. */
  recordFound(blocks: number, found: number, wanted: number): void;
  /** Notes that a call over `blocks` exceeded a limit. */
  recordLimit(blocks: number, limit: LogLimit): void;
}

/**
 * @param maxBlocks The most that the node takes, if it has named that.
 * @param initialBlocks Blocks per call that suited the page before, if there was one.
 */
export function createLogRangeSizer(maxBlocks: number | null, initialBlocks: number | null): LogRangeSizer {
  let ceiling = Math.min(maxBlocks ?? MAX_LOG_RANGE_BLOCKS, MAX_LOG_RANGE_BLOCKS);
  let blocks = Math.max(1, Math.min(initialBlocks ?? INITIAL_BLOCKS, ceiling));
  let hasMetLimit = false;
  return {
    get rangeSize() {
      return blocks;
    },
    recordFound(span, found, wanted) {
      const wider = hasMetLimit && found > 0 ? span + Math.ceil(span / SLOW_GROWTH) : span * FAST_GROWTH;
      // Enough for what is wanted, with a quarter to spare; where nothing is found nothing can be estimated.
      const enough = found === 0 ? wider : Math.ceil((span * Math.min(wanted, MAX_WANTED_LOGS) * 1.25) / found);
      blocks = Math.max(1, Math.min(wider, enough, ceiling));
    },
    recordLimit(span, limit) {
      hasMetLimit = true;
      const narrower = limit.blocks !== null && limit.blocks < span ? limit.blocks : Math.floor(span / 2);
      blocks = Math.max(1, narrower);
      // Too many logs in this range says nothing about other ranges; too many blocks holds for all of them.
      if (limit.kind === 'range') ceiling = Math.max(1, limit.blocks === null ? span - 1 : blocks);
    },
  };
}
