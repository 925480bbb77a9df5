// Watches addresses and events: polls their chains, and stores what was found for this workspace.
import { type Event, EventEmitter, l10n, type Memento, window } from 'vscode';
import type { ChainStatus } from '../../api/lookups.ts';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { formatFault, getFaultCode } from '../../base/errors.ts';
import { type Hex, isAddress } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { createClient } from '../../client/client.ts';
import { createAbiRegistry } from '../../decode/abiRegistry.ts';
import { getWellKnownName } from '../../detect/wellKnownName.ts';
import {
  type ActivityLog,
  clearItems,
  countFound,
  markSeen,
  removeWatch,
  resetChain,
} from '../../view/activity/activityLog.ts';
import { changeWatches, getWatchKey, MAX_WATCHES, type Watch } from '../../view/activity/watch.ts';
import { formatFailure } from '../../view/failureText.ts';
import type { AbiProvider } from '../abi/abiProvider.ts';
import { fetchFailure } from '../abi/describeFailure.ts';
import { identifyContract } from '../abi/identifyContract.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import { showWarningMessage } from '../prompts/messages.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { ChainMonitor } from '../sidebar/chainMonitor.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { type PollPorts, pollChain } from './pollChain.ts';
import { canPoll, createPollRounds } from './pollRounds.ts';
import { ReadProgress } from './readProgress.ts';
import { openStoredActivity } from './storedActivity.ts';

export interface WatcherDeps {
  readonly worker: WorkerClient;
  readonly settings: SettingsSource;
  readonly book: AddressBook;
  readonly abis: AbiProvider;
  readonly chainMonitor: ChainMonitor;
  readonly workspaceState: Memento;
  readonly log: Log;
}

export interface ChainProblem {
  readonly chain: string;
  /** A sentence. */
  readonly text: string;
}

export interface Watcher extends Disposable {
  watches(): readonly Watch[];
  isWatched(watch: Watch): boolean;
  /**
   * Resolves when the local chains were read once, so that everything later is new. Watches for which there is no room are
   * refused with a message.
   */
  setWatched(changed: readonly Watch[], isAdded: boolean): Promise<void>;
  /** Selectors of the chains on which the watch is polled; `skipped` ones are neither local nor allowed. */
  getChains(watch: Watch): { readonly polled: readonly string[]; readonly skipped: readonly string[] };
  /** What was not read of the polled chains, and why. */
  getProblems(): readonly ChainProblem[];
  log(): ActivityLog;
  markSeen(): void;
  clear(): void;
  /** Whether the list is visible: chains are then polled without the focus too. */
  setVisible(visible: boolean): void;
  readonly onDidChange: Event<void>;
  /** Something else is watched. */
  readonly onDidChangeWatches: Event<void>;
  /** Something new was found. */
  readonly onDidFind: Event<number>;
}

const REMOTE_INTERVAL_MS = 30_000;
/** As often as the status of chains of this machine is read. */
const LOCAL_INTERVAL_MS = 3_000;
const bundled = createAbiRegistry();

