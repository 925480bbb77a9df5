// From a target to the request of an operation in normal form; targets that were read before are remembered.
import type { ApiGroup } from '../api/operations/operation.ts';
import type { OperationId } from '../api/operations/operations.ts';
import { parseQueryString } from '../api/wire/queryString.ts';
import { decodeRequest, encodeRequest, type WireRequest } from '../api/wire/request.ts';
import { matchPath } from '../api/wire/routes.ts';
import type { RequestTarget } from './incomingRequest.ts';

export interface MatchedRequest {
  readonly operation: OperationId;
  readonly group: ApiGroup;
  /** The request; throws `bad-input` naming every wrong field. `body` is what a POST brought. */
  toWireRequest(body?: unknown): WireRequest;
}

/** Programs ask few targets often: what one means is always the same. 3 MB at most. */
const REMEMBERED = 1_000;
const REMEMBERED_LENGTH = 512;

/** Throws `not-found` and `method-not-allowed`. */
export function createRequestReader(): (method: string, target: RequestTarget, text: string) => MatchedRequest {
  const known = new Map<string, MatchedRequest>();
  return (method, { path, query }, text) => {
    const remembered = method === 'GET' ? known.get(text) : undefined;
    if (remembered !== undefined) return remembered;
    const { id, group } = matchPath(method, path).operation;
    return {
      operation: id,
      group,
      toWireRequest(body) {
        const { id, input } = decodeRequest(method, path, parseQueryString(query), body);
        // Encoded anew: the service, its cache and a remote host all get the one normal form of what was asked.
        const request = encodeRequest(id, input);
        if (method === 'GET' && text.length <= REMEMBERED_LENGTH) {
          if (known.size >= REMEMBERED) known.clear();
          known.set(text, { operation: id, group, toWireRequest: () => request });
        }
        return request;
      },
    };
  };
}
