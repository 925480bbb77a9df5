// The HTTP application: routes a request to an operation or a service page, checks its key, and logs it. Without sockets.

import { hash, randomUUID } from 'node:crypto';
import { renderOpenApi } from '../api/docs/openApi.ts';
import { REFERENCE_STYLE, renderReferencePage } from '../api/docs/referencePage.ts';
import type { ApiGroup } from '../api/operations/operation.ts';
import type { OperationId } from '../api/operations/operations.ts';
import { parseQueryString } from '../api/wire/queryString.ts';
import { decodeRequest, encodeRequest, type WireReply, type WireRequest } from '../api/wire/request.ts';
import { matchPath } from '../api/wire/routes.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { createBadInputFault, formatFaultWithDetails, HexLensError, toFault } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Readiness } from '../service/checkReadiness.ts';
import { type HeaderList, jsonHeaders, REQUEST_ID_HEADER } from './httpHeaders.ts';
import { type IncomingRequest, parseRequestTarget, type RequestTarget } from './incomingRequest.ts';
import { createKeyGuessLimiter, type KeyGuessLimiter } from './keyGuessLimiter.ts';
import { type ApiKeyHolder, type ApiKeySpec, Keyring } from './keyring.ts';
import { createOriginGuard, loopbackOriginRules, type OriginGuard, type OriginRules } from './originGuard.ts';
import { OutgoingResponse } from './outgoingResponse.ts';
import {
  createFaultResponse,
  createJsonResponse,
  createReplySerializer,
  getAllowedMethods,
  isKnownBody,
  isServicePage,
} from './responses.ts';

interface MatchedRequest {
  readonly operation: OperationId;
  readonly group: ApiGroup;
  /** The request; `body` is the text of the body of a POST. Throws `bad-input` naming every wrong field. */
  toWireRequest(body: string | null): WireRequest;
}

/** Cached targets and bodies, and the length of each: 3 MB of targets and 5 MB of bodies with their requests at most. */
const MAX_CACHED = 1_000;
const MAX_CACHED_TARGET_LENGTH = 512;
const MAX_CACHED_BODY_LENGTH = 2_048;

/** Reads requests, and remembers the targets of valid GET requests. */
class RequestReader {
  readonly #targets = new Map<string, { readonly target: RequestTarget; readonly matched: MatchedRequest }>();
  /** Valid ones by body, with their target; `null` where no body is sent again. */
  readonly #bodies: Map<string, { readonly target: string; readonly request: WireRequest }> | null;

  constructor(remembersBodies: boolean) {
    this.#bodies = remembersBodies ? new Map() : null;
  }

  /** `null` for a target that is neither a path nor an absolute http(s) URL. */
  parseTarget(text: string): RequestTarget | null {
    return this.#targets.get(text)?.target ?? parseRequestTarget(text);
  }

  /** @throws `not-found` and `method-not-allowed`. */
  match(method: string, target: RequestTarget, text: string): MatchedRequest {
    const known = method === 'GET' ? this.#targets.get(text) : undefined;
    if (known !== undefined) return known.matched;
    const { path, query } = target;
    const { id, group } = matchPath(method, path).operation;
    return {
      operation: id,
      group,
      toWireRequest: body => {
        const knownBody = body === null ? undefined : this.#bodies?.get(body);
        if (knownBody?.target === text) return knownBody.request;
        const json = body === null ? undefined : parseJsonBody(body);
        const { id, input } = decodeRequest(method, path, parseQueryString(query), json);
        // Encoded again, so that service, cache and remote host see one spelling of equal requests.
        const request = encodeRequest(id, input);
        if (text.length <= MAX_CACHED_TARGET_LENGTH) {
          if (body === null)
            addToCache(this.#targets, text, {
              target,
              matched: { operation: id, group, toWireRequest: () => request },
            });
          else if (this.#bodies !== null && body.length <= MAX_CACHED_BODY_LENGTH)
            addToCache(this.#bodies, body, { target: text, request });
        }
        return request;
      },
    };
  }
}

/** Cleared as a whole: an LRU would cost more per request than parsing a few again. */
function addToCache<T>(cache: Map<string, T>, key: string, value: T): void {
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, value);
}

interface ServicePages {
  openapi(): OutgoingResponse;
  reference(): OutgoingResponse;
}

