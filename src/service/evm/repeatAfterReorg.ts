// Repeats a request whose responses are of two forks, because the node's chain changed while they were read.
import type { Clock } from '../../base/clock.ts';
import { HexLensError, isFault } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';
import type { EvmNode } from './evmNode.ts';
import type { EvmNodes } from './evmNodes.ts';

/** What was read is of two forks, whatever the node's head is by now. */
export class ChainReorganizedError extends HexLensError {
  constructor() {
    super('node-answer', localizable('The chain was reorganized while it was read.'), {
      fix: localizable('Try again in a moment.'),
    });
  }
}

/** The chain may change again and again while it is read; each time the request waits longer. */
const MAX_ATTEMPTS = 8;
const WAIT_MS = 50;

/**
 * Runs `work` again when a node rejects a call or contradicts an earlier response ("header not found", a block that is gone) and
 * its head has changed meanwhile. A node whose chain stays the same is trusted: its fault is thrown.
 *
 * @param work Gets the nodes to use, since their heads are compared.
 */
export async function repeatAfterReorg<T>(
  nodes: EvmNodes,
  clock: Clock,
  signal: AbortSignal,
  work: (nodes: EvmNodes) => Promise<T>,
): Promise<T> {
  const headChanges = new Map<EvmNode, number>();
  const observed: EvmNodes = {
    ...nodes,
    async find(selector, findSignal) {
      const node = await nodes.find(selector, findSignal);
      if (!headChanges.has(node)) headChanges.set(node, node.headChanges);
      return node;
    },
  };
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(observed);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || signal.aborted || !isFault(error, 'node-answer', 'node-error')) throw error;
      const hasChanged = await updateHeadChanges(headChanges, signal);
      if (!hasChanged && !(error instanceof ChainReorganizedError)) throw error;
      await clock.sleep(WAIT_MS * attempt, signal);
    }
  }
}

/** Whether the head of a node has changed since the numbers were read, also if it is the same again. */
async function updateHeadChanges(headChanges: Map<EvmNode, number>, signal: AbortSignal): Promise<boolean> {
  let hasChanged = false;
  for (const [node, before] of headChanges) {
    await node.fetchState(signal).catch(() => {}); // then the fault of the request is thrown
    if (node.headChanges === before) continue;
    headChanges.set(node, node.headChanges);
    hasChanged = true;
  }
  return hasChanged;
}