export function createWatcher(deps: WatcherDeps): Watcher {
  const { worker, settings, book, abis, chainMonitor, workspaceState } = deps;
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const watchesChanged = store.add(new EventEmitter<void>());
  const found = store.add(new EventEmitter<number>());
  /** Of the polls of the present connections. */
  let polls = new AbortController();
  const client = createClient(worker.transport);
  const activity = openStoredActivity(workspaceState, deps.log);
  let isVisible = false;

  const update = (next: ActivityLog) => {
    if (activity.update(next)) changed.fire();
  };

  const isWatched = (watch: Watch) => activity.watches.some(other => getWatchKey(other) === getWatchKey(watch));
  const getConfiguredChains = (watch: Watch): readonly string[] => {
    const configured = worker.chains().map(({ selector }) => selector);
    const entries = watch.chain === null ? book.findByAddress(watch.address) : [];
    if (entries.length > 0) {
      const isEverywhere = entries.some(({ chains }) => chains.length === 0);
      activity.entryChains.set(watch.address, isEverywhere ? null : entries.flatMap(({ chains }) => chains));
    }
    const own = watch.chain !== null ? [watch.chain] : (activity.entryChains.get(watch.address) ?? configured);
    return configured.filter(selector => own.includes(selector));
  };
  const isOnThisMachine = (selector: string) => canPoll(selector, settings.configuration(), []);
  const isPolled = (selector: string) =>
    canPoll(selector, settings.configuration(), settings.current().watch.allowedHosts);
  const getPolledChains = () => [...new Set(activity.watches.flatMap(getConfiguredChains))].filter(isPolled);

  const refused = new Set<string>();
  const ports: PollPorts = {
    client,
    lookup: worker.lookup,
    mayRequestIndex: selector => !worker.isIndexPaused(selector),
    isRefusedAgain: request => refused.has(request) || !refused.add(request),
    loadRegistry: () => abis.load().catch(() => bundled),
    async describeFailure(selector, hash, signal) {
      const deps = {
        loadAbis: abis.load,
        identify: (chain: string, address: Hex) => identifyContract(chain, address, { worker, abis, book }, signal),
        getName: (address: Hex, chain: string) => book.getName(address, chain) ?? getWellKnownName(address),
      };
      const { failure } = await fetchFailure(hash, selector, worker, deps, signal);
      return failure === null ? null : formatFailure(failure);
    },
    createTextContext: (selector, { coin, decimals }, registry) => {
      const getName = (address: string) =>
        book.getName(address, selector) ?? (isAddress(address) ? getWellKnownName(address) : null);
      return { coin, decimals, getName, format: { registry, getName } };
    },
  };

  /** The entries tell on which chains an address is watched. */
  const bookReady = book.ready().catch(() => {}); // reported by the book itself
  const progress = new ReadProgress(chainMonitor, worker);
  const getProblems = (): readonly ChainProblem[] =>
    getPolledChains().flatMap(chain => progress.describeProblems(chain).map(text => ({ chain, text })));
  let shownProblems = '';
  const updateProblems = () => {
    const before = shownProblems;
    shownProblems = JSON.stringify(getProblems());
    if (shownProblems !== before) changed.fire();
  };

  const getConnections = () => {
    const { nodes, groups } = settings.configuration();
    return new Map(worker.chains().map(({ selector }) => [selector, JSON.stringify([nodes[selector], groups.evm])]));
  };
  let connections = getConnections();
  /** Chains whose nodes were replaced, and that were not read since. */
  const reconnected = new Set<string>();
  /** A replaced node may have another chain, whose earlier blocks are not new; the same node can only have been reset. */
  const startOtherChain = ({ selector, genesisHash }: ChainStatus) => {
    if (genesisHash === undefined || !reconnected.delete(selector)) return;
    const { log } = activity;
    if (log.genesis[selector] !== undefined && log.genesis[selector] !== genesisHash)
      update({ ...resetChain(log, selector), genesis: { ...log.genesis, [selector]: genesisHash } });
  };

  /** Resolves with whether the chain was read without a fault. */
  const poll = async (selector: string): Promise<boolean> => {
    await bookReady;
    const status = chainMonitor.getStatus(selector);
    // A node of this machine that was started again is to be noticed at once.
    if (status?.problem) return isOnThisMachine(selector);
    if (status === undefined || status.head === null || !isPolled(selector)) return true;
    const own = activity.watches.filter(watch => getConfiguredChains(watch).includes(selector));
    const head = [status.genesisHash, status.head, status.headHash, ...own.map(getWatchKey)].join('|');
    if (own.length === 0 || progress.isReadTo(selector, head)) return true;
    const { signal } = polls;
    let fault: unknown;
    try {
      startOtherChain(status);
      const polled = await pollChain(activity.log, own, status, ports, signal);
      if (signal.aborted) return true;
      ({ fault } = polled);
      const before = activity.log;
      const removed = own.map(getWatchKey).filter(key => !activity.watches.some(watch => getWatchKey(watch) === key));
      update(removed.reduce(removeWatch, polled.apply(activity.log)));
      progress.recordRead(selector, polled.isComplete ? head : null, polled.skipped);
      const count = countFound(before, activity.log);
      if (count > 0) found.fire(count);
    } catch (error) {
      fault = error;
    }
    if (signal.aborted) return true;
    progress.recordFault(selector, fault === null ? null : formatFault(fault));
    if (fault !== null) deps.log.debug(`Activity on ${selector}: ${getFaultCode(fault)}`);
    updateProblems();
    return fault === null;
  };
  const rounds = createPollRounds({
    clock: systemClock,
    poll,
    getIntervalMs: selector => (isOnThisMachine(selector) ? LOCAL_INTERVAL_MS : REMOTE_INTERVAL_MS),
  });

  /** A remote host reports the head of a chain together with a balance only: the status is made of that. */
  const observeRemoteHeads = async (selectors: readonly string[], signal: AbortSignal) => {
    if (settings.configuration().groups.evm.mode !== 'remote') return;
    const requests = selectors.flatMap(chain => {
      const watch = activity.watches.find(one => getConfiguredChains(one).includes(chain));
      return watch === undefined ? [] : [worker.lookup('addressSummary', { chain, address: watch.address }, signal)];
    });
    await Promise.allSettled(requests); // the status has the fault
  };

  let timer: NodeJS.Timeout | undefined;
  const nextPolls = new Map<string, number>();
  const pollRemote = async () => {
    clearTimeout(timer);
    const remote = getPolledChains().filter(selector => !isOnThisMachine(selector));
    if (remote.length === 0 || store.disposed || !(window.state.focused || isVisible)) return;
    const now = Date.now();
    const due = remote.filter(selector => (nextPolls.get(selector) ?? 0) <= now && rounds.isDue(selector));
    for (const selector of due) nextPolls.set(selector, now + REMOTE_INTERVAL_MS);
    const { signal } = polls;
    await observeRemoteHeads(due, signal);
    if (signal.aborted) return; // the present connections have their own polls
    await chainMonitor.refresh(due);
    clearTimeout(timer);
    if (!store.disposed) timer = setTimeout(() => void pollRemote(), REMOTE_INTERVAL_MS);
  };
  const updatePolls = () => {
    chainMonitor.setPolledChains('activity', {
      shown: getPolledChains().filter(isOnThisMachine),
      isPolledWithoutFocus: isVisible,
    });
    void pollRemote();
  };

  store.add(
    chainMonitor.onDidReadStatus(selector => {
      updateProblems();
      void rounds.request(selector);
    }),
  );
  store.add(
    chainMonitor.onDidChangeConnections(() => {
      polls.abort();
      polls = new AbortController();
      const before = connections;
      connections = getConnections();
      for (const [selector, nodes] of connections) if (before.get(selector) !== nodes) reconnected.add(selector);
      progress.clear();
      nextPolls.clear();
      rounds.reset();
      refused.clear();
      updatePolls();
    }),
  );
  store.add(
    settings.onDidChange(() => {
      updatePolls();
      changed.fire(); // other hosts may be allowed
    }),
  );
  store.add(
    book.onDidChange(() => {
      updatePolls();
      if (activity.watches.length > 0) activity.save();
    }),
  );
  store.add(window.onDidChangeWindowState(({ focused }) => focused && void pollRemote()));
  store.add(disposable(() => clearTimeout(timer)));
  store.add(disposable(() => polls.abort()));
  void bookReady.then(updatePolls);

  return {
    watches: () => activity.watches,
    isWatched,
    async setWatched(changedWatches, isAdded) {
      const removed = isAdded ? [] : changedWatches;
      const watches = changedWatches.reduce((all, watch) => changeWatches(all, watch, isAdded), activity.watches);
      for (const { address } of removed)
        if (!watches.some(watch => watch.address === address)) activity.entryChains.delete(address);
      activity.replace(watches, removed.map(getWatchKey).reduce(removeWatch, activity.log));
      if (isAdded && !changedWatches.every(isWatched))
        void showWarningMessage(
          l10n.t('HexLens watches at most {0} addresses and events. Stop watching one first.', MAX_WATCHES),
        );
      watchesChanged.fire();
      changed.fire();
      updatePolls();
      if (!isAdded) return;
      await bookReady;
      const local = [...new Set(changedWatches.flatMap(getConfiguredChains))].filter(isOnThisMachine);
      rounds.reset(local);
      await chainMonitor.refresh(local);
      await Promise.all(local.map(rounds.request));
    },
    getChains(watch) {
      const chains = getConfiguredChains(watch);
      return { polled: chains.filter(isPolled), skipped: chains.filter(selector => !isPolled(selector)) };
    },
    log: () => activity.log,
    markSeen: () => update(markSeen(activity.log)),
    clear() {
      progress.clearSkipped();
      update(clearItems(activity.log));
      updateProblems();
    },
    getProblems,
    setVisible(visible) {
      isVisible = visible;
      updatePolls();
    },
    onDidChange: changed.event,
    onDidChangeWatches: watchesChanged.event,
    onDidFind: found.event,
    dispose: () => store.dispose(),
  };
}
