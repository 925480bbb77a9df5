// Polls the status of local chains while a view shows them, and rarely that of others whose rows it shows.
import { EventEmitter, window } from 'vscode';
import { type Chain, getChainByName, resolveChain } from '../../api/chains.ts';
import type { ChainStatus } from '../../api/lookups.ts';
import type { Progress } from '../../api/workerProtocol.ts';
import { disposable, Owner } from '../../base/disposable.ts';
import { isFault } from '../../base/errors.ts';
import type { LastRead } from '../../view/tree/chainText.ts';
import type { ConfiguredChain } from '../worker/configuredChains.ts';
import { createFailedStatus, getLocalPollMs, POLL_INTERVALS_MS } from '../worker/statusPolls.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface PolledChains {
  /** Local ones are polled. */
  readonly shown: readonly string[];
  /** Polled on other machines too, to refresh what could not be read. */
  readonly unreachable?: readonly string[];
  /** Polled on other machines too, but rarely: only the number of newer blocks is shown. */
  readonly idle?: readonly string[];
  readonly isPolledWithoutFocus?: boolean;
}

/** A development chain that was reset or rolled back can have the same number again. */
const hasSameHead = (a: ChainStatus, b: ChainStatus): boolean =>
  a.head === b.head &&
  a.headHash === b.headHash &&
  a.headTime?.getTime() === b.headTime?.getTime() &&
  a.genesisHash === b.genesisHash;

export class ChainMonitor extends Owner {
  readonly #worker: WorkerClient;
  readonly #headChanged = this.store.add(new EventEmitter<string>());
  readonly #statusRead = this.store.add(new EventEmitter<string>());
  readonly #changed = this.store.add(new EventEmitter<string>());
  readonly #aptosProgressed = this.store.add(new EventEmitter<string>());
  readonly #connectionsChanged = this.store.add(new EventEmitter<void>());
  /** The last status of each chain. */
  readonly #statuses = new Map<string, ChainStatus>();
  /** Running indexing tasks, by their names. */
  readonly #running = new Map<string, Progress>();
  /** The last status of each chain without a problem. */
  readonly #lastReads = new Map<string, LastRead>();
  /** What each view shows, by its id. */
  readonly #polledChains = new Map<string, PolledChains>();
  /** Of the next poll. */
  #timer: NodeJS.Timeout | undefined;
  /** The poll that is running. */
  #currentPoll: AbortController | undefined;
  /** Of the next poll of idle chains. */
  #idleTimer: NodeJS.Timeout | undefined;
  /** When each of them was polled. */
  readonly #idlePolls = new Map<string, number>();
  /** Aborts these polls when their nodes are replaced. */
  #idleRequests = new AbortController();
  /** A chain has another head: a new block, a reorganization or a restarted dev chain. */
  readonly onDidChangeHead = this.#headChanged.event;
  /** The status of a chain was read, be it another one or not. */
  readonly onDidReadStatus = this.#statusRead.event;
  /** The same, or an index of the chain has progressed. */
  readonly onDidChange = this.#changed.event;
  /** The index of an Aptos network has progressed. */
  readonly onDidProgressAptos = this.#aptosProgressed.event;
  /** Nodes, hosts or networks were changed; all statuses are cleared. */
  readonly onDidChangeConnections = this.#connectionsChanged.event;

