// Settings: valid values are used, all problems are reported with a fix, and nothing ever throws.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SettingKey, settingKeys } from '../../../src/manifest/settingDefaults.ts';
import { omitDefaultNode, readSettings, type Settings, type SettingsResult } from '../../../src/manifest/settings.ts';

const read = (written: Partial<Record<SettingKey, unknown>>): SettingsResult => readSettings(key => written[key]);
const defaults = read({}).settings;

const publicNetwork = (name: string) => ({
  node: `https://api.${name}.aptoslabs.com/v1`,
  indexer: `https://api.${name}.aptoslabs.com/v1/graphql`,
});

test.each([
  ['a development node of this machine', { hardhat: 'http://127.0.0.1:8546' }, ['hardhat']],
  ['two of them', { anvil: 'http://localhost:1', fork: 'http://[::1]:2' }, ['anvil', 'fork']],
  ['a public chain alone', { eth: 'https://node.example/v1' }, ['local', 'eth']],
  ['a node of this machine for a public chain', { eth: 'http://127.0.0.1:8548' }, ['local', 'eth']],
  ['a development node elsewhere', { dev: 'https://dev.example' }, ['local', 'dev']],
  ['local itself', { hardhat: 'http://127.0.0.1:8546', local: 'http://127.0.0.1:8545' }, ['local', 'hardhat']],
  ['nothing', undefined, ['local']],
])('the default node is used beside written ones, but not beside development nodes: %s', (_, written, expected) => {
  const merged = { local: 'http://127.0.0.1:8545', ...written };
  expect(Object.keys(omitDefaultNode(merged, () => [undefined, written]) as object)).toEqual(expected);
});

test('what is written is not read while there is only the default node', () => {
  const readWritten = () => {
    throw new Error('not needed');
  };
  const merged = { local: 'http://127.0.0.1:8546' };
  expect(omitDefaultNode(merged, readWritten)).toBe(merged);
  expect(omitDefaultNode(null, readWritten)).toBeNull();
});

describe('without any setting', () => {
  test('everything is embedded, over a local dev chain', () => {
    expect(read({})).toEqual({
      problems: [],
      settings: {
        nodes: { local: 'http://127.0.0.1:8545' },
        auth: { mode: 'embedded', baseUrl: '' },
        evm: { mode: 'embedded', baseUrl: '' },
        aptos: { mode: 'embedded', baseUrl: '' },
        // The localnet first: a request that names no network stays on this machine.
        aptosNetworks: {
          local: { node: 'http://127.0.0.1:8080/v1', indexer: null },
          mainnet: publicNetwork('mainnet'),
          testnet: publicNetwork('testnet'),
          devnet: publicNetwork('devnet'),
        },
        hover: {
          enabled: true,
          chains: null,
          contractValues: [],
          parts: {
            kind: true,
            checksum: true,
            savedName: true,
            signature: true,
            balance: true,
            contract: true,
            token: true,
            activity: true,
            transaction: true,
            block: true,
            transfers: true,
            nfts: true,
            actions: true,
          },
        },
        metadata: { hosts: [], ipfsGateway: 'https://ipfs.io/ipfs/', allowsLoopback: true },
        siwe: { lowerCaseAddresses: true, compactSignatures: false, clockSkewMs: 30_000 },
        mcpAllowedHosts: [],
        abiFiles: ['**/out/**/*.json', '**/artifacts/**/*.json'],
        verifiedSources: [],
        watch: { allowedHosts: [], notify: false },
        checksum: { wrong: 'warning', none: 'off' },
        codeLens: { deployments: false },
        documentLinks: false,
        inlayHints: { enabled: false, values: false },
        missingCode: false,
        privacy: { lookUp: 'automatic', ensNames: false },
        requestTimeoutMs: 20_000,
        httpPort: 8547,
        httpStrictDates: false,
        explorers: {},
      },
    });
  });

  test('treats null as the default', () => {
    expect(readSettings(() => null)).toEqual({ settings: defaults, problems: [] });
  });
});

