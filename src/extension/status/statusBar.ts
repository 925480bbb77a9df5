// The status bar item: the head of the local chains, polled while the window is focused.
import { EventEmitter, l10n, MarkdownString, StatusBarAlignment, window } from 'vscode';
import type { AptosStatus, ChainStatus } from '../../api/lookups.ts';
import { disposable, Owner } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import { escapeMarkdown } from '../../view/hover/markdown.ts';
import { createFailedStatus, createSingleReads, getLocalPollMs } from '../worker/statusPolls.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { formatStatusBar } from './statusText.ts';

/** Time from a change of the settings to the next poll, since another change often follows. */
const RESTART_DELAY_MS = 1_000;

export class StatusBar extends Owner {
  readonly #worker: WorkerClient;
  readonly #item = this.store.add(window.createStatusBarItem('hexlens.status', StatusBarAlignment.Left, 10));
  readonly #refreshed = this.store.add(new EventEmitter<void>());
  /** The last status of each chain, by selector. */
  readonly #chainStatuses = new Map<string, ChainStatus>();
  /** That of each Aptos network, by name. */
  readonly #aptosStatuses = new Map<string, AptosStatus>();
  /** Of the next poll. */
  #timer: NodeJS.Timeout | undefined;
  /** Aborts the requests that run. */
  #requests: AbortController | undefined;
  /** The statuses of local chains, or of all, were read. */
  readonly onDidRefresh = this.#refreshed.event;

  constructor(worker: WorkerClient) {
    super();
    this.#worker = worker;
    this.#item.name = 'HexLens';
    this.#item.command = commandIds.showStatus;
    const readAnnouncedHead = createSingleReads(async selector => {
      const isShown = () => !this.store.disposed && this.#chainStatuses.has(selector);
      const status = isShown() ? await worker.pollStatus(selector).catch(() => null) : null;
      if (status === null || !isShown()) return;
      this.#chainStatuses.set(selector, status);
      this.#render();
    });
    this.store.add(disposable(() => clearTimeout(this.#timer)));
    this.store.add(disposable(() => this.#requests?.abort()));
    this.store.add(window.onDidChangeWindowState(state => state.focused && void this.#poll()));
    this.store.add(worker.onDidChangeConnections(() => this.#restart()));
    this.store.add(worker.aptosUse.onDidChange(() => void this.#poll()));
    this.store.add(
      worker.onEvent(event => {
        if (event.type === 'headChange' && window.state.focused) void readAnnouncedHead(event.chain);
      }),
    );
    this.#render();
    void this.#poll();
  }

  async showStatus(): Promise<void> {
    return (await import('./statusPickers.ts')).showStatus(
      which => this.#refresh(which),
      () => [...this.#chainStatuses.values()],
      () => [...this.#aptosStatuses.values()],
    );
  }

  #render(): void {
    const statuses = this.#worker
      .chains()
      .map(({ selector }) => this.#chainStatuses.get(selector))
      .filter(status => status !== undefined);
    const { text, tooltip, hasProblem } = formatStatusBar(statuses, [...this.#aptosStatuses.values()]);
    this.#item.text = text;
    this.#item.accessibilityInformation = { label: `HexLens: ${tooltip.join('; ')}` };
    const markdown = new MarkdownString(tooltip.map(each => escapeMarkdown(each)).join('  \n'));
    markdown.appendMarkdown(hasProblem ? `\n\n${l10n.t('Click for actions.')}` : '');
    this.#item.tooltip = markdown;
    this.#item.show();
  }

  /** Remote nodes are queried only on a click, because each request to them may cost money. */
  async #refresh(which: 'local' | 'all'): Promise<boolean> {
    const worker = this.#worker;
    this.#requests?.abort();
    this.#requests = new AbortController();
    const { signal } = this.#requests;
    const chains = worker.chains().filter(chain => which === 'all' || chain.isOnLoopback);
    const statuses = await Promise.all(
      chains.map(async ({ selector }) => {
        const status = await (which === 'local'
          ? worker.pollStatus(selector)
          : worker.lookup('chainStatus', { chain: selector }, signal)
        ).catch(error => createFailedStatus(selector, error));
        // At once: a later status, of a head that the node announces, must not be replaced by this one.
        if (!signal.aborted) this.#chainStatuses.set(selector, status);
        return status;
      }),
    );
    await this.#refreshAptos(which, signal);
    if (signal.aborted) return true;
    this.#render();
    this.#refreshed.fire();
    return statuses.every(({ problem }) => problem === null);
  }

  /** An unreachable local network is shown only if the user configured it, because the default one is mostly not running. */
  async #refreshAptos(which: 'local' | 'all', signal: AbortSignal): Promise<void> {
    const worker = this.#worker;
    const configured = worker.aptosUse.isUsed() ? worker.aptosNetworks() : [];
    const networks = configured.filter(({ isOnLoopback }) => which === 'all' || isOnLoopback);
    await Promise.all(
      networks.map(async ({ name, isUserConfigured, isOnLoopback }) => {
        const status = await worker.lookup('aptosStatus', { network: name }, signal).catch(() => null);
        if (signal.aborted) return;
        if (status === null || (status.problem !== null && isOnLoopback && !isUserConfigured))
          this.#aptosStatuses.delete(name);
        else this.#aptosStatuses.set(name, status);
      }),
    );
  }

  async #poll(): Promise<void> {
    clearTimeout(this.#timer);
    if (!window.state.focused || this.store.disposed) return;
    const isReachable = await this.#refresh('local');
    if (this.store.disposed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#poll(), getLocalPollMs(isReachable));
  }

  #restart(): void {
    this.#chainStatuses.clear();
    this.#aptosStatuses.clear();
    this.#render();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#poll(), RESTART_DELAY_MS);
  }
}
