// The commands Set API Key and Clear API Key.
import { commands } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { ApiKeyCommandsDeps } from './apiKeyCommands.ts';

export function registerApiKeys(deps: ApiKeyCommandsDeps): Disposable {
  const store = new DisposableStore();
  store.add(
    commands.registerCommand(commandIds.setApiKey, async () => (await import('./apiKeyCommands.ts')).setKey(deps)),
  );
  store.add(
    commands.registerCommand(commandIds.clearApiKey, async () => (await import('./apiKeyCommands.ts')).clearKey(deps)),
  );
  return store;
}
