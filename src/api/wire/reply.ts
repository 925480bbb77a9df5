// Replies: encodes and decodes records and the envelopes around them.

import { FIRST_PAGE_NUMBER } from '../decisions.ts';
import { type JsonSchema, nullable, objectSchema } from '../records/jsonSchema.ts';
import type { AnyRecord, InferRecord } from '../records/record.ts';
import { boolean, count, enumeration, type Presentation, text } from '../records/valueKinds.ts';

/** A single record; a bare array of records; a page in one of the three list envelopes of group B or group C's. */
export type ReplyShape<R extends AnyRecord> =
  | { readonly shape: 'record'; readonly record: R; readonly status: 200 | 201 }
  | { readonly shape: 'array'; readonly record: R; readonly status: 200 }
  | { readonly shape: 'page'; readonly record: R; readonly status: 200; readonly envelope: Envelope };

/** `transfers` adds block_exists and index_complete, `status` adds SYNCED or SYNCING, `aptos` is group C's. */
export type Envelope = 'plain' | 'transfers' | 'status' | 'aptos';

/** One page of a list. Fields that the envelope does not have are `null`. */
export interface Page<T> {
  readonly result: readonly T[];
  /** Pass it in the next request to get the next page; `null` on the last page. */
  readonly cursor: string | null;
  readonly total: number | null;
  readonly page: number | null;
  readonly pageSize: number | null;
  readonly status: 'SYNCED' | 'SYNCING' | null;
  readonly blockExists: boolean | null;
  readonly indexComplete: boolean | null;
  /** A field of group C; elsewhere: whether there is a cursor. */
  readonly hasNextPage: boolean;
}

export type InferOutput<S> = S extends { shape: 'record'; record: infer R }
  ? InferRecord<R>
  : S extends { shape: 'array'; record: infer R }
    ? readonly InferRecord<R>[]
    : S extends { shape: 'page'; record: infer R }
      ? Page<InferRecord<R>>
      : never;

const syncStatus = enumeration('SYNCED', 'SYNCING');

/** Fields of a page that a handler sets; others get the envelope's default. */
export type PageFields<T> = Pick<Page<T>, 'result' | 'cursor'> & Partial<Page<T>>;

export function createPage<T>(page: PageFields<T>): Page<T> {
  return {
    total: null,
    page: null,
    pageSize: null,
    status: null,
    blockExists: null,
    indexComplete: null,
    hasNextPage: page.cursor !== null,
    ...page,
  };
}

function decodeRecords<T>(kind: { decode(wire: unknown): T | null }, wire: unknown): T[] {
  if (!Array.isArray(wire)) return [];
  return wire.map(entry => kind.decode(entry)).filter(entry => entry !== null);
}

/**
 * Decodes a body, whatever types and nulls the host used. Never throws; a body that is not an object where one is
 * expected is `null`, as is an empty one.
 */
export function decodeReply(reply: ReplyShape<AnyRecord>, body: unknown): unknown {
  if (reply.shape === 'record') {
    // Hosts send `{}` when nothing was found.
    if (body !== null && typeof body === 'object' && Object.keys(body).length === 0) return null;
    return reply.record.decode(body);
  }
  if (reply.shape === 'array') return decodeRecords(reply.record, body);
  const source = (Array.isArray(body) ? { result: body } : body) as Readonly<Record<string, unknown>> | null;
  if (source === null || typeof source !== 'object') return null;
  // An empty cursor ends a list just as `null` does.
  const cursor = text.decode(source['cursor']) || null;
  return createPage({
    result: decodeRecords(reply.record, source['result']),
    cursor,
    total: count.decode(source['total']),
    page: count.decode(source['page']),
    pageSize: count.decode(source['page_size']),
    status: syncStatus.decode(source['status']),
    blockExists: boolean.decode(source['block_exists']),
    indexComplete: boolean.decode(source['index_complete']),
    hasNextPage: boolean.decode(source['hasNextPage']) ?? cursor !== null,
  });
}

/** Encodes a body, exactly in the description's types. */
export function encodeReply(reply: ReplyShape<AnyRecord>, output: unknown, presentation: Presentation): unknown {
  // The handler's output has the type of the operation.
  const encode = (value: unknown) => reply.record.encode(value as never, presentation);
  if (reply.shape === 'record') return encode(output);
  if (reply.shape === 'array') return (output as readonly unknown[]).map(encode);
  const page = output as Page<unknown>;
  const result = page.result.map(encode);
  if (reply.envelope === 'aptos') return { cursor: page.cursor, hasNextPage: page.hasNextPage, result };
  return {
    ...(reply.envelope === 'status' && { status: page.status ?? 'SYNCED' }),
    total: page.total === null ? null : String(page.total),
    page: String(page.page ?? FIRST_PAGE_NUMBER[reply.envelope]),
    page_size: page.pageSize === null ? null : String(page.pageSize),
    cursor: page.cursor,
    result,
    ...(reply.envelope === 'transfers' && {
      block_exists: page.blockExists ?? true,
      index_complete: page.indexComplete ?? true,
    }),
  };
}

/** JSON Schema of the body. */
export function replySchema(reply: ReplyShape<AnyRecord>): JsonSchema {
  if (reply.shape === 'record') return reply.record.schema;
  if (reply.shape === 'array') return { type: 'array', items: reply.record.schema };
  const result = { type: 'array', items: reply.record.schema };
  if (reply.envelope === 'aptos')
    return objectSchema({ cursor: nullable(text.schema), hasNextPage: boolean.schema, result });
  return objectSchema({
    ...(reply.envelope === 'status' && { status: syncStatus.schema }),
    total: nullable(count.schema),
    page: count.schema,
    page_size: nullable(count.schema),
    cursor: nullable(text.schema),
    result,
    ...(reply.envelope === 'transfers' && { block_exists: boolean.schema, index_complete: boolean.schema }),
  });
}
