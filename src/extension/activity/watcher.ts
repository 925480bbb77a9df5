// Watches addresses and events: polls their chains, and stores what was found for this workspace.

import { EventEmitter, l10n, window } from 'vscode';
import type { ChainStatus } from '../../api/lookups.ts';
import { systemClock } from '../../base/clock.ts';
import { disposable, Owner } from '../../base/disposable.ts';
import { formatFault, getFaultCode } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { createClient } from '../../client/client.ts';
import { bundledAbis } from '../../decode/bundledAbis.ts';
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
import type { BuildNames } from '../abi/buildNames.ts';
import { createUnitSource, fetchFailure } from '../abi/describeFailure.ts';
import { findFailurePlace } from '../abi/findFailurePlace.ts';
import { identifyContract } from '../abi/identifyContract.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showWarningMessage } from '../prompts/showMessage.ts';
import type { ChainMonitor } from '../sidebar/chainMonitor.ts';
import { POLL_INTERVALS_MS } from '../worker/statusPolls.ts';
import { type PollPorts, pollChain } from './pollChain.ts';
import { canPoll, createPollRounds, type PollRounds } from './pollRounds.ts';
import { ReadProgress } from './readProgress.ts';
import { openStoredActivity, type StoredActivity } from './storedActivity.ts';

export interface WatcherDeps
  extends Pick<FeatureDeps, 'worker' | 'settings' | 'book' | 'abis' | 'workspaceState' | 'log'> {
  readonly chainMonitor: ChainMonitor;
  readonly buildNames: BuildNames;
}

export interface ChainProblem {
  readonly chain: string;
  readonly text: string;
}

/** What reading a chain needs; `refused` has the requests that a node refused once. */
const createPollPorts = ({ worker, abis, book, buildNames }: WatcherDeps, refused: Set<string>): PollPorts => ({
  client: createClient(worker.transport),
  lookup: worker.lookup,
  mayRequestIndex: selector => !worker.isIndexPaused(selector),
  isRefusedAgain: request => refused.has(request) || !refused.add(request),
  loadRegistry: () => abis.load().catch(() => bundledAbis),
  async describeFailure(selector, hash, signal) {
    const deps = {
      loadAbis: abis.load,
      identify: (chain: string, address: Hex) => identifyContract(chain, address, { worker, abis, book }, signal),
      getName: (address: Hex, chain: string) => book.getName(address, chain) ?? getWellKnownName(address),
      fetchUnit: createUnitSource(worker.lookup, signal),
    };
    const { failure } = await fetchFailure(hash, selector, worker, deps, signal);
    return failure === null ? null : formatFailure(failure);
  },
  findFailurePlace: (selector, hash, signal) => findFailurePlace(selector, hash, { worker, abis }, signal),
  learnNames: (selector, addresses, signal) => buildNames.learn(selector, addresses, signal),
  createTextContext: (selector, { coin, decimals }, registry) => {
    const getName = (address: string) =>
      book.getName(address, selector) ?? getWellKnownName(address) ?? buildNames.get(address, selector);
    return { coin, decimals, getName, format: { registry, getName } };
  },
});

export class Watcher extends Owner {
  readonly #deps: WatcherDeps;
  readonly #changed = this.store.add(new EventEmitter<void>());
  readonly #watchesChanged = this.store.add(new EventEmitter<void>());
  readonly #found = this.store.add(new EventEmitter<number>());
  /** What is watched and was found. */
  readonly #activity: StoredActivity;
  /** Up to where the chains were read. */
  readonly #progress: ReadProgress;
  /** One round of each chain at a time. */
  readonly #rounds: PollRounds;
  readonly #ports: PollPorts;
  /** Requests that a node refused once. */
  readonly #refused = new Set<string>();
  /** The entries of the book say on which chains an address is watched. */
  readonly #bookReady: Promise<void>;
  /** The nodes of each chain, as text. */
  #connections: ReadonlyMap<string, string>;
  /** Chains whose nodes were replaced, and that were not read since. */
  readonly #reconnected = new Set<string>();
  /** Aborts the polls of the present connections. */
  #polls = new AbortController();
  /** Of the next poll of chains on other machines. */
  #timer: NodeJS.Timeout | undefined;
  /** When each of these chains is polled next. */
  readonly #nextPolls = new Map<string, number>();
  /** Whether the Activity view is on screen. */
  #isVisible = false;
  /** The problems that were last announced, as JSON. */
  #shownProblems = '';
  readonly onDidChange = this.#changed.event;
  /** Something else is watched. */
  readonly onDidChangeWatches = this.#watchesChanged.event;
  /** Something new was found. */
  readonly onDidFind = this.#found.event;

