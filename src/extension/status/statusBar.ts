// The status bar item: the head of the local chains, polled while the window is focused.
import { commands, l10n, MarkdownString, StatusBarAlignment, window } from 'vscode';
import type { AptosStatus, ChainStatus } from '../../api/lookups.ts';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { formatFault } from '../../base/errors.ts';
import { commandIds } from '../../manifest/commands.ts';
import { contextKeys } from '../../manifest/identifiers.ts';
import { escapeMarkdown } from '../../view/hover/markdown.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { createSingleReads, getPollDelayMs } from './pollDelay.ts';
import { formatStatusBar } from './statusText.ts';

export interface StatusDeps {
  readonly worker: WorkerClient;
}

/** Time from a change of the settings to the next poll, since another change often follows. */
const RESTART_DELAY_MS = 1_000;

export interface StatusBar extends Disposable {
  showStatus(): Promise<void>;
}

export function registerStatus({ worker }: StatusDeps): StatusBar {
  const store = new DisposableStore();
  const item = store.add(window.createStatusBarItem('hexlens.status', StatusBarAlignment.Left, 10));
  item.name = 'HexLens';
  item.command = commandIds.showStatus;
  const chainStatuses = new Map<string, ChainStatus>();
  const aptosStatuses = new Map<string, AptosStatus>();
  let timer: NodeJS.Timeout | undefined;
  let requests: AbortController | undefined;

  const render = () => {
    const statuses = worker
      .chains()
      .map(({ selector }) => chainStatuses.get(selector))
      .filter(status => status !== undefined);
    const { text, tooltip, hasProblem } = formatStatusBar(statuses, [...aptosStatuses.values()]);
    item.text = text;
    item.accessibilityInformation = { label: `HexLens: ${tooltip.join('; ')}` };
    const markdown = new MarkdownString(tooltip.map(escapeMarkdown).join('  \n'));
    markdown.appendMarkdown(hasProblem ? `\n\n${l10n.t('Click for actions.')}` : '');
    item.tooltip = markdown;
    item.show();
  };

  /** Remote nodes are queried only on a click, because each request to them may cost money. */
  const refresh = async (which: 'local' | 'all') => {
    requests?.abort();
    requests = new AbortController();
    const { signal } = requests;
    const chains = worker.chains().filter(chain => which === 'all' || chain.isOnLoopback);
    const statuses = await Promise.all(
      chains.map(async ({ selector }) => {
        const status = await (which === 'local'
          ? worker.pollStatus(selector)
          : worker.lookup('chainStatus', { chain: selector }, signal)
        ).catch((error): ChainStatus => {
          const problem = formatFault(error);
          return { selector, chain: null, source: 'node', head: null, headTime: null, client: null, problem };
        });
        // At once: a later status, of a head that the node announces, must not be replaced by this one.
        if (!signal.aborted) chainStatuses.set(selector, status);
        return status;
      }),
    );
    await refreshAptos(which, signal);
    if (signal.aborted) return true;
    if (statuses.some(({ problem }) => problem === null))
      void commands.executeCommand('setContext', contextKeys.connected, true);
    render();
    return statuses.every(({ problem }) => problem === null);
  };

  /** An unreachable local network is shown only if the user configured it, because the default one is mostly not running. */
  const refreshAptos = async (which: 'local' | 'all', signal: AbortSignal) => {
    const configured = worker.aptosUse.isUsed() ? worker.aptosNetworks() : [];
    const networks = configured.filter(({ isOnLoopback }) => which === 'all' || isOnLoopback);
    await Promise.all(
      networks.map(async ({ name, isUserConfigured, isOnLoopback }) => {
        const status = await worker.lookup('aptosStatus', { network: name }, signal).catch(() => null);
        if (signal.aborted) return;
        if (status === null || (status.problem !== null && isOnLoopback && !isUserConfigured))
          aptosStatuses.delete(name);
        else aptosStatuses.set(name, status);
      }),
    );
  };

  const poll = async () => {
    clearTimeout(timer);
    if (!window.state.focused || store.disposed) return;
    const isReachable = await refresh('local');
    if (store.disposed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void poll(), getPollDelayMs(isReachable));
  };

  const readAnnouncedHead = createSingleReads(async selector => {
    const isShown = () => !store.disposed && chainStatuses.has(selector);
    const status = isShown() ? await worker.pollStatus(selector).catch(() => null) : null;
    if (status === null || !isShown()) return;
    chainStatuses.set(selector, status);
    render();
  });

  const restart = () => {
    chainStatuses.clear();
    aptosStatuses.clear();
    render();
    clearTimeout(timer);
    timer = setTimeout(() => void poll(), RESTART_DELAY_MS);
  };

  store.add(disposable(() => clearTimeout(timer)));
  store.add(disposable(() => requests?.abort()));
  store.add(window.onDidChangeWindowState(state => state.focused && void poll()));
  store.add(worker.onDidChangeConnections(restart));
  store.add(worker.aptosUse.onDidChange(() => void poll()));
  store.add(
    worker.onEvent(event => {
      if (event.type === 'headChange' && window.state.focused) void readAnnouncedHead(event.chain);
    }),
  );
  render();
  void poll();
  return {
    showStatus: async () =>
      (await import('./statusPickers.ts')).showStatus(
        refresh,
        () => [...chainStatuses.values()],
        () => [...aptosStatuses.values()],
      ),
    dispose: () => store.dispose(),
  };
}
