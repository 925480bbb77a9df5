// User name and password of a URL as a header.
import { describe, expect, test } from 'vitest';
import { getBasicAuthorization } from '../../../src/base/basicAuthorization.ts';
import { JsonRpcClient } from '../../../src/service/evm/rpcClient.ts';
import { createTestClock, createTestLog } from '../../support/testClock.ts';

describe('the authorization of a URL', () => {
  test.each([
    ['https://node.example/', null],
    ['https://user:secret@node.example/', 'user:secret'],
    ['https://user@node.example/', 'user:'],
    ['https://:p%40ss@node.example/', ':p@ss'],
    ['https://%zz:100%25@node.example/', '%zz:100%'],
  ])('of %s', (url, credentials) => {
    expect(getBasicAuthorization(new URL(url))).toBe(credentials === null ? null : `Basic ${btoa(credentials)}`);
  });

  test('has the user name with an invalid escape as it is, and the node is queried with it', async () => {
    const sent: unknown[] = [];
    const http = {
      async send({ url, headers = {} }: { readonly url: string; readonly headers?: Readonly<Record<string, string>> }) {
        sent.push([url, headers['authorization']]);
        return { status: 503, headers: { 'retry-after': '60' }, body: '' };
      },
    };
    const deps = {
      selector: 'eth',
      url: 'https://%zz@node.example/',
      http,
      clock: createTestClock(),
      log: createTestLog(),
    };
    const rpc = new JsonRpcClient({ ...deps, timeoutMs: 1_000 });
    await expect(rpc.request('eth_chainId', [])).rejects.toMatchObject({ code: 'node-answer' });
    expect(sent).toEqual([['https://node.example/', `Basic ${btoa('%zz:')}`]]);
  });
});
