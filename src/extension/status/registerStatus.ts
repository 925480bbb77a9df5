// The status bar item: chain and head of the nodes on this machine, refreshed while the window is looked at.
import { commands, env, l10n, MarkdownString, type QuickPickItem, StatusBarAlignment, window } from 'vscode';
import type { AptosStatus, ChainStatus } from '../../api/lookups.ts';
import { escapeMarkdown } from '../../base/displayText.ts';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { formatFault } from '../../base/errors.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { getPollDelayMs } from './pollDelay.ts';
import { registerIndexingProgress } from './registerIndexingProgress.ts';
import { formatAptosStatus, formatChainStatus, formatStatusBar, getStatusTitle } from './statusText.ts';

export interface StatusDeps {
  readonly backend: WorkerClient;
}

/** Milliseconds from a start or a change of settings to the first question. */
const CALM_MS = 1_000;

export function registerStatus({ backend }: StatusDeps): Disposable {
  const store = new DisposableStore();
  const item = store.add(window.createStatusBarItem('hexlens.status', StatusBarAlignment.Left, 10));
  item.name = 'HexLens';
  item.command = commandIds.showStatus;
  const known = new Map<string, ChainStatus>();
  const knownAptos = new Map<string, AptosStatus>();
  let timer: NodeJS.Timeout | undefined;
  let asking: AbortController | undefined;

  const render = () => {
    const statuses = backend
      .chains()
      .map(({ selector }) => known.get(selector))
      .filter(status => status !== undefined);
    const { text, tooltip, hasProblem: troubled } = formatStatusBar(statuses, [...knownAptos.values()]);
    item.text = text;
    item.accessibilityInformation = { label: `HexLens: ${tooltip.join('; ')}` };
    const markdown = new MarkdownString(tooltip.map(escapeMarkdown).join('  \n'));
    markdown.appendMarkdown(troubled ? `\n\n${l10n.t('Click to choose what to do.')}` : '');
    item.tooltip = markdown;
    item.show();
  };

  /** Public nodes are asked only by a click: nobody should pay for a number in the status bar. */
  const ask = async (which: 'local' | 'all') => {
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    const wanted = backend.chains().filter(chain => which === 'all' || chain.local);
    const answers = await Promise.all(
      wanted.map(async ({ selector }) => {
        try {
          return await backend.lookup('chainStatus', { chain: selector }, signal);
        } catch (error) {
          const problem = formatFault(error);
          return {
            selector,
            chain: null,
            source: 'node',
            head: null,
            headTime: null,
            client: null,
            problem,
          } satisfies ChainStatus;
        }
      }),
    );
    await askAptos(which, signal);
    if (signal.aborted) return true;
    for (const answer of answers) known.set(answer.selector, answer);
    render();
    return answers.every(answer => answer.problem === null);
  };

  /** A localnet that nobody set up and that does not run is not worth a line; one of the settings is. */
  const askAptos = async (which: 'local' | 'all', signal: AbortSignal) => {
    const wanted = backend.aptosNetworks().filter(({ local }) => which === 'all' || local);
    await Promise.all(
      wanted.map(async ({ name, isUserConfigured: chosen, local }) => {
        const answer = await backend.lookup('aptosStatus', { network: name }, signal).catch(() => null);
        if (signal.aborted) return;
        if (answer === null || (answer.problem !== null && local && !chosen)) knownAptos.delete(name);
        else knownAptos.set(name, answer);
      }),
    );
  };

  const loop = async () => {
    clearTimeout(timer);
    if (!window.state.focused || store.disposed) return;
    const answered = await ask('local');
    if (store.disposed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void loop(), getPollDelayMs(answered));
  };

  const restart = () => {
    known.clear();
    knownAptos.clear();
    render();
    // Not in the middle of a window's start: the first question starts the worker.
    clearTimeout(timer);
    timer = setTimeout(() => void loop(), CALM_MS);
  };

  store.add(disposable(() => clearTimeout(timer)));
  store.add(disposable(() => asking?.abort()));
  store.add(window.onDidChangeWindowState(state => state.focused && void loop()));
  store.add(backend.onDidChangeConnections(restart));
  store.add(registerIndexingProgress({ backend }));
  store.add(
    commands.registerCommand(commandIds.showStatus, () =>
      showStatus(
        ask,
        () => [...known.values()],
        () => [...knownAptos.values()],
      ),
    ),
  );
  restart();
  return store;
}

interface Choice extends QuickPickItem {
  readonly run?: () => unknown;
}

async function showStatus(
  ask: (which: 'all') => Promise<unknown>,
  statuses: () => readonly ChainStatus[],
  networks: () => readonly AptosStatus[],
): Promise<void> {
  const picker = window.createQuickPick<Choice>();
  const store = new DisposableStore();
  picker.title = 'HexLens';
  picker.placeholder = l10n.t('Chains and what to do');
  const actions: readonly Choice[] = [
    {
      label: `$(settings-gear) ${l10n.t('Change Nodes')}`,
      run: () => commands.executeCommand(commandIds.openNodeSettings),
    },
    {
      label: `$(debug-restart) ${l10n.t('Restart Service')}`,
      run: () => commands.executeCommand(commandIds.restartBackend),
    },
    { label: `$(output) ${l10n.t('Show Log')}`, run: () => commands.executeCommand(commandIds.showOutput) },
  ];
  const fill = () => {
    picker.items = [
      ...statuses().map(status => ({
        label: `${status.problem === null ? '$(pass)' : '$(warning)'} ${getStatusTitle(status)}`,
        description: status.problem === null ? formatChainStatus(status).split(': ').slice(1).join(': ') : '',
        ...(status.problem !== null && { detail: status.problem }),
        run: () => env.clipboard.writeText(formatChainStatus(status)),
      })),
      ...networks().map(status => ({
        label: `${status.problem === null ? '$(pass)' : '$(warning)'} Aptos ${status.network}`,
        description: status.problem === null ? formatAptosStatus(status).split(': ').slice(1).join(': ') : '',
        ...(status.problem !== null && { detail: status.problem }),
        run: () => env.clipboard.writeText(formatAptosStatus(status)),
      })),
      ...actions,
    ];
  };
  fill();
  picker.busy = true;
  store.add(
    picker.onDidAccept(() => {
      const [choice] = picker.selectedItems;
      picker.hide();
      void choice?.run?.();
    }),
  );
  store.add(picker.onDidHide(() => store.dispose()));
  store.add(picker);
  picker.show();
  await ask('all');
  if (store.disposed) return;
  picker.busy = false;
  fill();
}
