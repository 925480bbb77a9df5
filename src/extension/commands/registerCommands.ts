// Commands that hovers and menus run: copy, open in an explorer, show the log, restart the service.
import { commands, env, l10n, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { LogChannel } from '../logChannel.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface RegisterCommandsDeps {
  readonly log: LogChannel;
  readonly backend: WorkerClient;
  /** Opens the page of what the cursor stands on. */
  openExplorerAtCursor(): Promise<void>;
}

async function copyText(text: unknown): Promise<void> {
  if (typeof text !== 'string' || text.length > 10_000) return;
  await env.clipboard.writeText(text);
  window.setStatusBarMessage(l10n.t('$(check) Copied'), 2_000);
}

/** A link says what to open; without one it is what the cursor is on. */
async function openExternal(target: unknown): Promise<void> {
  const { openTarget: openExplorerPage } = await import('./openExplorerPage.ts');
  await openExplorerPage(target);
}

export function registerCommands({ log, backend, openExplorerAtCursor: openHere }: RegisterCommandsDeps): Disposable {
  const store = new DisposableStore();
  const add = (id: string, run: (...args: unknown[]) => unknown) => store.add(commands.registerCommand(id, run));
  add(commandIds.copyText, copyText);
  add(commandIds.openExternal, target => (target === undefined ? openHere() : openExternal(target)));
  add(commandIds.showOutput, () => log.show());
  add(commandIds.openNodeSettings, () => commands.executeCommand('workbench.action.openSettings', 'hexlens.nodes'));
  add(commandIds.restartBackend, async () => {
    await backend.restart();
    window.setStatusBarMessage(l10n.t('$(check) The HexLens service was restarted'), 3_000);
  });
  return store;
}
