// Head requests shared by many callers: each gets a response that was requested after it called.
import type { ChainState } from '../../api/freshness.ts';
import type { EvmNode } from './evmNode.ts';

/** How long a request waits for more callers: it costs the node and this process more than many replies do. */
const GATHER_MS = 2;

interface HeadRequests {
  /** The one that has not started: callers of this moment share it. */
  pending: Promise<ChainState> | null;
  waitingCallers: number;
  /** How many callers the last request had: when as many have called again, no more are waited for. */
  lastCallers: number;
  /** Called when they have. */
  stopGathering: () => void;
  running: Promise<unknown> | null;
}

/** `fetchState` requests a node's state of that moment. */
export function createHeadDeduplicator(
  fetchState: (node: EvmNode) => Promise<ChainState>,
): (node: EvmNode) => Promise<ChainState> {
  const requestsByNode = new Map<EvmNode, HeadRequests>();

  const gather = (requests: HeadRequests) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, GATHER_MS);
      requests.stopGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const start = async (node: EvmNode, requests: HeadRequests): Promise<ChainState> => {
    await (requests.lastCallers > 1 ? gather(requests) : null); // a single caller, one call after the other, never waits
    while (requests.running !== null) await requests.running;
    requests.pending = null;
    requests.lastCallers = requests.waitingCallers;
    requests.waitingCallers = 0;
    const run = fetchState(node);
    const end = () => {
      requests.running = null;
    };
    requests.running = run.then(end, end);
    return run;
  };

  return node => {
    let requests = requestsByNode.get(node);
    if (requests === undefined) {
      requests = { pending: null, waitingCallers: 0, lastCallers: 1, stopGathering() {}, running: null };
      requestsByNode.set(node, requests);
    }
    requests.pending ??= start(node, requests);
    if (++requests.waitingCallers >= requests.lastCallers) requests.stopGathering();
    return requests.pending;
  };
}