  constructor(worker: WorkerClient) {
    super();
    this.#worker = worker;
    this.store.add(window.onDidChangeWindowState(({ focused }) => focused && this.#pollAll()));
    this.store.add(worker.onDidChangeConnections(() => this.#handleConnections()));
    this.store.add(
      worker.onEvent(event => {
        if (event.type === 'headChange') this.#handleHead(event.chain);
        else if (event.progress.kind === 'index') this.#handleProgress(event.progress);
      }),
    );
    this.store.add(disposable(() => clearTimeout(this.#timer)));
    this.store.add(disposable(() => this.#currentPoll?.abort()));
    this.store.add(disposable(() => clearTimeout(this.#idleTimer)));
    this.store.add(disposable(() => this.#idleRequests.abort()));
  }

  /** The last status; `undefined` before the first query. */
  getStatus(selector: string): ChainStatus | undefined {
    return this.#statuses.get(selector);
  }

  /** Running indexing tasks of a chain. */
  getProgress(selector: string): readonly Progress[] {
    return [...this.#running.values()].filter(({ chain }) => chain === selector);
  }

  getAptosProgress(network: string): readonly Progress[] {
    return [...this.#running.values()].filter(({ aptosNetwork }) => aptosNetwork === network);
  }

  /** The chain as its node reports it, until then by the selector's name. */
  getChain(selector: string): Chain {
    return (
      this.#statuses.get(selector)?.chain ??
      this.#lastReads.get(selector)?.status.chain ??
      getChainByName(selector) ??
      resolveChain(selector, Number(selector) || 0)
    );
  }

  /** The chain as its node reports it, queried where the selector does not name the chain. */
  async fetchChain(selector: string, signal: AbortSignal): Promise<Chain> {
    if (!this.#statuses.get(selector)?.chain && getChainByName(selector) === undefined) {
      const status = await this.#worker.lookup('chainStatus', { chain: selector }, signal).catch(() => null);
      if (status?.chain) return status.chain;
    }
    return this.getChain(selector);
  }

  /** The last status without a problem, and when it was read. */
  getLastRead(selector: string): LastRead | undefined {
    return this.#lastReads.get(selector);
  }

  /** Sets the chains that a view shows, while the window has the focus; or without it too. */
  setPolledChains(viewId: string, chains: PolledChains): void {
    const before = JSON.stringify(this.#polledChains.get(viewId));
    this.#polledChains.set(viewId, chains);
    if (JSON.stringify(chains) !== before) this.#pollAll();
  }

  /** Queries chains once on behalf of the user, remote ones too. */
  async refresh(selectors: readonly string[]): Promise<void> {
    await Promise.all(selectors.map(selector => this.#query(selector)));
  }

  #update(status: ChainStatus): void {
    const { selector } = status;
    this.#statuses.set(selector, status);
    const lastRead = this.#lastReads.get(selector)?.status;
    if (status.problem === null) this.#lastReads.set(selector, { status, readAt: Date.now() });
    this.#statusRead.fire(selector);
    this.#changed.fire(selector);
    if (status.head !== null && lastRead !== undefined && !hasSameHead(lastRead, status))
      this.#headChanged.fire(selector);
  }

  #handleConnections(): void {
    this.#currentPoll?.abort();
    this.#currentPoll = undefined;
    this.#idleRequests.abort();
    this.#idleRequests = new AbortController();
    for (const known of [this.#statuses, this.#lastReads, this.#running, this.#idlePolls]) known.clear();
    this.#connectionsChanged.fire();
    this.#pollAll();
  }

  #handleHead(chain: string): void {
    if (!window.state.focused || !this.#getPolledChains().some(({ selector }) => selector === chain)) return;
    void this.#query(chain, (this.#currentPoll ?? new AbortController()).signal);
  }

  #handleProgress(progress: Progress): void {
    const { task, chain, aptosNetwork, isRunning } = progress;
    if (isRunning) this.#running.set(task, progress);
    else this.#running.delete(task);
    if (chain !== null) this.#changed.fire(chain);
    if (aptosNetwork !== undefined) this.#aptosProgressed.fire(aptosNetwork);
  }

  /** Resolves with whether the node has responded. */
  async #query(selector: string, signal?: AbortSignal): Promise<boolean> {
    try {
      // With a signal it is a poll, else on behalf of the user.
      const status = await (signal === undefined
        ? this.#worker.lookup('chainStatus', { chain: selector })
        : this.#worker.pollStatus(selector));
      if (signal?.aborted || this.store.disposed) return true;
      this.#update(status);
      return status.problem === null;
    } catch (error) {
      if (signal?.aborted || this.store.disposed || isFault(error, 'cancelled')) return true;
      this.#update(createFailedStatus(selector, error));
      return false;
    }
  }

  #getPolledChains(): ConfiguredChain[] {
    const views = [...this.#polledChains.values()].filter(view => window.state.focused || view.isPolledWithoutFocus);
    const shown = new Set(views.flatMap(view => view.shown));
    const unreachable = new Set(views.flatMap(view => view.unreachable ?? []));
    return this.#worker
      .chains()
      .filter(({ selector, isOnLoopback }) => (isOnLoopback ? shown : unreachable).has(selector));
  }

  #pollAll(): void {
    void this.#poll();
    void this.#pollIdle();
  }

  async #pollIdle(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const wanted = new Set([...this.#polledChains.values()].flatMap(({ idle = [] }) => idle));
    const chains = this.#worker.chains().filter(({ selector, isOnLoopback }) => !isOnLoopback && wanted.has(selector));
    if (chains.length === 0 || this.store.disposed || !window.state.focused) return;
    const due = chains.filter(
      ({ selector }) => Date.now() - (this.#idlePolls.get(selector) ?? 0) >= POLL_INTERVALS_MS.remote,
    );
    for (const { selector } of due) this.#idlePolls.set(selector, Date.now());
    const { signal } = this.#idleRequests;
    this.#idleTimer = setTimeout(() => void this.#pollIdle(), POLL_INTERVALS_MS.remote);
    await Promise.all(due.map(({ selector }) => this.#query(selector, signal)));
  }

  async #poll(): Promise<void> {
    clearTimeout(this.#timer);
    const chains = this.#getPolledChains();
    if (chains.length === 0 || this.store.disposed || this.#currentPoll !== undefined) return;
    const thisPoll = new AbortController();
    this.#currentPoll = thisPoll;
    const results = await Promise.all(chains.map(({ selector }) => this.#query(selector, thisPoll.signal)));
    if (this.#currentPoll !== thisPoll) return; // replaced after a change of the configuration
    this.#currentPoll = undefined;
    if (this.store.disposed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#poll(), getLocalPollMs(results.every(hasResponded => hasResponded)));
  }
}