describe('valid settings', () => {
  const cases: readonly (readonly [written: Partial<Record<SettingKey, unknown>>, settings: Partial<Settings>])[] = [
    [
      {
        'hexlens.nodes': {
          ETH: ' https://node.example/v3/ ',
          sepolia: 'https://node.example/',
          '0x89': 'http://10.0.0.5:8545',
        },
      },
      { nodes: { eth: 'https://node.example/v3/', sepolia: 'https://node.example', polygon: 'http://10.0.0.5:8545' } },
    ],
    [
      { 'hexlens.nodes': { local: '', eth: 'http://[::1]:8545', goerli: null } },
      { nodes: { eth: 'http://[::1]:8545' } },
    ],
    [{ 'hexlens.nodes': {} }, { nodes: {} }],
    [
      { 'hexlens.nodes': { eth: 'https://one.example/, http://127.0.0.1:8545,https://two.example/a,b' } },
      { nodes: { eth: ['https://one.example', 'http://127.0.0.1:8545', 'https://two.example/a,b'] } },
    ],
    [
      { 'hexlens.nodes': { eth: 'wss://one.example/v1', local: 'ws://127.0.0.1:8545/' } },
      { nodes: { eth: 'wss://one.example/v1', local: 'ws://127.0.0.1:8545' } },
    ],
    [
      { 'hexlens.nodes': { eth: 'https://one.example, https://one.example/,' } },
      { nodes: { eth: 'https://one.example' } },
    ],
    [
      { 'hexlens.explorers': { local: 'http://127.0.0.1:5100/', '0x1': 'https://scan.example/eth//' } },
      { explorers: { local: 'http://127.0.0.1:5100', eth: 'https://scan.example/eth' } },
    ],
    [
      { 'hexlens.nodes': { '0x2105': 'https://node.example/?key=k' } },
      { nodes: { '0x2105': 'https://node.example/?key=k' } },
    ],
    [
      { 'hexlens.nodes': { base: 'https://one.example', '10': 'https://two.example' } },
      { nodes: { '0x2105': 'https://one.example', '0xa': 'https://two.example' } },
    ],
    [
      {
        'hexlens.nodes': {
          ...{ '1337': 'http://127.0.0.1:2', '31337': 'http://127.0.0.1:3', local: 'http://127.0.0.1:1' },
          ...{ anvil: 'http://127.0.0.1:4', 'fork-eth': 'http://127.0.0.1:5' },
        },
      },
      {
        nodes: {
          ...{ local: 'http://127.0.0.1:1', anvil: 'http://127.0.0.1:4', 'fork-eth': 'http://127.0.0.1:5' },
          ...{ '0x539': 'http://127.0.0.1:2', '0x7a69': 'http://127.0.0.1:3' },
        },
      },
    ],
    [{ 'hexlens.nodes': { '31337': 'http://127.0.0.1:8545' } }, { nodes: { local: 'http://127.0.0.1:8545' } }],
    [{ 'hexlens.hover.chains': ['Base', '10'] }, { hover: { ...defaults.hover, chains: ['0x2105', '0xa'] } }],
    [
      { 'hexlens.evm.source': 'remote', 'hexlens.evm.baseUrl': 'https://host.example/api/v2.2/' },
      { evm: { mode: 'remote', baseUrl: 'https://host.example/api/v2.2' } },
    ],
    [
      { 'hexlens.auth.source': 'remote', 'hexlens.auth.baseUrl': 'http://localhost:8547' },
      { auth: { mode: 'remote', baseUrl: 'http://localhost:8547' } },
    ],
    [
      { 'hexlens.aptos.baseUrl': 'https://host.example' },
      { aptos: { mode: 'embedded', baseUrl: 'https://host.example' } },
    ],
    [{ 'hexlens.hover.enabled': false }, { hover: { ...defaults.hover, enabled: false } }],
    [
      { 'hexlens.hover.parts': { balance: false, kind: true } },
      { hover: { ...defaults.hover, parts: { ...defaults.hover.parts, balance: false } } },
    ],
    [{ 'hexlens.hover.chains': ['0x1', 'eth', 'LOCAL'] }, { hover: { ...defaults.hover, chains: ['eth', 'local'] } }],
    [{ 'hexlens.hover.chains': [] }, { hover: { ...defaults.hover, chains: null } }],
    [{ 'hexlens.hover.contractValues': ['owner'] }, { hover: { ...defaults.hover, contractValues: ['owner'] } }],
    [{ 'hexlens.privacy.lookUp': 'onClick' }, { privacy: { lookUp: 'onClick', ensNames: false } }],
    [{ 'hexlens.privacy.ensNames': true }, { privacy: { lookUp: 'automatic', ensNames: true } }],
    [{ 'hexlens.abi.files': ['a/*.json', 'a/*.json'] }, { abiFiles: ['a/*.json'] }],
    [{ 'hexlens.abi.files': [] }, { abiFiles: [] }],
    [
      { 'hexlens.metadata.hosts': ['Example.com', '*.example.com', '*', '*'] },
      {
        metadata: {
          hosts: ['example.com', '*.example.com', '*'],
          ipfsGateway: 'https://ipfs.io/ipfs/',
          allowsLoopback: true,
        },
      },
    ],
    [
      { 'hexlens.metadata.ipfsGateway': 'https://gateway.example/ipfs' },
      { metadata: { hosts: [], ipfsGateway: 'https://gateway.example/ipfs/', allowsLoopback: true } },
    ],
    [{ 'hexlens.metadata.ipfsGateway': '' }, { metadata: { hosts: [], ipfsGateway: null, allowsLoopback: true } }],
    [{ 'hexlens.checksum.severity': 'off' }, { checksum: { wrong: 'off', none: 'off' } }],
    [{ 'hexlens.checksum.missing': 'hint' }, { checksum: { wrong: 'warning', none: 'hint' } }],
    [{ 'hexlens.documentLinks.enabled': true }, { documentLinks: true }],
    [{ 'hexlens.request.timeout': 1000 }, { requestTimeoutMs: 1000 }],
    [{ 'hexlens.http.port': 0 }, { httpPort: 0 }],
    [{ 'hexlens.http.port': 65_535 }, { httpPort: 65_535 }],
    [{ 'hexlens.http.strictDates': true }, { httpStrictDates: true }],
    [{ 'hexlens.request.timeout': 120_000 }, { requestTimeoutMs: 120_000 }],
  ];

  test.each(cases)('are used as they are written: %j', (written, settings) => {
    expect(read(written)).toEqual({ settings: { ...defaults, ...settings }, problems: [] });
  });
});

