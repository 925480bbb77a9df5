// Looks at the heads of chains for a crowd of programs: each gets one that began after it asked, and many share it.
import type { ChainState } from '../../api/freshness.ts';
import type { EvmNode } from './evmNode.ts';

/** Milliseconds that a look waits for the rest of a crowd: it costs the node and us more than many an answer. */
const GATHER_MS = 2;

/** The looks at one head. */
interface Looks {
  /** The one that has not begun: whoever asks now shares it. */
  open: Promise<ChainState> | null;
  waiting: number;
  /** How many the last one was for: when as many have come again, nobody else is waited for. */
  crowd: number;
  /** Called when they have come. */
  complete: () => void;
  running: Promise<unknown> | null;
}

/** `look` asks a node for its state of that moment. */
export function createHeadDeduplicator(
  look: (node: EvmNode) => Promise<ChainState>,
): (node: EvmNode) => Promise<ChainState> {
  const looks = new Map<EvmNode, Looks>();

  const gather = (ofNode: Looks) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, GATHER_MS);
      ofNode.complete = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const begin = async (node: EvmNode, ofNode: Looks): Promise<ChainState> => {
    await (ofNode.crowd > 1 ? gather(ofNode) : null); // whoever asks alone, one thing after the other, never waits
    while (ofNode.running !== null) await ofNode.running;
    ofNode.open = null;
    ofNode.crowd = ofNode.waiting;
    ofNode.waiting = 0;
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
      ofNode = { open: null, waiting: 0, crowd: 1, complete() {}, running: null };
      looks.set(node, ofNode);
    }
    ofNode.open ??= begin(node, ofNode);
    if (++ofNode.waiting >= ofNode.crowd) ofNode.complete();
    return ofNode.open;
  };
}
