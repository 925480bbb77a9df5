// The transport to remote hosts: base URL and key per group, dated changes, retries, readable errors.

import type { Configuration } from '../api/configuration.ts';
import type { ApiGroup } from '../api/operations/operation.ts';
import { operations } from '../api/operations/operations.ts';
import { parseFaultMessage } from '../api/wire/faultBody.ts';
import { formatQueryString } from '../api/wire/queryString.ts';
import type { WireReply } from '../api/wire/request.ts';
import { FILTERED_HEADER, HOST_HEADER, INDEX_HEADER, SCAN_HEADER } from '../api/wire/responseHeaders.ts';
import type { Clock } from '../base/clock.ts';
import { HexLensError, isFault, toFault } from '../base/errors.ts';
import type { HttpPort, HttpResponse } from '../base/httpPort.ts';
import { asContinuation, localizable } from '../base/localize.ts';
import { parseHostJson } from '../base/parseHostJson.ts';
import { formatRetryAfter, parseRetryAfterMs } from '../base/retryAfter.ts';
import { prepareRemoteRequest } from './prepareRemoteRequest.ts';
import { sendWithRetries } from './sendWithRetries.ts';
import type { Transport } from './transport.ts';

export interface HttpTransportDeps {
  /** With the egress policy applied. */
  readonly http: HttpPort;
  readonly clock: Clock;
  /** From 0 to below 1; for jitter. */
  readonly random?: () => number;
}

export type RemoteConfiguration = Pick<Configuration, 'groups' | 'keys' | 'timeoutMs'>;

const groupTitles: Readonly<Record<ApiGroup, string>> = { auth: 'sign-in', evm: 'EVM', aptos: 'Aptos' };

function getBaseUrl(group: ApiGroup, configuration: RemoteConfiguration): URL {
  const url = URL.parse(configuration.groups[group].baseUrl);
  const isUsable =
    url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
  if (isUsable) return url;
  const example = group === 'evm' ? 'https://host/api/v2.2' : 'https://host';
  throw new HexLensError('bad-input', `The base URL of the remote ${groupTitles[group]} host is not usable.`, {
    fix: `Set it to ${example} (no query, no user name), or use the embedded service for this group.`,
  });
}

/** The key that was entered for the origin of `url`. */
function findKey(url: URL, keys: Configuration['keys']): string | null {
  for (const [origin, key] of Object.entries(keys))
    if (key !== '' && URL.parse(origin)?.origin === url.origin) return key;
  return null;
}

function createKeyHeaders(group: ApiGroup, key: string | null): Readonly<Record<string, string>> {
  if (key === null) return {};
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new HexLensError('unauthorized', localizable('The API key contains characters that cannot be sent.'), {
      fix: localizable('Copy it again and set it with "HexLens: Set API Key".'),
    });
  }
  // Hosts of group C expect bearer authorization; the description of the service has X-API-Key only.
  return { 'x-api-key': key, ...(group === 'aptos' && { authorization: `Bearer ${key}` }) };
}

/** Parsed if it is JSON, regardless of the content type; otherwise the text. Rejects with `too-large`. */
async function parseBody(text: string, host: string, operation: string): Promise<unknown> {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (body.trim() === '') return null;
  try {
    return await parseHostJson(body);
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    const fault = toFault(error);
    if (!isFault(fault, 'too-large')) throw fault;
    const limit = asContinuation(fault.localizable?.message ?? fault.message);
    throw new HexLensError(
      'too-large',
      localizable('{0} gave an answer to {1} that is too large to be read: {2}', host, operation, limit),
      { fix: localizable('Request less at once.') },
    );
  }
}

/** Whether the body of a 404 says that the host no longer has the operation; most say that the record was not found. */
const isRemoved = (status: number, body: unknown): boolean =>
  status === 404 && /\b(removed|retired|discontinued|sunset|no longer)\b/i.test(parseFaultMessage(body) ?? '');

/** Hosts serve group B below a path prefix, the other groups at the root. */
const lacksPrefix = (base: URL, group: ApiGroup): boolean => group === 'evm' && base.pathname === '/';

/** Whether a 404 means that there is no operation at the path, as web servers, frameworks and gateways say it. */
const isUnknownPath = (status: number, body: unknown, base: URL, group: ApiGroup): boolean => {
  if (status !== 404) return false;
  const message = parseFaultMessage(body);
  if (message === null) return typeof body === 'string' || body === null;
  // Where no prefix is missing, "Not Found" may mean the record.
  return (
    /^cannot (get|post)\b|^there is no operation\b/i.test(message) ||
    (lacksPrefix(base, group) && /^not found\.?$/i.test(message))
  );
};

