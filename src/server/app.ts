// The service as an HTTP application: from a request to an operation, from its reply to an answer; no sockets here.
import { randomUUID } from 'node:crypto';
import type { OperationId } from '../api/operations/operations.ts';
import type { WireReply, WireRequest } from '../api/wire/request.ts';
import { matchPath } from '../api/wire/routes.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { badInputFault, formatFaultWithDetails, HexLensError, toFault } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import {
  type IncomingRequest,
  type OutgoingResponse,
  parseRequestTarget,
  type RequestTarget,
} from './incomingRequest.ts';
import { createKeyGuessLimiter } from './keyGuessLimiter.ts';
import { type ApiKeyHolder, type ApiKeySpec, createKeyring } from './keyring.ts';
import { createOriginGuard, loopbackOriginRules, type OriginRules } from './originGuard.ts';
import { createReplySerializer } from './replySerializer.ts';
import { createRequestReader } from './requestReader.ts';
import {
  createFaultResponse,
  createJsonResponse,
  defaultResponseHeaders,
  getAllowedMethods,
  isServicePage,
} from './responses.ts';
import { createServicePages } from './servicePages.ts';

/** Whether requests can be answered: `ok` or what is wrong with each. */
export interface Readiness {
  readonly ready: boolean;
  /** By selector. */
  readonly chains: Readonly<Record<string, string>>;
  /** The Aptos networks, by name. */
  readonly aptos: Readonly<Record<string, string>>;
}

/** One request, after it was answered. */
export interface CompletedRequest {
  readonly method: string;
  readonly operation: OperationId | null;
  readonly status: number;
  readonly durationMs: number;
  /** Name of the key; `null` when none was right. */
  readonly keyName: string | null;
}

export interface HttpAppDeps {
  /** Answers one valid request, in normal form; the signal is made when it is read. Rejects with a HexLensError where there is no answer at all. */
  call(request: WireRequest, options: { readonly signal: AbortSignal }): Promise<WireReply>;
  readonly keys: readonly ApiKeySpec[];
  readonly log: Log;
  readonly clock?: Clock;
  /** Loopback only when absent. */
  readonly originRules?: OriginRules;
  /** `/ready`; always ready when absent. */
  checkReadiness?(): Promise<Readiness>;
  /** `/metrics` in the text format of Prometheus; not there when absent. */
  renderMetrics?(): Promise<{ readonly type: string; readonly text: string }>;
  onRequestCompleted?(observed: CompletedRequest): void;
}

export interface HttpApp {
  /** Never rejects. */
  handle(incoming: IncomingRequest): Promise<OutgoingResponse>;
}

/** Bytes of request body that are read at most: a sign-in message of the contract's full length fits in any encoding. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** What a caller may name its request, so that no text of its choice gets into the log. */
const REQUEST_ID = /^[\w.=-]{1,64}$/;
const PASSED_ON = /^(deprecation|sunset|link|retry-after)$/;

/** What is learnt about a request on its way. */
interface Trace {
  operation: OperationId | null;
  caller: ApiKeyHolder | null;
  headers: OutgoingResponse['headers'];
}

/** Headers of a reply that mean something to a caller; a remote host's transport headers and cookies do not. */
function passedOn(headers: WireReply['headers']): OutgoingResponse['headers'] {
  const kept: Record<string, string> = { ...defaultResponseHeaders };
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && (name.startsWith('x-hexlens-') || PASSED_ON.test(name))) kept[name] = value;
  }
  return kept;
}

/** The one host that the request names; throws `bad-input` for none and for two. */
function authorityOf(target: RequestTarget, { headers, rawHeaders }: IncomingRequest): string {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && /^host$/i.test(rawHeaders[i] ?? '')) hosts++;
  if (hosts !== 1) throw badInputFault([{ field: 'Host', message: 'Host must be given once' }]);
  return target.authority ?? headers.host ?? '';
}

