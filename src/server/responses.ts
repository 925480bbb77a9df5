// Answers of the HTTP application: JSON with its headers, and faults in the shape of the group that a path belongs to.

import { basePaths, type Group } from '../api/operations/operation.ts';
import { faultBody } from '../api/wire/faultBody.ts';
import { FAULT_HEADER } from '../api/wire/responseHeaders.ts';
import { matchPath } from '../api/wire/routes.ts';
import { type HexLensError, isFault } from '../base/errors.ts';
import type { Outgoing } from './incomingRequest.ts';

const METHODS = ['GET', 'POST'] as const;
/** What the service says of itself. */
const OWN_PAGES: readonly string[] = ['/health', '/ready', '/openapi.json', '/docs', '/metrics'];

/** Pages that are no operation: read, and nothing else. */
export const isOwnPage = (path: string): boolean => OWN_PAGES.includes(path);

/** Whose error bodies a path gets: the group with the longest base that it lies under. */
function groupOf(path: string): Group {
  let found: Group = 'auth';
  let length = 0;
  for (const [group, bases] of Object.entries(basePaths) as [Group, readonly string[]][]) {
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
export function allowedMethods(path: string): readonly string[] {
  const allowed: string[] = METHODS.filter(method => {
    if (isOwnPage(path)) return method === 'GET';
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

export const answerHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

export function json(status: number, body: unknown, headers: Outgoing['headers'] = {}): Outgoing {
  return { status, headers: { ...answerHeaders, ...headers }, body: JSON.stringify(body) };
}

export function faultAnswer(path: string, fault: HexLensError): Outgoing {
  const headers: Record<string, string> = { [FAULT_HEADER]: fault.code };
  if (fault.retryAfterMs !== undefined) headers['retry-after'] = String(Math.ceil(fault.retryAfterMs / 1000));
  if (fault.code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
  if (fault.code === 'method-not-allowed') headers['allow'] = allowedMethods(path).join(', ') || 'GET, HEAD';
  return json(fault.status, faultBody(groupOf(path), fault), headers);
}
