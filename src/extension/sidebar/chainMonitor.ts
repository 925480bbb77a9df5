// Polls the status of local chains while a view shows them; other chains are queried only on request.
import { type Event, EventEmitter, window } from 'vscode';
import { type Chain, getChainByName, resolveChain } from '../../api/chains.ts';
import type { ChainStatus } from '../../api/lookups.ts';
import type { Progress } from '../../api/workerProtocol.ts';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import type { LastRead } from '../../view/tree/chainText.ts';
import { getPollDelayMs } from '../status/pollDelay.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface PolledChains {
  /** Local ones are polled. */
  readonly shown: readonly string[];
  /** Polled on other machines too, to refresh what could not be read. */
  readonly unreachable?: readonly string[];
  readonly isPolledWithoutFocus?: boolean;
}

export interface ChainMonitor extends Disposable {
  /** The last status; `undefined` before the first query. */
  getStatus(selector: string): ChainStatus | undefined;
  /** Running indexing tasks of a chain. */
  getProgress(selector: string): readonly Progress[];
  getAptosProgress(network: string): readonly Progress[];
  /** The chain as its node reports it, until then by the selector's name. */
  getChain(selector: string): Chain;
  /** The chain as its node reports it, queried where the selector does not name the chain. */
  fetchChain(selector: string, signal: AbortSignal): Promise<Chain>;
  /** The last status without a problem, and when it was read. */
  getLastRead(selector: string): LastRead | undefined;
  /** Sets the chains that a view shows, while the window has the focus; or without it too. */
  setPolledChains(viewId: string, chains: PolledChains): void;
  /** Queries chains once on behalf of the user, remote ones too. */
  refresh(selectors: readonly string[]): Promise<void>;
  /** A chain has another head: a new block, a reorganisation or a restarted dev chain. */
  readonly onDidChangeHead: Event<string>;
  /** The status of a chain was read, be it another one or not. */
  readonly onDidReadStatus: Event<string>;
  /** The same, or an index of the chain has progressed. */
  readonly onDidChange: Event<string>;
  /** The index of an Aptos network has progressed. */
  readonly onDidProgressAptos: Event<string>;
  /** Nodes, hosts or networks were changed; all statuses are cleared. */
  readonly onDidChangeConnections: Event<void>;
}

const createFailedStatus = (selector: string, problem: string): ChainStatus => ({
  selector,
  chain: null,
  source: 'node',
  head: null,
  headTime: null,
  client: null,
  problem,
});

/** A development chain that was reset can have the same number again. */
const hasSameHead = (a: ChainStatus, b: ChainStatus): boolean =>
  a.head === b.head && a.headTime?.getTime() === b.headTime?.getTime() && a.genesisHash === b.genesisHash;

