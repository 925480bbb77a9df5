// Commands of hovers and menus: copy, open in an explorer, show the output, restart the service.
import { commands, type Extension, env, l10n, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { LogChannel } from '../logChannel.ts';

export interface RegisterCommandsDeps extends Pick<FeatureDeps, 'platform' | 'worker' | 'settings'> {
  readonly extension: Extension<unknown>;
  readonly log: LogChannel;
}

async function copyText(text: unknown): Promise<void> {
  if (typeof text !== 'string' || text.length > 10_000) return;
  await env.clipboard.writeText(text);
  window.setStatusBarMessage(l10n.t('$(check) Copied'), 2_000);
}

export function registerCommands({ extension, platform, log, worker, settings }: RegisterCommandsDeps): Disposable {
  const store = new DisposableStore();
  const add = (id: string, run: (...args: unknown[]) => unknown) => store.add(commands.registerCommand(id, run));
  add(commandIds.copyText, copyText);
  add(commandIds.openExternal, async target => {
    const pages = await import('./explorerPages.ts');
    const { explorers } = settings.current();
    return target === undefined
      ? pages.openExplorerAtCursor(worker, explorers)
      : pages.openExplorerPage(target, explorers);
  });
  add(commandIds.showOutput, () => log.show());
  add(commandIds.reportIssue, async () =>
    (await import('../report/reportIssue.ts')).reportIssue({ extension, worker, platform }),
  );
  add(commandIds.openNodeSettings, () => commands.executeCommand('workbench.action.openSettings', 'hexlens.nodes'));
  add(commandIds.restartBackend, async () => {
    await worker.restart();
    window.setStatusBarMessage(l10n.t('$(check) The HexLens service was restarted'), 3_000);
  });
  return store;
}
