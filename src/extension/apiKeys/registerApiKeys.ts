// The commands Set API Key and Clear API Key.
import { commands } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import { contextKeys } from '../../manifest/identifiers.ts';
import type { ApiKeyCommandsDeps } from './apiKeyCommands.ts';

export function registerApiKeys(deps: ApiKeyCommandsDeps): Disposable {
  const store = new DisposableStore();
  const updateContextKey = async () => {
    // Not known while the keyring is locked.
    const stored = await Promise.all([deps.keys.origins(), deps.secrets.names()]).catch(() => []);
    await commands.executeCommand('setContext', contextKeys.hasApiKey, stored.flat().length > 0);
  };
  store.add(deps.keys.onDidChange(updateContextKey));
  void updateContextKey();
  store.add(
    commands.registerCommand(commandIds.setApiKey, async () => (await import('./apiKeyCommands.ts')).setKey(deps)),
  );
  store.add(
    commands.registerCommand(commandIds.clearApiKey, async () => (await import('./apiKeyCommands.ts')).clearKey(deps)),
  );
  return store;
}
