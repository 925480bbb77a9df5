// Who opens the sockets: direct or through VS Code's proxy, with its certificate settings; made at first need.
import tls from 'node:tls';
import connect from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import type Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { ProxyConfiguration } from '../api/configuration.ts';
import { HexLensError } from '../base/errors.ts';
import { isLoopbackHost } from '../base/loopback.ts';
import { publicLookup } from './publicAddresses.ts';

export interface Dispatchers {
  /** Throws a HexLensError when the proxy settings can not be used. */
  get(url: URL, publicOnly: boolean): Dispatcher;
  stop(): Promise<void>;
}

export interface ConnectionLimits {
  /** Milliseconds until a connection must stand. */
  readonly connectTimeoutMs: number;
  /** Milliseconds without a byte after which a started answer is given up. */
  readonly idleTimeoutMs: number;
}

const poolOptions = ({ connectTimeoutMs, idleTimeoutMs }: ConnectionLimits) => ({
  connections: 32, // per origin; what is more waits its turn instead of opening hundreds of sockets at once
  pipelining: 1, // JSON-RPC is POST, which may not be pipelined; a slow trace would also hold up what stands behind it
  allowH2: false, // one well-tried way to fail; the pool keeps connections alive just as well
  connectTimeout: connectTimeoutMs,
  headersTimeout: 0, // the whole exchange has its own timer
  bodyTimeout: idleTimeoutMs,
  keepAliveTimeout: 4_000, // below the 5 s after which Node servers (Hardhat) close: no request into a closing socket
  keepAliveMaxTimeout: 60_000,
});

let systemContext: tls.SecureContext | undefined;

/**
 * Node's and the system's authorities as one context. Listing and parsing them costs 0.1 s, and again 20 ms for every
 * connection if each had to parse them: both happen once, at the first connection that needs TLS.
 */
function systemAuthorities(): tls.SecureContext {
  systemContext ??= tls.createSecureContext({
    ca: [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])],
  });
  return systemContext;
}

interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly secureContext?: tls.SecureContext;
}

function tlsOptions(proxy: ProxyConfiguration): TlsOptions {
  return {
    rejectUnauthorized: proxy.strictSsl,
    ...(proxy.systemCertificates && { secureContext: systemAuthorities() }),
  };
}

/** undici knows `socks5`; `socks` and `socks5h` mean the same to it. */
function proxyUrl(setting: string): string {
  const url = URL.parse(setting.replace(/^socks5?h?:/i, 'socks5:'));
  if (url !== null && /^(https?|socks5):$/.test(url.protocol) && url.hostname !== '') return url.href;
  throw new HexLensError('node-unreachable', 'The proxy in the settings is not one that HexLens can use.', {
    fix: 'Set http.proxy to http://host:port, https://host:port or socks5://host:port.',
    cause: { code: 'PROXY_SETTING' },
  });
}

/** Only undici's main module puts `connect` on dispatchers; a proxy's tunnel is opened with it. */
function tunnelPool(origin: URL, options: object): Dispatcher {
  return Object.assign(new Pool(origin, options), { connect });
}

function proxied(proxy: ProxyConfiguration, limits: ConnectionLimits, own: object = {}): Dispatcher {
  const options = tlsOptions(proxy);
  const url = proxy.url === null || proxy.url === '' ? undefined : proxyUrl(proxy.url);
  try {
    return new EnvHttpProxyAgent({
      ...poolOptions(limits),
      ...(url !== undefined && { httpProxy: url, httpsProxy: url }),
      ...(proxy.noProxy.length > 0 && { noProxy: proxy.noProxy.join(',') }),
      ...(proxy.authorization !== null && { token: proxy.authorization }),
      clientFactory: tunnelPool,
      requestTls: options,
      proxyTls: options,
      // Only what needs no proxy is connected with this.
      connect: { ...options, ...own },
    });
  } catch {
    throw new HexLensError('node-unreachable', 'The proxy in the environment is not one that HexLens can use.', {
      fix: 'Set HTTP_PROXY and HTTPS_PROXY to http://host:port, or set http.proxySupport to off.',
      cause: { code: 'PROXY_SETTING' },
    });
  }
}

export function createDispatchers(proxy: ProxyConfiguration, limits: ConnectionLimits): Dispatchers {
  const made = new Map<string, Dispatcher>();
  const once = (name: string, make: () => Dispatcher): Dispatcher => {
    let dispatcher = made.get(name);
    if (dispatcher === undefined) {
      dispatcher = make();
      made.set(name, dispatcher);
    }
    return dispatcher;
  };
  return {
    get(url, publicOnly) {
      if (publicOnly) {
        const own = { lookup: publicLookup };
        return once('public', () =>
          proxy.support === 'off'
            ? new Agent({ ...poolOptions(limits), connect: { ...tlsOptions(proxy), ...own } })
            : proxied(proxy, limits, own),
        );
      }
      const loopback = isLoopbackHost(url.hostname);
      // The usual case needs no certificates at all.
      if (loopback && url.protocol === 'http:') return once('plain', () => new Agent(poolOptions(limits)));
      if (loopback || proxy.support === 'off')
        return once('direct', () => new Agent({ ...poolOptions(limits), connect: tlsOptions(proxy) }));
      return once('proxied', () => proxied(proxy, limits));
    },
    async stop() {
      const all = [...made.values()];
      made.clear();
      await Promise.allSettled(all.map(dispatcher => dispatcher.destroy()));
    },
  };
}
