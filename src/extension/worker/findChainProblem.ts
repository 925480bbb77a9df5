// Whether the node of a chain of this machine responds.
import { formatFault, isFault } from '../../base/errors.ts';
import type { ConfiguredChain } from './configuredChains.ts';
import type { WorkerClient } from './workerClient.ts';

/**
 * Why the node of a chain of this machine does not respond; `null` when it does, and for chains elsewhere. Until it has, it is
 * unknown whether it may be queried for what could be a key. Rejects with `cancelled` only.
 */
export async function findChainProblem(
  { selector, isOnLoopback }: Pick<ConfiguredChain, 'selector' | 'isOnLoopback'>,
  { lookup }: Pick<WorkerClient, 'lookup'>,
  signal: AbortSignal,
): Promise<string | null> {
  if (!isOnLoopback) return null;
  try {
    const { problem = null } = await lookup('chainStatus', { chain: selector }, signal);
    return problem;
  } catch (error) {
    if (isFault(error, 'cancelled')) throw error;
    return formatFault(error);
  }
}
