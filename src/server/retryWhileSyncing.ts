// Repeats operations whose reply cannot say that the index is behind the chain, until the index has caught up.
import type { OperationId } from '../api/operations/operations.ts';
import type { WireReply } from '../api/wire/request.ts';
import { INDEX_HEADER } from '../api/wire/responseHeaders.ts';
import type { HttpBackend } from './httpBackend.ts';

/** Their bodies have no field for it: a client would take a part of the list for the whole. */
const WITHOUT_SYNC_FIELD: ReadonlySet<OperationId> = new Set(['erc20Mints', 'nftLowestPrice']);

/** Each attempt waits for the index for a moment; all together stay within the usual timeout of a client. */
const MAX_ATTEMPTS = 10;

const isIndexBehind = ({ headers }: WireReply): boolean => headers[INDEX_HEADER] !== undefined;

export function retryWhileSyncing(call: HttpBackend['call']): HttpBackend['call'] {
  return async (request, options) => {
    let reply = await call(request, options);
    if (!WITHOUT_SYNC_FIELD.has(request.operation)) return reply;
    for (let attempt = 1; attempt < MAX_ATTEMPTS && isIndexBehind(reply); attempt++)
      reply = await call(request, options);
    return reply;
  };
}
