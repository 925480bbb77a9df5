// VS Code's proxy settings against a real proxy on loopback.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { defaultProxyConfiguration, type ProxyConfiguration } from '../../../src/api/configuration.ts';
import type { HttpRequest } from '../../../src/base/httpPort.ts';
import type { ResolveName } from '../../../src/client/publicAddresses.ts';
import { createUndiciHttp } from '../../../src/client/undiciHttp.ts';
import { findFreePort } from '../../support/freePort.ts';
import { expectFault } from './expectFault.ts';
import { json, startRemote } from './remoteServer.ts';

const PRIVATE_NAME = 'private.example';
const resolveName: ResolveName = async name => (name === PRIVATE_NAME ? ['1.1.1.1', '10.0.0.1'] : ['1.1.1.1']);

/** Reaches this machine without being a name for it, so that proxies are used for it. */
const OUTSIDE = '0.0.0.0';
const KEY = 'secret-key';

interface Proxied {
  /** `CONNECT host:port`, or method and absolute URL. */
  readonly line: string;
  readonly authorization: string | undefined;
  /** Everything that the proxy could read. */
  readonly headers: string;
}

interface Proxy {
  readonly url: string;
  readonly port: number;
  readonly seen: Proxied[];
}

/** `password`: what it wants as `Proxy-Authorization`. `refuse`: the status that it answers CONNECT with. */
async function startProxy(
  target: () => number,
  options: { readonly password?: string; readonly refuse?: number } = {},
): Promise<Proxy> {
  const seen: Proxied[] = [];
  const sockets = new Set<Socket>();
  const note = (line: string, headers: Record<string, unknown>) =>
    seen.push({
      line,
      authorization: headers['proxy-authorization'] as string | undefined,
      headers: JSON.stringify(headers),
    });
  const allowed = (header: unknown) => options.password === undefined || header === options.password;
  const server: Server = createServer((request, response) => {
    note(`${request.method} ${request.url}`, request.headers);
    if (!allowed(request.headers['proxy-authorization'])) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end('no');
      return;
    }
    json(response, 200, { via: 'proxy', encoding: request.headers['accept-encoding'] });
  });
  server.on('connect', (request, client: Socket) => {
    note(`CONNECT ${request.url}`, request.headers);
    const status = allowed(request.headers['proxy-authorization']) ? (options.refuse ?? 200) : 407;
    client.write(`HTTP/1.1 ${status} Answer\r\n\r\n`);
    if (status !== 200) return client.end();
    // Whatever the name, the tunnel ends at the test's own server.
    const upstream = connect(target(), '127.0.0.1', () => {
      upstream.pipe(client);
      client.pipe(upstream);
    });
    for (const socket of [upstream, client]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
  });
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, seen };
}

async function startTls(): Promise<{ readonly port: number; readonly keys: unknown[] }> {
  const file = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url));
  const keys: unknown[] = [];
  const server = createTlsServer(
    { key: file('self-signed.key.pem'), cert: file('self-signed.cert.pem') },
    (request, response) => {
      keys.push(request.headers['x-api-key']);
      json(response, 200, { host: request.headers.host });
    },
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, keys };
}

function send(url: string, proxy: Partial<ProxyConfiguration>, extra: Partial<HttpRequest> = {}) {
  const http = createUndiciHttp(
    { ...defaultProxyConfiguration, strictSsl: false, systemCertificates: false, ...proxy },
    { timeoutMs: 60_000, resolveName },
  );
  onTestFinished(() => http.stop());
  return http.send({ method: 'GET', url, headers: { 'x-api-key': KEY }, logLabel: '/', ...extra });
}

const nowhere = () => 0;

// The machine's own proxy variables must not decide what is tested here.
for (const name of ['http_proxy', 'https_proxy', 'no_proxy']) {
  vi.stubEnv(name, undefined);
  vi.stubEnv(name.toUpperCase(), undefined);
}
afterEach(() => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']) vi.stubEnv(name, undefined);
});
afterAll(() => vi.unstubAllEnvs()); // the next file of this worker has the same environment

