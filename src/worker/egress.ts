// The only door to the network: what may be reached, which key goes where, and one log line per request.

import type { Configuration } from '../api/configuration.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { HexLensError, toFault } from '../base/errors.ts';
import type { HttpPort, HttpRequest } from '../base/httpPort.ts';
import type { Log } from '../base/log.ts';
import { isLoopbackHost } from '../base/loopback.ts';

export interface EgressPolicy {
  /** Origins (`https://host:port`, as `URL.origin` writes them) that may be reached besides loopback. */
  readonly origins: ReadonlySet<string>;
  /** Origin -> the API key that was entered for it. */
  readonly keys: ReadonlyMap<string, string>;
  /** Origin -> `Authorization` values it may get besides `Bearer` and its key: user and password of a node's URL. */
  readonly logins: ReadonlyMap<string, ReadonlySet<string>>;
  /** Host names that token metadata may come from: `example.com`, `*.example.com`, or `*` for every public host. */
  readonly metadataHosts: readonly string[];
  /** Milliseconds that a request may take when it does not say so itself. */
  readonly timeoutMs: number;
}

export interface EgressDeps {
  readonly http: HttpPort;
  /** Asked at every request, so that a host that was taken out of the settings is out at once. */
  getPolicy(): EgressPolicy;
  readonly log: Log;
  readonly clock?: Clock;
  /** Where the user adds a host, as the end of a sentence. */
  readonly addHostHint?: string;
}

const SETTINGS =
  'to hexlens.nodes or hexlens.aptos.networks, or as a base URL such as hexlens.evm.baseUrl, in the user settings';

/** The origin of an http(s) URL; `null` when it is none. */
export function parseOrigin(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed.origin : null;
}

/** Everything that a configuration names, and nothing else. */
export function createEgressPolicy(configuration: Configuration): EgressPolicy {
  const { nodes, groups, keys, timeoutMs, metadata, aptos = {} } = configuration;
  const origins = new Set<string>();
  const logins = new Map<string, Set<string>>();
  const named = [
    ...Object.values(nodes),
    ...Object.values(groups).flatMap(group => (group.mode === 'remote' ? [group.baseUrl] : [])),
    ...Object.values(aptos).flatMap(({ node, indexer }) => [node, indexer].filter(url => url !== null)),
  ];
  for (const url of named) {
    const origin = parseOrigin(url);
    if (origin === null) continue;
    origins.add(origin);
    const login = loginIn(url);
    if (login !== null) logins.set(origin, (logins.get(origin) ?? new Set()).add(login));
  }
  const entered = Object.entries(keys).flatMap(([url, key]) => {
    const origin = parseOrigin(url);
    return origin === null ? [] : [[origin, key] as const];
  });
  const gateway = URL.parse(metadata?.ipfsGateway ?? '')?.hostname;
  const metadataHosts = [...(metadata?.hosts ?? []), ...(gateway ? [gateway] : [])].map(host => host.toLowerCase());
  return { origins, keys: new Map(entered), logins, metadataHosts, timeoutMs };
}

