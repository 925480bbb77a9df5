// The memory for all responses together: what exceeds it is rejected, and each response gives back what it took.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultProxyConfiguration } from '../../../src/api/configuration.ts';
import { getFaultCode, HexLensError } from '../../../src/base/errors.ts';
import { ResponseBudget } from '../../../src/client/responseBudget.ts';
import { createUndiciHttp } from '../../../src/client/undiciHttp.ts';

const BODY = Buffer.alloc(1_000_000, 'a');
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(BODY));
    else if (request.url === '/damaged') response.writeHead(200, { 'content-encoding': 'gzip' }).end(BODY);
    else if (request.url === '/hang') response.write(BODY);
    else response.end(BODY);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function createClient(maxBytes: number) {
  const budget = new ResponseBudget(maxBytes);
  const http = createUndiciHttp(defaultProxyConfiguration, { budget });
  const get = (path: string, parse?: (body: string) => unknown, timeoutMs = 60_000) =>
    http.send({
      method: 'GET',
      url: `${url}${path}`,
      logLabel: path,
      timeoutMs,
      ...(parse !== undefined && {
        parser: { parse, createReader: () => ({ add: async () => true, end: async () => parse('') }) },
      }),
    });
  /** Whether nothing is taken. */
  const isFree = () => {
    const isAll = budget.take(maxBytes);
    if (isAll) budget.give(maxBytes);
    return isAll;
  };
  return { http, get, isFree };
}

test('a response counts until it is parsed, and another one that does not fit is rejected', async () => {
  const { http, get, isFree } = createClient(1_500_000);
  const parsing = Promise.withResolvers<void>();
  const parsed = Promise.withResolvers<void>();
  const first = get('/', () => {
    parsing.resolve();
    return parsed.promise;
  });
  await parsing.promise; // until then either of two responses may be the one that does not fit
  expect(isFree()).toBe(false);
  const fault = await get('/').catch((error: unknown) => error as HexLensError);
  expect(getFaultCode(fault)).toBe('too-large');
  expect((fault as HexLensError).message).toMatch(/and the others that are being read are larger than 1 MiB together/);
  parsed.resolve();
  await first;
  expect(isFree()).toBe(true);
  expect((await get('/')).body).toHaveLength(1_000_000);
  await http.stop();
});

test('what is decompressed counts too', async () => {
  const { http, get, isFree } = createClient(900_000);
  expect(getFaultCode(await get('/gzip').catch(error => error))).toBe('too-large');
  expect(isFree()).toBe(true);
  await http.stop();
});

test('a response that is damaged, late, cancelled or not parsed gives back what it took', async () => {
  const { http, get, isFree } = createClient(2_500_000);
  expect(getFaultCode(await get('/damaged').catch(error => error))).toBe('node-unreachable');
  expect(getFaultCode(await get('/hang', undefined, 300).catch(error => error))).toBe('node-timeout');
  const reject = () => Promise.reject(new HexLensError('too-large', 'No.'));
  expect(getFaultCode(await get('/', reject).catch(error => error))).toBe('too-large');
  expect(isFree()).toBe(true);
  await http.stop();
});
