// Wrong keys: limited per address and minute, without effect on other addresses.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import type { Log } from '../../src/base/log.ts';
import { HttpApp } from '../../src/server/httpApp.ts';
import { createKeyGuessLimiter, MAX_WRONG_KEYS_PER_MINUTE, toPeerName } from '../../src/server/keyGuessLimiter.ts';
import { KEY, keys, okReply, type Rig, startRig } from './httpTestServer.ts';

let now = 1_000_000;
const clock: Clock = { now: () => now, sleep: () => Promise.reject(new Error('Not implemented.')) };
const rigs: Rig[] = [];
afterAll(() => Promise.all(rigs.map(rig => rig.server.close(0))));
beforeEach(() => {
  now += 3_600_000;
});

describe('from this machine, over a socket', () => {
  test('too many get a 429 with the time to wait; the right key still works', async () => {
    const rig = await startRig({}, { clock });
    rigs.push(rig);
    const status = async (headers: Record<string, string>) => (await rig.send('/api/v2/block/1', { headers })).status;
    for (let i = 0; i < MAX_WRONG_KEYS_PER_MINUTE; i++) {
      const headers = i % 2 === 0 ? { 'x-api-key': `guess-${i}` } : { authorization: `Bearer guess-${i}` };
      expect(await status(headers)).toBe(401);
    }
    const refused = await rig.send('/aptos/wallets/nfts', { headers: { 'x-api-key': 'guess' } });
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({ 'retry-after': '2', 'x-hexlens-fault': 'rate-limited' });
    expect(refused.body).toMatchObject({ statusCode: 429, message: [expect.stringContaining('wrong API keys')] });
    expect(await status({ 'x-api-key': KEY })).toBe(200);
    expect(await status({})).toBe(401); // no guess
    now += 2_000;
    expect([await status({ 'x-api-key': 'guess' }), await status({ 'x-api-key': 'guess' })]).toEqual([401, 429]);
    expect(await status({ 'x-api-key': KEY })).toBe(200);
    expect(rig.lines.filter(line => line.includes('Too many wrong API keys come from 127.0.0.1'))).toHaveLength(1);
    expect(rig.lines.join()).not.toContain('guess');
    expect(rig.requests).toHaveLength(2);
  });
});

describe('from other machines', () => {
  const lines: string[] = [];
  const line = (message: string) => void lines.push(message);
  const log: Log = { debug: line, info: line, warn: line, error: line };
  const make = () =>
    new HttpApp({
      call: okReply,
      keys,
      log,
      clock,
      originRules: { hostNames: [], allowsAnyAddress: true, origins: [] },
    });
  const createSender =
    (app: ReturnType<typeof make>) =>
    async (peer: string, key: string): Promise<number> => {
      const headers = { host: '127.0.0.1', 'x-api-key': key };
      const { response } = await app.handle({
        ...{
          method: 'GET',
          target: '/api/v2/block/1',
          headers,
          rawHeaders: ['Host', '127.0.0.1'],
          remoteAddress: peer,
        },
        ...{ signal: new AbortController().signal, readBody: async () => '' },
      });
      return response.status;
    };
  const exhaust = async (send: ReturnType<typeof createSender>, peer: string) => {
    // Guesses until one is over the limit, which is far below a thousand.
    for (let guesses = 0; (await send(peer, 'guess')) !== 429; guesses++) expect(guesses).toBeLessThan(1_000);
  };

  test('an address over the limit is rejected even with the right key; others are not', async () => {
    const send = createSender(make());
    await exhaust(send, '203.0.113.7');
    expect(await send('203.0.113.7', KEY)).toBe(429);
    expect(await send('::ffff:203.0.113.7', KEY)).toBe(429);
    expect(await send('203.0.113.8', KEY)).toBe(200);
    expect(await send('127.0.0.1', KEY)).toBe(200);
    expect(await send('::1', KEY)).toBe(200);
    now += 2_000;
    expect(await send('203.0.113.7', KEY)).toBe(200);
    expect(await send('203.0.113.7', 'guess')).toBe(401);
    expect(await send('203.0.113.7', KEY)).toBe(429);
  });

  test.each(['127.0.0.2', '::1', '172.17.0.2', '192.168.1.9', '::ffff:10.0.0.1', 'fd00::5', 'fe80::1'])(
    '%s may be a proxy of many clients: the right key still works',
    async peer => {
      const send = createSender(make());
      await exhaust(send, peer);
      expect([await send(peer, KEY), await send(peer, 'guess')]).toEqual([200, 429]);
    },
  );

  test('all addresses of an IPv6 network count as one, those of the next network do not', async () => {
    const send = createSender(make());
    await exhaust(send, '2001:db8:1:2::1');
    expect(await send('2001:db8:1:2:ffff::9', KEY)).toBe(429);
    expect(await send('2001:db8:1:3::1', KEY)).toBe(200);
  });

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['::1', '::1'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['::5', '0:0:0:0::/64'],
    ['', ''],
  ])('%s counts as %s', (address, name) => expect(toPeerName(address)).toBe(name));

  test('memory is bounded: beyond 10,000 addresses the oldest is dropped', () => {
    const guesses = createKeyGuessLimiter({ clock, log });
    const code = (peer: string) => guesses.recordWrongKey(peer).code;
    for (let count = 0; code('198.51.100.1') === 'unauthorized'; count++) expect(count).toBeLessThan(1_000);
    for (let i = 0; i < 9_999; i++) code(`10.0.${i >> 8}.${i & 255}`);
    expect(() => guesses.check({ remoteAddress: '198.51.100.1' })).toThrow('Too many wrong API keys'); // just used again
    for (let i = 0; i < 10_000; i++) code(`10.1.${i >> 8}.${i & 255}`);
    expect(code('198.51.100.1')).toBe('unauthorized');
  });
});
