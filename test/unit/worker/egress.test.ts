// Egress control: allowed URLs in every spelling, the origins of keys, and the log.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Configuration, defaultConfiguration } from '../../../src/api/configuration.ts';
import { getFaultCode, HexLensError } from '../../../src/base/errors.ts';
import type { HttpPort, HttpRequest, HttpResponse } from '../../../src/base/httpPort.ts';
import type { Log } from '../../../src/base/log.ts';
import { createEgress, createEgressPolicy, type EgressPolicy } from '../../../src/worker/egress.ts';

const OK: HttpResponse = { status: 200, headers: {}, body: '{}' };

interface Rig {
  readonly port: HttpPort;
  readonly sent: HttpRequest[];
  readonly lines: string[];
}

function rig(policy: Partial<EgressPolicy> = {}, answer: () => Promise<HttpResponse> = async () => OK): Rig {
  const sent: HttpRequest[] = [];
  const lines: string[] = [];
  const line = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  const log: Log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
  const whole: EgressPolicy = {
    origins: new Set(),
    keys: new Map(),
    logins: new Map(),
    secrets: new Map(),
    metadataHosts: [],
    timeoutMs: 1234,
    ...policy,
  };
  const http: HttpPort = {
    send(request) {
      sent.push(request);
      return answer();
    },
  };
  let time = 100;
  const clock = { now: () => (time += 7), sleep: async () => {} };
  return { port: createEgress({ http, getPolicy: () => whole, log, clock }), sent, lines };
}

const get = (url: string, headers: Record<string, string> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers,
  logLabel: '/block/:block',
});

const outcome = async ({ port }: Rig, url: string): Promise<string> => {
  try {
    await port.send(get(url));
    return 'sent';
  } catch (error) {
    return getFaultCode(error);
  }
};

describe('token metadata', () => {
  const metadata = (url: string): HttpRequest => ({ ...get(url), urlFromContract: true });
  const outcomeOf = async (url: string, metadataHosts: readonly string[]) => {
    const origins = new Set(['https://node.example', 'http://10.0.0.5:8545']);
    const send = rig({ metadataHosts, origins }).port.send(metadata(url));
    return send.then(
      () => 'sent',
      (error: unknown) => getFaultCode(error),
    );
  };
  test.each([
    ['https://art.example/1.json', ['art.example']],
    ['https://ART.example/1.json', ['art.example']],
    ['https://a.b.art.example/1.json', ['*.art.example']],
    ['https://art.example/1.json', ['*.art.example']],
    ['https://anything.example:8443/', ['*']],
  ])('%s is allowed with the hosts %j', async (url, hosts) => {
    expect(await outcomeOf(url, hosts)).toBe('sent');
  });
  test.each([
    ['https://art.example/1.json', []],
    ['https://evilart.example/', ['*.art.example', 'art.example']],
    ['https://art.example.evil.example/', ['art.example']],
    ['http://art.example/1.json', ['art.example']],
    // Configured nodes are not allowed here: a contract must not make us query them.
    ['https://node.example/', []],
    ['http://10.0.0.5:8545/', ['*']],
    ['http://127.0.0.1/', ['*']],
  ])('%s is not allowed with the hosts %j', async (url, hosts) => {
    expect(await outcomeOf(url, hosts)).toBe('egress-refused');
  });
  test('each of several nodes of a chain is allowed', () => {
    const nodes = { eth: ['https://one.example/v1', 'https://two.example'] };
    const { origins } = createEgressPolicy({ ...defaultConfiguration, nodes });
    expect([...origins].filter(origin => origin.endsWith('.example'))).toEqual([
      'https://one.example',
      'https://two.example',
    ]);
  });
  test('a node on loopback gets its login, and repeats no key, at its WebSocket too', () => {
    const nodes = { local: 'http://user:pass@127.0.0.1:8545/v3/0123456789abcdef0123456789abcdef' };
    const { logins, secrets } = createEgressPolicy({ ...defaultConfiguration, nodes });
    expect(logins.get('ws://127.0.0.1:8545')).toEqual(logins.get('http://127.0.0.1:8545'));
    expect(logins.get('ws://127.0.0.1:8545')?.size).toBe(1);
    expect(secrets.get('ws://127.0.0.1:8545')).toContain('0123456789abcdef0123456789abcdef');
  });
  test('the configured IPFS gateway is allowed', () => {
    const metadata = { hosts: ['A.example'], ipfsGateway: 'https://ipfs.example/ipfs/' };
    expect(createEgressPolicy({ ...defaultConfiguration, metadata }).metadataHosts).toEqual([
      'a.example',
      'ipfs.example',
    ]);
    expect(createEgressPolicy(defaultConfiguration).metadataHosts).toEqual([]);
  });
});

