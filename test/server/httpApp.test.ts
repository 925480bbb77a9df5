// The HTTP application over a real socket: routes, the key, other origins, faults, log and request ids.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { operationIds, operations } from '../../src/api/operations/operations.ts';
import { HexLensError } from '../../src/base/errors.ts';
import type { Hex } from '../../src/base/hex.ts';
import { ADDRESS, auth, HASH, KEY, type Rig, startRig } from './httpTestServer.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterEach(() => rig.reset());
afterAll(() => rig.server.close(0));

describe('routes', () => {
  test('the translatable text of a fault is not sent: the body is in English', async () => {
    const fault = { code: 'not-found', message: 'x', localizable: { message: { english: 'y', values: [] } } } as const;
    rig.respond = async () => ({ status: 404, headers: {}, body: { message: 'Block not found' }, fault });
    const reply = await rig.send('/api/v2/block/1?chain=eth');
    expect([reply.status, reply.body]).toEqual([404, { message: 'Block not found' }]);
    expect(JSON.stringify(reply)).not.toContain('english');
  });

  test('an operation gets its request normalized', async () => {
    const upper = ADDRESS.toUpperCase().replace('0X', '0x');
    const reply = await rig.send(`/api/v2/${upper}/logs?chain=0x1&from_block=0x10&topic0=${HASH}&cursor=&nonsense=1`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ fine: true });
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(rig.requests).toEqual([
      {
        operation: 'contractLogs',
        group: 'evm',
        method: 'GET',
        path: `/${ADDRESS}/logs`,
        query: [
          ['chain', 'eth'],
          ['from_block', '16'],
          ['topic0', HASH],
        ],
        body: null,
      },
    ]);
  });

  test.each([
    ['literal', 'wallet_addresses[]='],
    ['encoded', 'wallet_addresses%5B%5D='],
    ['indexed', 'wallet_addresses%5B0%5D='],
    ['repeated', 'wallet_addresses='],
  ])('arrays in the %s form are the same request', async (_, name) => {
    const second = name.replace('%5B0%5D', '%5B1%5D');
    const other = ADDRESS.replaceAll('ab', 'ba');
    expect((await rig.send(`/api/v2/wallets/balances?${name}${ADDRESS}&${second}${other}`)).status).toBe(200);
    expect(rig.requests[0]?.query).toEqual([
      ['wallet_addresses', ADDRESS],
      ['wallet_addresses', other],
    ]);
  });

  test('every operation is available at its base paths, and only with its method', async () => {
    for (const id of operationIds) {
      const { group, method, path } = operations[id];
      const bases = { auth: [''], evm: ['/api/v2', '/api/v2.2'], aptos: ['/aptos'] }[group];
      const filled = path
        .replace(':address', ADDRESS)
        .replace(':token_id', '7')
        .replace(':block_number_or_hash', '1')
        .replace(':transaction_hash', HASH)
        .replace(':coin_type', encodeURIComponent('0x1::aptos_coin::AptosCoin'))
        .replace(':collection_data_id_hash', 'ab'.repeat(32));
      for (const base of bases) {
        const wrong = await rig.send(base + filled, { method: method === 'GET' ? 'POST' : 'GET' });
        expect([wrong.status, wrong.headers['allow']], id).toEqual([
          405,
          method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS',
        ]);
        const right = await rig.send(base + filled, { method });
        // Some requests miss required parameters, but the route is found.
        expect([200, 400], `${id} ${right.text}`).toContain(right.status);
      }
    }
  });

  test('a coin type may be encoded or not, and have generics', async () => {
    for (const type of ['0x1::aptos_coin::AptosCoin', '0x1%3A%3Aaptos_coin%3A%3AAptosCoin']) {
      await rig.send(`/aptos/coins/transfers/${type}?limit=1`);
      expect(rig.requests.pop()?.path).toBe('/coins/transfers/0x1%3A%3Aaptos_coin%3A%3AAptosCoin');
    }
    const generic = '0x1::lp::LP<0x1::a::A, 0x2::b::B/c>';
    await rig.send(`/aptos/coins/transfers/${encodeURIComponent(generic)}?limit=1`);
    expect(decodeURIComponent(rig.requests[0]?.path ?? '')).toBe(`/coins/transfers/${generic}`);
  });

  test('HEAD is a GET without a body, OPTIONS lists the methods, CORS is off', async () => {
    const head = await rig.send('/api/v2/block/1', { method: 'HEAD' });
    expect([head.status, head.text, rig.requests.length]).toEqual([200, '', 1]);
    const options = await rig.send('/api/v2/block/1', { method: 'OPTIONS', headers: {} });
    expect([options.status, options.headers['allow'], options.text]).toEqual([204, 'GET, HEAD, OPTIONS', '']);
    expect(Object.keys(options.headers).filter(name => name.startsWith('access-control'))).toEqual([]);
    expect((await rig.send('/nowhere', { method: 'OPTIONS', headers: {} })).status).toBe(404);
  });

  test.each(['PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'])('%s is not possible', async method => {
    const reply = await rig.send('/api/v2/block/1', { method });
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(rig.requests).toEqual([]);
  });

  test('a connection stays open for longer than a script computes between two requests', async () => {
    const reply = await rig.send('/api/v2/block/1', { headers: { ...auth, connection: 'keep-alive' } });
    expect(reply.headers['keep-alive']).toBe('timeout=65');
  });

  test('health and the OpenAPI document need no key', async () => {
    expect((await rig.send('/health', { headers: {} })).body).toEqual({ status: 'ok' });
    expect((await rig.send('/health/', { headers: {} })).body).toEqual({ status: 'ok' });
    expect((await rig.send('/health//')).status).toBe(404);
    const document = await rig.send('/openapi.json', { headers: {} });
    expect(document.body).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./) });
    expect(Object.keys((document.body as { paths: object }).paths)).toContain('/api/v2/block/{block_number_or_hash}');
  });

  test('the reply is sent with its status, its body and the headers that concern clients', async () => {
    rig.respond = async () => ({
      status: 501,
      headers: {
        deprecation: '@1693785600',
        sunset: 'x',
        'x-hexlens-fault': 'not-implemented',
        'set-cookie': 'a=b',
        'content-length': '9999',
      },
      body: { message: 'later' },
    });
    const reply = await rig.send('/api/v2/block/1');
    expect(reply.status).toBe(501);
    expect(reply.body).toEqual({ message: 'later' });
    expect(reply.headers).toMatchObject({
      deprecation: '@1693785600',
      sunset: 'x',
      'x-hexlens-fault': 'not-implemented',
    });
    expect(reply.headers['set-cookie']).toBeUndefined();
    expect(reply.headers['content-length']).toBe('19');
  });
});

