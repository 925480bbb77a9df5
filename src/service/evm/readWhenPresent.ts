// Reads again what a node does not have yet: behind a load balancer one node may be some blocks behind the others.
import type { Clock } from '../../base/clock.ts';
import type { EvmNode } from './evmNode.ts';
import { FINALITY_DEPTH } from './finality.ts';

const MAX_ATTEMPTS = 5;
const WAIT_MS = 250;

/** The number of a block that the node does not have, although it is not above its head. */
export interface MissingBlock {
  readonly missing: number;
}

/**
 * What `read` returns, once no block is missing. Rejects when the node still lacks one; at once for a block so far below the
 * head that the node can not be behind by so much.
 */
export async function readWhenPresent<T extends object>(
  read: () => Promise<T | MissingBlock>,
  { node, method, clock }: { node: EvmNode; method: string; clock: Clock },
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const found = await read();
    if (!('missing' in found)) return found;
    const { missing } = found as MissingBlock;
    const { headNumber } = await node.getState(signal);
    if (headNumber - missing > FINALITY_DEPTH) throw createPrunedBlockFault(node, method, missing, headNumber);
    if (attempt === MAX_ATTEMPTS)
      throw node.rpc.invalidResponse(method, `it does not have block ${missing}, which is not above its head`, {
        fix: 'It may be behind: try again in a moment.',
      });
    await clock.sleep(WAIT_MS * attempt, signal);
  }
}

export const createPrunedBlockFault = (node: EvmNode, method: string, block: number, headNumber: number) =>
  node.rpc.invalidResponse(method, `block ${block} is missing below the head ${headNumber}`, {
    fix: 'It may have thrown old blocks away, or it is still syncing: use a node that keeps all blocks.',
  });