describe('invalid settings', () => {
  type Wrong = readonly [
    written: Partial<Record<SettingKey, unknown>>,
    setting: SettingKey,
    message: RegExp,
    settings?: Partial<Settings>,
  ];
  const node = (value: unknown) => ({ 'hexlens.nodes': { eth: value, polygon: 'http://127.0.0.1:1' } });
  const others = { nodes: { polygon: 'http://127.0.0.1:1' } };
  const base = (value: unknown) => ({ 'hexlens.evm.source': 'remote', 'hexlens.evm.baseUrl': value });
  const cases: readonly Wrong[] = [
    [{ 'hexlens.nodes': 'http://127.0.0.1:8545' }, 'hexlens.nodes', /must be an object .*such as \{ "local"/],
    [{ 'hexlens.nodes': ['http://127.0.0.1:8545'] }, 'hexlens.nodes', /must be an object/],
    [{ 'hexlens.nodes': 5 }, 'hexlens.nodes', /must be an object/],
    [
      { 'hexlens.nodes': { etherium: 'http://127.0.0.1:1', polygon: 'http://127.0.0.1:1' } },
      'hexlens.nodes',
      /^"etherium" in hexlens\.nodes is not a chain: use a name such as eth, base or local, or a chain id such as 8453/,
      others,
    ],
    [
      { 'hexlens.nodes': { polygon: 'http://127.0.0.1:1', '0x089': 'http://127.0.0.1:2' } },
      'hexlens.nodes',
      /^"0x089" in hexlens\.nodes is polygon once more/,
      others,
    ],
    [node('https://a.example,127.0.0.1,https://b.example'), 'hexlens.nodes', /is not a complete URL/, others],
    [node('https://a.example,ftp://b.example'), 'hexlens.nodes', /starts with ftp:\/\/, not http/, others],
    [node('127.0.0.1'), 'hexlens.nodes', /node of "eth" .*is not a complete URL: write .*http:\/\/127/, others],
    [node('localhost:8545'), 'hexlens.nodes', /starts with localhost:\/\/, not http/, others],
    [node('ftp://127.0.0.1:8545'), 'hexlens.nodes', /starts with ftp:\/\/, not http/, others],
    [node('javascript:alert(1)'), 'hexlens.nodes', /not http/, others],
    [node('http://'), 'hexlens.nodes', /is not a complete URL/, others],
    [node('https://user:secret@node.example'), 'hexlens.nodes', /holds a user name or password/, others],
    [node('https://node.example/#x'), 'hexlens.nodes', /holds a #/, others],
    [node(8545), 'hexlens.nodes', /is not a string/, others],
    [node({ url: 'http://127.0.0.1' }), 'hexlens.nodes', /is not a string/, others],
    [
      { 'hexlens.evm.source': 'cloud' },
      'hexlens.evm.source',
      /must be embedded or remote, not "cloud"; embedded is used/,
    ],
    [
      base('https://host.example'),
      'hexlens.evm.baseUrl',
      /has no path prefix: .* such as https:\/\/host\.example\/api\/v2\.2/,
      { evm: { mode: 'remote', baseUrl: 'https://host.example' } },
    ],
    [{ 'hexlens.auth.source': true }, 'hexlens.auth.source', /not a value of type boolean/],
    [
      { 'hexlens.aptos.source': 'remote' },
      'hexlens.aptos.baseUrl',
      /aptos\.source is remote but hexlens\.aptos\.baseUrl is empty: write .*embedded service is used/,
    ],
    [base('  '), 'hexlens.evm.baseUrl', /is empty/],
    [base('host.example'), 'hexlens.evm.baseUrl', /is not a complete URL: write an https address/],
    [
      base('http://host.example/api/v2'),
      'hexlens.evm.baseUrl',
      /key would be sent in the clear.*embedded service is used/,
    ],
    [base('http://127.0.0.1.host.example/api/v2'), 'hexlens.evm.baseUrl', /in the clear/],
    [base('https://k:v@host.example'), 'hexlens.evm.baseUrl', /user name or password/],
    [base('https://host.example/?key=1'), 'hexlens.evm.baseUrl', /holds a query/],
    [base('ftp://host.example'), 'hexlens.evm.baseUrl', /starts with ftp:/],
    [base(7), 'hexlens.evm.baseUrl', /is not a string/],
    [{ 'hexlens.hover.enabled': 'no' }, 'hexlens.hover.enabled', /must be true or false, not "no"; true is used/],
    [{ 'hexlens.hover.parts': true }, 'hexlens.hover.parts', /must be an object/],
    [{ 'hexlens.hover.parts': ['balance'] }, 'hexlens.hover.parts', /must be an object/],
    [
      { 'hexlens.hover.parts': { balances: false, block: false } },
      'hexlens.hover.parts',
      /"balances" .*is not a part of a hover: use kind, checksum/,
      { hover: { ...defaults.hover, parts: { ...defaults.hover.parts, block: false } } },
    ],
    [
      { 'hexlens.hover.parts': { balance: 'off', block: false } },
      'hexlens.hover.parts',
      /^balance in hexlens\.hover\.parts must be true or false, not "off"/,
      { hover: { ...defaults.hover, parts: { ...defaults.hover.parts, block: false } } },
    ],
    [{ 'hexlens.hover.chains': 'eth' }, 'hexlens.hover.chains', /must be a list such as/],
    [
      { 'hexlens.hover.chains': ['eth', 'etherium'] },
      'hexlens.hover.chains',
      /"etherium", which is not a chain/,
      { hover: { ...defaults.hover, chains: ['eth'] } },
    ],
    [
      { 'hexlens.hover.chains': [1] },
      'hexlens.hover.chains',
      /a value of type number/,
      { hover: { ...defaults.hover, chains: [] } },
    ],
    [
      { 'hexlens.hover.contractValues': ['a', 1, 'b', 'c', 'd'] },
      'hexlens.hover.contractValues',
      /must be a list of up to 3 functions/,
      { hover: { ...defaults.hover, contractValues: ['a', 'b', 'c'] } },
    ],
    [
      { 'hexlens.privacy.lookUp': 'never' },
      'hexlens.privacy.lookUp',
      /must be onClick or automatic, not "never"; onClick is used/,
      { privacy: { lookUp: 'onClick', ensNames: false } },
    ],
    [
      { 'hexlens.privacy.lookUp': true },
      'hexlens.privacy.lookUp',
      /onClick is used/,
      { privacy: { lookUp: 'onClick', ensNames: false } },
    ],
    [
      { 'hexlens.request.timeout': 5 },
      'hexlens.request.timeout',
      /from 1,000 to 120,000 milliseconds; 1,000 is used/,
      { requestTimeoutMs: 1000 },
    ],
    [{ 'hexlens.request.timeout': 1e9 }, 'hexlens.request.timeout', /120,000 is used/, { requestTimeoutMs: 120_000 }],
    [
      { 'hexlens.request.timeout': 1500.5 },
      'hexlens.request.timeout',
      /must be a whole number .*; 1,501 is used/,
      { requestTimeoutMs: 1501 },
    ],
    [{ 'hexlens.checksum.severity': 'loud' }, 'hexlens.checksum.severity', /warning is used/],
    [{ 'hexlens.documentLinks.enabled': 'yes' }, 'hexlens.documentLinks.enabled', /false is used/],
    [{ 'hexlens.metadata.hosts': 'example.com' }, 'hexlens.metadata.hosts', /list of host names/],
    [{ 'hexlens.metadata.hosts': ['https://example.com'] }, 'hexlens.metadata.hosts', /not a host name/],
    [{ 'hexlens.metadata.hosts': ['localhost'] }, 'hexlens.metadata.hosts', /not a host name/],
    [
      { 'hexlens.metadata.ipfsGateway': 'http://127.0.0.1/' },
      'hexlens.metadata.ipfsGateway',
      /IPFS is not read/,
      { metadata: { hosts: [], ipfsGateway: null, allowsLoopback: true } },
    ],
    ...['http://one.example', 'https://u:p@one.example', 'https://one.example?key=1', 'ftp://one.example', null].map(
      wrong =>
        [
          { 'hexlens.abi.verifiedSources': ['https://one.example/server', wrong, 'http://127.0.0.1:5555'] },
          'hexlens.abi.verifiedSources',
          /must list URLs like https/,
          { verifiedSources: ['https://one.example/server', 'http://127.0.0.1:5555/'] },
        ] as const,
    ),
    [{ 'hexlens.abi.files': 'out' }, 'hexlens.abi.files', /list of patterns/],
    [{ 'hexlens.abi.files': ['x', 5] }, 'hexlens.abi.files', /not a pattern/, { abiFiles: ['x'] }],
    [{ 'hexlens.http.port': 65_536 }, 'hexlens.http.port', /from 0 to 65535, not 65536; 8547 is used/],
    [{ 'hexlens.http.port': '8547' }, 'hexlens.http.port', /not "8547"; 8547 is used/],
    [{ 'hexlens.request.timeout': '20s' }, 'hexlens.request.timeout', /not "20s"; 20,000 is used/],
    [{ 'hexlens.request.timeout': Number.NaN }, 'hexlens.request.timeout', /20,000 is used/],
  ];

  const filled = cases.map(
    ([written, setting, message, settings = {}]) => [written, setting, message, settings] as const,
  );

  test.each(filled)('report %j: %s', (written, setting, message, settings) => {
    const { settings: used, problems } = read(written);
    expect(problems.map(problem => problem.setting)).toEqual([setting]);
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]?.message).toContain('hexlens.');
    expect(used).toEqual({ ...defaults, ...settings });
  });

  test('reports all problems, not only the first', () => {
    const { problems, settings } = read({
      'hexlens.nodes': { foo: 'http://127.0.0.1:1', eth: 'x', local: 'http://127.0.0.1:8545' },
      'hexlens.hover.enabled': 1,
      'hexlens.request.timeout': -1,
    });
    expect(problems.map(problem => problem.setting)).toEqual([
      'hexlens.nodes',
      'hexlens.nodes',
      'hexlens.hover.enabled',
      'hexlens.request.timeout',
    ]);
    expect(settings.nodes).toEqual({ local: 'http://127.0.0.1:8545' });
  });

  test('names the protocols that a URL may have', () => {
    const { problems } = read({ 'hexlens.nodes': { eth: 'ftp://h.example' }, ...base('ws://h.example') });
    const messages = problems.map(({ message }) => message);
    expect(messages[0]).toContain('not http:// or https:// or ws:// or wss://');
    expect(messages[1]).toMatch(/not http:\/\/ or https:\/\/(?! or ws)/);
  });

  test('never repeats a URL, which may hold a key', () => {
    const secret = 'abcdef0123456789';
    for (const url of [
      `https://user:${secret}@h.example`,
      `ws://h.example/${secret}`,
      `//h.example/${secret}`,
      `https://h.example/#${secret}`,
      `https://h.example/?k=${secret}`,
      `http://h.example/${secret}`,
    ]) {
      const { problems } = read({ 'hexlens.nodes': { eth: url }, ...base(url) });
      expect(problems.length).toBeGreaterThan(0);
      for (const { message } of problems) expect(message).not.toContain(secret);
    }
  });
});