describe('loopback is always allowed', () => {
  test.each([
    'http://127.0.0.1:8545',
    'http://127.255.255.254/',
    'http://localhost:3000/rpc',
    'HTTP://LOCALHOST/',
    'https://localhost/',
    'http://[::1]:8545/',
    'http://[0:0:0:0:0:0:0:1]/',
    // Other spellings of 127.0.0.1, which URL parsing normalizes.
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://%6c%6f%63alhost/',
    'http://１２７.０.０.１/',
    'http://user:secret@127.0.0.1:8545/',
  ])('at %s', async url => {
    const it = rig();
    expect(await outcome(it, url)).toBe('sent');
    // The normalized URL is passed on, so that the HTTP client connects to the checked host.
    expect(it.sent[0]?.url).toBe(new URL(url).href);
  });
});

test('a URL whose secret is not stored is not requested, and the fault names the secret', async () => {
  for (const url of ['https://node.example/v3/${secret:infura}', 'https://node.example/?key=$%7Bsecret:infura%7D']) {
    const it = rig({ origins: new Set(['https://node.example']) });
    const fault = await it.port.send(get(url)).catch(error => error);
    expect(fault).toMatchObject({ code: 'no-node' });
    expect(fault.message).toBe(
      'node.example is not queried: the key ${secret:infura} of its URL is not stored for this host.',
    );
    expect(fault.fix).toContain('HexLens: Set API Key');
    expect(it.sent).toEqual([]);
  }
});

describe('everything else is rejected unless the configuration names it', () => {
  test.each([
    'http://example.com/',
    'http://0.0.0.0:8545/',
    'http://[::]/',
    'http://0/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://192.168.1.1/',
    'http://127.0.0.1.nip.io/',
    'http://localhost.evil.example/',
    'http://localhost./',
    'http://evil.localhost/',
    'http://127.0.0.1@evil.example/',
    'http://localhost:8545@evil.example/',
    'http://evil.example#@127.0.0.1/',
    'http://evil.example\\@127.0.0.1/',
    'http://evil.example/127.0.0.1',
    'http://evil.example?127.0.0.1',
    'http:evil.example/',
    'http://128.0.0.1/',
    'http://126.255.255.255/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::2]/',
    'http://[fe80::1]/',
    'http://ⓛocalhost.example/',
    'http://xn--lcalhost-m2a/',
    'http://lоcalhost/', // with a Cyrillic o
    'https://rpc.named.example.evil.example/',
  ])('as %s is', async url => {
    const it = rig({ origins: new Set(['https://rpc.named.example']) });
    expect(await outcome(it, url)).toBe('egress-refused');
    expect(it.sent).toEqual([]);
  });

  test.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:text/plain,x', 'javascript:1'])(
    'rejects every other scheme: %s',
    async url => {
      const it = rig();
      expect(await outcome(it, url)).toBe('egress-refused');
      expect(it.sent).toEqual([]);
    },
  );

  test.each(['', 'localhost:8545', '//127.0.0.1/', 'http://', 'http://[::1', 'http://a b/', 'http://127.0.0.1:99999/'])(
    'rejects what is no URL at all: "%s"',
    async url => {
      const it = rig();
      expect(await outcome(it, url)).toBe('egress-refused');
      expect(it.sent).toEqual([]);
    },
  );

  test('no string that parses as a URL reaches a host other than loopback', async () => {
    const it = rig();
    const part = fc.constantFrom(
      '127.0.0.1',
      'localhost',
      'evil.example',
      '@',
      ':',
      '/',
      '\\',
      '#',
      '?',
      '.',
      '%40',
      '[',
      ']',
      '\t',
      ' ',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async parts => {
        await outcome(it, `http://${parts.join('')}`);
      }),
      { seed: 7, numRuns: 2000 },
    );
    const hosts = new Set(it.sent.map(request => new URL(request.url).hostname));
    expect([...hosts].filter(host => host !== 'localhost' && !host.startsWith('127.'))).toEqual([]);
    expect(hosts.size).toBeGreaterThan(0);
  });
});

