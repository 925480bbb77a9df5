// Several keys with their limits, pages of other origins, host names, and the service pages.
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { operationIds } from '../../src/api/operations/operations.ts';
import type { Clock } from '../../src/base/clock.ts';
import { hashApiKey } from '../../src/server/apiKey.ts';
import { createOriginGuard } from '../../src/server/originGuard.ts';
import type { Readiness } from '../../src/service/checkReadiness.ts';
import { auth, KEY, keys, type Rig, startRig } from './httpTestServer.ts';

let now = 1_000_000;
const clock: Clock = { now: () => now, sleep: () => Promise.reject(new Error('Not implemented.')) };
const spec = (name: string, more: object = {}) => ({ name, sha256: hashApiKey(`${name}-key`), ...more });
let readiness: Readiness = { ready: true, chains: { local: 'ok' }, aptos: {} };

let rig: Rig;
const observed: unknown[] = [];
beforeAll(async () => {
  rig = await startRig(
    {},
    {
      keys: [
        ...keys,
        spec('second', { perSecond: 2 }),
        spec('minute', { perMinute: 3, perSecond: 100 }),
        spec('evm', { groups: ['evm'] }),
      ],
      clock,
      originRules: { hostNames: ['data.example'], allowsAnyAddress: false, origins: ['https://app.example'] },
      checkReadiness: async () => readiness,
      renderMetrics: async () => ({ type: 'text/plain', text: 'up 1\n' }),
      onRequestCompleted: entry => void observed.push(entry),
    },
  );
});
afterEach(() => {
  rig.reset();
  observed.length = 0;
});
afterAll(() => rig.server.close(0));

const get = (path: string, headers: Record<string, string>) => rig.send(path, { headers });
const as = (name: string) => ({ 'x-api-key': `${name}-key` });

describe('keys', () => {
  test('each is accepted in either header, and logged by its name only', async () => {
    expect((await get('/api/v2/block/1', as('second'))).status).toBe(200);
    expect((await get('/api/v2/block/1', { authorization: 'Bearer minute-key' })).status).toBe(200);
    expect((await get('/api/v2/block/1', { authorization: 'bearer evm-key', 'x-api-key': 'another' })).status).toBe(
      200,
    );
    expect(rig.lines.map(line => line.split(' ').at(-1))).toEqual(['second', 'minute', 'evm']);
    expect(rig.lines.join()).not.toContain('-key');
    expect(observed).toMatchObject([
      { keyName: 'second' },
      { keyName: 'minute' },
      { keyName: 'evm', operation: 'block' },
    ]);
  });

  test.each<Record<string, string>>([
    { 'x-api-key': '' },
    { 'x-api-key': 'second' },
    { 'x-api-key': hashApiKey('second-key') },
    { authorization: 'Basic second-key' },
    { authorization: 'Bearer ' },
    { 'x-api-key': 'second-key, second-key' },
  ])('%j is a 401', async headers => {
    const reply = await get('/api/v2/block/1', headers);
    expect([reply.status, reply.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(rig.requests).toEqual([]);
  });

  test('over the limit per second a key gets 429 with the time to wait; other keys do not', async () => {
    now += 60_000;
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await get('/api/v2/block/1', as('second'))).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    const refused = await get('/api/v2/block/1', as('second'));
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'x-hexlens-fault': 'rate-limited' });
    expect(refused.body).toEqual({ message: 'The API key is over its limit of requests. Try again in 1 s.' });
    expect((await rig.send('/api/v2/block/1')).status).toBe(200);
    now += 500;
    expect((await get('/api/v2/block/1', as('second'))).status).toBe(200);
    expect((await get('/api/v2/block/1', as('second'))).status).toBe(429);
  });

  test('the limit per minute; a request that one limit rejects does not count for the other, and setting back the clock blocks no key', async () => {
    now += 60_000;
    const getStatus = async () => (await get('/aptos/wallets/nfts', as('minute'))).status;
    expect([await getStatus(), await getStatus(), await getStatus(), await getStatus()]).toEqual([400, 400, 400, 429]);
    expect((await get('/aptos/wallets/nfts', as('minute'))).headers['retry-after']).toBe('20');
    now -= 86_400_000;
    expect(await getStatus()).toBe(429);
    now += 20_000;
    expect([await getStatus(), await getStatus()]).toEqual([400, 429]);
  });

  test('a key for one group gets a 403 for the others, in their error shape', async () => {
    const reply = await get('/aptos/wallets/nfts', as('evm'));
    expect(reply.status).toBe(403);
    expect(reply.body).toMatchObject({ statusCode: 403, error: 'Forbidden' });
    expect((await get('/metrics', as('evm'))).status).toBe(403);
  });
});

