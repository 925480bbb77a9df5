// The first block at or after a moment, found with a few batches of headers.

import { HEADER_METHOD, toHeaderCall } from './blockHeader.ts';
import type { EvmNode, NodeState } from './evmNode.ts';
import { fetchNullRound } from './nullRounds.ts';
import { parseHeaderResponse } from './rpcResults.ts';

/** Headers per batch: each round narrows the search to the gap between two of them. */
const PROBES_PER_ROUND = 8;
/** Distances from the estimated block at which headers are read, to find out how good the estimate was. */
const ESTIMATE_DISTANCES = [0, 1, 16, 256];
/** Rounds are few (each divides by 9 at least); so many mean that the node's responses contradict each other. */
const MAX_ROUNDS = 40;

/**
 * The lowest block whose timestamp is not below `seconds`, a Unix time; the head's number plus one when there is none.
 * Timestamps never decrease from block to block.
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
    if (round === MAX_ROUNDS) throw node.rpc.invalidResponse(HEADER_METHOD, 'the times of its blocks are in no order');
    const heights = chooseProbes(low, lowTime, high, highTime, seconds);
    const times = await fetchTimes(node, state, heights, signal);
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

/** Heights strictly between the two, ascending: evenly spread, and around where blocks at a steady rate would have it. */
function chooseProbes(low: number, lowTime: number | null, high: number, highTime: number, seconds: number): number[] {
  const inside = high - low - 1;
  if (inside <= PROBES_PER_ROUND) return Array.from({ length: inside }, (_, index) => low + 1 + index);
  const heights = new Set<number>();
  if (lowTime === null)
    heights.add(0); // in the first round the time of the first block is not known
  else if (highTime > lowTime) {
    const estimate = low + Math.round(((seconds - lowTime) / (highTime - lowTime)) * (high - low));
    for (const distance of ESTIMATE_DISTANCES) heights.add(estimate - distance).add(estimate + distance);
  }
  for (let step = 1; step <= PROBES_PER_ROUND; step++)
    heights.add(low + Math.round((inside * step) / (PROBES_PER_ROUND + 1)));
  return [...heights].filter(height => height > low && height < high).sort((a, b) => a - b);
}

async function fetchTimes(
  node: EvmNode,
  state: NodeState,
  heights: readonly number[],
  signal: AbortSignal | undefined,
): Promise<number[]> {
  const cached = heights.map(height => node.cache.timeByNumber.get(height));
  const missing = heights.filter((_, index) => cached[index] === undefined);
  const responses = await node.rpc.sendAll(
    missing.map(height => toHeaderCall(height)),
    signal,
  );
  const fetched = new Map<number, number>();
  for (const [index, height] of missing.entries()) {
    const header =
      parseHeaderResponse(node, responses[index], height) ??
      // A number without a block is as late as the block below, so that it is never the first one at a time.
      (await fetchNullRound(node, height, signal))?.below;
    if (header === undefined) {
      throw node.rpc.invalidResponse(HEADER_METHOD, `block ${height} is missing below the head ${state.headNumber}`, {
        fix: 'Give block numbers instead of dates, or use a node that keeps all blocks.',
      });
    }
    const time = header.time.getTime() / 1000;
    if (height <= state.finalized) node.cache.timeByNumber.set(height, time);
    fetched.set(height, time);
  }
  return heights.map((height, index) => cached[index] ?? fetched.get(height) ?? 0);
}
