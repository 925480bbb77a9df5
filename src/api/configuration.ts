// Configuration of the worker and the service: created from settings, command-line flags or tests.
import type { NodeUrls } from './nodeUrls.ts';
import type { ApiGroup } from './operations/operation.ts';

/** `embedded`: our own service over the user's nodes. `remote`: a hosted service, with the user's key. */
export interface GroupConfiguration {
  readonly mode: 'embedded' | 'remote';
  /** Base of the remote host, scheme and path prefix included (`https://deep-index.example/api/v2.2`). */
  readonly baseUrl: string;
}

/** VS Code's `http.*` settings, which a bundled HTTP library does not apply by itself. */
export interface ProxyConfiguration {
  /** `off` ignores all proxies, including those of the environment. */
  readonly support: 'off' | 'on';
  readonly url: string | null;
  readonly noProxy: readonly string[];
  readonly strictSsl: boolean;
  readonly systemCertificates: boolean;
  /** Value of the `Proxy-Authorization` header. */
  readonly authorization: string | null;
}

/** What sign-in verification requires beyond EIP-4361. */
export interface SiwePolicy {
  /**
   * Domains that messages may name in their first line (`example.com`, `localhost:3000`), compared without regard to
   * case. Absent or empty: any domain, with the response header `x-hexlens-domain: not bound`.
   */
  readonly expectedDomains?: readonly string[];
  /**
   * Each message is accepted once: its nonce is stored until the message expires, in the data folder or database where
   * there is one, else in this process. Default true.
   */
  readonly singleUse?: boolean;
  /**
   * Milliseconds that the signer's clock may be ahead of ours, for `Issued At` and `Not Before` but not for
   * `Expiration Time`. Default 30,000; at most `MAX_CLOCK_SKEW_MS`.
   */
  readonly clockSkewMs?: number;
  /** Also accepts signatures of 64 bytes (EIP-2098). Default false. */
  readonly compactSignatures?: boolean;
  /**
   * Also accepts addresses without an EIP-55 checksum, in lower case, as wallets return them: EIP-4361 only recommends the
   * checksum. Mixed case must be correct in any case. Default true.
   */
  readonly lowerCaseAddresses?: boolean;
}

export const siweDefaults = {
  expectedDomains: [],
  singleUse: true,
  clockSkewMs: 30_000,
  compactSignatures: false,
  lowerCaseAddresses: true,
} as const satisfies Required<SiwePolicy>;

/** The largest `clockSkewMs`: higher values count as this. */
export const MAX_CLOCK_SKEW_MS = 60_000;

/** A domain of a policy in lower case, for comparison with messages; `null` when it is not `host` or `host:port`. */
export function normalizeDomain(text: string): string | null {
  return /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._~!$&'()*+,;=%-]{1,253})(:\d{1,5})?$/i.test(text) ? text.toLowerCase() : null;
}

/** One Aptos network: a node, an indexer or both. */
export interface AptosNetwork {
  /** Base of a fullnode's REST API with its version (`http://127.0.0.1:8080/v1`); `null` when there is none. */
  readonly node: string | null;
  /** The Indexer GraphQL API (`https://indexer.example/v1/graphql`); `null`: everything is read from the node. */
  readonly indexer: string | null;
}

/** What one entry of the user's address book says of its address. */
export interface AddressFacts {
  /** For the `*_label` fields. */
  readonly name: string;
  /** Selectors of the chains that it applies to; empty: all chains. */
  readonly chains: readonly string[];
  /** The user's trust in a token contract, which overrides all rules. */
  readonly trust?: 'verified' | 'spam';
  /** https URL of the image of a token contract: the field `token_logo`. */
  readonly logo?: string;
}

/** Address in lower case -> what the entries say of it, those that win first. */
export type AddressBookConfiguration = Readonly<Record<string, readonly AddressFacts[]>>;

