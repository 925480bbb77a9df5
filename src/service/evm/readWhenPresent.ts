// Reads again what a node does not have yet: behind a load balancer one node may be some blocks behind the others.
import type { Clock } from '../../base/clock.ts';
import type { EvmNode } from './evmNode.ts';

const MAX_ATTEMPTS = 5;
const WAIT_MS = 250;

/** What `read` returns, once it is not `null`. Rejects when the node still lacks the block, which is not above its head. */
export async function readWhenPresent<T>(
  read: () => Promise<T | null>,
  { node, method, block, clock }: { node: EvmNode; method: string; block: number; clock: Clock },
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const found = await read();
    if (found !== null) return found;
    if (attempt === MAX_ATTEMPTS)
      throw node.rpc.invalidResponse(method, `it does not have block ${block}, which is not above its head`, {
        fix: 'It may be behind: try again in a moment.',
      });
    await clock.sleep(WAIT_MS * attempt, signal);
  }
}
