// Headers of replies: of bodies, of request ids, and those of the service that the server forwards.
import type { IncomingHttpHeaders } from 'node:http';
import { FAULT_HEADER, headerDescriptions } from '../api/wire/responseHeaders.ts';
import type { HexLensError } from '../base/errors.ts';
import { formatRetryAfter } from '../base/retryAfter.ts';

export type ResponseHeaders = Record<string, string>;

/** Names and values in turn. */
export type HeaderList = readonly string[];

/** Headers of each response with a JSON body. */
export const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** Of replies with an `etag`: a client may keep them, and asks each time whether they have changed. */
export const REVALIDATED = 'private, no-cache';

export const REQUEST_ID_HEADER = 'x-request-id';

/** Standard headers of a service reply that the server forwards; it forwards all `x-hexlens-` headers too. */
const FORWARDED_HEADERS = /^(deprecation|sunset|link|retry-after)$/;

/** The reply's headers that mean something to a caller. A remote host's transport headers and cookies do not. */
export function forwardReplyHeaders(replyHeaders: Readonly<Record<string, string>>): ResponseHeaders {
  const headers: ResponseHeaders = { ...jsonHeaders };
  for (const name in replyHeaders) {
    const value = replyHeaders[name];
    if (value !== undefined && (name.startsWith('x-hexlens-') || FORWARDED_HEADERS.test(name))) headers[name] = value;
  }
  return headers;
}

export function getFaultHeaders(fault: HexLensError, allowedMethods: readonly string[]): ResponseHeaders {
  const headers: ResponseHeaders = { [FAULT_HEADER]: fault.code };
  if (fault.retryAfterMs !== undefined) headers['retry-after'] = formatRetryAfter(fault.retryAfterMs);
  if (fault.code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
  if (fault.code === 'method-not-allowed') headers['allow'] = allowedMethods.join(', ') || 'GET, HEAD';
  return headers;
}

/** Response headers that a page of an allowed origin may read (`Access-Control-Expose-Headers`). */
const EXPOSED_HEADERS = [
  ...['link', 'sunset'],
  ...Object.keys(headerDescriptions).filter(name => name !== 'www-authenticate' && name !== 'allow'),
].join(', ');

/** Request headers that a page of an allowed origin may send. */
const ALLOWED_REQUEST_HEADERS = `authorization, content-type, if-none-match, x-api-key, ${REQUEST_ID_HEADER}`;
const PREFLIGHT_MAX_AGE_SECONDS = '600';

/** Let a page of this origin read the response. */
export function getCorsHeaders(origin: string): HeaderList {
  return ['access-control-allow-origin', origin, 'access-control-expose-headers', EXPOSED_HEADERS];
}

/** Answer a page's preflight request (`OPTIONS`). */
export function getPreflightHeaders(request: IncomingHttpHeaders, allowedMethods: readonly string[]): ResponseHeaders {
  return {
    'access-control-allow-methods': allowedMethods.join(', '),
    'access-control-allow-headers': ALLOWED_REQUEST_HEADERS,
    'access-control-max-age': PREFLIGHT_MAX_AGE_SECONDS,
    // Private Network Access: the browser asks before a public page may reach a machine of the local network.
    ...(request['access-control-request-private-network'] === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
  };
}