function createServicePages(): ServicePages {
  let openApiResponse: OutgoingResponse | undefined;
  let referenceResponse: OutgoingResponse | undefined;
  return {
    openapi() {
      openApiResponse ??= new OutgoingResponse(200, jsonHeaders, Buffer.from(JSON.stringify(renderOpenApi())));
      return openApiResponse;
    },
    reference() {
      if (referenceResponse !== undefined) return referenceResponse;
      const headers = {
        ...jsonHeaders,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', REFERENCE_STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      };
      referenceResponse = new OutgoingResponse(200, headers, Buffer.from(renderReferencePage()));
      return referenceResponse;
    },
  };
}

/** What is known of a request after its response. */
export interface CompletedRequest {
  readonly method: string;
  readonly operation: OperationId | null;
  readonly status: number;
  readonly durationMs: number;
  /** `null` without a valid key. */
  readonly keyName: string | null;
}

export interface HttpAppDeps {
  /** Executes a valid, normalized request. Rejects with a HexLensError when there is no reply at all. */
  call(request: WireRequest, options: { readonly signal: AbortSignal }): Promise<WireReply>;
  readonly keys: readonly ApiKeySpec[];
  readonly log: Log;
  readonly clock?: Clock;
  /** Loopback only when absent. */
  readonly originRules?: OriginRules;
  /** Clients may send the same sign-in again, so that bodies are remembered. */
  readonly signInsRepeat?: boolean | undefined;
  /** For `/ready`; always ready when absent. */
  checkReadiness?(): Promise<Readiness>;
  /** For `/metrics`, in the text format of Prometheus; 404 when absent. */
  renderMetrics?(): Promise<{ readonly type: string; readonly text: string }>;
  onRequestCompleted?(request: CompletedRequest): void;
}

/** Limit of a request body: a sign-in message of the maximum length fits in any JSON encoding. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Request ids of clients that are used as they are: others could forge log lines. */
const VALID_REQUEST_ID = /^[\w.=-]{1,64}$/;

/** What routing finds out about a request, for its log line. */
interface RequestTrace {
  operation: OperationId | null;
  keyHolder: ApiKeyHolder | null;
  /** Headers of the response whatever it is. */
  headers: HeaderList;
}

/** What is sent for a request. */
export interface HandledRequest {
  readonly response: OutgoingResponse;
  /** Besides those of the response, which other requests may get too. */
  readonly headers: HeaderList;
}

/** The host that the request names. Throws `bad-input` for none and for two: proxies may choose another one. */
function getAuthority(target: RequestTarget, { headers, rawHeaders }: IncomingRequest): string {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && /^host$/i.test(rawHeaders[i] ?? '')) hosts++;
  if (hosts !== 1) throw createBadInputFault([{ field: 'Host', message: 'Host must be given once' }]);
  return target.authority ?? headers.host ?? '';
}

/** Throws `bad-input` where the headers do not say that the body is JSON as it is. */
function checkJsonHeaders({ headers }: IncomingRequest): void {
  const contentType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (contentType !== 'application/json')
    throw createBadInputFault([{ field: 'Content-Type', message: 'Content-Type must be application/json' }]);
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw createBadInputFault([
      { field: 'Content-Encoding', message: 'Content-Encoding must be absent: send the body as it is' },
    ]);
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    throw createBadInputFault([{ field: 'Transfer-Encoding', message: 'Transfer-Encoding must be chunked or absent' }]);
}

function parseJsonBody(text: string): object {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new HexLensError('bad-input', 'The body is not valid JSON.', { fix: 'Send one JSON object.' });
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw new HexLensError('bad-input', 'The body must be a JSON object.', { fix: 'Send one JSON object.' });
  return body;
}

export class HttpApp {
  readonly #deps: HttpAppDeps;
  readonly #clock: Clock;
  readonly #keyring: Keyring;
  readonly #keyGuessLimiter: KeyGuessLimiter;
  readonly #originGuard: OriginGuard;
  readonly #servicePages = createServicePages();
  readonly #reader: RequestReader;
  readonly #serializeReply = createReplySerializer();
  readonly #hasSeveralKeys: boolean;

  constructor(deps: HttpAppDeps) {
    const { log, keys, clock = systemClock } = deps;
    this.#deps = deps;
    this.#clock = clock;
    this.#reader = new RequestReader(deps.signInsRepeat ?? false);
    this.#keyring = new Keyring(keys, clock);
    this.#keyGuessLimiter = createKeyGuessLimiter({ clock, log });
    this.#originGuard = createOriginGuard(deps.originRules ?? loopbackOriginRules);
    this.#hasSeveralKeys = keys.length > 1;
  }