  constructor(deps: WatcherDeps) {
    super();
    this.#deps = deps;
    const { book, chainMonitor, settings } = deps;
    this.#activity = openStoredActivity(deps.workspaceState, deps.log);
    this.#progress = new ReadProgress(chainMonitor, deps.worker);
    this.#ports = createPollPorts(deps, this.#refused);
    this.#bookReady = book.ready().catch(() => {}); // reported by the book itself
    this.#connections = this.#getConnections();
    this.#rounds = createPollRounds({
      clock: systemClock,
      poll: selector => this.#poll(selector),
      getIntervalMs: selector => (this.#isOnThisMachine(selector) ? POLL_INTERVALS_MS.local : POLL_INTERVALS_MS.remote),
    });
    this.store.add(
      chainMonitor.onDidReadStatus(selector => {
        this.#updateProblems();
        void this.#rounds.request(selector);
      }),
    );
    this.store.add(chainMonitor.onDidChangeConnections(() => this.#handleConnections()));
    this.store.add(
      settings.onDidChange(() => {
        this.#updatePolls();
        this.#changed.fire(); // other hosts may be allowed
      }),
    );
    this.store.add(
      book.onDidChange(() => {
        this.#updatePolls();
        if (this.#activity.watches.length > 0) this.#activity.save();
      }),
    );
    this.store.add(window.onDidChangeWindowState(({ focused }) => focused && void this.#pollRemote()));
    this.store.add(disposable(() => clearTimeout(this.#timer)));
    this.store.add(disposable(() => this.#polls.abort()));
    void this.#bookReady.then(() => this.#updatePolls());
  }

  watches(): readonly Watch[] {
    return this.#activity.watches;
  }

  isWatched(watch: Watch): boolean {
    return this.#activity.watches.some(other => getWatchKey(other) === getWatchKey(watch));
  }

  /**
   * Resolves when the local chains were read once, so that everything later is new. Watches for which there is no room are
   * refused with a message.
   */
  async setWatched(changedWatches: readonly Watch[], isAdded: boolean): Promise<void> {
    const removed = isAdded ? [] : changedWatches;
    const watches = changedWatches.reduce((all, watch) => changeWatches(all, watch, isAdded), this.#activity.watches);
    for (const { address } of removed)
      if (!watches.some(watch => watch.address === address)) this.#activity.entryChains.delete(address);
    this.#activity.replace(watches, removed.map(getWatchKey).reduce(removeWatch, this.#activity.log));
    if (isAdded && !changedWatches.every(watch => this.isWatched(watch)))
      void showWarningMessage(
        l10n.t('HexLens watches at most {0} addresses and events. Stop watching one first.', MAX_WATCHES),
      );
    this.#watchesChanged.fire();
    this.#changed.fire();
    this.#updatePolls();
    if (!isAdded) return;
    await this.#bookReady;
    const local = this.#getChainsOf(changedWatches).filter(selector => this.#isOnThisMachine(selector));
    this.#rounds.reset(local);
    await this.#deps.chainMonitor.refresh(local);
    await Promise.all(local.map(this.#rounds.request));
  }

  /** Selectors of the chains on which the watch is polled; `skipped` ones are neither local nor allowed. */
  getChains(watch: Watch): { readonly polled: readonly string[]; readonly skipped: readonly string[] } {
    const chains = this.#getConfiguredChains(watch);
    return {
      polled: chains.filter(selector => this.#isPolled(selector)),
      skipped: chains.filter(selector => !this.#isPolled(selector)),
    };
  }

  /** What was not read of the polled chains, and why. */
  getProblems(): readonly ChainProblem[] {
    return this.#getPolledChains().flatMap(chain =>
      this.#progress.describeProblems(chain).map(text => ({ chain, text })),
    );
  }

  log(): ActivityLog {
    return this.#activity.log;
  }

  markSeen(): void {
    this.#update(markSeen(this.#activity.log));
  }

  clear(): void {
    this.#progress.clearSkipped();
    this.#update(clearItems(this.#activity.log));
    this.#updateProblems();
  }

  /** Whether the list is visible: chains are then polled without the focus too. */
  setVisible(visible: boolean): void {
    this.#isVisible = visible;
    this.#updatePolls();
  }

  #update(next: ActivityLog): void {
    if (this.#activity.update(next)) this.#changed.fire();
  }

  /** The configured chains on which the address of the watch is used. */
  #getConfiguredChains(watch: Watch): readonly string[] {
    const configured = this.#deps.worker.chains().map(({ selector }) => selector);
    const entries = watch.chain === null ? this.#deps.book.findByAddress(watch.address) : [];
    if (entries.length > 0) {
      const isEverywhere = entries.some(({ chains }) => chains.length === 0);
      this.#activity.entryChains.set(watch.address, isEverywhere ? null : entries.flatMap(({ chains }) => chains));
    }
    const own = watch.chain !== null ? [watch.chain] : (this.#activity.entryChains.get(watch.address) ?? configured);
    return configured.filter(selector => own.includes(selector));
  }

  #isOnThisMachine(selector: string): boolean {
    return canPoll(selector, this.#deps.settings.configuration(), []);
  }

  #isPolled(selector: string): boolean {
    return canPoll(selector, this.#deps.settings.configuration(), this.#deps.settings.current().watch.allowedHosts);
  }

  #getPolledChains(): string[] {
    return this.#getChainsOf(this.#activity.watches).filter(selector => this.#isPolled(selector));
  }

  #getChainsOf(watches: readonly Watch[]): string[] {
    return [...new Set(watches.flatMap(watch => this.#getConfiguredChains(watch)))];
  }

  #updateProblems(): void {
    const before = this.#shownProblems;
    this.#shownProblems = JSON.stringify(this.getProblems());
    if (this.#shownProblems !== before) this.#changed.fire();
  }

  #getConnections(): Map<string, string> {
    const { nodes, groups } = this.#deps.settings.configuration();
    return new Map(
      this.#deps.worker.chains().map(({ selector }) => [selector, JSON.stringify([nodes[selector], groups.evm])]),
    );
  }

  #handleConnections(): void {
    this.#polls.abort();
    this.#polls = new AbortController();
    const before = this.#connections;
    this.#connections = this.#getConnections();
    for (const [selector, nodes] of this.#connections)
      if (before.get(selector) !== nodes) this.#reconnected.add(selector);
    this.#progress.clear();
    this.#nextPolls.clear();
    this.#rounds.reset();
    this.#refused.clear();
    this.#updatePolls();
  }

  /** A replaced node may have another chain, whose earlier blocks are not new; the same node can only have been reset. */
  #startOtherChain({ selector, genesisHash }: ChainStatus): void {
    if (genesisHash === undefined || !this.#reconnected.delete(selector)) return;
    const { log } = this.#activity;
    if (log.genesis[selector] !== undefined && log.genesis[selector] !== genesisHash)
      this.#update({ ...resetChain(log, selector), genesis: { ...log.genesis, [selector]: genesisHash } });
  }

  /** Resolves with whether the chain was read without a fault. */
  async #poll(selector: string): Promise<boolean> {
    await this.#bookReady;
    const status = this.#deps.chainMonitor.getStatus(selector);
    // A node of this machine that was started again is to be noticed at once.
    if (status?.problem) return this.#isOnThisMachine(selector);
    if (status === undefined || status.head === null || !this.#isPolled(selector)) return true;
    const own = this.#activity.watches.filter(watch => this.#getConfiguredChains(watch).includes(selector));
    const head = [status.genesisHash, status.head, status.headHash, ...own.map(getWatchKey)].join('|');
    if (own.length === 0 || this.#progress.isReadTo(selector, head)) return true;
    const { signal } = this.#polls;
    let fault: unknown;
    try {
      this.#startOtherChain(status);
      const polled = await pollChain(this.#activity.log, own, status, this.#ports, signal);
      if (signal.aborted) return true;
      ({ fault } = polled);
      const before = this.#activity.log;
      const removed = own.filter(watch => !this.isWatched(watch)).map(getWatchKey);
      this.#update(removed.reduce(removeWatch, polled.apply(before)));
      this.#progress.recordRead(selector, polled.isComplete ? head : null, polled.skipped);
      const count = countFound(before, this.#activity.log);
      if (count > 0) this.#found.fire(count);
    } catch (error) {
      fault = error;
    }
    if (signal.aborted) return true;
    this.#progress.recordFault(selector, fault === null ? null : formatFault(fault));
    if (fault !== null) this.#deps.log.debug(`Activity on ${selector}: ${getFaultCode(fault)}`);
    this.#updateProblems();
    return fault === null;
  }

  /** A remote host reports the head of a chain together with a balance only: the status is made of that. */
  async #observeRemoteHeads(selectors: readonly string[], signal: AbortSignal): Promise<void> {
    if (this.#deps.settings.configuration().groups.evm.mode !== 'remote') return;
    const requests = selectors.flatMap(chain => {
      const watch = this.#activity.watches.find(one => this.#getConfiguredChains(one).includes(chain));
      return watch === undefined
        ? []
        : [this.#deps.worker.lookup('addressSummary', { chain, address: watch.address }, signal)];
    });
    await Promise.allSettled(requests); // the status has the fault
  }

  async #pollRemote(): Promise<void> {
    clearTimeout(this.#timer);
    const remote = this.#getPolledChains().filter(selector => !this.#isOnThisMachine(selector));
    if (remote.length === 0 || this.store.disposed || !(window.state.focused || this.#isVisible)) return;
    const now = Date.now();
    const due = remote.filter(selector => (this.#nextPolls.get(selector) ?? 0) <= now && this.#rounds.isDue(selector));
    for (const selector of due) this.#nextPolls.set(selector, now + POLL_INTERVALS_MS.remote);
    const { signal } = this.#polls;
    await this.#observeRemoteHeads(due, signal);
    if (signal.aborted) return; // the present connections have their own polls
    await this.#deps.chainMonitor.refresh(due);
    clearTimeout(this.#timer);
    if (!this.store.disposed) this.#timer = setTimeout(() => void this.#pollRemote(), POLL_INTERVALS_MS.remote);
  }

  #updatePolls(): void {
    this.#deps.chainMonitor.setPolledChains('activity', {
      shown: this.#getPolledChains().filter(selector => this.#isOnThisMachine(selector)),
      isPolledWithoutFocus: this.#isVisible,
    });
    void this.#pollRemote();
  }
}
