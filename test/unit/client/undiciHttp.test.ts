// The HTTP port against a real host: responses, compression, size limits.
import { isDeepStrictEqual } from 'node:util';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createHostJsonParser } from '../../../src/base/parseHostJson.ts';
import { expectFault } from './expectFault.ts';
import { json, startRemote } from './remoteServer.ts';
import { createHttp, get, SECRET, started } from './undiciHttpSetup.ts';

describe('responses', () => {
  test('returns status, headers and body, and reuses the connection', async () => {
    const remote = await started((seen, response) =>
      json(response, seen.target.includes('nothing') ? 404 : 200, { seen: seen.target }, { 'X-Thing': 'A' }),
    );
    const http = createHttp();
    const first = await http.send(get(remote.origin));
    expect(first.status).toBe(200);
    expect(first.headers['x-thing']).toBe('A');
    expect(JSON.parse(first.body)).toEqual({ seen: `/v2/${SECRET}?key=${SECRET}` });
    const second = await http.send({ ...get(remote.origin), url: `${remote.origin}/nothing` });
    expect(second.status).toBe(404);
    for (let i = 0; i < 6; i++) await http.send(get(remote.origin));
    expect(new Set(remote.seen.map(({ connection }) => connection)).size).toBe(1);
    expect(remote.seen[0]?.headers['accept']).toBe('application/json');
    expect(remote.seen[0]?.headers['accept-encoding']).toBeUndefined();
  });

  test('keeps a connection for a while, since opening another one takes up to three round trips', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    // Named by the response, so that the server adds no limit of its own.
    const connection = 'keep-alive';
    const remote = await started((_seen, response) => json(response, 200, {}, { connection }));
    const http = createHttp();
    await http.send(get(remote.origin));
    vi.advanceTimersByTime(40_000);
    await http.send(get(remote.origin));
    expect(remote.seen.map(seen => seen.connection)).toEqual([1, 1]);
    vi.advanceTimersByTime(60_000);
    await remote.idle();
  });

  test('sends the body of a POST as JSON', async () => {
    const remote = await started((seen, response) => json(response, 200, { echo: seen.body }));
    const { body } = await createHttp().send(get(remote.origin, { method: 'POST', body: '{"µ":1}' }));
    expect(JSON.parse(body)).toEqual({ echo: '{"µ":1}' });
    expect(remote.seen[0]?.headers['content-type']).toBe('application/json');
  });

  /** A short body is parsed at once. */
  const failToRead = () => {
    throw new Error('A short body is not read in pieces.');
  };

  test('gives the bytes of a body to parseBytes, and its text to the parser where that returns nothing', async () => {
    const remote = await started((seen, response) => json(response, 200, { echo: seen.body }));
    const send = (body: string) =>
      createHttp().send(
        get(remote.origin, {
          method: 'POST',
          body,
          parseBytes: bytes => (Buffer.from(bytes).includes('take') ? 'from bytes' : undefined),
          parser: { parse: text => `from ${text}`, createReader: failToRead },
        }),
      );
    expect(await send('take')).toMatchObject({ status: 200, body: '', parsed: 'from bytes' });
    expect(await send('leave')).toMatchObject({ body: '{"echo":"leave"}', parsed: 'from {"echo":"leave"}' });
  });

  test.each(['identity', 'gzip', 'deflate', 'deflate, gzip'])(
    'gives a long body of JSON as its value: %s',
    async encoding => {
      const value = Array.from({ length: 40_000 }, (_, n) => ({ n, text: `é ${'x'.repeat(50)}` }));
      const remote = await started((_seen, response) => {
        let body = Buffer.from(JSON.stringify(value));
        if (encoding.startsWith('deflate')) body = deflateSync(body);
        if (encoding.endsWith('gzip')) body = gzipSync(body);
        response.writeHead(200, { 'content-encoding': encoding }).end(body);
      });
      const { body, parsed } = await createHttp().send(get(remote.origin, { parser: createHostJsonParser() }));
      expect(body).toBe('');
      expect(isDeepStrictEqual((parsed as { readonly value?: unknown }).value, value)).toBe(true);
    },
  );

  test('reads no more of a long body that is not JSON', async () => {
    const sent = Buffer.alloc(65_536, ' ');
    let isClosed = false;
    const remote = await started((_seen, response) => {
      const write = () => {
        while (!response.destroyed && response.write(sent));
      };
      response.on('drain', write).on('close', () => {
        isClosed = true;
      });
      write();
    });
    const { parsed } = await createHttp().send(get(remote.origin, { parser: createHostJsonParser() }));
    expect((parsed as { readonly invalid?: string }).invalid).toMatch(/^ +$/);
    await expect.poll(() => isClosed).toBe(true);
  });

  test('sends a user name in the URL as basic authentication', async () => {
    const remote = await started((_seen, response) => json(response, 200, {}));
    await createHttp().send(get(`http://me:p%40ss@127.0.0.1:${remote.port}`));
    expect(remote.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    expect(remote.seen[0]?.target).not.toContain('me');
  });

  test('returns a redirect and does not follow it', async () => {
    const target = await startRemote((_seen, response) => json(response, 200, {}));
    onTestFinished(() => target.close());
    const remote = await started((_seen, response) => response.writeHead(302, { location: `${target.origin}/` }).end());
    const response = await createHttp().send(get(remote.origin, { headers: { 'x-api-key': SECRET } }));
    expect(response.status).toBe(302);
    expect(target.seen).toEqual([]);
  });

  test('ignores informational responses', async () => {
    const remote = await started((_seen, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      json(response, 200, { real: true });
    });
    expect(await createHttp().send(get(remote.origin))).toMatchObject({ status: 200, body: '{"real":true}' });
  });

  test('uses a limited number of connections', async () => {
    let open = 0;
    let most = 0;
    const remote = await started((_seen, response) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open--;
        json(response, 200, {});
      });
    });
    const http = createHttp();
    const all = await Promise.all(Array.from({ length: 200 }, () => http.send(get(remote.origin))));
    expect(all.every(({ status }) => status === 200)).toBe(true);
    expect(most).toBeGreaterThan(1);
    expect(Math.max(...remote.seen.map(({ connection }) => connection))).toBeLessThanOrEqual(32);
  });
});

