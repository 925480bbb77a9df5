// `Look Up…`, `Look Up Selection` and the page of an explorer for what the cursor stands on; loaded with the first of them.
import { commands, env, type Memento } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { OperationCommands } from '../operations/operationCommands.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { LookUpBox } from './lookUpBox.ts';

export interface RegisterLookUpDeps {
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
  readonly book: AddressBook;
  readonly memory: Memento;
  operations(): Promise<OperationCommands>;
}

/** A terminal gives its selection only through the clipboard, which is put back. */
async function terminalText(): Promise<string> {
  const before = await env.clipboard.readText();
  await commands.executeCommand('workbench.action.terminal.copySelection');
  const text = await env.clipboard.readText();
  await env.clipboard.writeText(before);
  return text.trim();
}

export interface LookUpFeature extends Disposable {
  /** The page of an explorer for what the cursor stands on. */
  openExplorerAtCursor(): Promise<void>;
}

export function registerLookUp(deps: RegisterLookUpDeps): LookUpFeature {
  const store = new DisposableStore();
  let loading: Promise<LookUpBox> | undefined;
  const load = () => {
    loading ??= import('./lookUpBox.ts').then(({ createLookUp: createLookUpBox }) => createLookUpBox(deps));
    return loading;
  };
  const add = (id: string, run: (...args: unknown[]) => unknown) => store.add(commands.registerCommand(id, run));
  add(commandIds.lookUp, async text => (await load()).show(typeof text === 'string' ? text : ''));
  add(commandIds.lookUpSelection, async () => (await load()).showSelection());
  add(commandIds.lookUpTerminalSelection, async () => (await load()).show(await terminalText()));
  add(commandIds.clearLookUpHistory, async () => (await load()).clearHistory());
  return { openExplorerAtCursor: async () => (await load()).openExplorerAtCursor(), dispose: () => store.dispose() };
}
