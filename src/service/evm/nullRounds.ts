// Numbers without a block, which Filecoin has (null rounds): the block above names the block below as its parent.
import { type BlockHeader, HEADER_METHOD, parseHeaderAt, toHeaderCall } from './blockHeader.ts';
import type { EvmNode } from './evmNode.ts';

/** Filecoin, its test network Calibration, and a development chain of Lotus. */
const CHAINS_WITH_NULL_ROUNDS: readonly number[] = [314, 314_159, 31_415_926];
/** Blocks on each side that are looked at: more null rounds in a row are rare. */
const MAX_NULL_ROUNDS = 8;

export interface NullRound {
  readonly below: BlockHeader;
  /** Its parent is `below`. */
  readonly above: BlockHeader;
}

/**
 * The blocks next to a number that the node has no block of; `null` when nothing proves that there is none: then it may lack
 * the block.
 */
export async function fetchNullRound(
  node: EvmNode,
  number: number,
  signal: AbortSignal | undefined,
): Promise<NullRound | null> {
  const numbers = Array.from({ length: 2 * MAX_NULL_ROUNDS + 1 }, (_, index) => number - MAX_NULL_ROUNDS + index);
  const others = numbers.filter(other => other >= 0 && other !== number);
  const responses = await node.rpc.sendAll(others.map(toHeaderCall), signal);
  const headers = others.flatMap((other, index) => {
    const response = responses[index];
    if (response?.error !== undefined) return [];
    return node.validate(HEADER_METHOD, () => parseHeaderAt(response?.result, other)) ?? [];
  });
  const below = headers.findLast(header => header.number < number);
  const above = headers.find(header => header.number > number);
  if (below === undefined || above === undefined) return null;
  const { chain } = await node.getState(signal);
  const isProven = above.parentHash === below.hash || CHAINS_WITH_NULL_ROUNDS.includes(chain.id);
  return isProven ? { below, above: { ...above, parentHash: below.hash } } : null;
}