describe('https through a tunnel', () => {
  test('shows the proxy the host only, never the key or the path', async () => {
    const target = await startTls();
    const proxy = await startProxy(() => target.port);
    const response = await send('https://data.example/v2/secret-path?chain=eth', { url: proxy.url });
    expect(JSON.parse(response.body)).toEqual({ host: 'data.example' });
    expect(target.keys).toEqual([KEY]);
    expect(proxy.seen.map(({ line }) => line)).toEqual(['CONNECT data.example:443']);
    expect(proxy.seen[0]?.headers).not.toContain('secret');
  });

  test('sends the configured password to the proxy', async () => {
    const target = await startTls();
    const proxy = await startProxy(() => target.port, { password: 'Basic c2VjcmV0OnNlY3JldA==' });
    const response = await send('https://data.example/', {
      url: proxy.url,
      authorization: 'Basic c2VjcmV0OnNlY3JldA==',
    });
    expect(response.status).toBe(200);
  });

  test('takes the password from the URL of the proxy', async () => {
    const target = await startTls();
    const proxy = await startProxy(() => target.port, { password: 'Basic c2VjcmV0OnNlY3JldA==' });
    const url = `http://secret:secret@127.0.0.1:${proxy.port}`;
    expect((await send('https://data.example/', { url })).status).toBe(200);
  });

  test.each(['https://data.example/', `http://${OUTSIDE}:81/`])('fails without the password, %s', async url => {
    const proxy = await startProxy(nowhere, { password: 'Basic c2VjcmV0OnNlY3JldA==' });
    const fault = await expectFault(send(url, { url: proxy.url, authorization: 'Basic wrong' }));
    expect(fault).toMatchObject({
      code: 'node-unreachable',
      message: 'The proxy wants a user name and password.',
      fix: 'Put them into http.proxy or http.proxyAuthorization.',
    });
  });

  test('reports a proxy that rejects the tunnel', async () => {
    const proxy = await startProxy(nowhere, { refuse: 403 });
    const fault = await expectFault(send('https://data.example/', { url: proxy.url }));
    expect(fault).toMatchObject({
      code: 'node-unreachable',
      message: 'The proxy does not let HexLens through to data.example (403).',
    });
  });

  test('checks certificates inside the tunnel', async () => {
    const target = await startTls();
    const proxy = await startProxy(() => target.port);
    const fault = await expectFault(send('https://data.example/', { url: proxy.url, strictSsl: true }));
    expect(fault.message).toBe(
      'The certificate of data.example is not signed by an authority that this machine trusts.',
    );
    expect(target.keys).toEqual([]);
  });

  test.each(['localhost.', 'foo.localhost', 'intranet', 'printer.local', 'db.internal', 'nas.home.arpa', '10.0.0.1'])(
    'sends no proxy a request for %s when a contract names it',
    async host => {
      const proxy = await startProxy(nowhere);
      const fault = await expectFault(send(`https://${host}/`, { url: proxy.url }, { urlFromContract: true }));
      expect(fault.code).toBe('egress-refused');
      expect(proxy.seen).toEqual([]);
    },
  );

  test('sends no proxy a request for a name that resolves to a private address when a contract names it', async () => {
    const proxy = await startProxy(nowhere);
    const fault = await expectFault(send(`https://${PRIVATE_NAME}/`, { url: proxy.url }, { urlFromContract: true }));
    expect(fault.code).toBe('egress-refused');
    expect(proxy.seen).toEqual([]);
  });

  test('sends the proxy a request for a public host that a contract names', async () => {
    const target = await startTls();
    const proxy = await startProxy(() => target.port);
    const response = await send('https://data.example/', { url: proxy.url }, { urlFromContract: true });
    expect(JSON.parse(response.body)).toEqual({ host: 'data.example' });
  });

  describe('names of contracts', () => {
    const cancelled = AbortSignal.abort();
    /** How often the name is resolved before the request is cancelled. */
    async function countResolved(settings: Partial<ProxyConfiguration>, requestCount = 1) {
      const countingResolveName = vi.fn(resolveName);
      const http = createUndiciHttp(
        { ...defaultProxyConfiguration, ...settings },
        { resolveName: countingResolveName },
      );
      onTestFinished(() => http.stop());
      const request = { method: 'GET', url: 'https://data.example/', logLabel: '/', urlFromContract: true } as const;
      for (let count = 0; count < requestCount; count++)
        expect((await expectFault(http.send({ ...request, signal: cancelled }))).code).toBe('cancelled');
      return countingResolveName.mock.calls.length;
    }
    const url = 'http://127.0.0.1:1';

    test('are resolved once for several requests through a proxy', async () => {
      expect(await countResolved({ url }, 3)).toBe(1);
      vi.stubEnv('HTTPS_PROXY', url);
      expect(await countResolved({})).toBe(1);
      expect(
        await countResolved({ noProxy: ['other.example', 'xdata.example', '*.data.example', 'data.example:80'] }),
      ).toBe(1);
    });

    test('are not resolved where no proxy is used', async () => {
      expect(await countResolved({})).toBe(0);
      for (const entry of ['*', 'example', '.example', '*.example', 'DATA.example.'])
        expect(await countResolved({ url, noProxy: ['other.example', entry] }), entry).toBe(0);
      vi.stubEnv('HTTPS_PROXY', url);
      vi.stubEnv('NO_PROXY', 'data.example');
      expect(await countResolved({})).toBe(0);
    });
  });

  test('names the proxy when the proxy is unreachable', async () => {
    const port = await findFreePort(); // no connection takes it in between
    const fault = await expectFault(send('https://data.example/', { url: `http://127.0.0.1:${port}` }));
    expect(fault).toMatchObject({
      code: 'node-unreachable',
      message: `The proxy at 127.0.0.1:${port} is unreachable.`,
    });
    expect(fault.fix).toContain('http.proxy');
  });
});

