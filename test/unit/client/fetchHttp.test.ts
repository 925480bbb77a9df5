// The HTTP port of browsers over Node's fetch, against a real host.
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createHostJsonParser, type HostJson } from '../../../src/base/parseHostJson.ts';
import { createFetchHttp, type FetchOptions } from '../../../src/client/fetchHttp.ts';
import { ResponseBudget } from '../../../src/client/responseBudget.ts';
import { expectFault } from './expectFault.ts';
import { json } from './remoteServer.ts';
import { get, started } from './undiciHttpSetup.ts';

function createHttp(options: FetchOptions = {}) {
  const http = createFetchHttp(options);
  onTestFinished(() => http.stop());
  return http;
}

test('returns status, headers and body of a POST', async () => {
  const remote = await started((seen, response) => json(response, 404, { echo: seen.body }, { 'X-Thing': 'A' }));
  const response = await createHttp().send(get(remote.origin, { method: 'POST', body: '{"µ":1}' }));
  expect(response).toMatchObject({ status: 404, body: '{"echo":"{\\"µ\\":1}"}' });
  expect(response.headers['x-thing']).toBe('A');
  expect(remote.seen[0]?.headers['content-type']).toBe('application/json');
});

test('returns binary bodies as base64', async () => {
  const remote = await started((_seen, response) => response.end(Buffer.from([0, 255, 128])));
  expect((await createHttp().send(get(remote.origin, { binary: true }))).body).toBe('AP+A');
});

test('sends a user name in the URL as basic authentication', async () => {
  const remote = await started((_seen, response) => json(response, 200, {}));
  await createHttp().send(get(`http://me:p%40ss@127.0.0.1:${remote.port}`));
  expect(remote.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
});

test('does not read more than the limit', async () => {
  const remote = await started((_seen, response) => response.end('x'.repeat(100_000)));
  expect((await expectFault(createHttp({ maxBytes: 1_000 }).send(get(remote.origin)))).code).toBe('too-large');
});

test('counts a response to the memory for all of them until it is parsed', async () => {
  const remote = await started((_seen, response) => response.end('x'.repeat(1_000)));
  const http = createHttp({ budget: new ResponseBudget(1_500) });
  const parsing = Promise.withResolvers<HostJson>();
  let isRead = false;
  const parse = () => {
    isRead = true;
    return parsing.promise;
  };
  const parser = { ...createHostJsonParser(), parse };
  const first = http.send(get(remote.origin, { parser }));
  await expect.poll(() => isRead).toBe(true);
  expect((await expectFault(http.send(get(remote.origin)))).code).toBe('too-large');
  parsing.resolve({ value: 'parsed', length: 1_000 });
  expect((await first).parsed).toEqual({ value: 'parsed', length: 1_000 });
  expect((await http.send(get(remote.origin))).body).toHaveLength(1_000);
});

test('rejects a body that is too large although it cannot be cancelled', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const body = new ReadableStream({
    pull: controller => controller.enqueue(new Uint8Array(2_000)),
    cancel: () => Promise.reject(new Error('It has broken.')),
  });
  vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response(body));
  try {
    const fault = await expectFault(createHttp({ maxBytes: 1_000 }).send(get('http://host.example')));
    expect(fault.code).toBe('too-large');
    await setImmediate(); // rejections without a handler are known at the end of a turn
    expect(unhandled).toEqual([]);
  } finally {
    vi.restoreAllMocks();
    process.off('unhandledRejection', note);
  }
});

test('rejects with the reason: cancelled, timed out, unreachable', async () => {
  const remote = await started(() => {}); // never responds
  const controller = new AbortController();
  const cancelled = createHttp().send(get(remote.origin, { signal: controller.signal }));
  controller.abort();
  expect((await expectFault(cancelled)).code).toBe('cancelled');
  expect((await expectFault(createHttp({ timeoutMs: 20 }).send(get(remote.origin)))).code).toBe('node-timeout');
  expect((await expectFault(createHttp().send(get('http://127.0.0.1:1')))).code).toBe('node-unreachable');
  const stopped = createHttp();
  const pending = stopped.send(get(remote.origin));
  await stopped.stop();
  expect((await expectFault(pending)).code).toBe('cancelled');
});

test('sends nothing to an address that a contract chose', async () => {
  const http = createHttp();
  for (const url of [
    'https://10.0.0.1/x',
    'https://[fd00::1]/x',
    'https://localhost/x',
    'https://a.localhost/x',
    'https://localhost./x',
  ])
    expect((await expectFault(http.send({ ...get('http://unused.example'), url, urlFromContract: true }))).code).toBe(
      'egress-refused',
    );
});
