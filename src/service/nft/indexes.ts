// The indexes of the configured chains: one per node, made when it is first needed, for chains that are indexed whole.
import type { Clock } from '../../base/clock.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { formatInteger } from '../../base/units.ts';
import { chainById } from '../../contract/chains.ts';
import type { EvmNode, NodeState } from '../evm/node.ts';
import type { BlockRow } from '../store/rows.ts';
import type { OpenStore, Store } from '../store/store.ts';
import { createIndex, type Index } from '../sync/sync.ts';

/** A chain's index at one moment. */
export interface Indexed {
  readonly store: Store;
  /** The newest block of the index. */
  readonly head: BlockRow;
  /** Whether that was the node's newest too. */
  readonly synced: boolean;
  /** The chain's height: at least that of `head`. */
  readonly height: number;
  /** The node's state from before: never newer than what the index says. */
  readonly state: NodeState;
}

/** How far the index of one chain is. */
export interface IndexState {
  /** Canonical chain selector. */
  readonly chain: string;
  /** Newest block in the index; `null` when there is none yet. */
  readonly indexed: number | null;
  /** The node's head when it was last looked at. */
  readonly head: number | null;
  /** Why it does not go on. */
  readonly fault: HexLensError | null;
}

export interface Indexes {
  /**
   * The index of the node's chain, brought up to the node's head where that takes no longer than a moment. Rejects with
   * `not-implemented` for a chain that is not indexed whole, and with the node's faults.
   */
  current(node: EvmNode, signal: AbortSignal | undefined): Promise<Indexed>;
  /** Every index that was needed so far. Asks nobody. */
  states(): readonly IndexState[];
  /** Ends what is under way and closes the stores. */
  stop(): Promise<void>;
}

export interface IndexesDeps {
  readonly open: OpenStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** Chain ids of Anvil, Hardhat and Ganache. */
const DEVELOPMENT_IDS: readonly number[] = [31337, 1337];
/** A fork of a public chain has its height, and reading it whole would take days of someone else's node. */
export const HIGHEST_WHOLE = 2_000_000;

export function createIndexes({ open, clock, log }: IndexesDeps): Indexes {
  const indexes = new Map<EvmNode, Index>();
  let stopped = false;

  return {
    async current(node, signal) {
      const state = await node.state(signal);
      refusePublic(node, state);
      if (stopped) throw new HexLensError('backend-stopped', 'The embedded service was stopped.');
      let index = indexes.get(node);
      if (index === undefined) {
        index = createIndex({ node, open, clock, log });
        indexes.set(node, index);
      }
      const { store, head, synced } = await index.current(signal);
      // The index looked at the node just now; the state may be from a moment before.
      const height = Math.max(state.headNumber, head.number, index.progress().head ?? 0);
      return { store, head, synced, height, state };
    },
    states: () =>
      [...indexes].map(([node, index]) => {
        const { indexed, head, fault } = index.progress();
        return { chain: node.selector, indexed, head, fault };
      }),
    async stop() {
      stopped = true;
      await Promise.allSettled([...indexes.values()].map(index => index.stop()));
      indexes.clear();
    },
  };
}

/** Dev chains are small and belong to whoever asks; a public chain's logs are not read whole. */
function refusePublic(node: EvmNode, { chain, development, headNumber }: NodeState): void {
  const isDevelopment =
    DEVELOPMENT_IDS.includes(chain.id) || (node.rpc.loopback && (development || chainById(chain.id) === undefined));
  if (!isDevelopment) {
    throw new HexLensError(
      'not-implemented',
      `The embedded service does not index ${chain.title} yet: today it does so for local development chains only.`,
      { fix: 'Choose a remote host for this group in the settings, or wait for a later version.' },
    );
  }
  if (headNumber <= HIGHEST_WHOLE) return;
  throw new HexLensError(
    'not-implemented',
    `The chain at ${node.selector} has ${formatInteger(headNumber)} blocks, as a fork of a public chain does; development chains are indexed whole, up to ${formatInteger(HIGHEST_WHOLE)} blocks.`,
    { fix: 'Use a chain of your own, or choose a remote host for this group in the settings.' },
  );
}