describe('configured origins', () => {
  const named = { origins: new Set(['https://rpc.example', 'http://10.0.0.5:8545', 'https://xn--mnchen-3ya.example']) };

  test.each([
    'https://rpc.example/v3/abc',
    'https://RPC.EXAMPLE:443/',
    'http://10.0.0.5:8545',
    'http://10.5:8545/',
    'https://münchen.example/',
  ])('are allowed however they are written: %s', async url => {
    expect(await outcome(rig(named), url)).toBe('sent');
  });

  test.each([
    'http://rpc.example/',
    'https://rpc.example:8443/',
    'https://rpc.example./',
    'https://sub.rpc.example/',
    'http://10.0.0.5/',
    'https://10.0.0.5:8545/',
  ])('%s is another origin', async url => {
    expect(await outcome(rig(named), url)).toBe('egress-refused');
  });

  test('the configuration allows nodes, Aptos networks and the base URLs of remote groups, nothing else', () => {
    const configuration: Configuration = {
      ...defaultConfiguration,
      nodes: {
        local: 'http://127.0.0.1:8545',
        eth: 'https://User:p%40w@RPC.example/v3/key',
        polygon: 'nonsense',
        bsc: 'https://%zz:x@rpc.example/bsc',
      },
      groups: {
        auth: { mode: 'embedded', baseUrl: 'https://auth.example' },
        evm: { mode: 'remote', baseUrl: 'https://api.example/api/v2' },
        aptos: { mode: 'remote', baseUrl: 'ftp://files.example' },
      },
      keys: { 'https://API.example:443': 'secret', junk: 'x' },
      aptos: {
        local: { node: 'http://127.0.0.1:8080/v1', indexer: null },
        mainnet: { node: 'https://node.example/v1', indexer: 'https://indexer.example/v1/graphql' },
        odd: { node: null, indexer: 'nonsense' },
      },
    };
    const policy = createEgressPolicy(configuration);
    expect([...policy.origins]).toEqual([
      'http://127.0.0.1:8545',
      'https://rpc.example',
      'https://api.example',
      'http://127.0.0.1:8080',
      'https://node.example',
      'https://indexer.example',
    ]);
    expect([...policy.keys]).toEqual([['https://api.example', 'secret']]);
    const logins = ['User:p@w', '%zz:x'].map(login => `Basic ${btoa(login)}`);
    expect([...policy.logins]).toEqual([['https://rpc.example', new Set(logins)]]);
  });

  test('each of many URLs is checked at each request, also one that was parsed before', async () => {
    const it = rig({ origins: new Set(['https://node-7.example', 'https://node-140.example']) });
    const urls = Array.from({ length: 150 }, (_, index) => `https://node-${index}.example/v1`);
    for (const url of [...urls, ...urls]) await outcome(it, url);
    const sent = ['https://node-7.example/v1', 'https://node-140.example/v1'];
    expect(it.sent.map(({ url }) => url)).toEqual([...sent, ...sent]);
  });

  test('a changed policy applies to the next request', async () => {
    const origins = new Set(['https://rpc.example']);
    const it = rig({ origins });
    expect(await outcome(it, 'https://rpc.example/')).toBe('sent');
    origins.clear();
    expect(await outcome(it, 'https://rpc.example/')).toBe('egress-refused');
  });
});

