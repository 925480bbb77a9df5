// The context key that enables the command Clear API Key.
import { commands, type Disposable } from 'vscode';
import { contextKeys } from '../../manifest/identifiers.ts';
import type { FeatureDeps } from '../featureDeps.ts';

export function followStoredKeys({ keys, secrets }: Pick<FeatureDeps, 'keys' | 'secrets'>): Disposable {
  const update = async () => {
    // Not known while the keyring is locked.
    const stored = await Promise.all([keys.origins(), secrets.names()]).catch(() => []);
    await commands.executeCommand('setContext', contextKeys.hasApiKey, stored.flat().length > 0);
  };
  void update();
  return keys.onDidChange(update);
}
