// Which configured node answers for a chain selector.

import { getChainById, getChainByName, LOCAL_CHAIN, parseChainSelector } from '../../api/chains.ts';
import { DEFAULT_CHAIN } from '../../api/decisions.ts';
import type { Clock } from '../../base/clock.ts';
import { HexLensError } from '../../base/errors.ts';
import type { HttpPort } from '../../base/httpPort.ts';
import { localizable } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';
import { createEvmNode, type EvmNode, type NodeState } from './evmNode.ts';
import { createRpcClient } from './rpcClient.ts';
import { toPrintable } from './rpcMessage.ts';

export interface EvmNodes {
  /** Canonical selectors, in the order of the configuration. */
  readonly selectors: readonly string[];
  /**
   * The node for a selector in any spelling; absent means `eth`, else the first configured one. A chain that no node is
   * configured for by name is looked for by its id among all of them (`0x7a69` finds `local`). Rejects with `no-node`.
   */
  find(selector: string | undefined, signal?: AbortSignal): Promise<EvmNode>;
  /** The state of whatever node answers at a URL, configured or not. Rejects with the node's faults. */
  probe(url: string, signal?: AbortSignal): Promise<NodeState>;
}

export interface EvmNodesDeps {
  /** Chain selector -> JSON-RPC URL. */
  readonly nodes: Readonly<Record<string, string>>;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeoutMs: number;
}

const HOW = localizable('the setting hexlens.nodes, or on the command line');

export function createEvmNodes(deps: EvmNodesDeps): EvmNodes {
  const { http, clock, log, timeoutMs } = deps;
  const nodes = new Map<string, EvmNode>();
  for (const [name, url] of Object.entries(deps.nodes)) {
    const selector = parseChainSelector(name);
    if (selector === null) {
      log.warn(`A node is configured for "${toPrintable(name, 40)}", which is no chain: it is left out.`);
      continue;
    }
    if (nodes.has(selector)) {
      log.warn(`More than one node is configured for ${selector}: the first one is used.`);
      continue;
    }
    const rpc = createRpcClient({ selector, url, http, clock, log, timeoutMs });
    nodes.set(selector, createEvmNode({ selector, rpc, clock, log }));
  }

  /** A node that cannot say its id is not the one, unless the chain is only known by its id: then its fault is thrown. */
  const byChainId = async (id: number, signal: AbortSignal | undefined): Promise<EvmNode | undefined> => {
    let problem: unknown;
    // A node under a chain's own name has that chain's id or is refused; `local` may have any.
    const candidates = [...nodes.values()].filter(node => idOf(node.selector) === null);
    for (const node of candidates) {
      try {
        if ((await node.getState(signal)).chain.id === id) return node;
      } catch (error) {
        if (signal?.aborted) throw error;
        problem ??= error;
      }
    }
    if (problem !== undefined && getChainById(id) === undefined) throw problem;
    return undefined;
  };

  return {
    selectors: [...nodes.keys()],
    probe(url, signal) {
      const rpc = createRpcClient({ selector: LOCAL_CHAIN, url, http, clock, log, timeoutMs });
      return createEvmNode({ selector: LOCAL_CHAIN, rpc, clock, log }).fetchState(signal);
    },
    async find(selector, signal) {
      if (selector === undefined) {
        const fallback = nodes.get(DEFAULT_CHAIN) ?? nodes.values().next().value;
        if (fallback !== undefined) return fallback;
        throw new HexLensError('no-node', localizable('No node is configured, so there is no chain to ask.'), {
          fix: localizable('Add one in {0}: {1}.', HOW, `--node ${LOCAL_CHAIN}=http://127.0.0.1:8545`),
        });
      }
      const canonical = parseChainSelector(selector) ?? selector;
      const named = nodes.get(canonical);
      if (named !== undefined) return named;
      const id = idOf(canonical);
      const found = id === null ? undefined : await byChainId(id, signal);
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
      throw new HexLensError('no-node', configured, {
        fix: localizable(
          'Add one in {0}: {1}.',
          HOW,
          `--node ${canonical.includes(' ') ? `"${canonical}=URL"` : `${canonical}=URL`}`,
        ),
      });
    },
  };
}

/** The chain id that a selector names; `null` for `local`. */
function idOf(selector: string): number | null {
  const known = getChainByName(selector)?.id;
  if (known !== undefined) return known;
  return /^0x[0-9a-f]+$/.test(selector) ? Number(selector) : null;
}