describe('compressed bodies', () => {
  const text = JSON.stringify({ text: 'packed '.repeat(1000) });
  test.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['GZIP, br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
  ])('are decompressed: %s', async (encoding, body) => {
    const remote = await started((_seen, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body),
    );
    expect((await createHttp().send(get(remote.origin))).body).toBe(text);
  });

  test.each([
    ['gzip', Buffer.from('no gzip at all')],
    ['gzip', gzipSync(text).subarray(0, 40)],
    ['lzma', Buffer.from(text)],
    ['gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(text)))],
    ['constructor', Buffer.from(text)],
  ])('%s with an invalid encoding is a fault', async (encoding, body) => {
    const remote = await started((_seen, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body),
    );
    const fault = await expectFault(createHttp().send(get(remote.origin)));
    expect(fault.code).toBe('node-unreachable');
    expect(fault.message).toMatch(
      /^The compressed response of 127\.0\.0\.1:\d+ is damaged or has an unsupported encoding/,
    );
  });

  test('stops decompressing a zip bomb at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(64 << 20));
    expect(bomb.length).toBeLessThan(1 << 20);
    const remote = await started((_seen, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const before = process.memoryUsage().arrayBuffers;
    const fault = await expectFault(createHttp().send(get(remote.origin, { maxBytes: 1 << 20 })));
    expect(fault.code).toBe('too-large');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 << 20);
  });
});

describe('size', () => {
  test('aborts an endless body at the limit', async () => {
    const remote = await started((_seen, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(64 << 10, 'a');
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    });
    const fault = await expectFault(createHttp().send(get(remote.origin, { maxBytes: 1 << 20 })));
    expect(fault).toMatchObject({
      code: 'too-large',
      message: `The response of ${remote.origin.slice(7)} is larger than 1 MiB.`,
    });
    await remote.idle();
  });

  test('does not read a body whose length exceeds the limit', async () => {
    const remote = await started((_seen, response) => {
      response.writeHead(200, { 'content-length': String(10 << 20) });
      response.flushHeaders();
    });
    const fault = await expectFault(createHttp().send(get(remote.origin, { maxBytes: 1 << 20 })));
    expect(fault.code).toBe('too-large');
    await remote.idle();
  });
});
