// What the backend must be told: nodes, hosts, keys, proxies. Settings, command-line flags and tests all make this.
import type { Group } from './operation.ts';

/** `embedded`: our own service over your nodes. `remote`: a host of the service, with your key. */
export interface GroupConfiguration {
  readonly mode: 'embedded' | 'remote';
  /** Base of the remote host, scheme and path prefix included (`https://deep-index.example/api/v2.2`). */
  readonly baseUrl: string;
}

/** VS Code's `http.*` settings, which a bundled HTTP library does not see unless told. */
export interface ProxyConfiguration {
  /** `off` ignores every proxy, the environment's too. */
  readonly support: 'off' | 'on';
  readonly url: string | null;
  readonly noProxy: readonly string[];
  readonly strictSsl: boolean;
  readonly systemCertificates: boolean;
  /** Value of the `Proxy-Authorization` header. */
  readonly authorization: string | null;
}

export interface Configuration {
  /** Chain selector (canonical, see `parseChain`) -> JSON-RPC URL. The first one is the fallback chain. */
  readonly nodes: Readonly<Record<string, string>>;
  readonly groups: Readonly<Record<Group, GroupConfiguration>>;
  /** Origin (`https://host:port`) -> API key entered for it; sent to no other origin. */
  readonly keys: Readonly<Record<string, string>>;
  readonly proxy: ProxyConfiguration;
  /** Milliseconds that one request may take. */
  readonly timeoutMs: number;
}

export const noProxy: ProxyConfiguration = {
  support: 'on',
  url: null,
  noProxy: [],
  strictSsl: true,
  systemCertificates: true,
  authorization: null,
};

export const DEFAULT_TIMEOUT_MS = 20_000;

/** Everything embedded over a dev chain at the usual place: no key, no sign-up. */
export const defaultConfiguration: Configuration = {
  nodes: { local: 'http://127.0.0.1:8545' },
  groups: {
    auth: { mode: 'embedded', baseUrl: '' },
    evm: { mode: 'embedded', baseUrl: '' },
    aptos: { mode: 'embedded', baseUrl: '' },
  },
  keys: {},
  proxy: noProxy,
  timeoutMs: DEFAULT_TIMEOUT_MS,
};
