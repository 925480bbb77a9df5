// Hostile requests over a real socket: paths, queries, malformed HTTP, bodies, slow and disconnecting clients, the port.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { WireReply } from '../../src/api/wire/request.ts';
import { HexLensError } from '../../src/base/errors.ts';
import { silentLog } from '../../src/base/log.ts';
import { HttpApp, MAX_BODY_BYTES } from '../../src/server/httpApp.ts';
import { listen } from '../../src/server/httpListener.ts';
import { ADDRESS, auth, KEY, keys, okReply, type Rig, readAll, startRig } from './httpTestServer.ts';

let rig: Rig;
/** Its limits of time are short: only for requests that are to reach them, since others may on a busy machine. */
let hasty: Rig;
/** Closes connections soon after a response, and waits for requests as long as usual. */
let sparing: Rig;
beforeAll(async () => {
  rig = await startRig();
  hasty = await startRig({ headersMs: 3_000, requestMs: 3_000, checkIntervalMs: 50 });
  sparing = await startRig({ keepAliveMs: 300 });
});
afterEach(() => {
  rig.reset();
  hasty.reset();
});
afterAll(() => Promise.all([rig, hasty, sparing].map(({ server }) => server.close(0))));

describe('hostile paths and queries', () => {
  test.each([
    ['/api/v2/%2e%2e/block/1', 404],
    ['/api/v2/../v2/block/1', 404], // nothing is resolved: a path means what it says
    ['/api/v2/block/%2e%2e', 400],
    ['/api/v2/block/..%2f..%2fetc', 400],
    ['/api/v2/block/%00', 400],
    ['/api/v2/block/1%00', 400],
    ['/api/v2/block/%zz', 400],
    ['/api/v2/block/%', 400],
    ['/api/v2/block/%c0%ae', 400],
    ['/api/v2/block/%ff', 400],
    ['//api/v2/block/1', 404],
    ['/api/v2//block/1', 404],
    ['/api/v2/block//1', 404],
    ['/api/v2/block/1//', 404],
    ['/api/v2/block/', 404],
    ['/API/V2/block/1', 404],
    ['/api/v2/block/1;a=b', 400],
    ['/api/v2/block/1%2f', 400],
    ['/api/v2/block/1#x', 200],
    ['/api/v2/block/__proto__', 400],
    ['/api/v2/constructor', 404],
    ['/api/v2/block/1?a[', 200],
    ['/api/v2/block/1?[]=&[=&]=&=&&&', 200],
    ['/api/v2/block/1?__proto__=1&constructor[prototype]=1', 200],
    ['/api/v2/block/1?chain=%zz', 400],
    ['/api/v2/block/1?chain=%00', 400],
    ['/api/v2/block/1?chain=eth&chain=eth', 200],
    ['/api/v2/block/1?chain=eth&chain=bsc', 400],
    ['/api/v2/block/1?chain[]=eth&chain=bsc', 400],
    ['/api/v2/block/1?include=internal_transactions&include=internal_transactions', 200],
    ['/?', 404],
    ['/', 404],
  ])('%s is %i', async (target, status) => {
    const text = await rig.rawGet(target);
    expect(text.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).not.toMatch(/node_modules|\.ts:|at .*\(/);
  });

  test.each(['\\api\\v2\\block\\1', '/api/v2/block\\1', 'api/v2/block/1', '*'])(
    '%s is not a request target',
    async target => {
      expect(await rig.rawGet(target)).toMatch(/^HTTP\/1\.1 (400|404) /);
      expect(rig.requests).toEqual([]);
    },
  );

  test('an error of a field names the field and the reason', async () => {
    const evm = await rig.send(`/api/v2/${ADDRESS.slice(0, -1)}/logs?limit=101&from_block=x`);
    expect(evm.status).toBe(400);
    expect(evm.body).toEqual({
      message:
        'address is not a valid hex address: it has 39 digits, 40 are needed, from_block must be a whole number, not "x", limit must not be greater than 100',
    });
    const aptos = await rig.send('/aptos/wallets/nfts');
    expect(aptos.body).toMatchObject({ statusCode: 400, error: 'Bad Request' });
    expect((aptos.body as { message: string[] }).message).toHaveLength(2);
  });

  test('25 wallets are the limit, and four lists of 100 mint filters fit into one URL', async () => {
    const wallets = (n: number) => Array.from({ length: n }, () => `wallet_addresses=${ADDRESS}`).join('&');
    expect((await rig.send(`/api/v2/wallets/balances?${wallets(25)}`)).status).toBe(200);
    expect((await rig.send(`/api/v2/wallets/balances?${wallets(26)}`)).status).toBe(400);
    const lists = ['contract_addresses', 'exclude_contracts', 'wallet_addresses', 'exclude_wallets'];
    const query = lists.flatMap(name => Array.from({ length: 100 }, () => `${name}%5B%5D=${ADDRESS}`)).join('&');
    expect((await rig.send(`/api/v2/erc20/mints?${query}`)).status).toBe(200);
  });

  test('a URL that is too long is a 431 with a body', async () => {
    const text = await rig.rawGet(`/api/v2/block/${'1'.repeat(70_000)}`);
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(text).toContain('{"message":"The URL and headers of the request are too long together."}');
    expect((await rig.send(`/api/v2/block/${'1'.repeat(60_000)}`)).status).toBe(400);
  });

  test.each([
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    [
      'both lengths',
      'POST /challenge/verify/evm HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'two lengths',
      'POST /challenge/verify/evm HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n12345',
    ],
    ['two hosts', 'GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n'],
    ['no host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['a header with NUL', 'GET /health HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n'],
    ['a folded header', 'GET /health HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\nConnection: close\r\n\r\n'],
  ])('are rejected where they are malformed: %s', async (_, bytes) => {
    const text = await rig.raw(bytes);
    // Node joins folded headers, which proxies no longer do.
    expect(text).toMatch(_ === 'a folded header' ? /^HTTP\/1\.1 (400|200) / : /^HTTP\/1\.1 400 /);
    expect(rig.requests).toEqual([]);
  });
});

describe('bodies', () => {
  const post = (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    rig.send('/challenge/verify/evm', { method: 'POST', headers: { ...auth, ...headers }, body });

  test('a JSON object is accepted, unknown fields are dropped', async () => {
    rig.respond = async () => ({ status: 201, headers: {}, body: { id: 'x' } });
    const reply = await post('{"message":"m","signature":"0x1","extra":1}', {
      'content-type': 'Application/JSON; charset=utf-8',
    });
    expect(reply.status).toBe(201);
    expect(rig.requests[0]).toMatchObject({ operation: 'verifySignIn', body: { message: 'm', signature: '0x1' } });
  });

  test.each<[string, string, Record<string, string>, string]>([
    ['invalid JSON', '{"message":', { 'content-type': 'application/json' }, 'not valid JSON'],
    ['an array', '[]', { 'content-type': 'application/json' }, 'must be a JSON object'],
    ['null', 'null', { 'content-type': 'application/json' }, 'must be a JSON object'],
    ['nothing', '', { 'content-type': 'application/json' }, 'not valid JSON'],
    ['a form', 'message=1', { 'content-type': 'application/x-www-form-urlencoded' }, 'Content-Type'],
    ['no type', '{}', {}, 'Content-Type'],
    ['a number', '{"message":1,"signature":"0x"}', { 'content-type': 'application/json' }, 'message must be a string'],
    ['a field missing', '{"message":"m"}', { 'content-type': 'application/json' }, 'signature is required'],
    [
      'only a prototype',
      '{"__proto__":{"message":"m","signature":"0x"}}',
      { 'content-type': 'application/json' },
      'message is required',
    ],
  ])('%s is a 400 with the reason', async (_, body, headers, text) => {
    const reply = await post(body, headers);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ statusCode: 400, name: 'BadRequestException' });
    expect(reply.text).toContain(text);
    expect(rig.requests).toEqual([]);
  });

  test('a body with a too large Content-Length is rejected before it is read', async () => {
    const socket = rig.connect();
    socket.write(
      `POST /challenge/verify/evm HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${KEY}\r\nContent-Type: application/json\r\nContent-Length: ${MAX_BODY_BYTES + 1}\r\nConnection: close\r\n\r\n{`,
    );
    const text = await readAll(socket);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toContain('"statusCode":413');
  });

  test('a too large body without a length is rejected while it arrives', async () => {
    const reply = await rig.send('/challenge/verify/evm', {
      method: 'POST',
      headers: { ...auth, 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      body: Buffer.alloc(MAX_BODY_BYTES + 1, 0x20),
    });
    expect(reply.status).toBe(413);
  });

  test('the key is checked before a body is read', async () => {
    const reply = await rig.send('/challenge/verify/evm', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.alloc(100_000, 0x20),
    });
    expect(reply.status).toBe(401);
  });
});

describe('time', () => {
  test('a disconnecting client aborts its request', async () => {
    const aborted = new Promise<void>(resolve => {
      rig.respond = (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            resolve();
            reject(new HexLensError('cancelled', 'Gone.'));
          });
        });
    });
    const request = httpRequest({ host: '127.0.0.1', port: rig.server.port, path: '/api/v2/block/1', headers: auth });
    request.on('error', () => {});
    request.end();
    await expect.poll(() => rig.requests.length).toBe(1);
    request.destroy();
    await aborted;
  });

  test('headers that arrive too slowly get a 408', async () => {
    const socket = hasty.connect();
    socket.write('GET /health HTTP/1.1\r\nHost: local');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('a body that never arrives gets a 408', async () => {
    const socket = hasty.connect();
    socket.write(
      `POST /challenge/verify/evm HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /);
    await expect.poll(() => hasty.lines).toEqual([expect.stringMatching(/^POST verifySignIn 499 /)]);
    expect(hasty.requests).toEqual([]);
  });

  describe('the rest of a body that is not read', () => {
    const WITHOUT_KEY = 'POST /challenge/verify/evm HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    let strict: Rig;
    beforeAll(async () => {
      strict = await startRig({ unreadBodyMs: 200, requestMs: 900_000, keepAliveMs: 900_000 });
    });
    afterAll(() => strict.server.close(0));

    test.each([
      ['with a length', 'Content-Length: 100\r\n\r\n{'],
      ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'],
    ])('must arrive soon after the response, else the connection is closed: %s', async (_, rest) => {
      expect(await strict.raw(`${WITHOUT_KEY}${rest}`)).toMatch(/^HTTP\/1\.1 401 /);
    });

    test('leaves the connection open for the next request when it arrives', async () => {
      const patient = await startRig({ unreadBodyMs: 900_000 });
      const socket = patient.connect();
      const received = readAll(socket);
      socket.write(`${WITHOUT_KEY}Content-Length: 2\r\n\r\n{`);
      await once(socket, 'data');
      socket.write('}GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      expect((await received).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
      await patient.server.close(0);
    });
  });

  test.each([
    ['with a length', 'Content-Length: 100\r\n\r\n{'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'],
  ])('a client that disconnects within a body %s is no internal error', async (_, rest) => {
    const socket = rig.connect();
    socket.write(
      `POST /challenge/verify/evm HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${KEY}\r\nContent-Type: application/json\r\n${rest}`,
      () => socket.destroy(),
    );
    await expect.poll(() => rig.lines).toEqual([expect.stringMatching(/^POST verifySignIn 499 |^POST - 499 /)]);
  });

  test('an idle connection is closed', async () => {
    const socket = sparing.connect();
    socket.write(`GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('the socket', () => {
  test('a port in use rejects with a fix', async () => {
    const app = new HttpApp({ call: okReply, keys, log: silentLog });
    await expect(listen(app, { port: rig.server.port }, silentLog)).rejects.toMatchObject({
      code: 'bad-input',
      message: `Port ${rig.server.port} is already in use.`,
      fix: 'Choose another port, or 0 for a free one.',
    });
  });

  test('closing finishes running requests and accepts no new ones', async () => {
    const own = await startRig();
    let finish: (reply: WireReply) => void = () => {};
    own.respond = () =>
      new Promise(resolve => {
        finish = resolve;
      });
    const pending = own.send('/api/v2/block/1', { headers: { ...auth, connection: 'keep-alive' } });
    await expect.poll(() => own.requests.length).toBe(1);
    const closed = own.server.close(60_000);
    await expect(own.send('/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    finish(await okReply());
    expect((await pending).status).toBe(200);
    await closed;
  });

  test('a request that arrives on an idle connection while the server closes gets a last response', async () => {
    const own = await startRig({ lingerMs: 60_000, keepAliveMs: 60_000 });
    const socket = own.connect();
    const request = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
    socket.write(request);
    await once(socket, 'data');
    const closed = own.server.close(60_000);
    socket.write(request);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*\{"status":"ok"\}$/i);
    await closed;
  });

  test('an idle connection is closed when nothing arrives on it', async () => {
    const own = await startRig({ keepAliveMs: 60_000 });
    const socket = own.connect();
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    await Promise.all([own.server.close(60_000), readAll(socket)]);
  });

  test('connections that do not end in time are destroyed', async () => {
    const own = await startRig();
    own.respond = () => new Promise(() => {});
    const pending = own.send('/api/v2/block/1').catch(error => error.code);
    await expect.poll(() => own.requests.length).toBe(1);
    await own.server.close(20);
    expect(await pending).toBe('ECONNRESET');
  });
});
