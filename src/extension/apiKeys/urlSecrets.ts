// Secrets of node URLs in VS Code's secret storage, by the names in their placeholders, each with the origins that may get it.
import type { NamedSecrets } from './namedSecrets.ts';

const PREFIX = 'hexlens.secret:';
const ORIGINS_PREFIX = 'hexlens.secretOrigins:';

export type UrlSecrets = ReturnType<typeof createUrlSecrets>;

export function createUrlSecrets(storage: NamedSecrets) {
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
    /** All stored secrets by name. */
    all,
    names,
    /** Those that may get the secret, besides those of the user's own settings. */
    origins,
    /** Stores the secret for the hosts of these URLs. */
    set,
    /** Lets the hosts of these URLs get the secret too. */
    allow,
    async clear(name: string) {
      await storage.delete(PREFIX + name);
      await storage.delete(ORIGINS_PREFIX + name);
    },
    /**
     * Stores the secret of a URL under `name`, or under a free variant of it where another secret has that name; returns the
     * name.
     */
    async add(name: string, secret: string, url: string): Promise<string> {
      const stored = await all();
      let free = name;
      for (let number = 2; stored[free] !== undefined && stored[free] !== secret; number++) free = `${name}-${number}`;
      await set(free, secret, [url]);
      return free;
    },
  };
}
