// The picker behind the status bar item: chains with actions.
import { commands, env, l10n, type QuickPickItem, window } from 'vscode';
import type { AptosStatus, ChainStatus } from '../../api/lookups.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import { formatAptosStatus, formatChainStatus, getStatusTitle } from './statusText.ts';

interface Choice extends QuickPickItem {
  readonly run?: () => unknown;
}

export async function showStatus(
  refresh: (which: 'all') => Promise<unknown>,
  statuses: () => readonly ChainStatus[],
  networks: () => readonly AptosStatus[],
): Promise<void> {
  const picker = window.createQuickPick<Choice>();
  const store = new DisposableStore();
  picker.title = 'HexLens';
  picker.placeholder = l10n.t('Chains and actions');
  const actions: readonly Choice[] = [
    {
      label: `$(settings-gear) ${l10n.t('Change Nodes')}`,
      run: () => commands.executeCommand(commandIds.openNodeSettings),
    },
    {
      label: `$(debug-restart) ${l10n.t('Restart Service')}`,
      run: () => commands.executeCommand(commandIds.restartBackend),
    },
    { label: `$(beaker) ${l10n.t('Try on a Sample Chain')}`, run: () => commands.executeCommand(commandIds.trySample) },
    { label: `$(output) ${l10n.t('Show Log')}`, run: () => commands.executeCommand(commandIds.showOutput) },
  ];
  const updateItems = () => {
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
  updateItems();
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
  await refresh('all');
  if (store.disposed) return;
  picker.busy = false;
  updateItems();
}
