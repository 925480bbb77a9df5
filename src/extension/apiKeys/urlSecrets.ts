// Secrets of node URLs in VS Code's secret storage, by the names in their placeholders.
import type { NamedSecrets } from './namedSecrets.ts';

const PREFIX = 'hexlens.secret:';

export interface UrlSecrets {
  /** All stored secrets by name. */
  all(): Promise<Readonly<Record<string, string>>>;
  names(): Promise<readonly string[]>;
  set(name: string, secret: string): Promise<void>;
  /** Stores the secret under `name`, or under a free variant of it where another secret has that name; returns the name. */
  add(name: string, secret: string): Promise<string>;
  clear(name: string): Promise<void>;
}

export function createUrlSecrets(storage: NamedSecrets): UrlSecrets {
  const names = async () => [...(await storage.names(PREFIX))].sort();
  async function all(): Promise<Readonly<Record<string, string>>> {
    const entries = await Promise.all(
      (await names()).map(async name => [name, (await storage.get(PREFIX + name)) ?? ''] as const),
    );
    return Object.fromEntries(entries);
  }
  const set = async (name: string, secret: string) => storage.store(PREFIX + name, secret);
  return {
    all,
    names,
    set,
    clear: async name => storage.delete(PREFIX + name),
    async add(name, secret) {
      const stored = await all();
      let free = name;
      for (let number = 2; stored[free] !== undefined && stored[free] !== secret; number++) free = `${name}-${number}`;
      await set(free, secret);
      return free;
    },
  };
}
