// Secrets of node URLs in VS Code's secret storage, by the names in their placeholders, each with the origins that may get it.
import type { NamedSecrets } from './namedSecrets.ts';

const PREFIX = 'hexlens.secret:';
const ORIGINS_PREFIX = 'hexlens.secretOrigins:';

export interface UrlSecrets {
  /** All stored secrets by name. */
  all(): Promise<Readonly<Record<string, string>>>;
  names(): Promise<readonly string[]>;
  /** Those that may get the secret, besides those of the user's own settings. */
  origins(name: string): Promise<readonly unknown[]>;
  /** Stores the secret for the hosts of these URLs. */
  set(name: string, secret: string, urls: readonly string[]): Promise<void>;
  /**
   * Stores the secret of a URL under `name`, or under a free variant of it where another secret has that name; returns the
   * name.
   */
  add(name: string, secret: string, url: string): Promise<string>;
  /** Lets the hosts of these URLs get the secret too. */
  allow(name: string, urls: readonly string[]): Promise<void>;
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
  const origins = async (name: string): Promise<readonly unknown[]> => {
    const text = (await storage.get(ORIGINS_PREFIX + name)) ?? '';
    try {
      const stored: unknown = JSON.parse(text);
      return Array.isArray(stored) ? stored : [];
    } catch {
      return []; // none is stored, or the text is damaged
    }
  };
  const allow = async (name: string, urls: readonly string[]) => {
    const all = new Set([...(await origins(name)), ...urls.flatMap(url => URL.parse(url)?.origin ?? [])]);
    await storage.store(ORIGINS_PREFIX + name, JSON.stringify([...all]));
  };
  const set = async (name: string, secret: string, urls: readonly string[]) => {
    await allow(name, urls);
    await storage.store(PREFIX + name, secret);
  };
  return {
    all,
    names,
    origins,
    set,
    allow,
    async clear(name) {
      await storage.delete(PREFIX + name);
      await storage.delete(ORIGINS_PREFIX + name);
    },
    async add(name, secret, url) {
      const stored = await all();
      let free = name;
      for (let number = 2; stored[free] !== undefined && stored[free] !== secret; number++) free = `${name}-${number}`;
      await set(free, secret, [url]);
      return free;
    },
  };
}