/** What HTTP's basic authentication makes of `https://user:password@host`; `null` when the URL has neither. */
function loginIn(url: string): string | null {
  const { username = '', password = '' } = URL.parse(url) ?? {};
  if (username === '' && password === '') return null;
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString('base64')}`;
  } catch {
    return null; // a stray `%`: nobody else can read it either
  }
}

/** An HttpPort that refuses with `egress-refused` what the policy does not allow, and sends the rest through `http`. */
export function createEgress({
  http,
  getPolicy: policy,
  log,
  clock = systemClock,
  addHostHint: remedy = SETTINGS,
}: EgressDeps): HttpPort {
  return {
    async send(request) {
      const start = clock.now();
      const label = oneLine(request.logLabel);
      let host = 'somewhere';
      try {
        const url = parse(request.url);
        host = url.host;
        const rules = policy();
        if (request.publicOnly === true) {
          // Not the origins of nodes: a contract must not send us to somebody's node.
          if (url.protocol !== 'https:' || !isNamed(url.hostname, rules.metadataHosts)) throw refusedMetadata(url);
        } else if (!isLoopbackHost(url.hostname) && !rules.origins.has(url.origin)) throw refusedHost(url, remedy);
        const response = await http.send({
          ...request,
          // The parsed form: whoever connects must read the same host in it as was judged here.
          url: url.href,
          headers: checkedHeaders(request, url, rules),
          timeoutMs: request.timeoutMs ?? rules.timeoutMs,
        });
        log.info(`${request.method} ${host} ${label} ${response.status} ${clock.now() - start} ms`);
        return response;
      } catch (error) {
        const fault = toFault(error);
        const line = `${request.method} ${host} ${label} ${fault.code} ${clock.now() - start} ms`;
        if (fault.code === 'cancelled') log.info(line);
        else log.warn(line);
        throw fault;
      }
    },
  };
}

/** `*.example.com` is every name below `example.com`, and that one. */
function isNamed(hostname: string, patterns: readonly string[]): boolean {
  return patterns.some(
    pattern =>
      pattern === '*' ||
      pattern === hostname ||
      (pattern.startsWith('*.') && (hostname === pattern.slice(2) || hostname.endsWith(pattern.slice(1)))),
  );
}

function refusedMetadata(url: URL): HexLensError {
  const host = url.hostname.slice(0, 120);
  return new HexLensError('egress-refused', `Token metadata is not fetched from ${host}: nobody named it.`, {
    fix: `If it should be, add ${host} to hexlens.metadata.hosts, or start the service with --metadata-host ${host}.`,
  });
}

function parse(text: string): URL {
  const url = URL.parse(text);
  if (url === null) {
    throw new HexLensError('egress-refused', 'The address to connect to is not a valid URL.', {
      fix: 'Correct it in the settings: http:// or https://, a host, and a port where it needs one.',
    });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new HexLensError('egress-refused', `HexLens does not speak ${url.protocol.slice(0, 20)}// to a host.`, {
      fix: 'Use an http:// or https:// URL in the settings.',
    });
  }
  return url;
}

function refusedHost(url: URL, remedy: string): HexLensError {
  const host = url.host.slice(0, 120);
  return new HexLensError('egress-refused', `HexLens does not connect to ${host}: nobody named it in the settings.`, {
    fix: `If it should, add ${url.protocol}//${host} ${remedy}.`,
  });
}

/** Refuses a key that was not entered for this very origin: sending it there is a leak, whoever made the request. */
function checkedHeaders(request: HttpRequest, url: URL, rules: EgressPolicy): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const key = rules.keys.get(url.origin);
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const lower = name.toLowerCase();
    if (lower === 'cookie' || lower === 'proxy-authorization') throw refusedKey(url, lower);
    if (lower === 'x-api-key' && (key === undefined || value !== key)) throw refusedKey(url, lower);
    if (lower === 'authorization') {
      const entered = key !== undefined && value === `Bearer ${key}`;
      if (!entered && rules.logins.get(url.origin)?.has(value) !== true) throw refusedKey(url, lower);
    }
    headers[lower] = value;
  }
  return headers;
}

function refusedKey(url: URL, header: string): HexLensError {
  return new HexLensError('egress-refused', `No ${header} is sent to ${url.host.slice(0, 120)}.`, {
    fix: 'An API key goes only to the host it was entered for: set one for this host with "HexLens: Set API Key".',
  });
}

/** A label is written by our own code; should a value ever slip in, it must not forge a second line. */
function oneLine(label: string): string {
  return label.replace(/[^\x20-\x7e]/g, '?').slice(0, 120);
}

// Origins that may be asked "who are you?" because the user said so just now, for as long as that question takes.
export interface TemporaryOrigins {
  /** The policy with the origins of the questions under way. */
  extendPolicy(policy: EgressPolicy): EgressPolicy;
  /** Runs `ask`, during which the origin of `url` may be reached. */
  allowDuring<T>(url: string, ask: () => Promise<T>): Promise<T>;
}

export function createTemporaryOrigins(): TemporaryOrigins {
  const open: string[] = [];
  return {
    extendPolicy: policy =>
      open.length === 0 ? policy : { ...policy, origins: new Set([...policy.origins, ...open]) },
    async allowDuring(url, ask) {
      const origin = parseOrigin(url);
      if (origin !== null) open.push(origin);
      try {
        return await ask();
      } finally {
        if (origin !== null) open.splice(open.indexOf(origin), 1);
      }
    },
  };
}
