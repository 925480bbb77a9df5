// The HTTP port against failing hosts: timeouts, incomplete responses, resets, certificates, cancellation.
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createUndiciHttp } from '../../../src/client/undiciHttp.ts';
import { findFreePort } from '../../support/freePort.ts';
import { expectFault } from './expectFault.ts';
import { json } from './remoteServer.ts';
import { createHttp, direct, get, started } from './undiciHttpSetup.ts';

describe('time', () => {
  test('times out when a host never responds', async () => {
    const remote = await started(() => {});
    // On a busy machine a short timeout may be over before there is a connection.
    for (let timeoutMs = 100, isConnected = false; !isConnected; timeoutMs *= 2) {
      const { code, message, fix } = await expectFault(createHttp().send(get(remote.origin, { timeoutMs })));
      expect([code, fix]).toEqual(['node-timeout', 'Your node hangs: look at its output, or restart it.']);
      isConnected = message === `127.0.0.1:${remote.port} did not respond within ${timeoutMs / 1_000} s.`;
    }
    await remote.idle();
  });

  test('times out when a host responds byte by byte', async () => {
    const remote = await started((_seen, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    // On a busy machine its first byte may come too late for a short timeout.
    for (let timeoutMs = 200, hasBegun = false; !hasBegun; timeoutMs *= 2) {
      const { code, message } = await expectFault(createHttp().send(get(remote.origin, { timeoutMs })));
      expect(code).toBe('node-timeout');
      hasBegun = message.includes(`did not finish its response within ${timeoutMs / 1_000} s`);
    }
    await remote.idle();
  });

  test('aborts early when a host stops in the middle of its response', async () => {
    const remote = await started((_seen, response) => {
      response.writeHead(200);
      response.write('{"half":');
    });
    const fault = await expectFault(createHttp({ idleTimeoutMs: 150, timeoutMs: 60_000 }).send(get(remote.origin)));
    expect(fault).toMatchObject({
      code: 'node-timeout',
      message: `127.0.0.1:${remote.port} stopped in the middle of its response.`,
    });
  });

  test('can be cancelled before, while waiting and while reading', async () => {
    const remote = await started((seen, response) => {
      if (!seen.target.startsWith('/read')) return;
      response.writeHead(200);
      response.write('first');
    });
    const http = createHttp();
    expect((await expectFault(http.send(get(remote.origin, { signal: AbortSignal.abort() })))).code).toBe('cancelled');
    expect(remote.seen).toEqual([]);
    for (const path of ['/wait', '/read']) {
      const controller = new AbortController();
      const sent = http.send({ ...get(remote.origin), url: remote.origin + path, signal: controller.signal });
      await remote.received(path === '/wait' ? 1 : 2);
      controller.abort();
      expect((await expectFault(sent)).code).toBe('cancelled');
      await remote.idle();
    }
  });

  test('never sends a request that was cancelled while waiting for a connection', async () => {
    const held: (() => void)[] = [];
    const remote = await started((_seen, response) => {
      held.push(() => json(response, 200, {}));
    });
    const http = createHttp();
    const first = Array.from({ length: 32 }, () => http.send(get(remote.origin)));
    await remote.received(32);
    const controller = new AbortController();
    const inLine = http.send({ ...get(remote.origin), url: `${remote.origin}/in-line`, signal: controller.signal });
    controller.abort();
    expect((await expectFault(inLine)).code).toBe('cancelled');
    for (const answer of held) answer();
    await Promise.all(first);
    const last = http.send({ ...get(remote.origin), url: `${remote.origin}/last` });
    await remote.received(33);
    held.at(-1)?.();
    await last;
    expect(remote.seen.map(({ target }) => target)).not.toContain('/in-line');
  });

  test('stop aborts running requests and rejects later ones', async () => {
    const remote = await started(() => {});
    const http = createUndiciHttp(direct);
    const sent = http.send(get(remote.origin));
    await remote.received(1);
    const fault = expectFault(sent);
    await http.stop();
    expect((await fault).code).toBe('cancelled');
    expect((await expectFault(http.send(get(remote.origin)))).code).toBe('cancelled');
    await remote.idle();
  });
});

describe('broken connections', () => {
  test('reports that nothing is listening, and what to start', async () => {
    const port = await findFreePort(); // no connection takes it in between
    const fault = await expectFault(createHttp().send(get(`http://127.0.0.1:${port}`)));
    expect(fault).toMatchObject({
      code: 'node-unreachable',
      message: `Nothing is listening at 127.0.0.1:${port}.`,
      fix: 'Start your node (anvil, npx hardhat node) or change hexlens.nodes.',
    });
  });

  test('reports a connection reset before a response', async () => {
    const remote = await started((_seen, _response, socket) => socket.resetAndDestroy());
    const fault = await expectFault(createHttp().send(get(remote.origin, { method: 'POST', body: '{}' })));
    expect(fault.code).toBe('node-unreachable');
    expect(fault.message).toMatch(/closed the connection without a response/);
    expect(remote.seen).toHaveLength(1);
  });

  test.each([
    ['with a length', { 'content-length': '1000' }],
    ['in chunks', {}],
  ])('reject half a body %s', async (_name, headers: Record<string, string>) => {
    const remote = await started((_seen, response, socket) => {
      response.writeHead(200, headers);
      response.write('{"half":', () => socket.destroy());
    });
    const fault = await expectFault(createHttp().send(get(remote.origin)));
    expect(fault.code).toBe('node-unreachable');
    expect(fault.message).toMatch(/in the middle of its response/);
  });

  test('reports a server that does not speak HTTP', async () => {
    const sockets = new Set<Socket>();
    const server = createTcpServer(socket => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.write('SSH-2.0-OpenSSH_9.9\r\n');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    const { port } = server.address() as AddressInfo;
    const fault = await expectFault(createHttp().send(get(`http://127.0.0.1:${port}`)));
    expect(fault).toMatchObject({
      code: 'node-unreachable',
      message: `What listens at 127.0.0.1:${port} does not speak HTTP.`,
    });
  });

  test.each(['', 'nonsense', 'ftp://127.0.0.1/', 'http://', 'file:///etc/passwd'])(
    'reject what is no HTTP URL: %j',
    async url => {
      const fault = await expectFault(createHttp().send({ method: 'GET', url, logLabel: '-' }));
      expect(fault.code).toBe('node-unreachable');
      expect(fault.message).toMatch(/not an http:\/\/ or https:\/\/ URL/);
    },
  );
});

describe('certificates', () => {
  const file = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url));

  async function startTls(): Promise<number> {
    const server: Server = createTlsServer(
      { key: file('self-signed.key.pem'), cert: file('self-signed.cert.pem') },
      (_request, response) => json(response, 200, { secure: true }),
    );
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  }

  test.each([true, false])('a self-signed one is refused (system certificates: %s)', async systemCertificates => {
    const port = await startTls();
    const http = createHttp({}, { ...direct, systemCertificates });
    const fault = await expectFault(http.send(get(`https://127.0.0.1:${port}`)));
    expect(fault).toMatchObject({
      code: 'node-unreachable',
      message: `The certificate of 127.0.0.1:${port} is not signed by an authority that this machine trusts.`,
    });
    expect(fault.fix).toContain('http.proxyStrictSSL');
  });

  test('accepts a self-signed certificate when http.proxyStrictSSL is off', async () => {
    const port = await startTls();
    const http = createHttp({}, { ...direct, strictSsl: false, systemCertificates: true });
    expect((await http.send(get(`https://127.0.0.1:${port}`))).status).toBe(200);
  });

  test('reports https to a port without TLS', async () => {
    const remote = await started((_seen, response) => json(response, 200, {}));
    const fault = await expectFault(createHttp().send(get(`https://127.0.0.1:${remote.port}`)));
    expect(fault.message).toBe(`127.0.0.1:${remote.port} does not speak TLS on this port.`);
  });
});
