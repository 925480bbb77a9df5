// Looks at the heads of chains for a crowd of programs: each gets one that began after it asked, and many share it.
import { setTimeout } from 'node:timers/promises';
import type { ChainState } from '../../contract/freshness.ts';
import type { EvmNode } from './node.ts';

/** Milliseconds between two looks at a head, each of which costs the node and us more than many an answer. */
const GATHER_MS = 2;

/** The looks at one head. */
interface Looks {
  /** The one that has not begun: whoever asks now shares it. */
  open: Promise<ChainState> | null;
  running: Promise<unknown> | null;
  lookedAt: number;
}

/** `look` asks a node for its state of that moment. */
export function createHeads(look: (node: EvmNode) => Promise<ChainState>): (node: EvmNode) => Promise<ChainState> {
  const looks = new Map<EvmNode, Looks>();

  const begin = async (node: EvmNode, ofNode: Looks): Promise<ChainState> => {
    // Alone nobody waits; of a crowd all who come within this time share one look.
    await (performance.now() - ofNode.lookedAt < GATHER_MS ? setTimeout(GATHER_MS) : null);
    while (ofNode.running !== null) await ofNode.running;
    ofNode.lookedAt = performance.now();
    ofNode.open = null;
    const run = look(node);
    const end = () => {
      ofNode.running = null;
    };
    ofNode.running = run.then(end, end);
    return run;
  };

  return node => {
    let ofNode = looks.get(node);
    if (ofNode === undefined) {
      ofNode = { open: null, running: null, lookedAt: Number.NEGATIVE_INFINITY };
      looks.set(node, ofNode);
    }
    ofNode.open ??= begin(node, ofNode);
    return ofNode.open;
  };
}