describe('the key', () => {
  test('is read from either header', async () => {
    expect((await rig.send('/api/v2/block/1', { headers: { 'X-API-Key': KEY } })).status).toBe(200);
    expect((await rig.send('/api/v2/block/1', { headers: { authorization: `Bearer ${KEY}` } })).status).toBe(200);
    expect((await rig.send('/api/v2/block/1', { headers: { authorization: `bearer   ${KEY}` } })).status).toBe(200);
    expect(
      (await rig.send('/api/v2/block/1', { headers: { 'x-api-key': 'old', authorization: `Bearer ${KEY}` } })).status,
    ).toBe(200);
  });

  test.each<[string, Record<string, string | string[]>]>([
    ['none', {}],
    ['empty', { 'x-api-key': '' }],
    ['wrong', { 'x-api-key': 'wrong-horse!!' }],
    ['a prefix of it', { 'x-api-key': KEY.slice(0, -1) }],
    ['longer', { 'x-api-key': `${KEY}1` }],
    ['another case', { 'x-api-key': KEY.toUpperCase() }],
    ['given twice', { 'x-api-key': [KEY, KEY] }],
    ['as basic authorization', { authorization: `Basic ${KEY}` }],
    ['without the scheme', { authorization: KEY }],
    ['in a cookie', { cookie: `x-api-key=${KEY}` }],
  ])('is rejected %s', async (_, headers) => {
    const reply = await rig.send('/api/v2/block/1', { headers });
    expect(reply.status).toBe(401);
    expect(reply.headers['www-authenticate']).toBe('Bearer');
    expect(rig.requests).toEqual([]);
  });

  test('is not read from the query', async () => {
    expect((await rig.send(`/api/v2/block/1?x-api-key=${KEY}&api_key=${KEY}`, { headers: {} })).status).toBe(401);
  });

  test('the 401 has the error shape of its group and its code in a header', async () => {
    const body = async (path: string, headers = {}, method = 'GET') => (await rig.send(path, { headers, method })).body;
    const missing = 'The API key is missing. Send it in the X-API-Key header.';
    const wrong = 'The API key is not valid. Send the key that this service was started with in the X-API-Key header.';
    expect(await body('/api/v2/block/1')).toEqual({ message: missing });
    expect(await body('/api/v2.2/block/1', { 'x-api-key': 'x' })).toEqual({ message: wrong });
    expect(await body('/aptos/wallets/nfts')).toEqual({ statusCode: 401, message: [missing], error: 'Unauthorized' });
    expect(await body('/challenge/verify/evm', {}, 'POST')).toEqual({
      statusCode: 401,
      name: 'UnauthorizedException',
      message: missing,
    });
  });

  test('without a key an unknown path is a 401 too', async () => {
    expect((await rig.send('/nowhere', { headers: {} })).status).toBe(401);
    expect((await rig.send('/nowhere')).status).toBe(404);
  });
});

