// API keys in VS Code's secret storage, each bound to one origin.

import { HexLensError } from '../../base/errors.ts';
import { t } from '../../base/localize.ts';
import type { NamedSecrets } from './namedSecrets.ts';

const PREFIX = 'hexlens.key:';

export type ApiKeys = ReturnType<typeof createApiKeys>;

export function createApiKeys(secrets: NamedSecrets) {
  const origins = async () => [...(await secrets.names(PREFIX))].sort();
  return {
    origins,
    /** All stored keys by origin. */
    async all(): Promise<Readonly<Record<string, string>>> {
      const entries = await Promise.all(
        (await origins()).map(async origin => [origin, await secrets.get(PREFIX + origin)] as const),
      );
      return Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
    },
    set: async (origin: string, key: string) => secrets.store(PREFIX + origin, key),
    clear: async (origin: string) => secrets.delete(PREFIX + origin),
    onDidChange: secrets.onDidChange,
  };
}

/** The origin of a URL that may receive a key: https, or http on this machine. Throws `bad-input`. */
export function parseKeyOrigin(text: string): string {
  const invalid = (message: string) => new HexLensError('bad-input', message);
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw invalid(t('Enter the full URL of the host, such as https://deep-index.example.'));
  }
  if (url.username !== '' || url.password !== '') throw invalid(t('Remove the user name and password from the URL.'));
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && local)) return url.origin;
  throw invalid(t('A key is only sent over https (http only to this machine).'));
}

/** The reason why a text is no valid key; `null` when it is valid. */
export function validateApiKey(text: string): string | null {
  const key = text.trim();
  if (key === '') return t('Paste the API key of the host.');
  if (!/^[\x21-\x7e]+$/.test(key)) return t('A key has only ASCII characters and no spaces.');
  return key.length > 4096 ? t('A key has at most 4,096 characters.') : null;
}