export function createChainMonitor(worker: WorkerClient): ChainMonitor {
  const store = new DisposableStore();
  const headChanged = store.add(new EventEmitter<string>());
  const statusRead = store.add(new EventEmitter<string>());
  const changed = store.add(new EventEmitter<string>());
  const aptosProgressed = store.add(new EventEmitter<string>());
  const connectionsChanged = store.add(new EventEmitter<void>());
  const statuses = new Map<string, ChainStatus>();
  /** Running indexing tasks, by their names. */
  const running = new Map<string, Progress>();
  const lastReads = new Map<string, LastRead>();
  const polledChains = new Map<string, PolledChains>();
  let timer: NodeJS.Timeout | undefined;
  let currentPoll: AbortController | undefined;

  const update = (status: ChainStatus) => {
    const { selector } = status;
    statuses.set(selector, status);
    const lastRead = lastReads.get(selector)?.status;
    if (status.problem === null) lastReads.set(selector, { status, readAt: Date.now() });
    statusRead.fire(selector);
    changed.fire(selector);
    if (status.head !== null && lastRead !== undefined && !hasSameHead(lastRead, status)) headChanged.fire(selector);
  };

  /** Resolves with whether the node has responded. */
  const query = async (selector: string, signal?: AbortSignal): Promise<boolean> => {
    try {
      // With a signal it is a poll, else on behalf of the user.
      const status = await (signal === undefined
        ? worker.lookup('chainStatus', { chain: selector })
        : worker.pollStatus(selector));
      if (signal?.aborted || store.disposed) return true;
      update(status);
      return status.problem === null;
    } catch (error) {
      if (signal?.aborted || store.disposed || isFault(error, 'cancelled')) return true;
      update(createFailedStatus(selector, formatFault(error)));
      return false;
    }
  };

  const getPolledChains = () => {
    const views = [...polledChains.values()].filter(view => window.state.focused || view.isPolledWithoutFocus);
    const shown = new Set(views.flatMap(view => view.shown));
    const unreachable = new Set(views.flatMap(view => view.unreachable ?? []));
    return worker.chains().filter(({ selector, isOnLoopback }) => (isOnLoopback ? shown : unreachable).has(selector));
  };
  const poll = async () => {
    clearTimeout(timer);
    const chains = getPolledChains();
    if (chains.length === 0 || store.disposed || currentPoll !== undefined) return;
    const thisPoll = new AbortController();
    currentPoll = thisPoll;
    const results = await Promise.all(chains.map(({ selector }) => query(selector, thisPoll.signal)));
    if (currentPoll !== thisPoll) return; // replaced after a change of the configuration
    currentPoll = undefined;
    if (store.disposed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void poll(), getPollDelayMs(results.every(hasResponded => hasResponded)));
  };

  store.add(window.onDidChangeWindowState(({ focused }) => focused && void poll()));
  store.add(
    worker.onDidChangeConnections(() => {
      currentPoll?.abort();
      currentPoll = undefined;
      statuses.clear();
      lastReads.clear();
      running.clear();
      connectionsChanged.fire();
      void poll();
    }),
  );
  store.add(
    worker.onEvent(event => {
      if (event.type === 'headChange') {
        const isPolled = window.state.focused && getPolledChains().some(({ selector }) => selector === event.chain);
        if (isPolled) void query(event.chain, (currentPoll ?? new AbortController()).signal);
      } else if (event.progress.kind === 'index') {
        const { task, chain, aptosNetwork, isRunning } = event.progress;
        if (isRunning) running.set(task, event.progress);
        else running.delete(task);
        if (chain !== null) changed.fire(chain);
        if (aptosNetwork !== undefined) aptosProgressed.fire(aptosNetwork);
      }
    }),
  );
  store.add(disposable(() => clearTimeout(timer)));
  store.add(disposable(() => currentPoll?.abort()));

  const getChain = (selector: string) =>
    statuses.get(selector)?.chain ??
    lastReads.get(selector)?.status.chain ??
    getChainByName(selector) ??
    resolveChain(selector, Number(selector) || 0);

  return {
    getStatus: selector => statuses.get(selector),
    getProgress: selector => [...running.values()].filter(({ chain }) => chain === selector),
    getAptosProgress: network => [...running.values()].filter(({ aptosNetwork }) => aptosNetwork === network),
    getChain,
    async fetchChain(selector, signal) {
      if (!statuses.get(selector)?.chain && getChainByName(selector) === undefined) {
        const status = await worker.lookup('chainStatus', { chain: selector }, signal).catch(() => null);
        if (status?.chain) return status.chain;
      }
      return getChain(selector);
    },
    getLastRead: selector => lastReads.get(selector),
    setPolledChains(viewId, chains) {
      const before = JSON.stringify(polledChains.get(viewId));
      polledChains.set(viewId, chains);
      if (JSON.stringify(chains) !== before) void poll();
    },
    async refresh(selectors) {
      await Promise.all(selectors.map(selector => query(selector)));
    },
    onDidChangeHead: headChanged.event,
    onDidReadStatus: statusRead.event,
    onDidChange: changed.event,
    onDidProgressAptos: aptosProgressed.event,
    onDidChangeConnections: connectionsChanged.event,
    dispose: () => store.dispose(),
  };
}
