// Secrets of node URLs in VS Code's secret storage, by the names in their placeholders, each with the origins that may get it.
import { getSecretNames } from '../../api/nodeUrls.ts';
import type { GetUrlSecret } from '../../manifest/secretPlaceholders.ts';
import type { NamedSecrets } from './namedSecrets.ts';

const PREFIX = 'hexlens.secret:';
const ORIGINS_PREFIX = 'hexlens.secretOrigins:';

export interface UrlSecrets {
  /** All stored secrets by name. */
  all(): Promise<Readonly<Record<string, string>>>;
  names(): Promise<readonly string[]>;
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
  /**
   * Resolves with what gives the secrets that URLs may have: those that were stored for their host, and those that the
   * user's own settings send there. A workspace alone cannot say where a secret goes.
   */
  createGetter(userUrls: readonly string[]): Promise<GetUrlSecret>;
}

const getOrigin = (url: string): string | undefined => URL.parse(url)?.origin;

export function createUrlSecrets(storage: NamedSecrets): UrlSecrets {
  const names = async () => [...(await storage.names(PREFIX))].sort();
  async function all(): Promise<Readonly<Record<string, string>>> {
    const entries = await Promise.all(
      (await names()).map(async name => [name, (await storage.get(PREFIX + name)) ?? ''] as const),
    );
    return Object.fromEntries(entries);
  }
  const getOrigins = async (name: string): Promise<readonly unknown[]> => {
    const origins: unknown = JSON.parse((await storage.get(ORIGINS_PREFIX + name)) ?? '[]');
    return Array.isArray(origins) ? origins : [];
  };
  const allow = async (name: string, urls: readonly string[]) => {
    const origins = new Set([...(await getOrigins(name)), ...urls.flatMap(url => getOrigin(url) ?? [])]);
    await storage.store(ORIGINS_PREFIX + name, JSON.stringify([...origins]));
  };
  const set = async (name: string, secret: string, urls: readonly string[]) => {
    await allow(name, urls);
    await storage.store(PREFIX + name, secret);
  };
  return {
    all,
    names,
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
    async createGetter(userUrls) {
      const secrets = new Map(Object.entries(await all()));
      const origins = new Map<string, Set<unknown>>();
      for (const name of secrets.keys()) origins.set(name, new Set(await getOrigins(name)));
      for (const url of userUrls) for (const name of getSecretNames(url)) origins.get(name)?.add(getOrigin(url));
      return (name, url) => (origins.get(name)?.has(getOrigin(url)) ? secrets.get(name) : undefined);
    },
  };
}