function createUnknownPathFault(base: URL, group: ApiGroup): HexLensError {
  const example = `${base.origin}/api/v2.2`;
  return new HexLensError('host-error', localizable('{0} has no operation at this path.', base.host), {
    details: `${base.host} responded 404`,
    fix: lacksPrefix(base, group)
      ? localizable('The base URL has no path prefix: set it to the one of the host, such as {0}.', example)
      : localizable('Check the path of the base URL, or use the embedded service for this group.'),
  });
}

function createRedirectFault(base: URL, response: HttpResponse): HexLensError {
  const target = URL.parse(response.headers['location'] ?? '', base.href);
  const elsewhere = target !== null && target.origin !== base.origin ? ` to ${target.origin}` : '';
  return new HexLensError('host-error', `${base.host} redirects${elsewhere}, and redirects are not followed.`, {
    details: `${base.host} responded ${response.status}`,
    fix: 'Set the base URL to the address that it redirects to.',
  });
}

function createMissingKeyFault(base: URL): HexLensError {
  return new HexLensError('unauthorized', localizable('{0} requires an API key, and none is set for it.', base.host), {
    details: `${base.host} responded 401`,
    fix: localizable('Set one with "HexLens: Set API Key".'),
  });
}

/** The other headers of ours are not for hosts to set; of this one only the text that a service of HexLens sends. */
const isPassedOn = (name: string, value: string): boolean =>
  name === SCAN_HEADER || (name === INDEX_HEADER && /^syncing; block \d{1,16} of \d{1,16}$/.test(value));

/** Drops our own header names, which hosts must not set; `retry-after` becomes seconds, so that no clock is needed to read it. */
function createReplyHeaders(
  response: HttpResponse,
  host: string,
  filtered: number,
  now: number,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    const isOurs = name.startsWith('x-hexlens-') && !isPassedOn(name, value);
    if (!isOurs && name !== 'retry-after' && name !== 'set-cookie') headers[name] = value;
  }
  const retryAfterMs = parseRetryAfterMs(response.headers, now);
  if (retryAfterMs !== undefined) headers['retry-after'] = formatRetryAfter(retryAfterMs);
  if (filtered > 0) headers[FILTERED_HEADER] = String(filtered);
  headers[HOST_HEADER] = host;
  return headers;
}

/**
 * Creates the transport to the remote host of each group. GET requests are retried within `timeoutMs`, POST requests are
 * sent once. Resolves with any status, except redirects and a 401 without a key, which are rejected.
 */
export function createHttpTransport(
  { http, clock, random = Math.random }: HttpTransportDeps,
  configuration: RemoteConfiguration,
): Transport {
  return {
    async send(original, { signal } = {}): Promise<WireReply> {
      const base = getBaseUrl(original.group, configuration);
      const { request, filter } = prepareRemoteRequest(original, base.host, clock.now());
      const query = formatQueryString(request.query);
      const url = `${base.origin}${base.pathname.replace(/(?<!\/)\/+$/, '')}${request.path}${query === '' ? '' : `?${query}`}`;
      const key = findKey(base, configuration.keys);
      const isPost = request.method === 'POST';
      const headers = {
        accept: 'application/json',
        ...(isPost && { 'content-type': 'application/json' }),
        ...createKeyHeaders(request.group, key),
      };
      const sendOnce = (timeoutMs: number) =>
        http.send({
          method: request.method,
          url,
          headers,
          ...(isPost && { body: JSON.stringify(request.body ?? {}) }),
          signal,
          timeoutMs,
          logLabel: operations[request.operation].path,
        });
      const budgetMs = configuration.timeoutMs;
      const response = isPost
        ? await sendOnce(budgetMs)
        : await sendWithRetries(sendOnce, { clock, random, budgetMs, signal });
      if (response.status >= 300 && response.status < 400) throw createRedirectFault(base, response);
      if (response.status === 401 && key === null) throw createMissingKeyFault(base);
      const isAnswer = response.status < 300;
      const text = isAnswer ? response.body : (response.hideKeys?.(response.body) ?? response.body);
      const parsed = await parseBody(text, base.host, operations[request.operation].path);
      const { body, filtered } = isAnswer ? filter(parsed) : { body: parsed, filtered: 0 };
      if (isUnknownPath(response.status, body, base, request.group)) throw createUnknownPathFault(base, request.group);
      return {
        status: isRemoved(response.status, body) ? 410 : response.status,
        headers: createReplyHeaders(response, base.host, filtered, clock.now()),
        body,
      };
    },
  };
}
