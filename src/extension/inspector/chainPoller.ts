// Polls a chain for a visible panel: new heads, whether its node responds, and whether the displayed block was replaced.
import type { ChainStatus } from '../../api/lookups.ts';
import type { Clock } from '../../base/clock.ts';
import { formatFault } from '../../base/errors.ts';
import type { ChainEvent } from '../../protocol/messages.ts';
import { POLL_INTERVALS_MS } from '../worker/statusPolls.ts';
import type { DataPorts } from './inspectorPorts.ts';
import type { DisplayedBlock } from './pageRequests.ts';

export interface FollowedChain {
  readonly chain: string;
  /** On this machine: polled more often. */
  readonly isLocal: boolean;
  /** The page only tells of new blocks, which costs a public node few requests. */
  readonly isIdle?: boolean;
  /** A block that the page shows; a reorganization may replace it. */
  readonly displayedBlock: DisplayedBlock | null;
}

type Lookup = Pick<DataPorts, 'lookup'>['lookup'];

/** The head below which the shown block is known to be: nothing is requested again as long as both are the same. */
interface CheckedBlock {
  key: string;
}

const createLostEvent = (chain: string, problem: string): ChainEvent => ({
  chain,
  head: null,
  headHash: '',
  problem,
  identity: null,
  replaced: null,
});

const getIdentity = ({ chain, genesisHash }: ChainStatus): string | null =>
  chain ? `${chain.id} ${genesisHash ?? ''}` : null;

async function fetchChainEvent(
  lookup: Lookup,
  { chain, displayedBlock }: FollowedChain,
  checked: CheckedBlock,
  signal: AbortSignal,
): Promise<ChainEvent> {
  try {
    const status = await lookup('chainStatus', { chain, isPoll: true }, signal);
    const { head, headHash = '', problem } = status;
    if (head === null || problem !== null) return createLostEvent(chain, problem ?? '');
    const event: ChainEvent = { chain, head, headHash, problem: null, identity: getIdentity(status), replaced: null };
    if (displayedBlock === null) return event;
    const { number } = displayedBlock;
    const key = `${headHash} ${displayedBlock.hash}`;
    if (headHash !== '' && checked.key === key) return event;
    const current = await lookup('blockSummary', { chain, block: number }, signal);
    const hash = current.kind === 'block' ? current.hash : '';
    if (hash !== displayedBlock.hash) return { ...event, replaced: { number, hash } };
    checked.key = key;
    return event;
  } catch (error) {
    return createLostEvent(chain, formatFault(error));
  }
}

export type ChainPoller = ReturnType<typeof createChainPoller>;

export function createChainPoller(
  ports: { lookup: Lookup; clock: Clock } & Pick<DataPorts, 'onHeadChange'>,
  onEvent: (event: ChainEvent) => void,
) {
  let followed: FollowedChain | null = null;
  let controller: AbortController | null = null;
  let lastEvent = '';

  async function run(signal: AbortSignal): Promise<void> {
    lastEvent = '';
    /** Ends the wait before the next round: the head may have changed since the last one began. */
    let wait = new AbortController();
    const listening = ports.onHeadChange(chain => {
      if (chain === followed?.chain) wait.abort();
    });
    signal.addEventListener('abort', () => listening.dispose());
    let intervalMs = 0;
    const checked: CheckedBlock = { key: '' };
    while (followed !== null && !signal.aborted) {
      const polled = followed;
      wait = new AbortController();
      const event = await fetchChainEvent(ports.lookup, polled, checked, signal);
      if (signal.aborted) return;
      const text = JSON.stringify(event);
      // `follow` may have replaced the block meanwhile: the next round polls the new one.
      if (text !== lastEvent && polled === followed) {
        lastEvent = text;
        onEvent(event);
      }
      const { localPage, remotePage, remote, unreachableLocal } = POLL_INTERVALS_MS;
      const usualMs = polled.isLocal ? localPage : polled.isIdle ? remote : remotePage;
      // An unreachable node is polled less and less often.
      const maxMs = polled.isLocal ? unreachableLocal : remote;
      intervalMs = event.head === null ? Math.min(Math.max(intervalMs * 2, usualMs), maxMs) : usualMs;
      await ports.clock.sleep(intervalMs, AbortSignal.any([signal, wait.signal])).catch(() => {}); // ended before
    }
  }

  return {
    /** `null` follows nothing. The same chain again only replaces the displayed block. */
    follow(next: FollowedChain | null) {
      const isSameChain = next !== null && followed !== null && next.chain === followed.chain;
      followed = next;
      if (isSameChain) return;
      controller?.abort();
      controller = null;
      if (next === null) return;
      controller = new AbortController();
      void run(controller.signal); // fetchChainEvent never rejects
    },
    /** Reports the next event even if it equals the last one, since the page has shown something else meanwhile. */
    resetLastEvent() {
      lastEvent = '';
    },
  };
}
