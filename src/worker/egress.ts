// Egress control: the only way to the network. Checks host and credentials of every request, and logs one line for each.

import type { Configuration } from '../api/configuration.ts';
import { findPossibleKeys, formatPlaceholder, getSecretNames, MIN_KEY_LENGTH, toUrlList } from '../api/nodeUrls.ts';
import { decodeUrlText, getBasicAuthorization } from '../base/basicAuthorization.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { HexLensError, toFault } from '../base/errors.ts';
import type { HideKeys, HttpPort, HttpRequest } from '../base/httpPort.ts';
import { localizable } from '../base/localize.ts';
import type { Log } from '../base/log.ts';
import { isLoopbackHost, isLoopbackNode } from '../base/loopback.ts';
import { memoizeByText } from '../base/memoizeByText.ts';

export interface EgressPolicy {
  /** Allowed origins (`https://host:port`, as `URL.origin` has them) besides loopback. */
  readonly origins: ReadonlySet<string>;
  /** Origin -> the API key that the user entered for it. */
  readonly keys: ReadonlyMap<string, string>;
  /** Origin -> allowed `Authorization` values from user and password of its URL, besides `Bearer` and its key. */
  readonly logins: ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * Origin -> its API key, and parts of its URLs that are or may be keys: removed from texts of its responses that people
   * read. One that contains another one comes before it.
   */
  readonly secrets: ReadonlyMap<string, readonly string[]>;
  /** Allowed hosts of token metadata: `example.com`, `*.example.com`, or `*` for every public host. */
  readonly metadataHosts: readonly string[];
  /** Timeout of requests that do not set one, in milliseconds. */
  readonly timeoutMs: number;
}

export interface EgressDeps {
  readonly http: HttpPort;
  /** Called for every request, so that a change of the settings applies at once. */
  getPolicy(): EgressPolicy;
  readonly log: Log;
  readonly clock?: Clock;
  /** Where the user allows a host, as the end of a sentence; the settings when absent. */
  readonly addHostHint?: string | undefined;
}

const SETTINGS_HINT =
  'to hexlens.nodes or hexlens.aptos.networks, or as a base URL such as hexlens.evm.baseUrl, in the user settings';
const SWITCHING_PROTOCOLS = 101;
/** Characters of a host name in messages. */
const MAX_HOST_LENGTH = 120;

/** The origin of an http(s) or ws(s) URL; `null` for anything else. */
function parseOrigin(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed !== null && /^(https?|wss?):$/.test(parsed.protocol) ? parsed.origin : null;
}

/** With the origin at which a development node on loopback announces its heads. */
const withWebSocketOrigin = (origin: string): readonly string[] =>
  isLoopbackHost(new URL(origin).hostname) ? [origin, origin.replace(/^http/, 'ws')] : [origin];

/** Allows what the configuration names, and nothing else. */
export function createEgressPolicy(configuration: Configuration): EgressPolicy {
  const { nodes, groups, keys, timeoutMs, metadata, aptos = {}, urlSecrets = [] } = configuration;
  const origins = new Set<string>();
  const logins = new Map<string, Set<string>>();
  const secrets = new Map<string, Set<string>>();
  const addSecrets = (origin: string, texts: readonly string[]) =>
    secrets.set(origin, new Set([...(secrets.get(origin) ?? []), ...texts]));
  const urls = [
    ...Object.values(nodes).flatMap(toUrlList),
    ...Object.values(groups).flatMap(group => (group.mode === 'remote' ? [group.baseUrl] : [])),
    ...(configuration.verifiedSources ?? []),
    ...Object.values(aptos).flatMap(({ node, indexer }) => [node, indexer].filter(url => url !== null)),
  ];
  for (const url of urls) {
    const urlOrigin = parseOrigin(url);
    if (urlOrigin === null) continue;
    origins.add(urlOrigin);
    for (const origin of withWebSocketOrigin(urlOrigin)) {
      addSecrets(origin, findSecrets(url, urlSecrets));
      const login = getBasicAuthorization(new URL(url));
      if (login !== null) logins.set(origin, (logins.get(origin) ?? new Set()).add(login));
    }
  }
  const keysByOrigin = Object.entries(keys).flatMap(([url, key]) => {
    const origin = parseOrigin(url);
    if (origin === null) return [];
    if (key.length >= MIN_KEY_LENGTH) addSecrets(origin, [key]);
    return [[origin, key] as const];
  });
  const gatewayHost = URL.parse(metadata?.ipfsGateway ?? '')?.hostname;
  const metadataHosts = [...(metadata?.hosts ?? []), ...(gatewayHost ? [gatewayHost] : [])];
  return {
    origins,
    keys: new Map(keysByOrigin),
    logins,
    secrets: new Map([...secrets].map(([origin, texts]) => [origin, [...texts].sort((a, b) => b.length - a.length)])),
    metadataHosts: metadataHosts.map(host => host.toLowerCase()),
    timeoutMs,
  };
}

