// No web page that reached us by a trick of names: which hosts we are, and which pages of other origins may ask.
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { badInputFault } from '../base/errors.ts';
import { isLoopbackHost } from '../base/loopback.ts';

export interface OriginRules {
  /** Names besides those of this machine under which the service is asked (`data.example`), in lower case. */
  readonly hostNames: readonly string[];
  /** It is asked from other machines, by whatever address: no name server can forge an address. */
  readonly allowsAnyAddress: boolean;
  /** Origins of web pages that may ask (`https://app.example`); none but our own when empty. */
  readonly origins: readonly string[];
}

export const loopbackOriginRules: OriginRules = { hostNames: [], allowsAnyAddress: false, origins: [] };

export interface OriginGuard {
  /**
   * Throws `bad-input` for a request that a web page made which may not: a name that someone else's name server points
   * at this machine (DNS rebinding), or an `Origin` that is neither this service nor allowed. Returns the headers that
   * let an allowed page read the answer.
   */
  check(authority: string, headers: IncomingHttpHeaders): OutgoingHttpHeaders;
  /** Headers of the answer to a page's question whether it may ask at all. */
  preflight(headers: IncomingHttpHeaders, methods: readonly string[]): OutgoingHttpHeaders;
}

const ASKED_WITH = 'authorization, content-type, x-api-key, x-request-id';
const SHOWN =
  'deprecation, link, retry-after, sunset, x-hexlens-domain, x-hexlens-fault, x-hexlens-index, x-hexlens-internal-transactions, x-hexlens-scan, x-hexlens-total, x-request-id';
const PREFLIGHT_SECONDS = '600';

/** Characters of a name with its port. */
const LONGEST_NAME = 255;

/** `data.example` and `8080` of `Data.Example:8080`; `null` when it is no host. */
function parseAuthority(authority: string): { readonly hostname: string; readonly origin: string } | null {
  if (authority.length > LONGEST_NAME || !/^[\w.:[\]-]+$/.test(authority)) return null;
  const url = URL.parse(`http://${authority}`);
  return url === null || url.pathname !== '/' ? null : { hostname: url.hostname, origin: url.origin };
}

export function createOriginGuard(rules: OriginRules): OriginGuard {
  const hosts = new Set(rules.hostNames);
  const origins = new Set(rules.origins);
  /** Clients use few names: each is judged once. 26 kB at most, however long the names that a stranger sends are. */
  const judged = new Map<string, string | null>();

  const isOurs = (hostname: string) =>
    isLoopbackHost(hostname) ||
    hosts.has(hostname) ||
    (rules.allowsAnyAddress && isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0);

  /** The origin of our own pages under this name; `null` when the name is not ours. */
  const ownOrigin = (authority: string): string | null => {
    const known = judged.get(authority);
    if (known !== undefined) return known;
    const parsed = parseAuthority(authority);
    const own = parsed !== null && isOurs(parsed.hostname) ? parsed.origin : null;
    if (judged.size < 100 && authority.length <= LONGEST_NAME) judged.set(authority, own);
    return own;
  };

  return {
    check(authority, { origin }) {
      const own = ownOrigin(authority);
      if (own === null) {
        const names = ['localhost', '127.0.0.1', ...hosts].join(', ');
        throw badInputFault([
          { field: 'Host', message: `Host must be one of ${names}: this service answers no other name` },
        ]);
      }
      const vary = origins.size === 0 ? {} : { vary: 'Origin' };
      // Behind a proxy that speaks TLS our own pages are https.
      if (origin === undefined || origin === own || origin === own.replace('http:', 'https:')) return vary;
      if (!origins.has(origin)) {
        throw badInputFault([
          {
            field: 'Origin',
            message: 'Origin must be this service itself, or one that it was started with (--cors)',
          },
        ]);
      }
      return { ...vary, 'access-control-allow-origin': origin, 'access-control-expose-headers': SHOWN };
    },
    preflight(headers, methods) {
      if (headers.origin === undefined || !origins.has(headers.origin)) return {};
      return {
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers': ASKED_WITH,
        'access-control-max-age': PREFLIGHT_SECONDS,
        // A page of the network at large that asks a machine at home: the browser wants a word of its own for that.
        ...(headers['access-control-request-private-network'] === 'true' && {
          'access-control-allow-private-network': 'true',
        }),
      };
    },
  };
}
