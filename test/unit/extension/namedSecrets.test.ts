// The names of secrets, in editors whose secret storage lists them and in those before.

import { describe, expect, test } from 'vitest';
import type { SecretStorage } from 'vscode';
import { createApiKeys } from '../../../src/extension/apiKeys/apiKeys.ts';
import { createNamedSecrets } from '../../../src/extension/apiKeys/namedSecrets.ts';
import { createSecretGetter } from '../../../src/extension/apiKeys/resolveSecrets.ts';
import { createUrlSecrets } from '../../../src/extension/apiKeys/urlSecrets.ts';

type Storage = SecretStorage & { keys?(): PromiseLike<string[]> };

function createStorage(values: Map<string, string>, listsNames: boolean): Storage {
  return {
    get: async name => values.get(name),
    store: async (name, value) => void values.set(name, value),
    delete: async name => void values.delete(name),
    onDidChange: () => ({ dispose() {} }),
    ...(listsNames && { keys: async () => [...values.keys()] }),
  };
}

describe.each([true, false])('a secret storage that lists names: %s', listsNames => {
  const create = () => {
    const values = new Map<string, string>();
    const secrets = createNamedSecrets(createStorage(values, listsNames));
    return { values, secrets, keys: createApiKeys(secrets), urlSecrets: createUrlSecrets(secrets) };
  };

  test('lists, overwrites and clears keys of hosts', async () => {
    const { keys } = create();
    expect(await keys.all()).toEqual({});
    await Promise.all([keys.set('https://b.example', 'B'), keys.set('https://a.example', 'A')]);
    await keys.set('https://b.example', 'B2');
    expect(await keys.all()).toEqual({ 'https://a.example': 'A', 'https://b.example': 'B2' });
    await keys.clear('https://a.example');
    expect(await keys.origins()).toEqual(['https://b.example']);
  });

  test('keys of hosts and of node URLs do not mix', async () => {
    const { keys, urlSecrets } = create();
    await keys.set('https://a.example', 'A');
    expect(await urlSecrets.add('infura', 'one', 'https://one.example')).toBe('infura');
    expect(await urlSecrets.add('infura', 'two', 'https://two.example')).toBe('infura-2');
    expect(await urlSecrets.all()).toEqual({ infura: 'one', 'infura-2': 'two' });
    expect(await keys.all()).toEqual({ 'https://a.example': 'A' });
  });

  test('the key of a URL is for its host, those of the settings of the user, and those that were allowed', async () => {
    const { urlSecrets } = create();
    await urlSecrets.add('infura', 'one', 'https://mainnet.infura.io/v3/one');
    const own = ['wss://sepolia.infura.io/v3/${secret:infura}', 'https://other.example/${secret:other}'];
    const isGiven = async (url: string, userUrls: readonly string[] = []) =>
      (await createSecretGetter(urlSecrets, userUrls))('infura', url) === 'one';
    expect(await isGiven('https://mainnet.infura.io/${secret:infura}')).toBe(true);
    expect(await isGiven('https://evil.example/${secret:infura}', own)).toBe(false);
    expect(await isGiven('https://mainnet.infura.io:444/${secret:infura}', own)).toBe(false);
    expect(await isGiven('https://other.example/${secret:infura}', own)).toBe(false);
    expect(await isGiven('wss://sepolia.infura.io/${secret:infura}')).toBe(false);
    expect(await isGiven('wss://sepolia.infura.io/${secret:infura}', own)).toBe(true);
    await urlSecrets.allow('infura', ['https://evil.example/${secret:infura}']);
    expect(await isGiven('https://evil.example/${secret:infura}')).toBe(true);
    await urlSecrets.clear('infura');
    await urlSecrets.set('infura', 'one', []);
    expect(await isGiven('https://evil.example/${secret:infura}')).toBe(false);
  });

  test('a key that an earlier version stored is for the settings of the user', async () => {
    const { values, urlSecrets, secrets } = create();
    await secrets.store('hexlens.secret:infura', 'one');
    expect([...values.keys()].some(name => name.startsWith('hexlens.secretOrigins:'))).toBe(false);
    const url = 'https://mainnet.infura.io/v3/${secret:infura}';
    expect((await createSecretGetter(urlSecrets, []))('infura', url)).toBeUndefined();
    expect((await createSecretGetter(urlSecrets, [url]))('infura', url)).toBe('one');
  });

  test('damaged hosts of a key are none, and allowing one replaces them', async () => {
    const { urlSecrets, secrets } = create();
    const url = 'https://mainnet.infura.io/v3/${secret:infura}';
    await urlSecrets.set('infura', 'one', [url]);
    await secrets.store('hexlens.secretOrigins:infura', '["https://mainnet');
    expect((await createSecretGetter(urlSecrets, []))('infura', url)).toBeUndefined();
    await urlSecrets.allow('infura', [url]);
    expect((await createSecretGetter(urlSecrets, []))('infura', url)).toBe('one');
  });

  test('a newer VS Code finds what an older one has stored', async () => {
    const { values, keys } = create();
    await keys.set('https://a.example', 'A');
    const newer = createApiKeys(createNamedSecrets(createStorage(values, true)));
    expect(await newer.all()).toEqual({ 'https://a.example': 'A' });
  });
});
