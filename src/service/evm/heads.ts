// Looks at the heads of chains for a crowd of programs: each gets one that began after it asked, and many share it.
import { setTimeout } from 'node:timers/promises';
import { Rounds } from '../../base/rounds.ts';
import type { EvmNode, NodeState } from './node.ts';

/** Milliseconds between two looks at a head, each of which costs the node and us more than many an answer. */
const GATHER_MS = 2;

export function createHeads(): (node: EvmNode, signal?: AbortSignal) => Promise<NodeState> {
  const rounds = new Map<EvmNode, Rounds<NodeState>>();
  const roundsOf = (node: EvmNode): Rounds<NodeState> => {
    const known = rounds.get(node);
    if (known !== undefined) return known;
    let lookedAt = Number.NEGATIVE_INFINITY;
    // Alone nobody waits; of a crowd all who come within this time share one look.
    const made = new Rounds<NodeState>(async () => {
      if (performance.now() - lookedAt < GATHER_MS) await setTimeout(GATHER_MS);
      lookedAt = performance.now();
    });
    rounds.set(node, made);
    return made;
  };
  return (node, signal) => roundsOf(node).join(node.selector, shared => node.freshState(shared), signal);
}