describe('choice of the proxy', () => {
  const start = async () => {
    const target = await startRemote((_seen, response) => json(response, 200, { via: 'no proxy' }));
    onTestFinished(() => target.close());
    const proxy = await startProxy(() => target.port);
    const via = async (settings: Partial<ProxyConfiguration>, host = OUTSIDE) =>
      JSON.parse((await send(`http://${host}:${target.port}/`, settings)).body).via;
    return { target, proxy, via };
  };

  test('uses the proxy of the settings, also for plain http and compressed responses', async () => {
    const { proxy, target, via } = await start();
    expect(await via({ url: proxy.url })).toBe('proxy');
    expect(proxy.seen.map(({ line }) => line)).toEqual([`GET http://${OUTSIDE}:${target.port}/`]);
    expect(proxy.seen[0]?.headers).toContain('"accept-encoding":"gzip, deflate, br"');
  });

  test('uses the proxy of the environment without a setting', async () => {
    const { proxy, via } = await start();
    vi.stubEnv('HTTP_PROXY', proxy.url);
    expect(await via({})).toBe('proxy');
  });

  test('uses no proxy without setting and environment', async () => {
    const { via } = await start();
    expect(await via({})).toBe('no proxy');
  });

  test('uses no proxy when http.proxySupport is off', async () => {
    const { proxy, via } = await start();
    vi.stubEnv('HTTP_PROXY', proxy.url);
    expect(await via({ url: proxy.url, support: 'off' })).toBe('no proxy');
  });

  test('uses no proxy for hosts of http.noProxy', async () => {
    const { proxy, via } = await start();
    expect(await via({ url: proxy.url, noProxy: ['data.example', OUTSIDE] })).toBe('no proxy');
    expect(await via({ url: proxy.url, noProxy: ['data.example'] })).toBe('proxy');
  });

  test('uses no proxy for hosts of NO_PROXY', async () => {
    const { proxy, via } = await start();
    vi.stubEnv('NO_PROXY', OUTSIDE);
    expect(await via({ url: proxy.url })).toBe('no proxy');
  });

  test.each(['127.0.0.1', 'localhost'])('never for this machine: %s', async host => {
    const { proxy, via } = await start();
    expect(await via({ url: proxy.url }, host)).toBe('no proxy');
    expect(proxy.seen).toEqual([]);
  });
});

describe('invalid proxy settings', () => {
  test.each(['nonsense', 'ftp://127.0.0.1:1', 'socks4://127.0.0.1:1', 'http://'])('are refused: %s', async url => {
    const fault = await expectFault(send('https://data.example/', { url }));
    expect(fault.code).toBe('node-unreachable');
    expect(fault.message).toBe('The proxy of the settings is not supported.');
  });

  test('are reported when they come from the environment', async () => {
    vi.stubEnv('HTTPS_PROXY', 'nonsense');
    const fault = await expectFault(send('https://data.example/', {}));
    expect(fault.message).toBe('The proxy of the environment is not supported.');
  });

  test('treats an empty http.proxy as none', async () => {
    const target = await startRemote((_seen, response) => json(response, 200, { via: 'no proxy' }));
    onTestFinished(() => target.close());
    expect((await send(`http://${OUTSIDE}:${target.port}/`, { url: '' })).status).toBe(200);
  });
});
