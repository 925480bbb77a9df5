// Which hosts are this machine.
import { expect, test } from 'vitest';
import { isLoopbackHost, isLoopbackUrl } from '../../../src/base/loopback.ts';

test.each([
  ['localhost', true],
  ['LOCALHOST', false],
  ['localhost.', false],
  ['node.localhost', false],
  ['sample-chain.localhost', false],
  ['127.0.0.1', true],
  ['127.255.0.3', true],
  ['[::1]', true],
  ['[::ffff:7f00:1]', false],
  ['0.0.0.0', false],
  ['10.0.0.1', false],
  ['[::2]', false],
  ['[::ffff:a00:1]', false],
  ['localhost.example', false],
  ['127.0.0.1.example', false],
  ['notlocalhost', false],
])('isLoopbackHost(%s) is %s', (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected);
});

test.each([
  ['http://LOCALHOST:8545', true],
  ['http://127.1:8545', true],
  ['http://2130706433/', true],
  ['http://127.0.0.1@evil.example/', false],
  ['http://sample-chain.localhost', true],
  ['http://node.localhost', false],
  ['nonsense', false],
])('isLoopbackUrl(%s) is %s: what the URL parser makes of it counts', (url, expected) => {
  expect(isLoopbackUrl(url)).toBe(expected);
});