test('parses any JSON without throwing', () => {
  const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withSet: true });
  // `fc.webUrl()` takes seconds to create.
  const url = fc
    .tuple(fc.constantFrom('http', 'https', 'ws', 'ftp'), fc.string(), fc.constantFrom('', ':1', ':99999'), fc.string())
    .map(([scheme, host, port, path]) => `${scheme}://${host}${port}/${path}`);
  const values = fc.oneof(
    anything,
    fc.dictionary(fc.constantFrom('local', 'eth', '__proto__', 'toString', 'kind'), anything),
    url,
    fc.constantFrom('http://127.0.0.1:8545', 'https://one.example/v1?key=1#2', 'wss://[::1]:1/a%20b'),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...settingKeys), values), written => {
      const { settings, problems } = readSettings(key => (Object.hasOwn(written, key) ? written[key] : undefined));
      for (const { message } of problems) expect(message).toMatch(/^\S.*\.$/);
      expect(Object.keys(settings).sort()).toEqual(Object.keys(defaults).sort());
      expect(settings.requestTimeoutMs).toBeGreaterThanOrEqual(1000);
      for (const url of Object.values(settings.nodes)) expect(url).toMatch(/^https?:\/\//);
      for (const group of [settings.auth, settings.evm, settings.aptos])
        if (group.mode === 'remote') expect(group.baseUrl).toMatch(/^https?:\/\//);
    }),
    { seed: 20261120, numRuns: 500 },
  );
});