async function readJson(incoming: IncomingRequest): Promise<unknown> {
  const type = incoming.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw badInputFault([{ field: 'Content-Type', message: 'Content-Type must be application/json' }]);
  const { 'content-encoding': encoding = 'identity', 'transfer-encoding': coding = 'chunked' } = incoming.headers;
  if (encoding.toLowerCase() !== 'identity')
    throw badInputFault([
      { field: 'Content-Encoding', message: 'Content-Encoding must be absent: send the body as it is' },
    ]);
  if (coding.toLowerCase() !== 'chunked')
    throw badInputFault([{ field: 'Transfer-Encoding', message: 'Transfer-Encoding must be chunked or absent' }]);
  const text = await incoming.readBody(MAX_BODY_BYTES);
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

export function createHttpApp(deps: HttpAppDeps): HttpApp {
  const {
    call,
    log,
    clock = systemClock,
    checkReadiness: ready,
    renderMetrics: metrics,
    onRequestCompleted: observe,
  } = deps;
  const keyring = createKeyring(deps.keys, clock);
  const guesses = createKeyGuessLimiter({ clock, log });
  const guard = createOriginGuard(deps.originRules ?? loopbackOriginRules);
  const pages = createServicePages();
  const severalKeys = deps.keys.length > 1;
  const read = createRequestReader();
  const print = createReplySerializer();

  const identify = (incoming: IncomingRequest): ApiKeyHolder => {
    guesses.check(incoming);
    const caller = keyring.identify(incoming.headers);
    if (caller === null) throw guesses.recordWrongKey(incoming.remoteAddress);
    return caller;
  };

  /** What is answered without a key; `null` for everything else. */
  const open = async (path: string): Promise<OutgoingResponse | null> => {
    switch (path) {
      case '/health':
        return createJsonResponse(200, { status: 'ok' });
      case '/ready': {
        const state: Readiness = (await ready?.()) ?? { ready: true, chains: {}, aptos: {} };
        const { chains, aptos } = state;
        return createJsonResponse(state.ready ? 200 : 503, {
          status: state.ready ? 'ready' : 'not ready',
          chains,
          aptos,
        });
      }
      case '/openapi.json':
        return pages.openapi();
      case '/docs':
        return pages.reference();
      default:
        return null;
    }
  };

  const metricsAnswer = async (caller: ApiKeyHolder): Promise<OutgoingResponse> => {
    if (metrics === undefined) throw new HexLensError('not-found', 'There are no metrics here.');
    if (!caller.isUnrestricted) {
      throw new HexLensError('forbidden', 'The API key is not for metrics.', {
        fix: 'Use a key without groups: it may see everything.',
      });
    }
    const { type, text } = await metrics();
    return { status: 200, headers: { ...defaultResponseHeaders, 'content-type': type }, body: text };
  };

  const options = (path: string, incoming: IncomingRequest): OutgoingResponse => {
    const allowed = getAllowedMethods(path);
    if (allowed.length === 0) matchPath('GET', path); // says what is wrong with it
    return {
      status: 204,
      headers: { allow: allowed.join(', '), ...guard.preflight(incoming.headers, allowed) },
      body: '',
    };
  };

  const route = async (target: RequestTarget, incoming: IncomingRequest, trace: Trace): Promise<OutgoingResponse> => {
    const { path } = target;
    const method = incoming.method === 'HEAD' ? 'GET' : incoming.method;
    trace.headers = guard.check(authorityOf(target, incoming), incoming.headers);
    if (method === 'GET') {
      const found = await open(path);
      if (found !== null) return found;
    }
    if (method === 'OPTIONS') return options(path, incoming);
    if (method !== 'GET' && isServicePage(path))
      throw new HexLensError('method-not-allowed', `${method} is not possible here: ${path} can only be read.`);
    const caller = identify(incoming);
    trace.caller = caller;
    if (path === '/metrics' && method === 'GET') return metricsAnswer(caller);
    const matched = read(method, target, incoming.target);
    trace.operation = matched.operation;
    caller.admitRequest(matched.group);
    const body = method === 'POST' ? await readJson(incoming) : undefined;
    const reply = await call(matched.toWireRequest(body), incoming);
    return { status: reply.status, headers: passedOn(reply.headers), ...print(reply) };
  };

  return {
    async handle(incoming) {
      const start = clock.now();
      const given = incoming.headers['x-request-id'];
      const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
      const trace: Trace = { operation: null, caller: null, headers: {} };
      const target = parseRequestTarget(incoming.target);
      let answer: OutgoingResponse;
      try {
        if (target === null) throw new HexLensError('bad-input', 'The request target must be a path.');
        answer = await route(target, incoming, trace);
      } catch (error) {
        const fault = toFault(error);
        if (fault.code === 'internal') log.error(`Request ${id} failed: ${formatFaultWithDetails(fault)}`);
        answer = createFaultResponse(target?.path ?? '/', fault);
      }
      const { operation, caller } = trace;
      const { status } = answer;
      const method = /^[A-Z]{1,10}$/.test(incoming.method) ? incoming.method : '-';
      const ms = clock.now() - start;
      const who = severalKeys && caller !== null ? ` ${caller.name}` : '';
      log.info(`${method} ${operation ?? '-'} ${status} ${ms} ms ${id}${who}`, {
        ...{ method, operation: operation ?? '-', status, ms, requestId: id },
        ...(caller !== null && { key: caller.name }),
      });
      observe?.({ method, operation, status, durationMs: ms, keyName: caller?.name ?? null });
      return { ...answer, headers: { ...answer.headers, ...trace.headers, 'x-request-id': id } };
    },
  };
}
