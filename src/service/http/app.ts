// The service as an HTTP application: from a request to an operation, from its reply to a response; no sockets here.
import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type Clock, systemClock } from '../../base/clock.ts';
import { asFault, badInput, cancelled, HexLensError, isFault } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { faultBody } from '../../contract/faultBody.ts';
import { FAULT_HEADER } from '../../contract/headers.ts';
import { type OpenApiDocument, openApi } from '../../contract/openapi.ts';
import { basePaths, type Group } from '../../contract/operation.ts';
import type { OperationId } from '../../contract/operations/index.ts';
import { parseQuery } from '../../contract/query.ts';
import { decodeRequest, encodeRequest, type WireReply, type WireRequest } from '../../contract/request.ts';
import { matchPath } from '../../contract/routes.ts';
import { keyGuard, refuseForeignPages } from './guard.ts';

export interface AppDeps {
  /** Answers one valid request, in normal form. Rejects with a HexLensError where there is no answer at all. */
  call(request: WireRequest, options: { readonly signal: AbortSignal }): Promise<WireReply>;
  /** What callers send as `X-API-Key`. */
  readonly key: string;
  readonly log: Log;
  readonly clock?: Clock;
}

export interface App {
  fetch(request: Request): Response | Promise<Response>;
}

/** Bytes of request body that are read at most: a sign-in message of the contract's full length fits in any encoding. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

interface Variables {
  requestId: string;
  operation: OperationId;
}

const JSON_TYPE = 'application/json; charset=utf-8';
/** What a caller may name its request, so that no text of its choice gets into the log. */
const REQUEST_ID = /^[\w.=-]{1,64}$/;
const METHODS = ['GET', 'POST'] as const;

/** `/block/1?chain=eth` of a URL as it came: nothing decoded, nothing normalised again. */
function target(url: string): { readonly path: string; readonly query: string } {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const whole = start < 0 ? '/' : (url.slice(start).split('#', 1)[0] ?? '/');
  const mark = whole.indexOf('?');
  return mark < 0 ? { path: whole, query: '' } : { path: whole.slice(0, mark), query: whole.slice(mark + 1) };
}

/** Whose error bodies a path gets: the group with the longest base that it lies under. */
function groupOf(path: string): Group {
  let found: Group = 'auth';
  let length = 0;
  for (const [group, bases] of Object.entries(basePaths) as [Group, readonly string[]][]) {
    for (const base of bases) {
      if (base.length > length && (path === base || path.startsWith(`${base}/`))) {
        found = group;
        length = base.length;
      }
    }
  }
  return found;
}

/** Methods that some operation has at this path; `HEAD` and `OPTIONS` come with them. */
function allowedMethods(path: string): string[] {
  const allowed: string[] = METHODS.filter(method => {
    try {
      matchPath(method, path);
      return true;
    } catch (error) {
      if (isFault(error, 'method-not-allowed', 'not-found')) return false;
      throw error;
    }
  });
  if (allowed.includes('GET')) allowed.push('HEAD');
  return allowed.length === 0 ? [] : [...allowed, 'OPTIONS'];
}

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': JSON_TYPE,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });
}

function faultResponse(path: string, fault: HexLensError): Response {
  const headers: Record<string, string> = { [FAULT_HEADER]: fault.code };
  if (fault.retryAfterMs !== undefined) headers['retry-after'] = String(Math.ceil(fault.retryAfterMs / 1000));
  if (fault.code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
  if (fault.code === 'method-not-allowed') headers['allow'] = allowedMethods(path).join(', ');
  return json(fault.status, faultBody(groupOf(path), fault), headers);
}

/** Headers of a reply that mean something to a caller; a remote host's transport headers and cookies do not. */
function passedOn(headers: WireReply['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => /^(deprecation|sunset|link|retry-after)$/.test(name) || name.startsWith('x-hexlens-'),
    ),
  );
}

async function readBody(request: {
  header(name: string): string | undefined;
  text(): Promise<string>;
}): Promise<unknown> {
  const type = request.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw badInput([{ field: 'Content-Type', message: 'Content-Type must be application/json' }]);
  }
  const text = await request.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new HexLensError('bad-input', 'The body is not valid JSON.', { fix: 'Send one JSON object.' });
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new HexLensError('bad-input', 'The body must be a JSON object.', { fix: 'Send one JSON object.' });
  }
  return body;
}

/** Whether reading the body failed because nobody sends it any more: no mistake of ours. */
function clientLeft(error: Error, signal: AbortSignal): boolean {
  return !(error instanceof HexLensError) && (signal.aborted || (error as { code?: unknown }).code === 'ECONNRESET');
}

/** The application; `fetch` never rejects. */
export function createApp({ call, key, log, clock = systemClock }: AppDeps): App {
  const checkKey = keyGuard(key);
  let document: OpenApiDocument | undefined;
  const app = new Hono<{ Variables: Variables }>({ getPath: request => target(request.url).path });

  app.use(async (c, next) => {
    const start = clock.now();
    const given = c.req.header('x-request-id') ?? '';
    const id = REQUEST_ID.test(given) ? given : randomUUID();
    c.set('requestId', id);
    await next();
    c.res.headers.set('x-request-id', id);
    log.info(`${c.req.method} ${c.get('operation') ?? '-'} ${c.res.status} ${clock.now() - start} ms ${id}`);
  });
  app.onError((error, c) => {
    const fault = clientLeft(error, c.req.raw.signal) ? cancelled() : asFault(error);
    if (fault.code === 'internal') log.error(`Request ${c.get('requestId')} failed: ${fault.details ?? fault.message}`);
    return faultResponse(c.req.path, fault);
  });
  app.use(async (c, next) => {
    refuseForeignPages(new URL(c.req.url), c.req.raw.headers);
    await next();
  });

  app.get('/health', () => json(200, { status: 'ok' }));
  app.get('/openapi.json', () => {
    document ??= openApi();
    return json(200, document);
  });

  app.options('*', c => {
    const allowed = allowedMethods(c.req.path);
    if (allowed.length === 0) matchPath('GET', c.req.path); // says what is wrong with it
    return new Response(null, { status: 204, headers: { allow: allowed.join(', ') } });
  });
  app.use(async (c, next) => {
    checkKey(c.req.raw.headers);
    await next();
  });
  const tooLarge = bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: () => {
      throw new HexLensError('too-large', `The body is larger than ${MAX_BODY_BYTES / 1024 / 1024} MiB.`);
    },
  });
  app.on('POST', '*', (c, next) => {
    // The server itself holds a body to the length it announces; only one without a length must be counted as it comes.
    const announced = c.req.header('content-length');
    const known =
      announced !== undefined && /^\d{1,15}$/.test(announced) && c.req.header('transfer-encoding') === undefined;
    return known && Number(announced) <= MAX_BODY_BYTES ? next() : tooLarge(c, next);
  });
  app.all('*', async c => {
    const { path, query } = target(c.req.url);
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
    const { operation } = matchPath(method, path);
    c.set('operation', operation.id);
    const body = method === 'POST' ? await readBody(c.req) : undefined;
    const { id, input } = decodeRequest(method, path, parseQuery(query), body);
    // Encoded anew: the service, its cache and a remote host all get the one normal form of what was asked.
    const reply = await call(encodeRequest(id, input), { signal: c.req.raw.signal });
    return json(reply.status, reply.body, passedOn(reply.headers));
  });
  return { fetch: request => app.fetch(request) };
}