/** Whether an entry that is limited to `chains` applies to a chain; with an empty list it applies to all. */
export const isForChain = (chains: readonly string[], chain: string): boolean =>
  chains.length === 0 || chains.includes(chain);

/** What the entries for a chain say of an address (lower case), those that win first. */
export function getAddressFacts(
  book: AddressBookConfiguration | undefined,
  address: string,
  chain: string,
): readonly AddressFacts[] {
  const facts = book !== undefined && Object.hasOwn(book, address) ? book[address] : undefined;
  return facts?.filter(({ chains }) => isForChain(chains, chain)) ?? [];
}

/** Where token metadata may be fetched from, besides `data:` URIs. */
export interface MetadataConfiguration {
  /** Host names (`example.com`, `*.example.com`) to fetch from over https; none when empty. */
  readonly hosts: readonly string[];
  /** Prefix for `ipfs://CID/path` (`https://ipfs.io/ipfs/`); `null`: IPFS is not read. */
  readonly ipfsGateway: string | null;
  /**
   * Metadata may also be fetched from loopback addresses, for contracts of a local development chain that is no fork.
   * Default false.
   */
  readonly allowsLoopback?: boolean;
}

/** A gateway for IPFS with a slash at its end; `null` unless it is https, without credentials, query and fragment. */
export function parseIpfsGateway(text: string): string | null {
  const url = URL.parse(text);
  const isPlain = url !== null && url.href === url.origin + url.pathname;
  return isPlain && url.protocol === 'https:' ? url.href.replace(/(?<!\/)\/*$/, '/') : null;
}

export interface Configuration {
  /**
   * Canonical chain selector (see `parseChainSelector`) -> JSON-RPC URL, or several. Requests without a chain use `eth`
   * if it is here, else the first one.
   */
  readonly nodes: Readonly<Record<string, NodeUrls>>;
  readonly groups: Readonly<Record<ApiGroup, GroupConfiguration>>;
  /** Origin (`https://host:port`) -> API key that was entered for it; sent to no other origin. */
  readonly keys: Readonly<Record<string, string>>;
  readonly proxy: ProxyConfiguration;
  /** Milliseconds that one request may take. */
  readonly timeoutMs: number;
  /** Folder of the chain indexes, which may be deleted at any time; in memory when `null` or absent. */
  readonly dataFolder?: string | null;
  /**
   * `postgres://user:password@host:port/database`: stores the chain indexes there instead of in `dataFolder`, shared by
   * all processes with this URL. Never logged, since it holds a password.
   */
  readonly storeUrl?: string | null;
  /** Policy of the embedded sign-in verification; the defaults when absent. */
  readonly siwe?: SiwePolicy;
  /** Network name (`mainnet`, `testnet`, `devnet`, `local`) -> where it is read; the first one is the default. */
  readonly aptos?: Readonly<Record<string, AptosNetwork>>;
  readonly addressBook?: AddressBookConfiguration;
  /**
   * Requests of programs are rejected where hosts reject them since the dated changes of the description
   * (`checkDatedChanges`): removed operations and parameters, and parameters that became required. Default false.
   */
  readonly strictDates?: boolean;
  readonly metadata?: MetadataConfiguration;
  /** Base URLs of Sourcify-like hosts that the ABIs of verified contracts may be read from; none when absent. */
  readonly verifiedSources?: readonly string[];
  /** Stored secrets that may be parts of these URLs, so that they are removed from what hosts respond. */
  readonly urlSecrets?: readonly string[];
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

/** The public networks; each node serves its indexer at `/graphql`. */
export const publicAptosNetworks: Readonly<Record<string, AptosNetwork>> = Object.fromEntries(
  ['mainnet', 'testnet', 'devnet'].map(name => {
    const node = `https://api.${name}.aptoslabs.com/v1`;
    return [name, { node, indexer: `${node}/graphql` }];
  }),
);

/** Everything embedded, over a dev chain at its usual address: no key, no sign-up. */
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