describe('Aptos networks', () => {
  const networks = (written: unknown) => {
    const { settings, problems } = read({ 'hexlens.aptos.networks': written });
    return { networks: settings.aptosNetworks, problems: problems.map(problem => problem.message) };
  };

  test('have a node, a node and an indexer, or an indexer', () => {
    expect(
      networks({
        Local: ' http://127.0.0.1:8080/v1/ ',
        both: { node: 'https://node.example/v1', indexer: 'https://indexer.example/v1/graphql' },
        half: { indexer: 'https://indexer.example/v1/graphql' },
        mainnet: publicNetwork('mainnet').node,
        bare: { node: publicNetwork('mainnet').node },
        testnet: '',
        devnet: null,
      }),
    ).toEqual({
      problems: [],
      networks: {
        local: { node: 'http://127.0.0.1:8080/v1', indexer: null },
        both: { node: 'https://node.example/v1', indexer: 'https://indexer.example/v1/graphql' },
        half: { node: null, indexer: 'https://indexer.example/v1/graphql' },
        mainnet: publicNetwork('mainnet'),
        bare: { node: publicNetwork('mainnet').node, indexer: null },
      },
    });
  });

  test('are reported with the fix, and never with the URL, when they are invalid', () => {
    const secret = 'https://user:secret@node.example/v1';
    const { networks: left, problems } = networks({
      '8net': 'https://node.example/v1',
      a: secret,
      b: { node: 'https://node.example/v1', indexer: 7 },
      c: 'https://node.example/v1',
      C: 'https://other.example/v1',
    });
    expect(left).toEqual({ c: { node: 'https://node.example/v1', indexer: null } });
    expect(problems).toHaveLength(4);
    expect(problems.join()).not.toContain('secret');
    expect(networks(['x']).networks).toEqual(defaults.aptosNetworks);
    expect(networks(['x']).problems).toHaveLength(1);
  });
});