describe('keys', () => {
  const policy = {
    origins: new Set(['https://api.example', 'https://other.example']),
    keys: new Map([['https://api.example', 'k1']]),
  };
  const send = (url: string, headers: Record<string, string>) => {
    const it = rig(policy);
    return it.port.send(get(url, headers)).then(
      () => it.sent[0]?.headers,
      error => getFaultCode(error),
    );
  };

  test('are sent to the origin they were entered for', async () => {
    expect(await send('https://api.example/x', { 'X-API-Key': 'k1' })).toEqual({ 'x-api-key': 'k1' });
    expect(await send('https://api.example/x', { Authorization: 'Bearer k1', 'x-api-key': 'k1' })).toEqual({
      authorization: 'Bearer k1',
      'x-api-key': 'k1',
    });
  });

  test.each([
    ['another named origin', 'https://other.example/', { 'X-API-Key': 'k1' }],
    ['loopback', 'http://127.0.0.1:8545/', { 'x-api-key': 'k1' }],
    ['the same host without TLS', 'http://api.example/', { 'x-api-key': 'k1' }],
    ['another port', 'https://api.example:8443/', { 'x-api-key': 'k1' }],
    ['the bearer form', 'https://other.example/', { AUTHORIZATION: 'Bearer k1' }],
    ['a key that was not entered', 'https://api.example/', { 'x-api-key': 'k2' }],
    ['another scheme of authorization', 'https://api.example/', { authorization: 'Basic azE=' }],
    ['cookies', 'https://api.example/', { Cookie: 'a=b' }],
    ['the proxy password', 'https://api.example/', { 'Proxy-Authorization': 'Basic azE=' }],
  ])('are never sent: %s', async (_, url, headers) => {
    expect(await send(url, headers as Record<string, string>)).toBe('egress-refused');
  });

  test('are removed from texts of a host, like keys in the path and query of its URL, but not from its data', async () => {
    const url = 'https://us3rn4me:pass4word@rpc.example/v1/mainnet/a1b2c3d4e5?apikey=q1w2e3r4t5%2B';
    const policy = createEgressPolicy({
      ...defaultConfiguration,
      nodes: { eth: url },
      aptos: { mainnet: { node: 'https://aptos.example/v1/n0d3k3yn0d3k3y', indexer: null } },
      keys: { 'https://aptos.example': 'hosted-k3y' },
    });
    const respond = (body: string, host: string) =>
      rig(policy, async () => ({ ...OK, status: 401, body })).port.send(get(`https://${host}/v1/mainnet`));
    const hide = async (text: string, host: string) => (await respond('', host)).hideKeys?.(text);
    const login = btoa('us3rn4me:pass4word');
    const text = `/v1/mainnet/a1b2c3d4e5?apikey=q1w2e3r4t5%2B q1w2e3r4t5+ ${login} us3rn4me:pass4word`;
    expect((await respond(text, 'rpc.example')).body).toBe(text);
    expect(await hide(text, 'rpc.example')).toBe('/v1/mainnet/(key)?apikey=(key) (key) (key) (key):(key)');
    const aptos = 'GET /v1/n0d3k3yn0d3k3y with hosted-k3y, a1b2c3d4e5';
    expect(await hide(aptos, 'aptos.example')).toBe('GET /v1/(key) with (key), a1b2c3d4e5');
  });

  test.each([
    [
      'words of a path',
      'https://rpc.example/ethereum-mainnet/arbitrum-sepolia',
      'no ethereum-mainnet',
      'no ethereum-mainnet',
    ],
    [
      'a short password, not a part of data',
      'https://u:12345678@rpc.example',
      '0x0012345678 "12345678"',
      '0x0012345678 "(key)"',
    ],
    ['a short key after escapes', 'https://rpc.example/a1b2c3d4', '%2Fa1b2c3d4 \\na1b2c3d4', '%2F(key) \\n(key)'],
    ['a key as user name', 'https://onlyletterskey@rpc.example', 'for onlyletterskey', 'for (key)'],
    ['a key as user name beside a password', 'https://k3yk3yk3y:x@rpc.example', 'for k3yk3yk3y', 'for (key)'],
    ['a part of the path, decoded', 'https://rpc.example/a1b2%2Bc3d4', 'a1b2%2Bc3d4 a1b2+c3d4', '(key) (key)'],
    ['a password of letters', 'https://u:p%C3%A4ssword@rpc.example', 'pässword p%C3%A4ssword', '(key) (key)'],
  ])('what is a key in a text of a host: %s', async (_, url, text, expected) => {
    const policy = createEgressPolicy({ ...defaultConfiguration, nodes: { eth: url } });
    const { hideKeys } = await rig(policy).port.send(get('https://rpc.example/'));
    expect(hideKeys?.(text)).toBe(expected);
  });

  test.each([
    [
      'in a parameter that is named after it',
      'https://rpc.example/?apikey=onlyletters',
      'bad onlyletters',
      'bad (key)',
    ],
    [
      'that contains another one',
      ['https://rpc.example/a1b2c3d4', 'https://rpc.example/a1b2c3d4e5'],
      'a1b2c3d4e5',
      '(key)',
    ],
    ['that is stored', 'https://rpc.example/only%2Fletters/v1', 'no only/letters only%2Fletters', 'no (key) (key)'],
  ])('are removed from a text of a host %s', async (_, url, text, expected) => {
    const policy = createEgressPolicy({
      ...defaultConfiguration,
      nodes: { eth: url },
      urlSecrets: ['only/letters', 'not in this URL'],
    });
    const { hideKeys } = await rig(policy).port.send(get('https://rpc.example/'));
    expect(hideKeys?.(text)).toBe(expected);
  });

  test('user and password of a node URL are sent to that node', async () => {
    const login = `Basic ${btoa('u:p')}`;
    const it = rig({ ...policy, logins: new Map([['https://other.example', new Set([login])]]) });
    await it.port.send(get('https://other.example/', { Authorization: login }));
    expect(it.sent[0]?.headers).toEqual({ authorization: login });
    await expect(it.port.send(get('https://api.example/', { Authorization: login }))).rejects.toMatchObject({
      code: 'egress-refused',
    });
  });

  test('other headers are sent', async () => {
    expect(await send('http://localhost/', { Accept: 'application/json' })).toEqual({ accept: 'application/json' });
  });
});

