// Dates as blocks: the first block at or after a moment, found with a few batches of headers.
import { toQuantity } from '../../base/hex.ts';
import type { EvmNode, NodeState } from './evmNode.ts';
import { parseHeaderAt } from './responseFields.ts';

const HEADER = 'eth_getBlockByNumber';
/** Headers per batch: each round narrows the search to the gap between two of them. */
const PROBES = 8;
/** Distances from the reckoned block at which it is looked whether the reckoning was good. */
const NEAR = [0, 1, 16, 256];
/** Rounds are few (each divides by 9 at the least); this many mean that the node answers nonsense. */
const MOST_ROUNDS = 40;

/**
 * The lowest block whose timestamp is not below `seconds`; the head's number plus one when there is none. Timestamps never
 * fall from block to block.
 */
export async function fetchBlockNumberAtTime(
  node: EvmNode,
  state: NodeState,
  seconds: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const head = state.headNumber;
  const headTime = state.head.time.getTime() / 1000;
  if (headTime < seconds) return head + 1;
  // Invariant: `low` is too early (or before the chain), `high` is not.
  let low = -1;
  let lowTime: number | null = null;
  let high = head;
  let highTime = headTime;
  for (let round = 0; high - low > 1; round++) {
    if (round === MOST_ROUNDS) throw node.rpc.invalidResponse(HEADER, 'the times of its blocks are in no order');
    const heights = probes(low, lowTime, high, highTime, seconds);
    const times = await timesAt(node, state, heights, signal);
    for (const [index, height] of heights.entries()) {
      const time = times[index] ?? 0;
      if (time < seconds) {
        low = height;
        lowTime = time;
      } else {
        high = height;
        highTime = time;
        break;
      }
    }
  }
  return high;
}

/** Heights strictly between the two, ascending: evenly spread, and around where steady blocks would have it. */
function probes(low: number, lowTime: number | null, high: number, highTime: number, seconds: number): number[] {
  const inside = high - low - 1;
  if (inside <= PROBES) return Array.from({ length: inside }, (_, index) => low + 1 + index);
  const heights = new Set<number>();
  if (lowTime === null)
    heights.add(0); // the first round: where the chain begins is not known yet
  else if (highTime > lowTime) {
    const guess = low + Math.round(((seconds - lowTime) / (highTime - lowTime)) * (high - low));
    for (const distance of NEAR) heights.add(guess - distance).add(guess + distance);
  }
  for (let step = 1; step <= PROBES; step++) heights.add(low + Math.round((inside * step) / (PROBES + 1)));
  return [...heights].filter(height => height > low && height < high).sort((a, b) => a - b);
}

async function timesAt(
  node: EvmNode,
  state: NodeState,
  heights: readonly number[],
  signal: AbortSignal | undefined,
): Promise<number[]> {
  const known = heights.map(height => node.cache.timeByNumber.get(height));
  const unknown = heights.filter((_, index) => known[index] === undefined);
  const answers = await node.rpc.sendAll(
    unknown.map(height => ({ method: HEADER, params: [toQuantity(height), false] })),
    signal,
  );
  const asked = new Map<number, number>();
  for (const [index, height] of unknown.entries()) {
    const result = node.getResult(HEADER, answers[index]);
    const header = node.validate(HEADER, () => parseHeaderAt(result, height));
    if (header === null) {
      throw node.rpc.invalidResponse(HEADER, `block ${height} is missing below the head ${state.headNumber}`, {
        fix: 'Give block numbers instead of dates, or use a node that keeps all blocks.',
      });
    }
    const time = header.time.getTime() / 1000;
    if (height <= state.finalized) node.cache.timeByNumber.set(height, time);
    asked.set(height, time);
  }
  return heights.map((height, index) => known[index] ?? asked.get(height) ?? 0);
}
