// Turns a request target into the normalized request of an operation; caches targets that clients repeat.
import type { ApiGroup } from '../api/operations/operation.ts';
import type { OperationId } from '../api/operations/operations.ts';
import { parseQueryString } from '../api/wire/queryString.ts';
import { decodeRequest, encodeRequest, type WireRequest } from '../api/wire/request.ts';
import { matchPath } from '../api/wire/routes.ts';
import type { RequestTarget } from './incomingRequest.ts';

export interface MatchedRequest {
  readonly operation: OperationId;
  readonly group: ApiGroup;
  /** The request; `body` is the parsed body of a POST. Throws `bad-input` naming every wrong field. */
  toWireRequest(body?: unknown): WireRequest;
}

/** Cached targets and the length of each: 3 MB at most. */
const MAX_CACHED_TARGETS = 1_000;
const MAX_CACHED_TARGET_LENGTH = 512;

/** The returned function throws `not-found` and `method-not-allowed`. */
export function createRequestReader(): (method: string, target: RequestTarget, rawTarget: string) => MatchedRequest {
  const targetCache = new Map<string, MatchedRequest>();
  return (method, { path, query }, rawTarget) => {
    const cached = method === 'GET' ? targetCache.get(rawTarget) : undefined;
    if (cached !== undefined) return cached;
    const { id, group } = matchPath(method, path).operation;
    return {
      operation: id,
      group,
      toWireRequest(body) {
        const { id, input } = decodeRequest(method, path, parseQueryString(query), body);
        // Encoded again, so that service, cache and remote host see one spelling of equal requests.
        const request = encodeRequest(id, input);
        if (method === 'GET' && rawTarget.length <= MAX_CACHED_TARGET_LENGTH) {
          // Cleared as a whole: an LRU would cost more per request than parsing the few targets again.
          if (targetCache.size >= MAX_CACHED_TARGETS) targetCache.clear();
          targetCache.set(rawTarget, { operation: id, group, toWireRequest: () => request });
        }
        return request;
      },
    };
  };
}