/** The stored secrets, the login and the parts of path and query that may be keys, as they are in the URL and decoded. */
function findSecrets(text: string, urlSecrets: readonly string[]): readonly string[] {
  const url = URL.parse(text);
  if (url === null) return [];
  const { username, password } = url;
  const found = [
    ...urlSecrets.map(encodeURIComponent).filter(secret => text.includes(secret)),
    // A key is a user name without a password; beside one it is a name, unless it has digits.
    ...(password === '' || /\d/.test(username) ? [username] : []),
    password,
    getBasicAuthorization(url)?.slice('Basic '.length) ?? '',
    ...findPossibleKeys(url).flatMap(key => [key.text, key.raw]),
  ];
  return [...found, ...found.map(decodeUrlText)].filter(({ length }) => length >= MIN_KEY_LENGTH);
}

/** A shorter one may be a part of other data by chance, as `12345678` in a result. */
const MIN_UNMISTAKABLE_LENGTH = 20;
const isLetterOrDigit = (char: string): boolean => /^[0-9a-z]$/i.test(char);

/** Between letters or digits that are not part of an escaped character: `%2F` in a URL, `\n` in JSON. */
function isInsideWord(text: string, start: number, end: number): boolean {
  const isAfterEscape = /(?:%[0-9a-f]{2}|\\[bfnrt]|\\u[0-9a-f]{4})$/i.test(text.slice(Math.max(0, start - 6), start));
  return (isLetterOrDigit(text.charAt(start - 1)) && !isAfterEscape) || isLetterOrDigit(text.charAt(end));
}

function removeKeys(text: string, keys: readonly string[]): string {
  let clean = text;
  for (const key of keys)
    if (clean.includes(key))
      clean = clean.replaceAll(key, (_, start: number, whole: string) =>
        key.length < MIN_UNMISTAKABLE_LENGTH && isInsideWord(whole, start, start + key.length) ? key : '(key)',
      );
  return clean;
}

/** What the policy needs of a URL; the getters of `URL` are slow. */
interface Destination {
  readonly host: string;
  readonly hostname: string;
  readonly protocol: string;
  readonly origin: string;
  /** Normalized, so that the HTTP client connects to the host that was checked. */
  readonly href: string;
  readonly isLoopback: boolean;
  /** The key of a placeholder that is still in the URL. */
  readonly missingSecret: string | undefined;
}

/** Throws `egress-refused` for a text that is no URL of HTTP or WebSockets. */
function parseDestination(text: string): Destination {
  const { host, hostname, protocol, origin, href } = parseUrl(text);
  const [missingSecret] = getSecretNames(text);
  return { host, hostname, protocol, origin, href, isLoopback: isLoopbackNode(hostname), missingSecret };
}

/** An HttpPort that rejects with `egress-refused` what the policy does not allow and sends the rest through `http`. */
export function createEgress({ http, getPolicy, log, clock = systemClock, addHostHint }: EgressDeps): HttpPort {
  const toDestination = memoizeByText(parseDestination);
  /** Runs `work` with the request as the policy allows it; logs one line with the status that `work` reports, or with the fault. */
  const run = async <T>(
    request: HttpRequest,
    faultLevel: 'info' | 'warn',
    work: (allowed: HttpRequest, hideKeys: HideKeys, report: (status: number) => void) => Promise<T>,
  ): Promise<T> => {
    const startedAt = clock.now();
    const label = toLogLabel(request.logLabel);
    let host = 'unknown';
    try {
      // That of a contract may be long, and is requested once.
      const url = request.urlFromContract === true ? parseDestination(request.url) : toDestination(request.url);
      host = url.host;
      const policy = getPolicy();
      if (request.urlFromContract === true) {
        // Nodes are not allowed here: a contract chooses the URL, and must not make us query a node.
        if (url.protocol !== 'https:' || !matchesHost(url.hostname, policy.metadataHosts))
          throw createMetadataHostFault(url);
      } else {
        // Text of a contract may have the form of a placeholder by chance.
        if (url.missingSecret !== undefined) throw createMissingSecretFault(host, url.missingSecret);
        if (!url.isLoopback && !policy.origins.has(url.origin))
          throw createHostFault(url, addHostHint ?? SETTINGS_HINT);
      }
      const allowed = {
        ...request,
        url: url.href,
        headers: checkHeaders(request, url, policy),
        timeoutMs: request.timeoutMs ?? policy.timeoutMs,
      };
      const keys = policy.secrets.get(url.origin) ?? [];
      return await work(
        allowed,
        text => removeKeys(text, keys),
        status => log.info(`${request.method} ${host} ${label} ${status} ${clock.now() - startedAt} ms`),
      );
    } catch (error) {
      const fault = toFault(error);
      const line = `${request.method} ${host} ${label} ${fault.code} ${clock.now() - startedAt} ms`;
      if (fault.code === 'cancelled') log.info(line);
      else log[faultLevel](line);
      throw fault;
    }
  };
  const { subscribe } = http;
  return {
    send: request =>
      run(request, 'warn', async (allowed, hideKeys, report) => {
        const response = await http.send(allowed);
        report(response.status);
        return { ...response, hideKeys };
      }),
    ...(subscribe !== undefined && {
      // Without a subscription the node is polled, and says then what is wrong.
      subscribe: (request, onMessage) =>
        run(request, 'info', (allowed, hideKeys, report) => {
          let reportOnce: typeof report = status => {
            report(status);
            reportOnce = () => {};
          };
          return subscribe(allowed, text => {
            reportOnce(SWITCHING_PROTOCOLS);
            onMessage(text, hideKeys);
          });
        }),
    }),
  };
}

