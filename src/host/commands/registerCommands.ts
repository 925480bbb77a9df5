// Commands that hovers and menus run: copy, open in an explorer, show the log, restart the service.
import { commands, env, l10n, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { BackendHost } from '../backend/backendHost.ts';
import type { LogChannel } from '../log/logChannel.ts';

export interface CommandDeps {
  readonly log: LogChannel;
  readonly backend: BackendHost;
}

async function copyText(text: unknown): Promise<void> {
  if (typeof text !== 'string' || text.length > 10_000) return;
  await env.clipboard.writeText(text);
  window.setStatusBarMessage(l10n.t('$(check) Copied'), 2_000);
}

export function registerCommands({ log, backend }: CommandDeps): Disposable {
  const store = new DisposableStore();
  const add = (id: string, run: (...args: unknown[]) => unknown) => store.add(commands.registerCommand(id, run));
  add(commandIds.copyText, copyText);
  add(commandIds.openExternal, async argument => (await import('./openExternal.ts')).openExternal(argument));
  add(commandIds.showOutput, () => log.show());
  add(commandIds.openNodeSettings, () => commands.executeCommand('workbench.action.openSettings', 'hexlens.nodes'));
  add(commandIds.restartBackend, async () => {
    await backend.restart();
    window.setStatusBarMessage(l10n.t('$(check) The HexLens service was restarted'), 3_000);
  });
  return store;
}
