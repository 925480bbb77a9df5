// The typed client: one method per operation over any transport, pages as an async iterator, faults as HexLensErrors.

import type { ApiGroup } from '../api/operations/operation.ts';
import { type Input, type OperationId, type Output, operationIds, operations } from '../api/operations/operations.ts';
import type { AnyRecord } from '../api/records/record.ts';
import { faultFromResponse, parseFaultMessage } from '../api/wire/faultBody.ts';
import { decodeReply, type Page, type ReplyShape } from '../api/wire/reply.ts';
import { encodeRequest, type WireReply } from '../api/wire/request.ts';
import { FAULT_HEADER, FILTERED_HEADER, HOST_HEADER, SCAN_HEADER } from '../api/wire/responseHeaders.ts';
import { type FaultCode, faults, formatFault, HexLensError, localizeFault } from '../base/errors.ts';
import { localizable } from '../base/localize.ts';
import type { SendOptions, Transport } from './transport.ts';

/** Operations that answer in pages. */
export type PagedId = { [Id in OperationId]: Output<Id> extends Page<unknown> ? Id : never }[OperationId];
/** One record of a paged operation. */
export type PageRecord<Id extends PagedId> = Output<Id> extends Page<infer R> ? R : never;

export interface PageOptions extends SendOptions {
  /** Pages to ask for at most; all when absent. */
  readonly maxPages?: number;
}

/**
 * Why the pages ended: there is no further one; the page was empty though it promised more; the host gave a cursor it
 * had given before; `maxPages` was reached.
 */
export type PaginationEnd = 'last' | 'empty' | 'repeated-cursor' | 'max-pages';

type Methods = { readonly [Id in OperationId]: (input: Input<Id>, options?: SendOptions) => Promise<Output<Id>> };

export interface Client extends Methods {
  /** The operation by its id. */
  call<Id extends OperationId>(id: Id, input: Input<Id>, options?: SendOptions): Promise<Output<Id>>;
  /**
   * Page after page, from `input.cursor` or the first. Each page is asked for when the loop comes back for it; an error
   * ends the loop by being thrown. The iterator's return value says why it ended.
   */
  pages<Id extends PagedId>(
    id: Id,
    input: Input<Id>,
    options?: PageOptions,
  ): AsyncGenerator<Output<Id>, PaginationEnd, void>;
  /** The records of these pages, one by one. */
  records<Id extends PagedId>(
    id: Id,
    input: Input<Id>,
    options?: PageOptions,
  ): AsyncGenerator<PageRecord<Id>, PaginationEnd, void>;
}

const hostOf = (reply: WireReply) => reply.headers[HOST_HEADER] ?? 'The service';

function retryAfter(reply: WireReply): number | undefined {
  const seconds = reply.headers['retry-after'];
  return seconds !== undefined && /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

/** The fault that a reply with status 400 or above means: our own service's code, else what the host says. */
export function faultFromReply(reply: WireReply, group?: ApiGroup): HexLensError {
  if (reply.fault !== undefined) {
    const fault = localizeFault(reply.fault);
    const { code, details, issues, retryAfterMs } = fault;
    return new HexLensError(code, formatFault(fault), { details, issues, retryAfterMs }); // one text
  }
  const code = reply.headers[FAULT_HEADER];
  if (code === undefined || !Object.hasOwn(faults, code))
    return faultFromResponse(hostOf(reply), reply.status, reply.body, retryAfter(reply), group);
  return new HexLensError(
    code as FaultCode, // it is a key of the table
    parseFaultMessage(reply.body) ?? `The service could not answer (${code}).`,
    { retryAfterMs: retryAfter(reply) },
  );
}

function unusable(reply: WireReply): HexLensError {
  const host = hostOf(reply);
  const said = parseFaultMessage(reply.body);
  const page = typeof reply.body === 'string' && /^\s*<(!doctype|html|\?xml|head|body)/i.test(reply.body);
  const what = page
    ? 'a web page instead of data'
    : typeof reply.body === 'string'
      ? 'text that is not whole JSON'
      : 'data of another shape than this operation has';
  return new HexLensError('host-error', `${host} answered with ${what}${said === null ? '' : `: ${said}`}.`, {
    details: `${host} answered ${reply.status}`,
    fix: page
      ? 'Check the base URL; a proxy or a sign-in page may stand in between.'
      : 'Try again; if it stays, check the base URL.',
  });
}

/** Whether the body is of the reply's outer shape at all; inside it, anything goes. */
function fits(shape: ReplyShape<AnyRecord>['shape'], body: unknown): boolean {
  if (shape === 'array') return Array.isArray(body);
  if (shape === 'record') return body === null || (typeof body === 'object' && !Array.isArray(body));
  if (Array.isArray(body)) return true; // the bare list of an older host
  if (body === null || typeof body !== 'object') return false;
  const result = (body as { readonly result?: unknown }).result;
  return Array.isArray(result) || result === null || Object.keys(body).length === 0;
}

interface Answer<Id extends OperationId> {
  readonly output: Output<Id>;
  /** The page is short of its own accord: even an empty one is not the end. */
  readonly goesOn: boolean;
}

export function createClient(transport: Transport): Client {
  async function ask<Id extends OperationId>(id: Id, input: Input<Id>, options: SendOptions = {}): Promise<Answer<Id>> {
    const reply = await transport.send(encodeRequest(id, input), options);
    if (reply.status >= 400) throw faultFromReply(reply, operations[id].group);
    const shape: ReplyShape<AnyRecord> = operations[id].reply;
    if (!fits(shape.shape, reply.body)) throw unusable(reply);
    const output = decodeReply(shape, reply.body);
    if (output === null) {
      throw new HexLensError(
        'not-found',
        localizable('{0}: nothing found.', { english: operations[id].title, values: [] }),
        {
          details: `${hostOf(reply)} answered ${reply.status} with an empty record`,
          fix: localizable('Check the value and the chain.'),
        },
      );
    }
    // decodeReply follows the same table that Output is computed from.
    return {
      output: output as Output<Id>,
      goesOn: Number(reply.headers[FILTERED_HEADER] ?? 0) > 0 || reply.headers[SCAN_HEADER] !== undefined,
    };
  }

  const call = async <Id extends OperationId>(id: Id, input: Input<Id>, options?: SendOptions) =>
    (await ask(id, input, options)).output;

  async function* pages<Id extends PagedId>(
    id: Id,
    input: Input<Id>,
    { signal, maxPages = Number.POSITIVE_INFINITY }: PageOptions = {},
  ): AsyncGenerator<Output<Id>, PaginationEnd, void> {
    const seen = new Set<string>();
    let next = input;
    for (let count = 0; count < maxPages; count++) {
      const { output, goesOn } = await ask(id, next, { signal });
      yield output;
      const { cursor, result }: Page<unknown> = output as Page<unknown>; // every PagedId has one
      if (cursor === null) return 'last';
      if (result.length === 0 && !goesOn) return 'empty';
      if (seen.has(cursor) || cursor === (input as { readonly cursor?: unknown }).cursor) return 'repeated-cursor';
      seen.add(cursor);
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
  // One method per id of the table, which the type is mapped from.
  return Object.assign(methods as unknown as Methods, { call, pages, records });
}
