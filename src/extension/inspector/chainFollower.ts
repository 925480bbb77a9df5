// Watches a chain while a panel is looked at: new heads, a node that is lost and comes back, a block that was replaced.
import type { Clock } from '../../base/clock.ts';
import { formatFault } from '../../base/errors.ts';
import type { ChainEvent } from '../../protocol/messages.ts';
import type { DataPorts } from './inspectorPorts.ts';
import type { DisplayedBlock } from './pageRequests.ts';

export interface FollowedChain {
  readonly chain: string;
  /** On this machine: may be asked often. */
  readonly local: boolean;
  /** A block that is shown, by number; it may be replaced by a reorganisation. */
  readonly displayedBlock: DisplayedBlock | null;
}

export interface ChainPoller {
  /** `null` watches nothing. The same chain again only exchanges the shown block. */
  follow(watched: FollowedChain | null): void;
  /** Somebody heard otherwise meanwhile: what is found next is said even if it was said before. */
  resetLastEvent(): void;
}

const LOCAL_MS = 1_000;
const REMOTE_MS = 6_000;
/** A lost node is asked ever less often, but no less than this: one's own is soon started again. */
const SLOWEST_LOCAL_MS = 4_000;
const SLOWEST_REMOTE_MS = 30_000;

type Lookup = Pick<DataPorts, 'lookup'>['lookup'];
type News = Omit<ChainEvent, 'type'>;

async function look(
  lookup: Lookup,
  { chain, displayedBlock: shown }: FollowedChain,
  signal: AbortSignal,
): Promise<News> {
  try {
    const { head, problem } = await lookup('chainStatus', { chain }, signal);
    if (head === null || problem !== null) return { chain, head: null, problem: problem ?? '', replaced: null };
    if (shown === null) return { chain, head, problem: null, replaced: null };
    const now = await lookup('blockSummary', { chain, block: shown.number }, signal);
    const hash = now.kind === 'block' ? now.hash : '';
    return { chain, head, problem: null, replaced: hash === shown.hash ? null : { number: shown.number, hash } };
  } catch (error) {
    return { chain, head: null, problem: formatFault(error), replaced: null };
  }
}

export function createChainPoller(
  ports: { lookup: Lookup; clock: Clock },
  say: (news: ChainEvent) => void,
): ChainPoller {
  let watched: FollowedChain | null = null;
  let controller: AbortController | null = null;
  /** What was said last. */
  let told = '';

  async function run(signal: AbortSignal): Promise<void> {
    told = '';
    let wait = 0;
    while (watched !== null && !signal.aborted) {
      const asked = watched;
      const news = await look(ports.lookup, asked, signal);
      if (signal.aborted) return;
      const text = JSON.stringify(news);
      // What was asked about may have been exchanged meanwhile; the next round is about the new one.
      if (text !== told && asked === watched) {
        told = text;
        say({ type: 'news', ...news });
      }
      const usual = asked.local ? LOCAL_MS : REMOTE_MS;
      const slowest = asked.local ? SLOWEST_LOCAL_MS : SLOWEST_REMOTE_MS;
      wait = news.head === null ? Math.min(Math.max(wait * 2, usual), slowest) : usual;
      await ports.clock.sleep(wait, signal);
    }
  }

  return {
    follow(next) {
      const same = next !== null && watched !== null && next.chain === watched.chain;
      watched = next;
      if (same) return;
      controller?.abort();
      controller = null;
      if (next === null) return;
      controller = new AbortController();
      run(controller.signal).catch(() => {}); // ends by being aborted; look() has no other way to fail
    },
    resetLastEvent() {
      told = '';
    },
  };
}
