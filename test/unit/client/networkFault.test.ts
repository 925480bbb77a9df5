// Every network failure has one message and one fix.
import { describe, expect, test } from 'vitest';
import { formatFault } from '../../../src/base/errors.ts';
import { isPermanentFailure, type Phase, toNetworkFault } from '../../../src/client/networkFault.ts';

const url = new URL('https://node.example:8443/v2/secret?key=secret');
const local = new URL('http://127.0.0.1:8545/');

const withCode = (code: string, more: object = {}) => Object.assign(new Error(`secret ${code}`), { code, ...more });

const table: readonly [error: unknown, phase: Phase, text: string, permanent: boolean][] = [
  [
    withCode('ECONNREFUSED', { address: '9.9.9.9', port: 8443 }),
    'connecting',
    'node.example:8443 refuses connections. Check the address in the HexLens settings.',
    false,
  ],
  [
    withCode('ENOTFOUND', { hostname: 'node.example' }),
    'connecting',
    'The host name node.example does not exist. Check the address in the HexLens settings.',
    true,
  ],
  [
    withCode('ENOTFOUND', { hostname: 'proxy.example' }),
    'connecting',
    'The name of the proxy proxy.example does not exist. Check http.proxy in the settings, or HTTPS_PROXY and NO_PROXY in the environment.',
    true,
  ],
  [
    withCode('EAI_AGAIN'),
    'connecting',
    'The host name node.example cannot be resolved right now. Check your connection.',
    false,
  ],
  [withCode('ENETUNREACH'), 'connecting', 'There is no route to node.example:8443. Check your connection.', false],
  [
    withCode('UND_ERR_CONNECT_TIMEOUT'),
    'connecting',
    'No connection to node.example:8443 within 10 s. Try again, or use another node.',
    false,
  ],
  [
    withCode('UND_ERR_SOCKET'),
    'waiting',
    'node.example:8443 closed the connection without a response. Try again.',
    false,
  ],
  [
    withCode('ECONNRESET'),
    'reading',
    'node.example:8443 closed the connection in the middle of its response. Try again.',
    false,
  ],
  [
    withCode('DEPTH_ZERO_SELF_SIGNED_CERT'),
    'connecting',
    "The certificate of node.example:8443 is not signed by an authority that this machine trusts. Add that authority to the system's certificates, or turn off http.proxyStrictSSL at your own risk.",
    true,
  ],
  [
    withCode('CERT_HAS_EXPIRED'),
    'connecting',
    "The certificate of node.example:8443 is not valid today. Check this machine's clock, or tell the host.",
    true,
  ],
  [
    withCode('ERR_TLS_CERT_ALTNAME_INVALID'),
    'connecting',
    'The certificate of node.example:8443 belongs to another host. Check the address in the HexLens settings.',
    true,
  ],
  [
    withCode('ERR_SSL_WRONG_VERSION_NUMBER'),
    'connecting',
    'node.example:8443 does not speak TLS on this port. Use http:// instead of https://.',
    true,
  ],
  [
    withCode('UND_ERR_PRX_TLS'),
    'connecting',
    'The certificate of the proxy does not carry its name. Check http.proxy in the settings, or HTTPS_PROXY and NO_PROXY in the environment.',
    true,
  ],
  [
    withCode('UND_ERR_SOCKS5_AUTH_FAILED'),
    'connecting',
    'The SOCKS proxy refused the connection. Check http.proxy in the settings, or HTTPS_PROXY and NO_PROXY in the environment.',
    false,
  ],
  [
    Object.assign(new Error('secret'), { name: 'HTTPParserError' }),
    'reading',
    'The response of node.example:8443 is damaged. Try again.',
    true,
  ],
  [
    withCode('UND_ERR_HEADERS_OVERFLOW'),
    'waiting',
    'node.example:8443 responds with headers that are too large. Check the address in the HexLens settings.',
    false,
  ],
  [
    new TypeError('secret'),
    'waiting',
    'node.example:8443 is unreachable. Check the address in the HexLens settings.',
    false,
  ],
  [undefined, 'waiting', 'node.example:8443 is unreachable. Check the address in the HexLens settings.', false],
];

describe('toNetworkFault', () => {
  test.each(table)('says of %s while %s: %s', (error, phase, text, permanent) => {
    const fault = toNetworkFault(url, error, phase, 10_000);
    expect(formatFault(fault)).toBe(text);
    expect(JSON.stringify([fault.message, fault])).not.toContain('secret');
    expect(isPermanentFailure(fault)).toBe(permanent);
  });

  test('finds the reason in the errors of several addresses', () => {
    const error = new AggregateError([withCode('ECONNREFUSED', { port: 8545 }), withCode('ECONNREFUSED')]);
    expect(toNetworkFault(local, error, 'connecting', 1).message).toBe('Nothing is listening at 127.0.0.1:8545.');
  });

  test('maps closed connections to cancelled', () => {
    expect(toNetworkFault(url, withCode('UND_ERR_DESTROYED'), 'waiting', 1).code).toBe('cancelled');
  });
});

// Hosts that are reached without a proxy.