describe('service pages', () => {
  test('/metrics needs a key', async () => {
    expect((await get('/metrics', {})).status).toBe(401);
    const reply = await get('/metrics', auth);
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([200, 'up 1\n', 'text/plain']);
    expect((await rig.send('/metrics', { method: 'POST' })).status).toBe(405);
  });

  test('/ready is 503 while a chain is unreachable, and names it', async () => {
    expect(await get('/ready', {})).toMatchObject({ status: 200, body: { status: 'ready', chains: { local: 'ok' } } });
    readiness = { ready: false, chains: { local: 'node-unreachable' }, aptos: { local: 'ok' } };
    const reply = await get('/ready', {});
    const { ready: _ready, ...checks } = readiness;
    expect([reply.status, reply.body]).toEqual([503, { status: 'not ready', ...checks }]);
    expect((await get('/health', {})).status).toBe(200);
  });

  test('/docs has every operation, no scripts and no resources: its style is allowed by its hash', async () => {
    const { status, text, headers } = await get('/docs', {});
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const id of operationIds) expect(text).toContain(`<h3 id="${id.toLowerCase()}">`);
    expect(text).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|style=|src=|@import|url\(/i);
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
    const anchors = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(match => match[1]));
    const links = [...text.matchAll(/href="([^"]*)"/g)].map(match => match[1] ?? '');
    expect(links.filter(link => !link.startsWith('#') || !anchors.has(link.slice(1)))).toEqual([]);
    expect(text.match(/<(table|tr|td|th|ul|li|p|pre|code|strong|a|h1|h2|h3)\b/g)?.length).toBe(
      text.match(/<\/(table|tr|td|th|ul|li|p|pre|code|strong|a|h1|h2|h3)>/g)?.length,
    );
  });

  test.each(['/health', '/ready', '/docs', '/openapi.json'])('HEAD %s has the headers and no body', async path => {
    const [head, whole] = [await rig.send(path, { method: 'HEAD', headers: {} }), await get(path, {})];
    expect([head.status, head.text]).toEqual([whole.status, '']);
    expect(head.headers['content-length']).toBe(whole.headers['content-length']);
  });
});

describe('pages of other origins', () => {
  const origin = 'https://app.example';

  test('an allowed one may read the response, and every response varies by origin', async () => {
    const reply = await get('/api/v2/block/1', { ...auth, origin });
    expect(reply.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
    expect(reply.headers['access-control-expose-headers']).toContain('x-hexlens-fault');
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
    const fault = await get('/api/v2/block/1', { origin });
    expect([fault.status, fault.headers['access-control-allow-origin']]).toEqual([401, origin]);
    expect((await get('/api/v2/block/1', auth)).headers).toMatchObject({ vary: 'Origin' });
  });

  test('a preflight request lists what it may send', async () => {
    const headers = {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-api-key',
      'access-control-request-private-network': 'true',
    };
    const reply = await rig.send('/api/v2/block/1', { method: 'OPTIONS', headers });
    expect(reply.status).toBe(204);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-private-network': 'true',
    });
    expect(reply.headers['access-control-allow-headers']).toContain('x-api-key');
  });

  test.each([
    'https://evil.example',
    'http://app.example',
    'https://app.example.evil',
    'null',
    'https://app.example:444',
  ])('%s is rejected, with and without a key', async other => {
    for (const headers of [{ ...auth, origin: other }, { origin: other }]) {
      const reply = await get('/api/v2/block/1', headers);
      expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([400, undefined]);
    }
    const preflight = await rig.send('/api/v2/block/1', { method: 'OPTIONS', headers: { origin: other } });
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([400, undefined]);
    expect(rig.requests).toEqual([]);
  });
});

describe('host names', () => {
  test.each([
    ['localhost', 200],
    ['LOCALHOST:1', 200],
    ['127.0.0.1:8547', 200],
    ['127.9.9.9', 200],
    ['[::1]:1', 200],
    ['data.example', 200],
    ['Data.Example:443', 200],
    ['evil.example', 400],
    ['localhost.evil.example', 400],
    ['evil.example#localhost', 400],
    ['localhost@evil.example', 400],
    ['evil.example/localhost', 400],
    ['192.168.1.1', 400],
    ['0.0.0.0', 400],
    ['local host', 400],
  ])('%s is %i', async (host, status) => {
    expect((await get('/api/v2/block/1', { ...auth, host })).status).toBe(status);
  });

  test('the host of an absolute target replaces the Host header', async () => {
    const sendRaw = (target: string) =>
      rig.raw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${KEY}\r\nConnection: close\r\n\r\n`);
    expect(await sendRaw('http://localhost:1/api/v2/block/1')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await sendRaw('http://evil.example/api/v2/block/1')).toMatch(/^HTTP\/1\.1 400 /);
    const nameless = await rig.raw(`GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n`);
    expect(nameless).toMatch(/^HTTP\/1\.1 400 /);
    expect(await sendRaw('ftp://localhost/api/v2/block/1')).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('a service for other machines accepts any address as host, but no unknown name', () => {
    const guard = createOriginGuard({ hostNames: [], allowsAnyAddress: true, origins: [] });
    for (const host of ['192.168.1.1:8547', '[fe80::1]:8547', '10.0.0.1']) expect(guard.check(host, {})).toEqual([]);
    for (const host of ['evil.example', '192.168.1.1.evil.example', '[::1', '1.2.3.4.5'])
      expect(() => guard.check(host, {}), host).toThrow('Host must be one of');
  });
});