/** `*.example.com` matches `example.com` and every name below it. */
function matchesHost(hostname: string, patterns: readonly string[]): boolean {
  return patterns.some(
    pattern =>
      pattern === '*' ||
      pattern === hostname ||
      (pattern.startsWith('*.') && (hostname === pattern.slice(2) || hostname.endsWith(pattern.slice(1)))),
  );
}

/** Its placeholder, which is still in the URL, means nothing to the host. */
const createMissingSecretFault = (host: string, name: string): HexLensError =>
  new HexLensError(
    'no-node',
    localizable(
      '{0} is not queried: the key {1} of its URL is not stored for this host.',
      host,
      formatPlaceholder(name),
    ),
    { fix: localizable('Enter or allow it with "HexLens: Set API Key", or write the key itself into the URL.') },
  );

function createMetadataHostFault(url: Destination): HexLensError {
  const host = url.hostname.slice(0, MAX_HOST_LENGTH);
  return new HexLensError('egress-refused', `Token metadata is not fetched from ${host}: the host is not allowed.`, {
    fix: localizable('If it should be, add {0} to the setting hexlens.metadata.hosts.', host),
  });
}

function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null) {
    throw new HexLensError('egress-refused', 'The address to connect to is not a valid URL.', {
      fix: 'Correct it in the settings: http:// or https://, a host, and a port where it needs one.',
    });
  }
  if (!/^(https?|wss?):$/.test(url.protocol)) {
    throw new HexLensError('egress-refused', `HexLens does not speak ${url.protocol.slice(0, 20)}// to a host.`, {
      fix: 'Use an http:// or https:// URL in the settings.',
    });
  }
  return url;
}

function createHostFault(url: Destination, addHostHint: string): HexLensError {
  const host = url.host.slice(0, MAX_HOST_LENGTH);
  return new HexLensError('egress-refused', `HexLens does not connect to ${host}: it is not in the settings.`, {
    fix: `If it should, add ${url.protocol}//${host} ${addHostHint}.`,
  });
}

/** Throws for credentials that were not entered for this origin: sending them there would leak them. */
function checkHeaders(request: HttpRequest, url: Destination, policy: EgressPolicy): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const key = policy.keys.get(url.origin);
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const header = name.toLowerCase();
    if (header === 'cookie' || header === 'proxy-authorization') throw createCredentialsFault(url, header);
    if (header === 'x-api-key' && (key === undefined || value !== key)) throw createCredentialsFault(url, header);
    if (header === 'authorization') {
      const isKey = key !== undefined && value === `Bearer ${key}`;
      if (!isKey && policy.logins.get(url.origin)?.has(value) !== true) throw createCredentialsFault(url, header);
    }
    headers[header] = value;
  }
  return headers;
}

function createCredentialsFault(url: Destination, header: string): HexLensError {
  return new HexLensError('egress-refused', `No ${header} is sent to ${url.host.slice(0, MAX_HOST_LENGTH)}.`, {
    fix: 'An API key goes only to the host it was entered for: set one for this host with "HexLens: Set API Key".',
  });
}

/** Labels are constants of our code; if a value ever gets into one, it must not forge a second log line. */
function toLogLabel(label: string): string {
  return label.replace(/[^\x20-\x7e]/g, '?').slice(0, 120);
}

/** Origins that the user wants to test, allowed only while their test runs. */
export function createTemporaryOrigins() {
  const origins: string[] = [];
  return {
    /** The policy with the origins that are allowed at the moment. */
    extendPolicy: (policy: EgressPolicy): EgressPolicy =>
      origins.length === 0 ? policy : { ...policy, origins: new Set([...policy.origins, ...origins]) },
    /** Runs `work` and allows the origin of `url` meanwhile. */
    async allowDuring<T>(url: string, work: () => Promise<T>): Promise<T> {
      const origin = parseOrigin(url);
      if (origin !== null) origins.push(origin);
      try {
        return await work();
      } finally {
        if (origin !== null) origins.splice(origins.indexOf(origin), 1);
      }
    },
  };
}