describe('a sign-in that is sent again', () => {
  const path = '/challenge/verify/evm';
  const body = JSON.stringify({ message: 'a message', signature: '0x12' });
  const headers = { ...auth, 'content-type': 'application/json' };
  const sendTwice = async (signInsRepeat: boolean) => {
    const own = await startRig({}, { signInsRepeat });
    for (const sent of [body, body, body.replace('12', '34')])
      await own.send(path, { method: 'POST', headers, body: sent });
    const unread = { ...headers, 'content-type': 'text/plain' };
    const { status } = await own.send(path, { method: 'POST', headers: unread, body });
    await own.server.close(0);
    return { requests: own.requests, status };
  };

  test('is the same request where sign-ins repeat, and its headers are checked again', async () => {
    const { requests, status } = await sendTwice(true);
    expect(requests.map(request => request.body?.['signature'])).toEqual(['0x12', '0x12', '0x34']);
    expect(requests[1]).toBe(requests[0]);
    expect(status).toBe(400);
  });

  test('is not cached where a sign-in is valid once', async () => {
    const { requests } = await sendTwice(false);
    expect(requests[1]).toEqual(requests[0]);
    expect(requests[1]).not.toBe(requests[0]);
  });
});

describe('other origins', () => {
  test.each(['localhost', 'LOCALHOST:1', '127.0.0.1', '127.9.9.9:80', '[::1]:8547'])(
    'Host %s is allowed',
    async host => {
      expect((await rig.send('/health', { headers: { host } })).status).toBe(200);
    },
  );

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    'localhost.',
    '0.0.0.0',
    '192.168.0.1',
    'evil.localhost',
    'sample-chain.localhost',
  ])('Host %s is rejected, also with the key', async host => {
    for (const path of ['/health', '/api/v2/block/1']) {
      const reply = await rig.send(path, { headers: { ...auth, host } });
      expect(reply.status).toBe(400);
      expect(reply.text).toContain('Host');
    }
    expect(rig.requests).toEqual([]);
  });

  test.each(['a@localhost', 'localhost/evil', 'localhost?x', 'loc alhost', '[::1', ''])(
    'Host "%s" is malformed',
    async host => {
      const text = await rig.raw(`GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      // HTTP/1.1 allows an empty Host.
      expect(text).toMatch(host === '' ? /^HTTP\/1\.1 (200|400)/ : /^HTTP\/1\.1 400/);
    },
  );

  test.each(['https://evil.example', 'null', 'http://localhost:1', 'http://evil.example@127.0.0.1'])(
    'Origin %s is rejected',
    async origin => {
      const reply = await rig.send('/api/v2/block/1', { headers: { ...auth, origin } });
      expect([reply.status, rig.requests.length]).toEqual([400, 0]);
      expect(reply.text).toContain('Origin');
    },
  );

  test('the own origin is allowed', async () => {
    const { status } = await rig.send('/api/v2/block/1', { headers: { ...auth, origin: rig.server.url } });
    expect(status).toBe(200);
  });

  test('the host of an absolute request target is checked', async () => {
    expect(await rig.rawGet('http://evil.example/health')).toMatch(/^HTTP\/1\.1 400/);
    expect(await rig.rawGet('http://localhost/health')).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('faults', () => {
  test('a fault has its status, the shape of its group and its code in a header', async () => {
    rig.respond = async () => {
      throw new HexLensError('rate-limited', 'Slow down.', { retryAfterMs: 1_200, fix: 'Wait.' });
    };
    const reply = await rig.send('/api/v2/block/1');
    expect(reply.status).toBe(429);
    expect(reply.body).toEqual({ message: 'Slow down. Wait.' });
    expect(reply.headers).toMatchObject({ 'retry-after': '2', 'x-hexlens-fault': 'rate-limited' });
  });

  test('an internal error is logged with its details, which the client does not get', async () => {
    rig.respond = async () => {
      throw new TypeError('secret /home/user/path');
    };
    const reply = await rig.send('/api/v2/block/1');
    expect(reply.status).toBe(500);
    expect(reply.text).not.toMatch(/secret|path|TypeError/);
    expect(rig.lines.join('\n')).toContain('TypeError: secret');
  });

  test('a reply that is no JSON value is an internal error, not a crash', async () => {
    rig.respond = async () => ({ status: 200, headers: {}, body: { amount: 1n } });
    expect((await rig.send('/api/v2/block/1')).status).toBe(500);
    expect((await rig.send('/health')).status).toBe(200);
  });
});

describe('log and request ids', () => {
  test('one line per request: method, operation, status, time, id; no path, query or key', async () => {
    const reply = await rig.send(`/api/v2/block/${HASH}?chain=eth`, { headers: { ...auth, 'x-request-id': 'r-1' } });
    expect(reply.headers['x-request-id']).toBe('r-1');
    expect(rig.lines).toEqual([expect.stringMatching(/^GET block 200 \d+ ms r-1$/)]);
  });

  test('a request id that could forge a log line is replaced', async () => {
    const reply = await rig.send('/nowhere', { headers: { ...auth, 'x-request-id': 'a b' } });
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(rig.lines).toEqual([
      `GET - 404 ${/(\d+) ms/.exec(rig.lines[0] ?? '')?.[1]} ms ${reply.headers['x-request-id']}`,
    ]);
  });
});

describe('a reply that the client has', () => {
  const state = { genesisHash: HASH as Hex, headHash: HASH as Hex, headNumber: 7 };
  const freshness = { validity: 'untilNextHead', chain: 'eth', state } as const;
  const path = '/api/v2/block/7?chain=eth';
  const cached = (body: object) => async () => ({
    status: 200,
    headers: { 'x-hexlens-network': 'x' },
    body,
    freshness,
  });

  test('is not sent again: its tag gets 304, with the same headers and without a body', async () => {
    rig.respond = cached({ number: '7' });
    const first = await rig.send(path);
    const { etag = '' } = first.headers;
    expect(first).toMatchObject({ status: 200, body: { number: '7' } });
    expect(first.headers['cache-control']).toBe('private, no-cache');
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await rig.send(path, { headers: { ...auth, 'if-none-match': tags } });
      expect({ tags, status: again.status, text: again.text }).toEqual({ tags, status: 304, text: '' });
      expect(again.headers).toMatchObject({ etag, 'x-hexlens-network': 'x' });
      expect(again.headers['content-length']).toBeUndefined();
    }
  });

  test('is sent when it has changed, and to a client that has another one', async () => {
    rig.respond = cached({ number: '7' });
    const { etag = '' } = (await rig.send(path)).headers;
    expect((await rig.send(path, { headers: { ...auth, 'if-none-match': '"other"' } })).status).toBe(200);
    rig.respond = cached({ number: '8' });
    const changed = await rig.send(path, { headers: { ...auth, 'if-none-match': etag } });
    expect(changed).toMatchObject({ status: 200, body: { number: '8' } });
    expect(changed.headers['etag']).not.toBe(etag);
  });

  test('has no tag when it may not be read again, and none without the key', async () => {
    const { headers } = await rig.send(path);
    expect([headers['etag'], headers['cache-control']]).toEqual([undefined, 'no-store']);
    rig.respond = cached({ number: '7' });
    const { etag = '' } = (await rig.send(path)).headers;
    const withoutKey = await rig.send(path, { headers: { 'if-none-match': etag } });
    expect([withoutKey.status, withoutKey.headers['etag']]).toEqual([401, undefined]);
  });
});
