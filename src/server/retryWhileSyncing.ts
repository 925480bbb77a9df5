// Waits for an index that is behind, for programs.
import { getIncompletenessSignal } from '../api/operations/operation.ts';
import { operations } from '../api/operations/operations.ts';
import type { WireReply } from '../api/wire/request.ts';
import { INDEX_HEADER } from '../api/wire/responseHeaders.ts';
import type { HttpBackend } from './httpBackend.ts';

/** Each attempt waits for the index for a moment; all together stay within the usual timeout of a client. */
const MAX_ATTEMPTS = 10;

const isIndexBehind = ({ headers }: WireReply): boolean => headers[INDEX_HEADER] !== undefined;

/**
 * Repeats operations until the index has caught up with the chain, if their reply has no field to show that it has not: a
 * program would take a part of the list for the whole.
 */
export function retryWhileSyncing(call: HttpBackend['call']): HttpBackend['call'] {
  const callRepeatedly: HttpBackend['call'] = async (request, options) => {
    let reply = await call(request, options);
    for (let attempt = 1; attempt < MAX_ATTEMPTS && isIndexBehind(reply); attempt++)
      reply = await call(request, options);
    return reply;
  };
  return (request, options) =>
    getIncompletenessSignal(operations[request.operation]) === 'header'
      ? callRepeatedly(request, options)
      : call(request, options);
}
