// Answers of the HTTP application: JSON with its headers, and faults in the shape of the group that a path belongs to.

import { type ApiGroup, basePaths } from '../api/operations/operation.ts';
import { encodeFaultBody } from '../api/wire/faultBody.ts';
import { FAULT_HEADER } from '../api/wire/responseHeaders.ts';
import { matchPath } from '../api/wire/routes.ts';
import { type HexLensError, isFault } from '../base/errors.ts';
import type { OutgoingResponse } from './incomingRequest.ts';

const METHODS = ['GET', 'POST'] as const;
/** What the service says of itself. */
const OWN_PAGES: readonly string[] = ['/health', '/ready', '/openapi.json', '/docs', '/metrics'];

/** Pages that are no operation: read, and nothing else. */
export const isServicePage = (path: string): boolean => OWN_PAGES.includes(path);

/** Whose error bodies a path gets: the group with the longest base that it lies under. */
function groupOf(path: string): ApiGroup {
  let found: ApiGroup = 'auth';
  let length = 0;
  for (const [group, bases] of Object.entries(basePaths) as [ApiGroup, readonly string[]][]) {
    for (const base of bases) {
      if (base.length > length && (path === base || path.startsWith(`${base}/`))) {
        found = group;
        length = base.length;
      }
    }
  }
  return found;
}

/** Methods that some operation or page has at this path; `HEAD` and `OPTIONS` come with them. */
export function getAllowedMethods(path: string): readonly string[] {
  const allowed: string[] = METHODS.filter(method => {
    if (isServicePage(path)) return method === 'GET';
    try {
      matchPath(method, path);
      return true;
    } catch (error) {
      if (isFault(error, 'method-not-allowed', 'not-found')) return false;
      throw error;
    }
  });
  if (allowed.includes('GET')) allowed.push('HEAD');
  return allowed.length === 0 ? [] : [...allowed, 'OPTIONS'];
}

export const defaultResponseHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

export function createJsonResponse(
  status: number,
  body: unknown,
  headers: OutgoingResponse['headers'] = {},
): OutgoingResponse {
  return { status, headers: { ...defaultResponseHeaders, ...headers }, body: JSON.stringify(body) };
}

export function createFaultResponse(path: string, fault: HexLensError): OutgoingResponse {
  const headers: Record<string, string> = { [FAULT_HEADER]: fault.code };
  if (fault.retryAfterMs !== undefined) headers['retry-after'] = String(Math.ceil(fault.retryAfterMs / 1000));
  if (fault.code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
  if (fault.code === 'method-not-allowed') headers['allow'] = getAllowedMethods(path).join(', ') || 'GET, HEAD';
  return createJsonResponse(fault.status, encodeFaultBody(groupOf(path), fault), headers);
}
