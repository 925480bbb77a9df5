// Answers to programs that have no field to say that the index is behind: asked for again until it is not.

import type { OperationId } from '../api/operations/operations.ts';
import type { WireReply } from '../api/wire/request.ts';
import { INDEX_HEADER } from '../api/wire/responseHeaders.ts';
import type { Backend } from './httpBackend.ts';

/** A program that takes half a list for the whole is wrong without a chance to know; the others say so in their bodies. */
const SIGNLESS: ReadonlySet<OperationId> = new Set(['erc20Mints', 'nftLowestPrice']);

/** Each time waits for the index for a moment by itself: together not longer than programs wait. */
const MOST_ASKED = 10;

const isBehind = ({ headers }: WireReply): boolean => headers[INDEX_HEADER] !== undefined;

export function retryWhileSyncing(call: Backend['call']): Backend['call'] {
  return async (request, options) => {
    let reply = await call(request, options);
    if (!SIGNLESS.has(request.operation)) return reply;
    for (let asked = 1; asked < MOST_ASKED && isBehind(reply); asked++) reply = await call(request, options);
    return reply;
  };
}
