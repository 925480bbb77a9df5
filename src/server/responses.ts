// JSON responses, and faults in the error shape of the API group that a path belongs to.

import { hash } from 'node:crypto';
import { type ApiGroup, basePaths } from '../api/operations/operation.ts';
import { encodeFaultBody } from '../api/wire/faultBody.ts';
import type { WireReply } from '../api/wire/request.ts';
import { matchPath } from '../api/wire/routes.ts';
import { type HexLensError, isFault } from '../base/errors.ts';
import { getOrInsert } from '../base/getOrInsert.ts';
import { forwardReplyHeaders, getFaultHeaders, jsonHeaders, REVALIDATED, type ResponseHeaders } from './httpHeaders.ts';
import { OutgoingResponse } from './outgoingResponse.ts';

/** Up to this length, writing head and body as one string is faster than writing the body as a buffer. */
const MAX_STRING_LENGTH = 32 * 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
const ASCII = /^[\x00-\x7f]*$/;

function toReplyResponse({ status, headers: replyHeaders, body }: WireReply, isReused: boolean): OutgoingResponse {
  const json = JSON.stringify(body);
  const headers = forwardReplyHeaders(replyHeaders);
  if (isReused && status === 200) {
    headers['etag'] = `"${hash('sha1', json, 'base64url')}"`;
    headers['cache-control'] = REVALIDATED;
  }
  if (json.length <= MAX_STRING_LENGTH && ASCII.test(json)) return new OutgoingResponse(status, headers, json, true);
  return new OutgoingResponse(status, headers, isReused ? Buffer.from(json) : json);
}

/** Whether `If-None-Match` names the body that would be sent (RFC 9110, section 13.1.2). */
export const isKnownBody = (ifNoneMatch: string, etag: string | undefined): boolean =>
  etag !== undefined &&
  ifNoneMatch.split(',').some(tag => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

/** Makes responses of replies, once for those that the worker's cache shares between requests. */
export function createReplySerializer(): (reply: WireReply) => OutgoingResponse {
  const responses = new WeakMap<WireReply, OutgoingResponse>();
  return reply =>
    reply.freshness === undefined
      ? toReplyResponse(reply, false)
      : getOrInsert(responses, reply, () => toReplyResponse(reply, true));
}

const METHODS = ['GET', 'POST'] as const;
const SERVICE_PAGES: readonly string[] = ['/health', '/ready', '/openapi.json', '/docs', '/metrics'];

/** Whether the path is a page about the service itself: not an operation, and only for reading. */
export const isServicePage = (path: string): boolean => SERVICE_PAGES.includes(path);

/** The group with the longest base path above this path: it decides the shape of error bodies. */
function getGroupOfPath(path: string): ApiGroup {
  let group: ApiGroup = 'auth';
  let baseLength = 0;
  for (const [candidate, bases] of Object.entries(basePaths) as [ApiGroup, readonly string[]][]) {
    for (const base of bases) {
      if (base.length > baseLength && (path === base || path.startsWith(`${base}/`))) {
        group = candidate;
        baseLength = base.length;
      }
    }
  }
  return group;
}

/** Methods that an operation or page has at this path, with the `HEAD` and `OPTIONS` that follow from them. */
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

export function createJsonResponse(status: number, body: unknown, headers: ResponseHeaders = {}): OutgoingResponse {
  return new OutgoingResponse(status, { ...jsonHeaders, ...headers }, JSON.stringify(body));
}

export function createFaultResponse(path: string, fault: HexLensError): OutgoingResponse {
  const allowedMethods = fault.code === 'method-not-allowed' ? getAllowedMethods(path) : [];
  const body = encodeFaultBody(getGroupOfPath(path), fault);
  return createJsonResponse(fault.status, body, getFaultHeaders(fault, allowedMethods));
}
