// Protects the server from web pages: checks the `Host` header against DNS rebinding, and `Origin` against other sites.
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { createBadInputFault } from '../base/errors.ts';
import { isLoopbackHost } from '../base/loopback.ts';
import { getCorsHeaders, getPreflightHeaders, type HeaderList, type ResponseHeaders } from './httpHeaders.ts';

export interface OriginRules {
  /** Names of the server besides those of loopback (`data.example`), in lower case. */
  readonly hostNames: readonly string[];
  /** Any IP address is allowed as host: DNS rebinding needs a name. */
  readonly allowsAnyAddress: boolean;
  /** Origins of web pages that may send requests (`https://app.example`), besides the server's own. */
  readonly origins: readonly string[];
}

export const loopbackOriginRules: OriginRules = { hostNames: [], allowsAnyAddress: false, origins: [] };

/** Length of a host name with its port. */
const MAX_AUTHORITY_LENGTH = 255;
const MAX_CACHED_AUTHORITIES = 100;

/** `data.example` and `http://data.example:8080` of `Data.Example:8080`; `null` when it is no host. */
function parseAuthority(authority: string): { readonly hostname: string; readonly origin: string } | null {
  if (authority.length > MAX_AUTHORITY_LENGTH || !/^[\w.:[\]-]+$/.test(authority)) return null;
  const url = URL.parse(`http://${authority}`);
  return url === null || url.pathname !== '/' ? null : { hostname: url.hostname, origin: url.origin };
}

export type OriginGuard = ReturnType<typeof createOriginGuard>;

export function createOriginGuard(rules: OriginRules) {
  const hostNames = new Set(rules.hostNames);
  const origins = new Set(rules.origins);
  const vary: HeaderList = origins.size === 0 ? [] : ['vary', 'Origin'];
  /** Authority -> the server's own origin under that name. Clients use few names; 26 kB at most. */
  const originCache = new Map<string, string | null>();

  const isOwnHost = (hostname: string) =>
    isLoopbackHost(hostname) ||
    hostNames.has(hostname) ||
    (rules.allowsAnyAddress && isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0);

  /** The origin of the server's own pages under this name; `null` when the name is not the server's. */
  const getOwnOrigin = (authority: string): string | null => {
    const cached = originCache.get(authority);
    if (cached !== undefined) return cached;
    const parsed = parseAuthority(authority);
    const origin = parsed !== null && isOwnHost(parsed.hostname) ? parsed.origin : null;
    if (originCache.size < MAX_CACHED_AUTHORITIES && authority.length <= MAX_AUTHORITY_LENGTH)
      originCache.set(authority, origin);
    return origin;
  };

  return {
    /**
     * Throws `bad-input` for a host name that is not the server's (a page could point its own name at this machine), and for
     * an `Origin` that is not allowed. Returns the headers that let an allowed page read the response.
     */
    check(authority: string, { origin }: IncomingHttpHeaders): HeaderList {
      const ownOrigin = getOwnOrigin(authority);
      if (ownOrigin === null) {
        const names = ['localhost', '127.0.0.1', ...hostNames].join(', ');
        throw createBadInputFault([
          { field: 'Host', message: `Host must be one of ${names}: this service answers no other name` },
        ]);
      }
      // Behind a proxy that terminates TLS, the server's own pages are https.
      if (origin === undefined || origin === ownOrigin || origin === ownOrigin.replace('http:', 'https:')) return vary;
      if (!origins.has(origin)) {
        throw createBadInputFault([
          {
            field: 'Origin',
            message: 'Origin must be this service itself, or one that it was started with (--cors)',
          },
        ]);
      }
      return [...vary, ...getCorsHeaders(origin)];
    },
    /** Headers of the response to a preflight request; none for origins that are not allowed. */
    preflight(headers: IncomingHttpHeaders, allowedMethods: readonly string[]): ResponseHeaders {
      if (headers.origin === undefined || !origins.has(headers.origin)) return {};
      return getPreflightHeaders(headers, allowedMethods);
    },
  };
}
