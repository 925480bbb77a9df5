// Attacks over raw sockets: request smuggling, differences between parsers, slow and silent connections.
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ADDRESS, auth, KEY, type Rig, readAll, startRig } from './httpTestServer.ts';

let rig: Rig;
/** Closes connections that say nothing soon: only for requests that may reach its limits of time. */
let hasty: Rig;
beforeAll(async () => {
  rig = await startRig();
  hasty = await startRig({ headersMs: 3_000, requestMs: 3_500, checkIntervalMs: 50, keepAliveMs: 300 });
});
afterEach(() => {
  rig.reset();
  hasty.reset();
});
afterAll(() => Promise.all([rig, hasty].map(({ server }) => server.close(0))));

const POST = 'POST /challenge/verify/evm HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json';
const OWN = `X-API-Key: ${KEY}`;
/** A request that a proxy with another parser would pass on as part of the first one. It must never get a response. */
const HIDDEN = `GET /api/v2/block/777 HTTP/1.1\r\nHost: localhost\r\n${OWN}\r\n\r\n`;

const statusesIn = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(match => Number(match[1]));

describe('a smuggled request never gets a response', () => {
  test.each<[string, string]>([
    [
      'length and chunks',
      `${POST}\r\n${OWN}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    ],
    [
      'chunks and length',
      `${POST}\r\n${OWN}\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${HIDDEN}`,
    ],
    [
      'chunks that are not the last coding',
      `${POST}\r\n${OWN}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${HIDDEN}`,
    ],
    ['an unknown coding', `${POST}\r\n${OWN}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
    [
      'chunks twice',
      `${POST}\r\n${OWN}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n${HIDDEN}`,
    ],
    ['a space before the colon', `${POST}\r\n${OWN}\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
    ['a coding after a vertical tab', `${POST}\r\n${OWN}\r\nTransfer-Encoding:\u000bchunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
    ['a signed length', `${POST}\r\n${OWN}\r\nContent-Length: +0\r\n\r\n${HIDDEN}`],
    ['a negative length', `${POST}\r\n${OWN}\r\nContent-Length: -1\r\n\r\n${HIDDEN}`],
    ['a hexadecimal length', `${POST}\r\n${OWN}\r\nContent-Length: 0x0\r\n\r\n${HIDDEN}`],
    ['a list of lengths', `${POST}\r\n${OWN}\r\nContent-Length: 0, 0\r\n\r\n${HIDDEN}`],
    ['two lengths', `${POST}\r\n${OWN}\r\nContent-Length: 0\r\nContent-Length: 90\r\n\r\n${HIDDEN}`],
    ['a length too long for a number', `${POST}\r\n${OWN}\r\nContent-Length: ${'9'.repeat(40)}\r\n\r\n${HIDDEN}`],
    [
      'a chunk size that overflows',
      `${POST}\r\n${OWN}\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n\r\n${HIDDEN}`,
    ],
    ['a chunk size with a sign', `${POST}\r\n${OWN}\r\nTransfer-Encoding: chunked\r\n\r\n+0\r\n\r\n${HIDDEN}`],
    ['a chunk size with 0x', `${POST}\r\n${OWN}\r\nTransfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${HIDDEN}`],
    ['a chunk without its end', `${POST}\r\n${OWN}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nZZ\r\n0\r\n\r\n${HIDDEN}`],
    [
      'a bare CR in a header',
      `GET /health HTTP/1.1\r\nHost: localhost\r\nX: a\rGET /api/v2/block/777 HTTP/1.1\r\n${OWN}\r\n\r\n`,
    ],
    ['a bare LF after a name', `GET /health HTTP/1.1\r\nHost: localhost\r\nX\n: a\r\n\r\n${HIDDEN}`],
    [
      'a line without a colon',
      `GET /health HTTP/1.1\r\nHost: localhost\r\nGET /api/v2/block/777 HTTP/1.1\r\n${OWN}\r\n\r\n`,
    ],
    ['a second line in the target', `GET /health\r\nX-API-Key:${KEY} HTTP/1.1\r\nHost: localhost\r\n\r\n${HIDDEN}`],
    ['HTTP/2 in the clear', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${HIDDEN}`],
    ['another version', `GET /health HTTP/1.2\r\nHost: localhost\r\n\r\n${HIDDEN}`],
    ['an unknown method', `HACK /health HTTP/1.1\r\nHost: localhost\r\n\r\n${HIDDEN}`],
  ])('%s', async (_, bytes) => {
    const text = await hasty.raw(bytes);
    expect(hasty.requests.filter(({ path }) => path.includes('777'))).toEqual([]);
    // At most one response, an error, and then the connection is closed.
    const statuses = statusesIn(text);
    expect(statuses.length).toBeLessThanOrEqual(1);
    for (const status of statuses) expect([400, 405, 408, 413, 431, 501]).toContain(status);
    expect(text).not.toMatch(/node_modules|\.ts:\d/);
  });

  test('CONNECT is rejected and closes the connection', async () => {
    const text = await rig.raw(`CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n${HIDDEN}`);
    expect(text).toMatch(/^HTTP\/1\.1 405 /);
    expect(text).toMatch(/\{"message":"CONNECT is not possible: this is no proxy\."\}$/);
    expect(rig.requests).toEqual([]);
  });

  test.each(['websocket', 'h2c'])(
    'an upgrade to %s is a normal request, and the last of its connection',
    async protocol => {
      const text = await rig.raw(
        `GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n${HIDDEN}`,
      );
      expect(statusesIn(text)).toEqual([200]);
      expect(text).toMatch(/^connection: close\r$/im);
      expect(text).toMatch(/\{"status":"ok"\}$/);
    },
  );

  test('the body of a GET is not parsed as the next request', async () => {
    const text = await rig.raw(
      `GET /api/v2/block/1 HTTP/1.1\r\nHost: localhost\r\n${OWN}\r\nConnection: close\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(rig.requests.map(({ path }) => path)).toEqual(['/block/1']);
  });

  test('pipelined requests get their responses in order', async () => {
    const get = (number: number, more = '') =>
      `GET /api/v2/block/${number} HTTP/1.1\r\nHost: localhost\r\n${OWN}\r\nx-request-id: r${number}\r\n${more}\r\n`;
    const text = await rig.raw(`${get(1)}${get(2)}${get(3, 'Connection: close\r\n')}`);
    expect([...text.matchAll(/x-request-id: (r\d)/g)].map(match => match[1])).toEqual(['r1', 'r2', 'r3']);
  });

  test.each<[string, string]>([
    ['no HTTP', 'what is this?\r\n\r\n'],
    ['more after the last request', HIDDEN],
  ])('a request gets its response before %s is rejected', async (_, rest) => {
    let finish = () => {};
    const requested = new Promise<void>(resolve => {
      rig.respond = () =>
        new Promise(reply => {
          finish = () => reply({ status: 200, headers: {}, body: { slow: true } });
          resolve();
        });
    });
    const last = rest === HIDDEN ? 'Connection: close\r\n' : '';
    const all = rig.raw(`GET /api/v2/block/1 HTTP/1.1\r\nHost: localhost\r\n${OWN}\r\n${last}\r\n${rest}`);
    await requested;
    finish();
    const text = await all;
    expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"slow":true\}/);
    expect(rig.requests).toHaveLength(1);
    if (rest !== HIDDEN) expect(statusesIn(text)).toEqual([200, 400]);
  });

  test('100 Continue is sent when the body is needed', async () => {
    const toRequest = (more: string) =>
      `${POST}\r\nExpect: 100-continue\r\nContent-Length: ${more === OWN ? 2 : 99_999_999}\r\n${more}\r\n\r\n`;
    const socket = rig.connect();
    socket.once('data', () => socket.end('{}'));
    socket.write(toRequest(OWN));
    expect(statusesIn(await readAll(socket))).toEqual([100, 400]);
    // A missing key is reported before the client sends 100 MB.
    expect(statusesIn(await rig.raw(toRequest('X-No: key')))).toEqual([401]);
    expect(statusesIn(await rig.raw(toRequest(`${OWN}\r\nX-Large: yes`)))).toEqual([413]);
    expect(statusesIn(await rig.raw(`GET /health HTTP/1.0\r\nHost: localhost\r\nExpect: wonders\r\n\r\n`))).toEqual([
      200,
    ]);
  });

  test.each<[string, string]>([
    ['Content-Encoding', 'gzip'],
    ['Transfer-Encoding', 'gzip, chunked'],
  ])('a body in another encoding is rejected by the name of its header: %s', async (name, value) => {
    const length = name === 'Content-Encoding' ? 'Content-Length: 2\r\n\r\n{}' : '\r\n2\r\n{}\r\n0\r\n\r\n';
    const text = await rig.raw(`${POST}\r\n${OWN}\r\nConnection: close\r\n${name}: ${value}\r\n${length}`);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain(`${name} must be`);
  });

  test('a request without a host is rejected with the reason', async () => {
    expect(await rig.raw('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n')).toContain('Host must be given once');
  });

  test.each(['/health', '/ready', '/docs', '/openapi.json', '/metrics'])('%s allows reading only', async path => {
    const { status, headers } = await rig.send(path, { method: 'POST' });
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await rig.send(path, { method: 'OPTIONS' })).status).toBe(204);
  });

  test('a request id of the client is one word in the response and the log line', async () => {
    for (const id of ['a\tb', 'a b', 'x'.repeat(65), '"><script>', 'a,b']) {
      const reply = await rig.send('/api/v2/block/1', { headers: { ...auth, 'x-request-id': id } });
      expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(rig.lines.join('\n')).not.toContain('script');
  });
});