test('a node by a decimal id is the default only without a node by a name', () => {
  const url = 'http://127.0.0.1:1';
  const order = (nodes: object) => Object.keys(read({ 'hexlens.nodes': nodes }).settings.nodes);
  expect(order({ local: url, '8453': url, eth: url, '10': url })).toEqual(['local', 'eth', '0xa', '0x2105']);
  expect(order({ '8453': url })).toEqual(['0x2105']);
});

test.each([
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/html,x',
  'vscode://hexlens.hexlens/inspect',
  'command:workbench.action.quit',
  '//evil.example',
  'https://user:password@evil.example/v1',
  'https://evil.example/v1#x',
])('no setting takes %s for the URL of an explorer, node, network, host or gateway', url => {
  const written: Partial<Record<SettingKey, unknown>> = {
    'hexlens.explorers': { local: url },
    'hexlens.nodes': { local: url },
    'hexlens.aptos.networks': { local: url },
    'hexlens.evm.source': 'remote',
    'hexlens.evm.baseUrl': url,
    'hexlens.metadata.ipfsGateway': url,
    'hexlens.metadata.hosts': [url],
    'hexlens.mcp.allowedHosts': [url],
  };
  const { settings, problems } = read(written);
  expect(JSON.stringify(settings)).not.toContain(JSON.stringify(url).slice(1, -1));
  expect(new Set(problems.map(({ setting }) => setting)).size).toBe(Object.keys(written).length - 1);
});
