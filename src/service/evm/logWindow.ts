// How many blocks the next `eth_getLogs` spans: quickly wider where little is found, narrower where a node refuses (AIMD).
import type { LogLimit } from './logLimit.ts';

const FIRST = 32;
const WIDEST = 100_000;
/** Until the first refusal, and where nothing at all is found, the window grows this much. */
const GROWTH = 4;
/** After a refusal it grows by this part of itself, until the next one halves it. */
const STEP = 8;
/** Logs that one call may bring without anyone being able to use them. */
const FULL = 2_000;

export interface LogWindow {
  readonly blocks: number;
  /** A call over `blocks` brought `found` logs; `wanted` more are looked for. */
  recordFound(blocks: number, found: number, wanted: number): void;
  /** A call over `blocks` was refused, for the reason given. */
  recordLimit(blocks: number, limit: LogLimit): void;
}

/** `cap` is what the node said it takes at most, `null` when it never said so; `first` is where an earlier page ended. */
export function createLogWindow(cap: number | null, first: number | null): LogWindow {
  let ceiling = Math.min(cap ?? WIDEST, WIDEST);
  let blocks = Math.max(1, Math.min(first ?? FIRST, ceiling));
  let wasRefused = false;
  return {
    get blocks() {
      return blocks;
    },
    recordFound(span, found, wanted) {
      const wider = wasRefused && found > 0 ? span + Math.ceil(span / STEP) : span * GROWTH;
      // Enough for what is wanted, with a quarter to spare; with nothing found there is nothing to reckon with.
      const enough = found === 0 ? wider : Math.ceil((span * Math.min(wanted, FULL) * 1.25) / found);
      blocks = Math.max(1, Math.min(wider, enough, ceiling));
    },
    recordLimit(span, limit) {
      wasRefused = true;
      const narrower = limit.blocks !== null && limit.blocks < span ? limit.blocks : Math.floor(span / 2);
      blocks = Math.max(1, narrower);
      // Too many logs here says nothing of other places; too many blocks holds everywhere.
      if (limit.kind === 'range') ceiling = Math.max(1, limit.blocks === null ? span - 1 : blocks);
    },
  };
}
