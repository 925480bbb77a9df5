// What the backend must be told: nodes, hosts, keys, proxies. Settings, command-line flags and tests all make this.
import type { ApiGroup } from './operations/operation.ts';

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

/** What sign-in verification demands beyond EIP-4361. Everything may be left out; absent means the default. */
export interface SiwePolicy {
  /**
   * Domains that a message may name, as they stand in its first line (`example.com`, `localhost:3000`); letter case does
   * not count, everything else does. Absent or empty: any domain, and the answer says so (`x-hexlens-domain: not bound`).
   */
  readonly expectedDomains?: readonly string[];
  /** A message signs in once: its nonce is remembered until the message expires. Default true. */
  readonly singleUse?: boolean;
  /**
   * Milliseconds that the signer's clock may be ahead of ours: counts for `Issued At` and `Not Before`, never for
   * `Expiration Time`. Default 30,000; more than 60,000 counts as 60,000.
   */
  readonly toleratedSkewMs?: number;
  /** Takes signatures of 64 bytes too (EIP-2098). Default false. */
  readonly compactSignatures?: boolean;
  /** Takes addresses without an EIP-55 checksum too, all lower or all upper case. Default false. */
  readonly lowerCaseAddresses?: boolean;
}

export const siweDefaults = {
  expectedDomains: [],
  singleUse: true,
  toleratedSkewMs: 30_000,
  compactSignatures: false,
  lowerCaseAddresses: false,
} as const satisfies Required<SiwePolicy>;

/** The most that a setting may allow. */
export const MAX_TOLERATED_SKEW_MS = 60_000;

/**
 * A domain of a policy in the form that messages are compared with: host in lower case, port kept. `null` when it is no
 * host with or without a port: schemes, paths and user names do not belong to it.
 */
export function normalizeDomain(text: string): string | null {
  return /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._~!$&'()*+,;=%-]{1,253})(:\d{1,5})?$/i.test(text) ? text.toLowerCase() : null;
}

/** One network of Aptos: at least one of the two. */
export interface AptosNetwork {
  /** Base of a fullnode's REST API with its version (`http://127.0.0.1:8080/v1`); `null` when there is none. */
  readonly node: string | null;
  /** The Indexer GraphQL API (`https://indexer.example/v1/graphql`); `null`: everything is read from the node alone. */
  readonly indexer: string | null;
}

/** What the user's address book says of addresses, all in lower case. */
export interface AddressBookConfiguration {
  /** Address -> name: the `*_label` fields. */
  readonly labels: Readonly<Record<string, string>>;
  /** Token contract -> the user's word on it, which beats every rule. */
  readonly trust: Readonly<Record<string, 'verified' | 'spam'>>;
}

/** From where token metadata may be fetched, besides `data:` and what is on this machine for a chain of this machine. */
export interface MetadataConfiguration {
  /** Host names (`example.com`, `*.example.com`) that may be asked over https; none when empty. */
  readonly hosts: readonly string[];
  /** What `ipfs://CID/path` is read from (`https://ipfs.io/ipfs/`); `null`: such metadata is not fetched. */
  readonly ipfsGateway: string | null;
}

export interface Configuration {
  /** Chain selector (canonical, see `parseChain`) -> JSON-RPC URL. The first one is the fallback chain. */
  readonly nodes: Readonly<Record<string, string>>;
  readonly groups: Readonly<Record<ApiGroup, GroupConfiguration>>;
  /** Origin (`https://host:port`) -> API key entered for it; sent to no other origin. */
  readonly keys: Readonly<Record<string, string>>;
  readonly proxy: ProxyConfiguration;
  /** Milliseconds that one request may take. */
  readonly timeoutMs: number;
  /** Folder of the indexes of chains, which may be deleted at any time; in memory when `null` or absent. */
  readonly dataFolder?: string | null;
  /**
   * `postgres://user:password@host:port/database`: the indexes of chains are kept there, shared by every process that
   * names it, instead of in `dataFolder`. Holds a password: it is never logged.
   */
  readonly storeUrl?: string | null;
  /** What the embedded sign-in verification demands; the defaults when absent. */
  readonly siwe?: SiwePolicy;
  /** Network name (`mainnet`, `testnet`, `devnet`, `local`) -> where it is read; the first one answers by default. */
  readonly aptos?: Readonly<Record<string, AptosNetwork>>;
  readonly addressBook?: AddressBookConfiguration;
  readonly metadata?: MetadataConfiguration;
}

export const defaultProxyConfiguration: ProxyConfiguration = {
  support: 'on',
  url: null,
  noProxy: [],
  strictSsl: true,
  systemCertificates: true,
  authorization: null,
};

export const DEFAULT_TIMEOUT_MS = 20_000;

/** The public networks under the names that everybody uses; an indexer lies beside its node. */
export const publicAptosNetworks: Readonly<Record<string, AptosNetwork>> = Object.fromEntries(
  ['mainnet', 'testnet', 'devnet'].map(name => {
    const node = `https://api.${name}.aptoslabs.com/v1`;
    return [name, { node, indexer: `${node}/graphql` }];
  }),
);

/** Everything embedded over a dev chain at the usual place: no key, no sign-up. */
export const defaultConfiguration: Configuration = {
  nodes: { local: 'http://127.0.0.1:8545' },
  groups: {
    auth: { mode: 'embedded', baseUrl: '' },
    evm: { mode: 'embedded', baseUrl: '' },
    aptos: { mode: 'embedded', baseUrl: '' },
  },
  keys: {},
  proxy: defaultProxyConfiguration,
  timeoutMs: DEFAULT_TIMEOUT_MS,
  aptos: { local: { node: 'http://127.0.0.1:8080/v1', indexer: null } },
};
