// Keys in the URLs of nodes are found, replaced by placeholders, and put back only for what sends the requests.
import { describe, expect, test } from 'vitest';
import { defaultConfiguration } from '../../../src/api/configuration.ts';
import { getSecretNames } from '../../../src/api/nodeUrls.ts';
import { findUrlSecret, resolveUrlSecrets } from '../../../src/manifest/secretPlaceholders.ts';
import { readSettings } from '../../../src/manifest/settings.ts';

const infura = '9aa3d95b3bc440fa88ea12eaa4456161';
const alchemy = 'oKxs-03sij-U_N0iOlrSsZFr29-IqbuF';

describe('findUrlSecret', () => {
  test.each([
    [`https://mainnet.infura.io/v3/${infura}`, 'https://mainnet.infura.io/v3/${secret:x}', 'infura'],
    [`https://eth-mainnet.g.alchemy.com/v2/${alchemy}`, 'https://eth-mainnet.g.alchemy.com/v2/${secret:x}', 'alchemy'],
    [`https://api.example.com/rpc?apikey=${infura}`, 'https://api.example.com/rpc?apikey=${secret:x}', 'example'],
    [
      `https://node.example.com/rpc?chain=1&token=abcd1234`,
      'https://node.example.com/rpc?chain=1&token=${secret:x}',
      'example',
    ],
    [`https://quick.example.pro/${infura}/`, 'https://quick.example.pro/${secret:x}/', 'example'],
  ])('finds one in %s', (url, replaced, name) => {
    const found = findUrlSecret(url);
    expect([found?.withPlaceholder('x'), found?.suggestedName]).toEqual([replaced, name]);
  });

  test.each([
    'https://rpc.example.com',
    'https://rpc.example.com/ethereum/mainnet',
    'https://fullnode.mainnet.example.com/v1',
    'https://rpc.example.com/a-word-that-is-quite-long-but-no-key',
    `http://127.0.0.1:8545/v3/${infura}`,
    'https://mainnet.infura.io/v3/${secret:infura}',
    'https://rpc.example.com/?apikey=short',
    `https://rpc.example.com/?network=${'mainnet'.repeat(4)}`,
    'https://rpc.example.com/?apikey=%61%61%61%61%61%61%61%61', // percent-encoded: it can not be cut out of the text
    `https://mainnet.infura.io/v3/${'${secret:a}'}?apikey=abcd1234`,
    'https://mainnet.infura.io/v3/$%7Bsecret:infura%7D',
    'no url',
  ])('finds none in %s', url => expect(findUrlSecret(url)).toBeNull());
});

describe('resolveUrlSecrets', () => {
  const from = (secrets: Readonly<Record<string, string>>) => (name: string) =>
    Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  const evm = { mode: 'remote', baseUrl: 'https://host.example/${secret:host}/api/v2.2' } as const;
  const configuration = {
    ...defaultConfiguration,
    groups: { ...defaultConfiguration.groups, evm },
    nodes: { eth: new URL('https://mainnet.infura.io/v3/${secret:infura}').href, local: 'http://127.0.0.1:8545' },
    aptos: { mainnet: { node: 'https://aptos.example/${secret:aptos}/v1', indexer: null } },
  };

  test('puts stored secrets into nodes and networks, encoded', () => {
    const { nodes, aptos, urlSecrets } = resolveUrlSecrets(configuration, from({ infura, aptos: 'a/b' }));
    expect(urlSecrets).toEqual([infura, 'a/b']);
    expect(nodes).toEqual({ eth: `https://mainnet.infura.io/v3/${infura}`, local: 'http://127.0.0.1:8545' });
    expect(aptos).toEqual({ mainnet: { node: 'https://aptos.example/a%2Fb/v1', indexer: null } });
  });

  test('puts stored secrets into base URLs, which the settings accept with a placeholder', () => {
    const { groups } = resolveUrlSecrets(configuration, from({ host: infura }));
    expect(groups.evm).toEqual({ mode: 'remote', baseUrl: `https://host.example/${infura}/api/v2.2` });
    const { settings, problems } = readSettings(key =>
      key === 'hexlens.evm.baseUrl' ? evm.baseUrl : key === 'hexlens.evm.source' ? 'remote' : undefined,
    );
    expect(problems).toEqual([]);
    expect(getSecretNames(settings.evm.baseUrl)).toEqual(['host']);
    const read = resolveUrlSecrets(
      { ...configuration, groups: { ...configuration.groups, evm: settings.evm } },
      from({ host: 'k' }),
    );
    expect(read.groups.evm.baseUrl).toBe('https://host.example/k/api/v2.2');
  });

  test('puts stored secrets into each of several nodes of a chain', () => {
    const several = { ...configuration, nodes: { eth: ['http://127.0.0.1:8545', configuration.nodes.eth] } };
    expect(resolveUrlSecrets(several, from({ infura })).nodes).toEqual({
      eth: ['http://127.0.0.1:8545', `https://mainnet.infura.io/v3/${infura}`],
    });
  });

  test('keeps placeholders without a stored secret, whose names it tells', () => {
    const resolved = resolveUrlSecrets(configuration, from({ other: 'x' }));
    expect(resolved.nodes).toEqual(configuration.nodes);
    expect(getSecretNames(configuration.nodes.eth)).toEqual(['infura']);
    expect(resolveUrlSecrets(configuration, from({}))).toEqual(configuration);
  });

  test('takes no name from the prototype of objects', () => {
    const nodes = { eth: 'https://node.example/${secret:constructor}' };
    expect(resolveUrlSecrets({ ...configuration, nodes }, from({ infura })).nodes).toEqual(nodes);
  });

  test('leaves the placeholder where the secret is not for the host', () => {
    const nodes = {
      eth: 'https://mainnet.infura.io/v3/${secret:infura}',
      base: 'https://evil.example/${secret:infura}',
    };
    const resolved = resolveUrlSecrets({ ...configuration, nodes }, (_, url) =>
      url.startsWith('https://mainnet.infura.io/') ? infura : undefined,
    );
    expect(resolved.nodes).toEqual({ ...nodes, eth: `https://mainnet.infura.io/v3/${infura}` });
  });
});
