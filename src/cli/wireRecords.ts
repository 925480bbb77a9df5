// Every record of an operation as it stands on the wire, page after page.

import { type Input, type OperationId, operations } from '../api/operations/operations.ts';
import { encodeRequest, type WireReply } from '../api/wire/request.ts';
import { FILTERED_HEADER, SCAN_HEADER } from '../api/wire/responseHeaders.ts';
import { HexLensError, toFault } from '../base/errors.ts';
import { faultFromReply } from '../client/client.ts';
import type { Backend } from '../server/httpBackend.ts';
import { waitForIndex } from './waitForIndex.ts';

const say = (sentence: string) => process.stderr.write(`hexlens: ${sentence}\n`);

export async function fetchReply<Id extends OperationId>(
  backend: Pick<Backend, 'call'>,
  id: Id,
  input: Input<Id>,
  signal: AbortSignal,
): Promise<WireReply> {
  try {
    const request = encodeRequest(id, input);
    const reply = await waitForIndex(() => backend.call(request, { signal }), say);
    if (reply.status >= 400) throw faultFromReply(reply, operations[id].group);
    return reply;
  } catch (error) {
    const { code, message } = toFault(error);
    // Whoever is at a command line has no palette.
    throw code === 'unauthorized' && operations[id].group !== 'auth'
      ? new HexLensError(code, message, { fix: 'Give the key of the service with --key or HEXLENS_API_KEY.' })
      : error;
  }
}

interface WirePage {
  readonly cursor?: unknown;
  readonly result?: unknown;
}

/** From `input.cursor` or the first page. Rejects when a page fails, or when the pages go round in a circle. */
export async function* readWireRecords<Id extends OperationId>(
  backend: Pick<Backend, 'call'>,
  id: Id,
  input: Input<Id>,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, void> {
  const seen = new Set<unknown>();
  for (let next = input; ; ) {
    const { body, headers } = await fetchReply(backend, id, next, signal);
    if (operations[id].reply.shape !== 'page') {
      yield* Array.isArray(body) ? body : [body];
      return;
    }
    const { cursor, result }: WirePage = body !== null && typeof body === 'object' ? body : {};
    const records: readonly unknown[] = Array.isArray(result) ? result : [];
    yield* records;
    if (typeof cursor !== 'string' || cursor === '') return;
    const goesOn = Number(headers[FILTERED_HEADER] ?? 0) > 0 || headers[SCAN_HEADER] !== undefined;
    if (records.length === 0 && !goesOn) return;
    if (seen.has(cursor)) {
      throw new HexLensError('host-error', 'The service gave the same cursor twice: the pages would never end.', {
        fix: 'Ask for fewer at a time with --limit, and tell whoever runs it.',
      });
    }
    seen.add(cursor);
    next = { ...next, cursor };
  }
}
