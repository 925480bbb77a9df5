// The transport to a remote host of the service: base URL and key per group, dated changes, retry, readable failures.

import type { Configuration } from '../api/configuration.ts';
import type { ApiGroup } from '../api/operations/operation.ts';
import { operations } from '../api/operations/operations.ts';
import { parseFaultMessage } from '../api/wire/faultBody.ts';
import { formatQueryString } from '../api/wire/queryString.ts';
import type { WireReply, WireRequest } from '../api/wire/request.ts';
import { FILTERED_HEADER, HOST_HEADER, SCAN_HEADER } from '../api/wire/responseHeaders.ts';
import type { Clock } from '../base/clock.ts';
import { HexLensError } from '../base/errors.ts';
import type { HttpPort, HttpResponse } from '../base/httpPort.ts';
import { localizable } from '../base/localize.ts';
import { prepareRemoteRequest } from './datedChanges.ts';
import { parseRetryAfterMs, withRetry } from './retry.ts';
import type { Transport } from './transport.ts';

export interface HttpTransportDeps {
  /** Already wrapped in the egress policy. */
  readonly http: HttpPort;
  readonly clock: Clock;
  /** From 0 to below 1; for jitter. */
  readonly random?: () => number;
}

export type RemoteConfiguration = Pick<Configuration, 'groups' | 'keys' | 'timeoutMs'>;

const groupTitles: Readonly<Record<ApiGroup, string>> = { auth: 'sign-in', evm: 'EVM', aptos: 'Aptos' };

function baseOf(group: ApiGroup, configuration: RemoteConfiguration): URL {
  const url = URL.parse(configuration.groups[group].baseUrl);
  const usable =
    url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
  if (usable) return url;
  const example = group === 'evm' ? 'https://host/api/v2.2' : 'https://host';
  throw new HexLensError('bad-input', `The base URL of the remote ${groupTitles[group]} host is not usable.`, {
    fix: `Set it to ${example} (no query, no user name), or use the embedded service for this group.`,
  });
}

/** The key that was entered for the very origin of `url`. */
function keyFor(url: URL, keys: Configuration['keys']): string | null {
  for (const [origin, key] of Object.entries(keys))
    if (key !== '' && URL.parse(origin)?.origin === url.origin) return key;
  return null;
}

function keyHeaders(group: ApiGroup, key: string | null): Readonly<Record<string, string>> {
  if (key === null) return {};
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new HexLensError('unauthorized', localizable('The API key holds characters that can not be sent.'), {
      fix: localizable('Copy it again and set it with "HexLens: Set API Key".'),
    });
  }
  // Hosts of group C declare bearer authorization; the service's description knows X-API-Key only.
  return { 'x-api-key': key, ...(group === 'aptos' && { authorization: `Bearer ${key}` }) };
}

/** JSON where it is JSON, whatever the content type says; else the text. */
function parseBody(text: string): unknown {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (body.trim() === '') return null;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** A missing route on a host that retired the operation: gone, unless the host says that the thing itself is missing. */
function isGone(request: WireRequest, status: number, body: unknown): boolean {
  const operation = operations[request.operation];
  if (status !== 404 || !('retired' in operation)) return false;
  const said = parseFaultMessage(body);
  return operation.reply.shape !== 'record' || said === null || /^cannot (get|post)\b/i.test(said);
}

function redirectFault(base: URL, response: HttpResponse): HexLensError {
  const target = URL.parse(response.headers['location'] ?? '', base.href);
  const elsewhere = target !== null && target.origin !== base.origin ? ` to ${target.origin}` : '';
  return new HexLensError('host-error', `${base.host} redirects${elsewhere}, and redirects are not followed.`, {
    details: `${base.host} answered ${response.status}`,
    fix: 'Set the base URL to the address that it redirects to.',
  });
}

function missingKeyFault(base: URL): HexLensError {
  return new HexLensError('unauthorized', localizable('{0} wants an API key, and none is set for it.', base.host), {
    details: `${base.host} answered 401`,
    fix: localizable('Set one with "HexLens: Set API Key".'),
  });
}

/** Header names of ours are said by us only; `retry-after` becomes seconds, so that whoever reads it needs no clock. */
function replyHeaders(response: HttpResponse, host: string, filtered: number, now: number): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    const ours = name.startsWith('x-hexlens-') && name !== SCAN_HEADER;
    if (!ours && name !== 'retry-after' && name !== 'set-cookie') headers[name] = value;
  }
  const wait = parseRetryAfterMs(response.headers, now);
  if (wait !== undefined) headers['retry-after'] = String(Math.ceil(wait / 1000));
  if (filtered > 0) headers[FILTERED_HEADER] = String(filtered);
  headers[HOST_HEADER] = host;
  return headers;
}

/**
 * Sends to the remote host of the request's group. GETs are tried again within `timeoutMs`; a POST is sent once.
 * Resolves with any status but a redirect and a 401 without a key, which are explained at once.
 */
export function createHttpTransport(
  { http, clock, random = Math.random }: HttpTransportDeps,
  configuration: RemoteConfiguration,
): Transport {
  return {
    async send(original, { signal } = {}): Promise<WireReply> {
      const base = baseOf(original.group, configuration);
      const { request, filter } = prepareRemoteRequest(original, base.host, clock.now());
      const query = formatQueryString(request.query);
      const url = `${base.origin}${base.pathname.replace(/\/+$/, '')}${request.path}${query === '' ? '' : `?${query}`}`;
      const key = keyFor(base, configuration.keys);
      const post = request.method === 'POST';
      const headers = {
        accept: 'application/json',
        ...(post && { 'content-type': 'application/json' }),
        ...keyHeaders(request.group, key),
      };
      const sendOnce = (timeoutMs: number) =>
        http.send({
          method: request.method,
          url,
          headers,
          ...(post && { body: JSON.stringify(request.body ?? {}) }),
          signal,
          timeoutMs,
          logLabel: operations[request.operation].path,
        });
      const budgetMs = configuration.timeoutMs;
      const response = post ? await sendOnce(budgetMs) : await withRetry(sendOnce, { clock, random, budgetMs, signal });
      if (response.status >= 300 && response.status < 400) throw redirectFault(base, response);
      if (response.status === 401 && key === null) throw missingKeyFault(base);
      const { body, filtered } =
        response.status < 300 ? filter(parseBody(response.body)) : { body: parseBody(response.body), filtered: 0 };
      return {
        status: isGone(request, response.status, body) ? 410 : response.status,
        headers: replyHeaders(response, base.host, filtered, clock.now()),
        body,
      };
    },
  };
}