describe('excessive input', () => {
  test('a list of a thousand is rejected by its length, one of thousands before it is parsed', async () => {
    const many = Array.from({ length: 1_000 }, () => `wallet_addresses=${ADDRESS}`).join('&');
    const reply = await rig.send(`/api/v2/wallets/balances?${many}`);
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('must contain not more than 25 elements: it has 1000');
    const more = await rig.rawGet(`/api/v2/wallets/balances?${'wallet_addresses=1&'.repeat(3_600)}`);
    expect(more).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('thousands of headers are rejected', async () => {
    const headers = Array.from({ length: 3_000 }, (_, index) => `X-${index}: ${'y'.repeat(20)}\r\n`).join('');
    const text = await rig.raw(`GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('deeply nested JSON is no internal error', async () => {
    const deep = `{"message":${'['.repeat(200_000)}${']'.repeat(200_000)},"signature":"0x"}`;
    const reply = await rig.send('/challenge/verify/evm', {
      method: 'POST',
      headers: { ...auth, 'content-type': 'application/json' },
      body: deep,
    });
    expect(reply.status).toBe(400);
  });

  test.each([
    'wallet_addresses[999999999]=',
    'wallet_addresses[-1]=',
    'wallet_addresses[a]=',
    'wallet_addresses[0][0]=',
  ])('%s allocates no large array', async name => {
    const reply = await rig.send(`/api/v2/wallets/balances?${name}${ADDRESS}`);
    expect([200, 400]).toContain(reply.status);
    for (const { query } of rig.requests) expect(query).toHaveLength(1);
  });
});

test('bodies that never end are limited together; afterwards others are read again', async () => {
  const own = await startRig({ bodyBytes: 1_000_000 });
  const begun = `${POST}\r\n${OWN}\r\nContent-Length: 700000\r\n\r\n${'x'.repeat(600_000)}`;
  const first = own.connect().on('error', () => {});
  const second = own.connect().on('error', () => {});
  first.write(begun);
  second.write(begun);
  // The later one is rejected.
  const [rejection] = await Promise.race([once(first, 'data'), once(second, 'data')]);
  expect(String(rejection)).toMatch(/^HTTP\/1\.1 429 /);
  expect(String(rejection)).toMatch(/\r\nconnection: close\r\n/i); // otherwise its paused socket would stay open
  first.destroy();
  second.destroy();
  const body = JSON.stringify({ message: 'm'.repeat(900_000), signature: '0x00' });
  const headers = { ...auth, 'content-type': 'application/json' };
  await expect
    .poll(async () => (await own.send('/challenge/verify/evm', { method: 'POST', headers, body })).status)
    .toBe(200);
  await own.server.close(0);
});

describe('slow and silent connections', () => {
  /** Opens `count` connections that send `first` and then nothing; with all that each receives until it is closed. */
  async function crowd(count: number, first: string) {
    return Promise.all(
      Array.from({ length: count }, async () => {
        const socket = hasty.connect();
        const received = readAll(socket); // from the start: the first ones may be closed before the last ones are open
        await once(socket, 'connect');
        if (first !== '') socket.write(first);
        return { socket, received };
      }),
    );
  }

  // At the same time: each of them takes as long as the limit.
  test.concurrent.for<[string, string]>([
    ['that say nothing', ''],
    ['that stop in the middle of a header', 'GET /health HTTP/1.1\r\nHost: local'],
    ['that stop in the middle of a body', `${POST}\r\n${OWN}\r\nContent-Length: 100\r\n\r\n{`],
  ])('300 connections %s do not block others, and are all closed', async ([, first], { expect }) => {
    const connections = await crowd(300, first);
    for (let i = 0; i < 5; i++) expect((await hasty.send('/api/v2/block/1')).status).toBe(200);
    const texts = await Promise.all(connections.map(({ received }) => received));
    expect(new Set(texts.map(text => text.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 408']));
    await expect.poll(() => connections.every(({ socket }) => socket.destroyed)).toBe(true);
  });
});
