// The typed client: one method per operation over any transport, and pagination.
import type { ApiGroup } from '../api/operations/operation.ts';
import { type Input, type OperationId, type Output, operationIds, operations } from '../api/operations/operations.ts';
import type { AnyRecord } from '../api/records/record.ts';
import { faultFromResponse, parseFaultMessage } from '../api/wire/faultBody.ts';
import { decodeReply, type Page, type ReplyShape } from '../api/wire/reply.ts';
import { encodeRequest, type WireReply } from '../api/wire/request.ts';
import { FAULT_HEADER, FILTERED_HEADER, HOST_HEADER, SCAN_HEADER } from '../api/wire/responseHeaders.ts';
import { type FaultCode, faults, formatFault, HexLensError, localizeFault } from '../base/errors.ts';
import { localizable } from '../base/localize.ts';
import { parseRetryAfterMs } from '../base/retryAfter.ts';
import type { SendOptions, Transport } from './transport.ts';

export type PagedId = { [Id in OperationId]: Output<Id> extends Page<unknown> ? Id : never }[OperationId];
export type PageRecord<Id extends PagedId> = Output<Id> extends Page<infer R> ? R : never;

export interface PageOptions extends SendOptions {
  /** Maximum number of pages, from 1; all when absent. */
  readonly maxPages?: number;
}

/**
 * Why pagination ended:
 * - `last`: the last page has no cursor.
 * - `empty`: the page had no records although it had a cursor.
 * - `repeated-cursor`: the host returned a cursor for the second time.
 * - `max-pages`: `maxPages` was reached.
 */
export type PaginationEnd = 'last' | 'empty' | 'repeated-cursor' | 'max-pages';

type Methods = { readonly [Id in OperationId]: (input: Input<Id>, options?: SendOptions) => Promise<Output<Id>> };

/**
 * One method per operation, named after its id. Each validates its input before it is sent, and rejects with a
 * `HexLensError` only: `bad-input` for invalid input, otherwise the code of the response or of the transport.
 */
export interface Client extends Methods {
  /**
   * Calls an operation by its id.
   *
   * @throws HexLensError `bad-input`, `not-found`, `unauthorized`, `rate-limited`, `host-error`, `node-unreachable`,
   * `node-timeout`, `cancelled` and the other codes of `base/errors.ts`.
   *
   * @example
   * ```ts
   * const block = await client.call('block', { block: 17_000_000, chain: 'eth' });
   * console.log(block.hash, block.transactions?.length);
   * ```
   */
  call<Id extends OperationId>(id: Id, input: Input<Id>, options?: SendOptions): Promise<Output<Id>>;
  /**
   * Pages of an operation, from `input.cursor` or the first one. Each page is requested when the loop needs it; an error
   * is thrown into the loop. The iterator returns why it ended.
   *
   * @example
   * ```ts
   * const address = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
   * for await (const page of client.pages('contractNftTransfers', { address, limit: 50 }, { maxPages: 3 }))
   *   console.log(page.result.length, page.cursor);
   * ```
   */
  pages<Id extends PagedId>(
    id: Id,
    input: Input<Id>,
    options?: PageOptions,
  ): AsyncGenerator<Output<Id>, PaginationEnd, void>;
  /**
   * The records of these pages, one by one.
   *
   * @example
   * ```ts
   * const address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
   * for await (const nft of client.records('walletNfts', { address, chain: 'local' }))
   *   console.log(nft.tokenAddress, nft.tokenId);
   * ```
   */
  records<Id extends PagedId>(
    id: Id,
    input: Input<Id>,
    options?: PageOptions,
  ): AsyncGenerator<PageRecord<Id>, PaginationEnd, void>;
}

const getHost = (reply: WireReply) => reply.headers[HOST_HEADER] ?? 'The service';

/** The fault of a reply with status 400 or above: the code of our own service, or what the host's response means. */
export function faultFromReply(reply: WireReply, group?: ApiGroup): HexLensError {
  if (reply.fault !== undefined) {
    const fault = localizeFault(reply.fault);
    const { code, details, issues, retryAfterMs } = fault;
    return new HexLensError(code, formatFault(fault), { details, issues, retryAfterMs }); // message and fix in one text
  }
  const retryAfterMs = parseRetryAfterMs(reply.headers, Date.now());
  const code = reply.headers[FAULT_HEADER];
  if (code === undefined || !Object.hasOwn(faults, code))
    return faultFromResponse(getHost(reply), reply.status, reply.body, retryAfterMs, group);
  return new HexLensError(
    code as FaultCode, // it is a key of the table
    parseFaultMessage(reply.body) ?? `The service could not answer (${code}).`,
    { retryAfterMs },
  );
}

