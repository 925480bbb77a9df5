// API keys: in SecretStorage only, each bound to the origin it was entered for.

import type { Event, SecretStorage } from 'vscode';
import { HexLensError } from '../../base/errors.ts';
import { t } from '../../base/localize.ts';

const PREFIX = 'hexlens.key:';

export interface ApiKeys {
  /** Origin -> key, of every key that is kept. */
  all(): Promise<Readonly<Record<string, string>>>;
  origins(): Promise<readonly string[]>;
  set(origin: string, key: string): Promise<void>;
  clear(origin: string): Promise<void>;
  readonly onDidChange: Event<unknown>;
}

export function createApiKeys(secrets: SecretStorage): ApiKeys {
  const origins = async () =>
    (await secrets.keys())
      .filter(name => name.startsWith(PREFIX))
      .map(name => name.slice(PREFIX.length))
      .sort();
  return {
    origins,
    async all() {
      const entries = await Promise.all(
        (await origins()).map(async origin => [origin, await secrets.get(PREFIX + origin)] as const),
      );
      return Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
    },
    set: async (origin, key) => secrets.store(PREFIX + origin, key),
    clear: async origin => secrets.delete(PREFIX + origin),
    onDidChange: secrets.onDidChange,
  };
}

/** The origin that a key may be bound to: https, or http on this machine. Throws `bad-input` with what to write instead. */
export function parseKeyOrigin(text: string): string {
  const refuse = (message: string) => new HexLensError('bad-input', message);
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw refuse(t('Write the whole address of the host, such as https://deep-index.example.'));
  }
  if (url.username !== '' || url.password !== '') throw refuse(t('Leave user name and password out of the address.'));
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && local)) return url.origin;
  throw refuse(t('A key is only sent over https (http only to this machine).'));
}

/** Why a text cannot be a key; `null` when it can. */
export function validateApiKey(text: string): string | null {
  const key = text.trim();
  if (key === '') return t('Paste the key that the host gave you.');
  if (!/^[\x21-\x7e]+$/.test(key)) return t('A key has no spaces and only plain characters.');
  return key.length > 4096 ? t('A key has at most 4,096 characters.') : null;
}
