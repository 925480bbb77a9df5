// The configured nodes, by chain selector.
import { getChainById, getSelectorChainId, LOCAL_CHAIN, parseChainSelector } from '../../api/chains.ts';
import { DEFAULT_CHAIN } from '../../api/decisions.ts';
import { type NodeUrls, toUrlList } from '../../api/nodeUrls.ts';
import type { Clock } from '../../base/clock.ts';
import { localizable } from '../../base/localize.ts';
import { EvmNode, type NodeState } from './evmNode.ts';
import { FallbackRpc } from './fallbackRpc.ts';
import { createNoNodeFault } from './nodeFaults.ts';
import { JsonRpcClient } from './rpcClient.ts';
import { toPrintable } from './rpcMessage.ts';
import type { RpcTransportDeps } from './rpcTransport.ts';

export interface EvmNodes {
  /** Canonical selectors, in the order of the configuration. */
  readonly selectors: readonly string[];
  /**
   * The node for a selector in any spelling; without a selector that of `eth`, else the first one. A chain without a node
   * under its name is looked for by its id among all nodes (`0x7a69` finds `local`). Rejects with `no-node`.
   */
  find(selector: string | undefined, signal?: AbortSignal): Promise<EvmNode>;
  /** The state of the node at a URL, configured or not. Rejects with the node's faults. */
  probe(url: string, signal?: AbortSignal): Promise<NodeState>;
  /** Ends all subscriptions. */
  close(): void;
}

export interface EvmNodesDeps extends Pick<RpcTransportDeps, 'http' | 'clock' | 'log' | 'timeoutMs'> {
  /** Chain selector -> JSON-RPC URL, or several. */
  readonly nodes: Readonly<Record<string, NodeUrls>>;
  /** It is time to poll the head of the chain with this selector: see `EvmNodeDeps`. */
  readonly onHeadChange?: ((selector: string) => void) | undefined;
}

/**
 * Pollers are notified of some heads only: a development chain may mine hundreds of blocks per second, and each request to
 * a remote node may be billed.
 */
const MIN_HEAD_CHANGE_INTERVAL_MS = { loopback: 100, remote: 6_000 } as const;

/** Calls `notify` at once, and then at most once per interval. */
function createHeadChangeNotifier(notify: () => unknown, intervalMs: number, clock: Clock): () => void {
  let isWaiting = false;
  let notifiedAt = Number.NEGATIVE_INFINITY;
  const notifyNow = () => {
    isWaiting = false;
    notifiedAt = clock.now();
    notify();
  };
  return () => {
    if (isWaiting) return;
    // At most the interval, also after the clock was set back.
    const waitMs = Math.min(intervalMs, notifiedAt + intervalMs - clock.now());
    if (waitMs <= 0) return notifyNow();
    isWaiting = true;
    void clock.sleep(waitMs).then(notifyNow);
  };
}

export function createEvmNodes(deps: EvmNodesDeps): EvmNodes {
  const { http, clock, log, timeoutMs, onHeadChange } = deps;
  const nodes = new Map<string, EvmNode>();
  let isClosed = false;
  for (const [name, urls] of Object.entries(deps.nodes)) {
    const selector = parseChainSelector(name);
    if (selector === null) {
      log.warn(`A node is configured for "${toPrintable(name, 40)}", which is no chain: it is left out.`);
      continue;
    }
    if (nodes.has(selector)) {
      log.warn(`More than one node is configured for ${selector}: the first one is used.`);
      continue;
    }
    const [rpc, ...others] = toUrlList(urls).map(
      url => new JsonRpcClient({ selector, url, http, clock, log, timeoutMs }),
    );
    if (rpc === undefined) continue;
    const several = {
      selector,
      clock,
      log,
      clients: [rpc, ...others] as const,
      expectedChainId: getSelectorChainId(selector),
    };
    const client = others.length === 0 ? rpc : new FallbackRpc(several);
    const intervalMs = MIN_HEAD_CHANGE_INTERVAL_MS[client.isLoopback ? 'loopback' : 'remote'];
    const notify = createHeadChangeNotifier(() => isClosed || onHeadChange?.(selector), intervalMs, clock);
    nodes.set(selector, new EvmNode({ selector, rpc: client, clock, log, onHeadChange: notify }));
  }

  /** Nodes whose chain id cannot be read are left out, unless only the id names the chain: then their fault is thrown. */
  const findByChainId = async (id: number, signal: AbortSignal | undefined): Promise<EvmNode | undefined> => {
    let firstFault: unknown;
    // A node under a chain's name has the id of that chain or is rejected; `local` may have any id.
    const candidates = [...nodes.values()].filter(node => getSelectorChainId(node.selector) === null);
    for (const node of candidates) {
      try {
        if ((await node.getState(signal)).chain.id === id) return node;
      } catch (error) {
        if (signal?.aborted) throw error;
        firstFault ??= error;
      }
    }
    if (firstFault !== undefined && getChainById(id) === undefined) throw firstFault;
    return undefined;
  };

  return {
    selectors: [...nodes.keys()],
    probe(url, signal) {
      const rpc = new JsonRpcClient({ selector: LOCAL_CHAIN, isTried: true, url, http, clock, log, timeoutMs });
      return new EvmNode({ selector: LOCAL_CHAIN, rpc, clock, log }).fetchState(signal);
    },
    close() {
      isClosed = true;
      for (const node of nodes.values()) node.close();
    },
    async find(selector, signal) {
      if (selector === undefined) {
        const fallback = nodes.get(DEFAULT_CHAIN) ?? nodes.values().next().value;
        if (fallback !== undefined) return fallback;
        throw createNoNodeFault(LOCAL_CHAIN, localizable('No node is configured, so there is no chain to read.'));
      }
      const canonical = parseChainSelector(selector) ?? selector;
      const named = nodes.get(canonical);
      if (named !== undefined) return named;
      const id = getSelectorChainId(canonical);
      const found = id === null ? undefined : await findByChainId(id, signal);
      if (found !== undefined) return found;
      const chain = toPrintable(canonical, 40);
      const configured =
        nodes.size === 0
          ? localizable('No node is configured for the chain {0}.', chain)
          : localizable(
              'No node is configured for the chain {0}. Configured: {1}.',
              chain,
              [...nodes.keys()].join(', '),
            );
      throw createNoNodeFault(chain, configured);
    },
  };
}
