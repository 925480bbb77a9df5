// Retries against a real host with a fake clock: when, after which delay, and when not.
import { describe, expect, test } from 'vitest';
import { INITIAL_BACKOFF_MS, isRetryableStatus, MAX_ATTEMPTS } from '../../../src/client/sendWithRetries.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { findFreePort } from '../../support/freePort.ts';
import { expectFault } from './expectFault.ts';
import { good, inTurn, reset, start, status } from './httpTransportSetup.ts';

describe('retry', () => {
  test('retries twice after 503, with delays within the jitter', async () => {
    for (const random of [0, 0.999]) {
      const { remote, client, clock } = await start(inTurn(status(503), status(503), good), { random });
      expect((await client.nftTransfers({})).result).toEqual([]);
      expect(remote.seen).toHaveLength(3);
      expect(clock.sleeps).toEqual([random * INITIAL_BACKOFF_MS, random * INITIAL_BACKOFF_MS * 2]);
    }
  });

  test('rejects with the last response after the last attempt', async () => {
    const { remote, client, clock } = await start(status(500));
    const fault = await expectFault(client.nftTransfers({}));
    expect(fault).toMatchObject({ code: 'host-error', message: 'The host says why' });
    expect(remote.seen).toHaveLength(MAX_ATTEMPTS);
    expect(clock.sleeps).toHaveLength(MAX_ATTEMPTS - 1);
  });

  test('waits for the seconds of Retry-After', async () => {
    const { client, clock } = await start(inTurn(status(429, { 'retry-after': '3' }), good));
    await client.nftTransfers({});
    expect(clock.sleeps).toEqual([3_000]);
  });

  test('waits until the date of Retry-After, by the host’s clock', async () => {
    const clock = createFakeClock();
    const theirs = clock.now() - 3_600_000; // the host is an hour behind
    const headers = { date: new Date(theirs).toUTCString(), 'retry-after': new Date(theirs + 4_000).toUTCString() };
    const { client } = await start(inTurn(status(429, headers), good), { clock });
    await client.nftTransfers({});
    expect(clock.sleeps).toEqual([4_000]);
  });

  test('reports a Retry-After beyond the remaining time instead of waiting', async () => {
    const { remote, client, clock } = await start(status(429, { 'retry-after': '3600' }));
    const fault = await expectFault(client.nftTransfers({}));
    expect(fault).toMatchObject({ code: 'rate-limited', retryAfterMs: 3_600_000 });
    expect(remote.seen).toHaveLength(1);
    expect(clock.sleeps).toEqual([]);
  });

  test('never delays beyond the time of the whole request', async () => {
    const { client, clock } = await start(status(503, { 'retry-after': '2' }), { timeoutMs: 5_000 });
    await expectFault(client.nftTransfers({}));
    expect(clock.sleeps).toEqual([2_000, 2_000]);
  });

  test('retries after a reset connection', async () => {
    const { remote, client } = await start(inTurn(reset, reset, good));
    await client.nftTransfers({});
    expect(remote.seen).toHaveLength(3);
  });

  test('retries an unreachable host, then names it', async () => {
    const port = await findFreePort(); // no connection takes it in between
    const { client, clock } = await start(good, { baseUrl: () => `http://127.0.0.1:${port}` });
    const fault = await expectFault(client.nftTransfers({}));
    expect(fault.code).toBe('node-unreachable');
    expect(clock.sleeps).toHaveLength(MAX_ATTEMPTS - 1);
  });

  test.each([
    ['503', status(503)],
    ['429', status(429, { 'retry-after': '0' })],
    ['a reset connection', reset],
  ])('a POST is never repeated: %s', async (_name, behave) => {
    const { remote, client, clock } = await start(behave);
    await expectFault(client.verifySignIn({ message: 'm', signature: '0x00' }));
    expect(remote.seen).toHaveLength(1);
    expect(clock.sleeps).toEqual([]);
  });

  test.each([400, 401, 403, 404, 405, 410, 413, 422, 424, 501, 505])('%i is not tried again', async code => {
    const { remote, client } = await start(status(code));
    await expectFault(client.nftTransfers({}));
    expect(remote.seen).toHaveLength(1);
  });

  test('does not retry a host that used up the time', async () => {
    const { remote, client } = await start(() => {}, { timeoutMs: 150, real: true, random: 0 });
    const fault = await expectFault(client.nftTransfers({}));
    expect(fault.code).toBe('node-timeout');
    expect(remote.seen.length).toBeLessThanOrEqual(1);
  });

  test('does not retry untrusted certificates', async () => {
    const { client, clock } = await start(good, { baseUrl: origin => origin.replace('http:', 'https:') });
    const fault = await expectFault(client.nftTransfers({}));
    expect(fault.message).toMatch(/does not speak TLS/);
    expect(clock.sleeps).toEqual([]);
  });

  test('stops the delay when cancelled, and sends nothing more', async () => {
    const clock = createFakeClock('manual');
    const { remote, client } = await start(status(503), { clock });
    const controller = new AbortController();
    const sent = client.nftTransfers({}, { signal: controller.signal });
    await expect.poll(() => clock.sleeps.length).toBe(1);
    controller.abort();
    expect((await expectFault(sent)).code).toBe('cancelled');
    clock.advance(60_000);
    expect(remote.seen).toHaveLength(1);
  });

  test('retries 408, 429 and 5xx except 501 and 505', () => {
    const all = Array.from({ length: 600 }, (_, i) => i).filter(isRetryableStatus);
    expect(all.filter(code => code < 500)).toEqual([408, 429]);
    expect(all.filter(code => code >= 500)).toHaveLength(98);
  });
});
