// Replies of operations as they are on the wire: one reply, or the records of all pages.
import { type Input, type OperationId, operations } from '../api/operations/operations.ts';
import { encodeRequest, type WireReply } from '../api/wire/request.ts';
import { FILTERED_HEADER, SCAN_HEADER } from '../api/wire/responseHeaders.ts';
import { HexLensError, toFault } from '../base/errors.ts';
import { faultFromReply } from '../client/client.ts';
import type { Backend } from '../worker/backend.ts';
import { waitForIndex } from './waitForIndex.ts';

const printProgress = (sentence: string) => process.stderr.write(`hexlens: ${sentence}\n`);

/** Rejects with the fault of an error reply. */
export async function fetchReply<Id extends OperationId>(
  backend: Pick<Backend, 'call'>,
  id: Id,
  input: Input<Id>,
  signal: AbortSignal,
): Promise<WireReply> {
  try {
    const request = encodeRequest(id, input);
    const reply = await waitForIndex(() => backend.call(request, { signal }), printProgress);
    if (reply.status >= 400) throw faultFromReply(reply, operations[id].group);
    return reply;
  } catch (error) {
    const { code, message } = toFault(error);
    // The usual fix names a command of the editor.
    throw code === 'unauthorized' && operations[id].group !== 'auth'
      ? new HexLensError(code, message, { fix: 'Give the key of the service with --key or HEXLENS_API_KEY.' })
      : error;
  }
}

interface WirePage {
  readonly cursor?: unknown;
  readonly result?: unknown;
}

/** Records from `input.cursor` or the first page on. Rejects when a page fails, and when a cursor repeats. */
export async function* readWireRecords<Id extends OperationId>(
  backend: Pick<Backend, 'call'>,
  id: Id,
  input: Input<Id>,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, void> {
  const seenCursors = new Set<unknown>();
  let pageInput = input;
  while (true) {
    const { body, headers } = await fetchReply(backend, id, pageInput, signal);
    if (operations[id].reply.shape !== 'page') {
      yield* Array.isArray(body) ? body : [body];
      return;
    }
    const { cursor, result }: WirePage = body !== null && typeof body === 'object' ? body : {};
    const records: readonly unknown[] = Array.isArray(result) ? result : [];
    yield* records;
    if (typeof cursor !== 'string' || cursor === '') return;
    // Such a page may be empty though it is not the last one.
    const isPartialPage = Number(headers[FILTERED_HEADER] ?? 0) > 0 || headers[SCAN_HEADER] !== undefined;
    if (records.length === 0 && !isPartialPage) return;
    if (seenCursors.has(cursor)) {
      throw new HexLensError('host-error', 'The service gave the same cursor twice: the pages would never end.', {
        fix: 'Request fewer records at a time with --limit, and report it to the operator of the service.',
      });
    }
    seenCursors.add(cursor);
    pageInput = { ...pageInput, cursor };
  }
}
