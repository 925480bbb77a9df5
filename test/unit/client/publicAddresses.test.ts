// Requests to URLs of contracts reach public hosts only, checked when connecting.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultProxyConfiguration } from '../../../src/api/configuration.ts';
import { getFaultCode } from '../../../src/base/errors.ts';
import { isPrivateAddress, publicLookup, resolveByDns } from '../../../src/client/publicAddresses.ts';
import { createUndiciHttp } from '../../../src/client/undiciHttp.ts';

describe('isPrivateAddress', () => {
  test.each([
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
    ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '192.0.2.1', '198.18.0.1'],
    ...[
      '::',
      '::1',
      '[::1]',
      '::ffff:10.0.0.1',
      '::ffff:7f00:1',
      '::7f00:1',
      '64:ff9b::a00:1',
      'fd12::1',
      'fe80::1%eth0',
    ],
    ...[
      'ff02::1',
      '2002:7f00:1::',
      '2001:db8::1',
      'fec0::1',
      'feff::1',
      '3fff::1',
      '3fff:fff::1',
      '5f00::1',
      '100:0:0:1::1',
    ],
    ...['::ffff:0:127.0.0.1', '::ffff:0:7f00:1', '4000::1', 'e000::1', '1fff::1'],
  ])('says that %s is one', address => expect(isPrivateAddress(address)).toBe(true));
  test.each([
    '1.1.1.1',
    '172.32.0.1',
    '192.169.0.1',
    '11.0.0.1',
    '2606:4700::1111',
    '::ffff:1.1.1.1',
    '3ffe::1',
    'example.com',
    '',
  ])('%s is not', address => expect(isPrivateAddress(address)).toBe(false));
});

describe('public requests', () => {
  let server: ReturnType<typeof createServer>;
  let port: number;
  let asked = 0;
  const http = createUndiciHttp({ ...defaultProxyConfiguration, support: 'off' });
  beforeAll(async () => {
    server = createServer((_, response) => {
      asked++;
      response.end('{}');
    });
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    await http.stop();
    await new Promise(done => server.close(done));
  });

  test.each(['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', '2130706433', '10.0.0.1'])(
    'never reaches %s',
    async host => {
      const request = {
        method: 'GET',
        url: `http://${host}:${port}/`,
        logLabel: 'x',
        urlFromContract: true,
        timeoutMs: 60_000,
      } as const;
      const code = await http.send(request).then(
        () => 'sent',
        (error: unknown) => getFaultCode(error),
      );
      expect(code).toBe('egress-refused');
      expect(asked).toBe(0);
    },
  );

  test('rejects a name that resolves to this machine', async () => {
    // Whatever the machine calls itself in its hosts file, `localhost` is there.
    const found = await new Promise<unknown>(done =>
      publicLookup('localhost', { all: true }, (error, list) => done(error ?? list)),
    );
    expect(getFaultCode(found)).toBe('egress-refused');
  });

  test('finds the addresses of a name, all of them private for this machine', async () => {
    const addresses = await resolveByDns('localhost');
    expect(addresses.length).toBeGreaterThan(0);
    expect(addresses.filter(address => !isPrivateAddress(address))).toEqual([]);
  });
});
