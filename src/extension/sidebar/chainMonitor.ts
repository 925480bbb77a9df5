// How the configured chains are: asked while somebody looks, and only those of this machine without a click.
import { type Event, EventEmitter, window } from 'vscode';
import { type Chain, getChainByName, resolveChain } from '../../api/chains.ts';
import type { ChainStatus } from '../../api/lookups.ts';
import type { Progress } from '../../api/workerProtocol.ts';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import { getPollDelayMs } from '../status/pollDelay.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface ChainMonitor extends Disposable {
  /** As last heard; `undefined` before anybody asked. */
  getStatus(selector: string): ChainStatus | undefined;
  getProgress(selector: string): readonly Progress[];
  /** Coin and decimals, guessed by the selector's name until its node has answered. */
  getChain(selector: string): Chain;
  /** Who looks at which chains now; those of this machine are asked again and again while any is looked at. */
  setWatched(who: string, selectors: readonly string[]): void;
  /** Asks once, wherever it is: somebody clicked. */
  refresh(selectors: readonly string[]): Promise<void>;
  /** The chain of this selector has another head than before: a new block, or a reset. */
  readonly onDidChangeHead: Event<string>;
  readonly onDidChange: Event<string>;
  /** Other nodes, hosts or networks are configured: nothing that was heard counts any more. */
  readonly onDidChangeConnections: Event<void>;
}

const silent = (selector: string, problem: string): ChainStatus => ({
  selector,
  chain: null,
  source: 'node',
  head: null,
  headTime: null,
  client: null,
  problem,
});

export function createChainMonitor(backend: WorkerClient): ChainMonitor {
  const store = new DisposableStore();
  const headMoved = store.add(new EventEmitter<string>());
  const changed = store.add(new EventEmitter<string>());
  const reset = store.add(new EventEmitter<void>());
  const statuses = new Map<string, ChainStatus>();
  const progress = new Map<string, Map<string, Progress>>();
  const wanted = new Map<string, readonly string[]>();
  let timer: NodeJS.Timeout | undefined;
  let round: AbortController | undefined;

  const hear = (status: ChainStatus) => {
    const { selector } = status;
    const before = statuses.get(selector);
    statuses.set(selector, status);
    changed.fire(selector);
    const moved = before?.head !== status.head || before?.headTime?.getTime() !== status.headTime?.getTime();
    if (before !== undefined && moved && status.head !== null) headMoved.fire(selector);
  };

  const askOne = async (selector: string, signal?: AbortSignal): Promise<boolean> => {
    try {
      const status = await backend.lookup('chainStatus', { chain: selector }, signal);
      if (signal?.aborted || store.disposed) return true;
      hear(status);
      return status.problem === null;
    } catch (error) {
      if (signal?.aborted || store.disposed || isFault(error, 'cancelled')) return true;
      hear(silent(selector, formatFault(error)));
      return false;
    }
  };

  const lookedAt = () => {
    const all = new Set([...wanted.values()].flat());
    return backend.chains().filter(({ selector, local }) => local && all.has(selector));
  };
  const loop = async () => {
    clearTimeout(timer);
    const chains = lookedAt();
    if (chains.length === 0 || !window.state.focused || store.disposed || round !== undefined) return;
    const mine = new AbortController();
    round = mine;
    const answers = await Promise.all(chains.map(({ selector }) => askOne(selector, mine.signal)));
    if (round !== mine) return; // taken over by a new configuration
    round = undefined;
    if (store.disposed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void loop(), getPollDelayMs(answers.every(answered => answered)));
  };

  store.add(window.onDidChangeWindowState(({ focused }) => focused && void loop()));
  store.add(
    backend.onDidChangeConnections(() => {
      round?.abort();
      round = undefined;
      statuses.clear();
      progress.clear();
      reset.fire();
      void loop();
    }),
  );
  store.add(
    backend.onEvent(event => {
      if (event.type === 'status') hear(event.status);
      else if (event.progress.chain !== null && event.progress.kind === 'index') {
        const { chain, task } = event.progress;
        let tasks = progress.get(chain);
        if (tasks === undefined) {
          tasks = new Map();
          progress.set(chain, tasks);
        }
        if (event.progress.isRunning) tasks.set(task, event.progress);
        else tasks.delete(task);
        changed.fire(chain);
      }
    }),
  );
  store.add(disposable(() => clearTimeout(timer)));
  store.add(disposable(() => round?.abort()));

  return {
    getStatus: selector => statuses.get(selector),
    getProgress: selector => [...(progress.get(selector)?.values() ?? [])],
    getChain: selector =>
      statuses.get(selector)?.chain ?? getChainByName(selector) ?? resolveChain(selector, Number(selector) || 0),
    setWatched(who, selectors) {
      wanted.set(who, selectors);
      void loop();
    },
    async refresh(selectors) {
      await Promise.all(selectors.map(selector => askOne(selector)));
    },
    onDidChangeHead: headMoved.event,
    onDidChange: changed.event,
    onDidChangeConnections: reset.event,
    dispose: () => store.dispose(),
  };
}
