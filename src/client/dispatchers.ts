// undici dispatchers: direct or through VS Code's proxy, with its certificate settings; created at first use.

import tls from 'node:tls';
import connect from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import type Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { ProxyConfiguration } from '../api/configuration.ts';
import { HexLensError } from '../base/errors.ts';
import { getOrInsert } from '../base/getOrInsert.ts';
import { isLoopbackHost } from '../base/loopback.ts';
import { publicLookup } from './publicAddresses.ts';

export interface ConnectionLimits {
  /** Milliseconds to open a connection. */
  readonly connectTimeoutMs: number;
  /** Milliseconds without a byte after which a response is aborted. */
  readonly idleTimeoutMs: number;
}

/** Of a WebSocket; requests have limits of their own. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

const poolOptions = ({ connectTimeoutMs, idleTimeoutMs }: ConnectionLimits) => ({
  connections: 32, // per origin; further requests wait instead of opening hundreds of sockets
  pipelining: 1, // JSON-RPC uses POST, which must not be pipelined
  allowH2: false, // HTTP/1.1 has well-known failure modes, and keeps connections alive as well
  connectTimeout: connectTimeoutMs,
  headersTimeout: 0, // the whole request has its own timer
  bodyTimeout: idleTimeoutMs,
  // Below the minute and more of most servers. Those that close earlier, as Node's after 5 s (Hardhat), mostly say so.
  keepAliveTimeout: 45_000,
  keepAliveMaxTimeout: 60_000,
  webSocket: { maxPayloadSize: MAX_MESSAGE_BYTES },
});

let systemContext: tls.SecureContext | undefined;

/**
 * Certificate authorities of Node.js and the system. Reading them takes 0.1 s, and parsing them 20 ms per connection:
 * both happen once, at the first TLS connection.
 */
function getSystemContext(): tls.SecureContext {
  systemContext ??= tls.createSecureContext({
    ca: [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])],
  });
  return systemContext;
}

interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly secureContext?: tls.SecureContext;
}

function createTlsOptions(proxy: ProxyConfiguration): TlsOptions {
  return {
    rejectUnauthorized: proxy.strictSsl,
    ...(proxy.systemCertificates && { secureContext: getSystemContext() }),
  };
}

/** undici supports `socks5`; `socks` and `socks5h` are the same for it. */
function parseProxyUrl(setting: string): string {
  const url = URL.parse(setting.replace(/^socks5?h?:/i, 'socks5:'));
  if (url !== null && /^(https?|socks5):$/.test(url.protocol) && url.hostname !== '') return url.href;
  throw new HexLensError('node-unreachable', 'The proxy of the settings is not supported.', {
    fix: 'Set http.proxy to http://host:port, https://host:port or socks5://host:port.',
    cause: { code: 'PROXY_SETTING' },
  });
}

/** Proxies open tunnels with `connect`, which only undici's main module adds to dispatchers. */
function createTunnelPool(origin: URL, options: object): Dispatcher {
  return Object.assign(new Pool(origin, options), { connect });
}

function createProxyDispatcher(
  proxy: ProxyConfiguration,
  limits: ConnectionLimits,
  {
    connectOptions = {},
    proxyTunnel = false,
  }: { readonly connectOptions?: object; readonly proxyTunnel?: boolean } = {},
): Dispatcher {
  const options = createTlsOptions(proxy);
  const url = proxy.url === null || proxy.url === '' ? undefined : parseProxyUrl(proxy.url);
  try {
    return new EnvHttpProxyAgent({
      ...poolOptions(limits),
      ...(url !== undefined && { httpProxy: url, httpsProxy: url }),
      ...(proxy.noProxy.length > 0 && { noProxy: proxy.noProxy.join(',') }),
      ...(proxy.authorization !== null && { token: proxy.authorization }),
      clientFactory: createTunnelPool,
      ...(proxyTunnel && { proxyTunnel }),
      requestTls: options,
      proxyTls: options,
      // For hosts that need no proxy.
      connect: { ...options, ...connectOptions },
    });
  } catch {
    throw new HexLensError('node-unreachable', 'The proxy of the environment is not supported.', {
      fix: 'Set HTTP_PROXY and HTTPS_PROXY to http://host:port, or set http.proxySupport to off.',
      cause: { code: 'PROXY_SETTING' },
    });
  }
}

const PROXY_VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];

/**
 * Whether requests to the host may go through a proxy. Entries of NO_PROXY that have a port or are IPv6 addresses are ignored:
 * such hosts may be reached without it all the same.
 */
export function mayUseProxy({ support, url, noProxy }: ProxyConfiguration, hostname: string): boolean {
  if (support === 'off') return false;
  if (!url && !PROXY_VARIABLES.some(name => process.env[name])) return false;
  const entries = noProxy.length > 0 ? noProxy.join(',') : (process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? '');
  const toName = (name: string) => name.toLowerCase().replace(/(.)\.$/, '$1');
  const host = toName(hostname);
  return !entries.split(/[,\s]/).some(entry => {
    const name = toName(entry.replace(/^\*?\./, ''));
    return entry === '*' || (name !== '' && (host.endsWith(`.${name}`) || (host === name && !entry.startsWith('*'))));
  });
}

export function createDispatchers(proxy: ProxyConfiguration, limits: ConnectionLimits) {
  const dispatchers = new Map<string, Dispatcher>();
  const getDirect = (url: URL): Dispatcher | null => {
    const loopback = isLoopbackHost(url.hostname);
    // Local nodes need no certificates.
    if (loopback && url.protocol === 'http:')
      return getOrInsert(dispatchers, 'plain', () => new Agent(poolOptions(limits)));
    return loopback || proxy.support === 'off'
      ? getOrInsert(
          dispatchers,
          'direct',
          () => new Agent({ ...poolOptions(limits), connect: createTlsOptions(proxy) }),
        )
      : null;
  };
  return {
    /** Throws a HexLensError when the proxy settings can not be used. */
    get(url: URL, publicAddressesOnly: boolean): Dispatcher {
      if (publicAddressesOnly) {
        const publicOptions = { lookup: publicLookup };
        return getOrInsert(dispatchers, 'public', () =>
          proxy.support === 'off'
            ? new Agent({ ...poolOptions(limits), connect: { ...createTlsOptions(proxy), ...publicOptions } })
            : createProxyDispatcher(proxy, limits, { connectOptions: publicOptions }),
        );
      }
      return getDirect(url) ?? getOrInsert(dispatchers, 'proxied', () => createProxyDispatcher(proxy, limits));
    },
    /** For a WebSocket, which needs a tunnel through a proxy also without TLS. `url` is its URL with http: or https:. */
    getForWebSocket: (url: URL): Dispatcher =>
      getDirect(url) ??
      getOrInsert(dispatchers, 'tunneled', () => createProxyDispatcher(proxy, limits, { proxyTunnel: true })),
    async stop() {
      const all = [...dispatchers.values()];
      dispatchers.clear();
      await Promise.allSettled(all.map(dispatcher => dispatcher.destroy()));
    },
  };
}
