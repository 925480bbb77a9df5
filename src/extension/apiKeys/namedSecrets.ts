// VS Code's secret storage with the names of what it holds.
import type { SecretStorage } from 'vscode';
import { SerialQueue } from '../../base/serialQueue.ts';

export interface NamedSecrets extends Pick<SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'> {
  /** The names that begin with `prefix`, without it. */
  names(prefix: string): Promise<readonly string[]>;
}

const LIST = 'hexlens.secretNames';

/** Versions of VS Code before 1.106 cannot list names: there, a secret of its own holds the list. */
export function createNamedSecrets(storage: SecretStorage & { keys?(): PromiseLike<string[]> }): NamedSecrets {
  const queue = new SerialQueue();
  const read = async (): Promise<readonly string[]> => {
    const names: unknown = JSON.parse((await storage.get(LIST)) ?? '[]');
    return Array.isArray(names) ? names.filter(name => typeof name === 'string') : [];
  };
  const update = (change: (names: Set<string>) => unknown): Promise<void> =>
    queue.run(async () => {
      if (storage.keys !== undefined) return;
      const names = new Set(await read());
      change(names);
      await storage.store(LIST, JSON.stringify([...names]));
    });
  return {
    names: async prefix =>
      (await (storage.keys?.() ?? read()))
        .filter(name => name.startsWith(prefix))
        .map(name => name.slice(prefix.length)),
    get: name => storage.get(name),
    async store(name, value) {
      await storage.store(name, value);
      await update(names => names.add(name));
    },
    async delete(name) {
      await storage.delete(name);
      await update(names => names.delete(name));
    },
    onDidChange: storage.onDidChange,
  };
}