function createUnexpectedBodyFault(reply: WireReply): HexLensError {
  const host = getHost(reply);
  const message = parseFaultMessage(reply.body);
  const isWebPage = typeof reply.body === 'string' && /^\s*<(!doctype|html|\?xml|head|body)/i.test(reply.body);
  const kind = isWebPage
    ? 'a web page instead of data'
    : typeof reply.body === 'string'
      ? 'text that is not complete JSON'
      : 'data that does not have the shape of this operation';
  return new HexLensError('host-error', `${host} responded with ${kind}${message === null ? '' : `: ${message}`}.`, {
    details: `${host} responded ${reply.status}`,
    fix: isWebPage
      ? 'Check the base URL; a proxy or a sign-in page may have intercepted the request.'
      : 'Try again; if it happens again, check the base URL.',
  });
}

/** Whether the body has the outer shape of the reply; records inside are decoded leniently. */
function hasShape(shape: ReplyShape<AnyRecord>['shape'], body: unknown): boolean {
  if (shape === 'array') return Array.isArray(body);
  if (shape === 'record') return body === null || (typeof body === 'object' && !Array.isArray(body));
  if (Array.isArray(body)) return true; // older hosts return the records without an envelope
  if (body === null || typeof body !== 'object') return false;
  const result = (body as { readonly result?: unknown }).result;
  return Array.isArray(result) || result === null || Object.keys(body).length === 0;
}

/** What an operation returns by its reply. Throws what `Client.call` rejects with. */
export function decodeOutput<Id extends OperationId>(id: Id, reply: WireReply): Output<Id> {
  if (reply.status >= 400) throw faultFromReply(reply, operations[id].group);
  const shape: ReplyShape<AnyRecord> = operations[id].reply;
  if (!hasShape(shape.shape, reply.body)) throw createUnexpectedBodyFault(reply);
  const output = decodeReply(shape, reply.body);
  if (output === null) {
    throw new HexLensError(
      'not-found',
      localizable('{0}: nothing found.', { english: operations[id].title, values: [] }),
      {
        details: `${getHost(reply)} responded ${reply.status} with an empty record`,
        fix: localizable('Check the value and the chain.'),
      },
    );
  }
  return output as Output<Id>; // decodeReply uses the same table that Output is computed from
}

interface Response<Id extends OperationId> {
  readonly output: Output<Id>;
  /** The page was filtered or its scan ended early: even an empty one is not the last. */
  readonly isPartialPage: boolean;
}

/**
 * Creates the typed client over a transport: HTTP (`createHttpTransport`), the worker, or an embedded service.
 *
 * @example
 * ```ts
 * import { createClient } from './client.ts';
 * import type { Service } from '../service/service.ts';
 *
 * declare const service: Service;
 * const embedded = createClient({ send: (request, options) => service.handle(request, options) });
 * const { hash } = await embedded.block({ block: 1, chain: 'local' });
 * ```
 */
export function createClient(transport: Transport): Client {
  async function request<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options: SendOptions = {},
  ): Promise<Response<Id>> {
    const reply = await transport.send(encodeRequest(id, input), options);
    return {
      output: decodeOutput(id, reply),
      isPartialPage: Number(reply.headers[FILTERED_HEADER] ?? 0) > 0 || reply.headers[SCAN_HEADER] !== undefined,
    };
  }

  const call = async <Id extends OperationId>(id: Id, input: Input<Id>, options?: SendOptions) =>
    (await request(id, input, options)).output;

  async function* pages<Id extends PagedId>(
    id: Id,
    input: Input<Id>,
    { signal, maxPages = Number.POSITIVE_INFINITY }: PageOptions = {},
  ): AsyncGenerator<Output<Id>, PaginationEnd, void> {
    const seenCursors = new Set<string>();
    let next = input;
    for (let count = 0; count < maxPages; count++) {
      const { output, isPartialPage } = await request(id, next, { signal });
      yield output;
      const { cursor, result }: Page<unknown> = output as Page<unknown>; // outputs of PagedId are pages
      if (cursor === null) return 'last';
      if (result.length === 0 && !isPartialPage) return 'empty';
      if (seenCursors.has(cursor) || cursor === (input as { readonly cursor?: unknown }).cursor)
        return 'repeated-cursor';
      seenCursors.add(cursor);
      next = { ...input, cursor };
    }
    return 'max-pages';
  }

  async function* records<Id extends PagedId>(
    id: Id,
    input: Input<Id>,
    options?: PageOptions,
  ): AsyncGenerator<PageRecord<Id>, PaginationEnd, void> {
    const source = pages(id, input, options);
    for (;;) {
      const step = await source.next();
      if (step.done) return step.value;
      yield* (step.value as Page<PageRecord<Id>>).result;
    }
  }

  const methods = Object.fromEntries(
    operationIds.map(id => [id, (input: Input<typeof id>, options?: SendOptions) => call(id, input, options)]),
  );
  // One method per id of the table that the type is mapped from.
  return Object.assign(methods as unknown as Methods, { call, pages, records });
}