  /** Never rejects. The caller adds transport headers to those of the response. */
  async handle(request: IncomingRequest): Promise<HandledRequest> {
    const { log, onRequestCompleted } = this.#deps;
    const startedAt = this.#clock.now();
    const givenId = request.headers[REQUEST_ID_HEADER];
    const requestId = typeof givenId === 'string' && VALID_REQUEST_ID.test(givenId) ? givenId : randomUUID();
    const trace: RequestTrace = { operation: null, keyHolder: null, headers: [] };
    const target = this.#reader.parseTarget(request.target);
    let response: OutgoingResponse;
    try {
      if (target === null) throw new HexLensError('bad-input', 'The request target must be a path.');
      response = await this.#route(target, request, trace);
    } catch (error) {
      const fault = toFault(error);
      if (fault.code === 'internal') log.error(`Request ${requestId} failed: ${formatFaultWithDetails(fault)}`);
      response = createFaultResponse(target?.path ?? '/', fault);
    }
    const { operation, keyHolder } = trace;
    const { status } = response;
    const method = /^[A-Z]{1,10}$/.test(request.method) ? request.method : '-';
    const ms = this.#clock.now() - startedAt;
    const key = this.#hasSeveralKeys && keyHolder !== null ? ` ${keyHolder.name}` : '';
    const fields: Record<string, string | number> = { method, operation: operation ?? '-', status, ms, requestId };
    if (keyHolder !== null) fields['key'] = keyHolder.name;
    log.info(`${method} ${operation ?? '-'} ${status} ${ms} ms ${requestId}${key}`, fields);
    onRequestCompleted?.({ method, operation, status, durationMs: ms, keyName: keyHolder?.name ?? null });
    return { response, headers: [...trace.headers, REQUEST_ID_HEADER, requestId] };
  }

  #identifyKeyHolder(request: IncomingRequest): ApiKeyHolder {
    this.#keyGuessLimiter.check(request);
    const holder = this.#keyring.identify(request.headers);
    if (holder === null) throw this.#keyGuessLimiter.recordWrongKey(request.remoteAddress);
    return holder;
  }

  /** Pages that need no key; `null` for every other path. */
  async #getPublicPage(path: string): Promise<OutgoingResponse | null> {
    switch (path) {
      case '/health':
        return createJsonResponse(200, { status: 'ok' });
      case '/ready': {
        const { ready, ...checks } = (await this.#deps.checkReadiness?.()) ?? { ready: true, chains: {}, aptos: {} };
        return createJsonResponse(ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', ...checks });
      }
      case '/openapi.json':
        return this.#servicePages.openapi();
      case '/docs':
        return this.#servicePages.reference();
      default:
        return null;
    }
  }

  async #getMetricsPage(keyHolder: ApiKeyHolder): Promise<OutgoingResponse> {
    const { renderMetrics } = this.#deps;
    if (renderMetrics === undefined) throw new HexLensError('not-found', 'There are no metrics here.');
    if (!keyHolder.isUnrestricted) {
      throw new HexLensError('forbidden', 'The API key is not for metrics.', {
        fix: 'Use a key without groups: it may see everything.',
      });
    }
    const { type, text } = await renderMetrics();
    return new OutgoingResponse(200, { ...jsonHeaders, 'content-type': type }, text);
  }

  #handleOptions(path: string, request: IncomingRequest): OutgoingResponse {
    const allowedMethods = getAllowedMethods(path);
    if (allowedMethods.length === 0) matchPath('GET', path); // throws what is wrong with the path
    const headers = {
      allow: allowedMethods.join(', '),
      ...this.#originGuard.preflight(request.headers, allowedMethods),
    };
    return new OutgoingResponse(204, headers, '');
  }

  async #route(target: RequestTarget, request: IncomingRequest, trace: RequestTrace): Promise<OutgoingResponse> {
    const { path } = target;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    trace.headers = this.#originGuard.check(getAuthority(target, request), request.headers);
    if (method === 'GET' && isServicePage(path)) {
      const page = await this.#getPublicPage(path);
      if (page !== null) return page;
    }
    if (method === 'OPTIONS') return this.#handleOptions(path, request);
    if (method !== 'GET' && isServicePage(path))
      throw new HexLensError('method-not-allowed', `${method} is not possible here: ${path} can only be read.`);
    const keyHolder = this.#identifyKeyHolder(request);
    trace.keyHolder = keyHolder;
    if (path === '/metrics' && method === 'GET') return this.#getMetricsPage(keyHolder);
    const matched = this.#reader.match(method, target, request.target);
    trace.operation = matched.operation;
    keyHolder.admitRequest(matched.group);
    if (method === 'POST') checkJsonHeaders(request);
    const body = method === 'POST' ? await request.readBody(MAX_BODY_BYTES) : null;
    const reply = await this.#deps.call(matched.toWireRequest(body), request);
    const response = this.#serializeReply(reply);
    const ifNoneMatch = request.headers['if-none-match'];
    return ifNoneMatch !== undefined && isKnownBody(ifNoneMatch, response.headers['etag'])
      ? new OutgoingResponse(304, response.headers, '')
      : response;
  }
}