describe('log and faults', () => {
  test('one line per request: method, host, label, status, time; no query, no key', async () => {
    const it = rig({ origins: new Set(['https://api.example']), keys: new Map([['https://api.example', 'k1']]) });
    await it.port.send(get('https://api.example/api/v2/block/0xabc?chain=eth&k=k1', { 'x-api-key': 'k1' }));
    expect(it.lines).toEqual(['info: GET api.example /block/:block 200 7 ms']);
  });

  test('a rejected request is logged too; its message names the host and the fix', async () => {
    const it = rig();
    const error = await it.port.send(get('https://user:pw@api.example/secret?k=v')).catch(caught => caught);
    expect(error).toBeInstanceOf(HexLensError);
    expect(error.message).toBe('HexLens does not connect to api.example: it is not in the settings.');
    expect(error.fix).toContain('https://api.example');
    expect(`${error.message}${error.fix}${it.lines}`).not.toMatch(/secret|pw|k=v/);
    expect(it.lines).toEqual(['warn: GET api.example /block/:block egress-refused 7 ms']);
  });

  test('a fault of the HTTP port is logged by its code and rejects unchanged', async () => {
    const fault = new HexLensError('node-timeout', 'Slow.');
    const it = rig({}, () => Promise.reject(fault));
    await expect(it.port.send(get('http://127.0.0.1/'))).rejects.toBe(fault);
    expect(it.lines).toEqual(['warn: GET 127.0.0.1 /block/:block node-timeout 7 ms']);
  });

  test('any error of the HTTP port becomes a fault', async () => {
    const it = rig({}, () => Promise.reject(new TypeError('boom')));
    await expect(it.port.send(get('http://127.0.0.1/'))).rejects.toMatchObject({ code: 'internal' });
  });

  test('a label can not forge a line', async () => {
    const it = rig();
    await it.port.send({ ...get('http://127.0.0.1/'), logLabel: `a\nerror: b\u2028${'x'.repeat(300)}` });
    expect(it.lines).toHaveLength(1);
    expect(it.lines[0]).not.toContain('\n');
    expect(it.lines[0]?.length).toBeLessThan(180);
  });

  test('the configured timeout applies to requests without one', async () => {
    const it = rig();
    await it.port.send(get('http://127.0.0.1/'));
    await it.port.send({ ...get('http://127.0.0.1/'), timeoutMs: 5 });
    expect(it.sent.map(request => request.timeoutMs)).toEqual([1234, 5]);
  });

  test('redirects are not followed', async () => {
    const it = rig({}, async () => ({ status: 302, headers: { location: 'https://evil.example/' }, body: '' }));
    expect((await it.port.send(get('http://127.0.0.1/'))).status).toBe(302);
    expect(it.sent).toHaveLength(1);
  });
});
