// Sends requests as fast as they are answered, over a few connections.
import autocannon from 'autocannon';

export const CONNECTIONS = 32;

export type LoadRequest = autocannon.Request;

export interface LoadResult {
  /** Requests per second. */
  readonly rps: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly total: number;
  /** Requests that timed out or whose connection ended first, as happens on a machine that stalls. */
  readonly stalled: number;
}

interface LoadOptions {
  readonly url: string;
  /** Sent in turn, repeatedly. */
  readonly requests: readonly LoadRequest[];
  readonly seconds: number;
  readonly key: string;
}

/**
 * A connection starts elsewhere in the list than the others, so that they do not all send the same request at the same
 * time. Of a long list it has a part: autocannon prepares each request of each connection, which would take longer than to send them.
 */
function getRequestsOf(connection: number, requests: readonly LoadRequest[]): LoadRequest[] {
  const from = Math.floor((connection * requests.length) / CONNECTIONS);
  if (requests.length > 10 * CONNECTIONS)
    return requests.slice(from, Math.floor(((connection + 1) * requests.length) / CONNECTIONS));
  return [...requests.slice(from), ...requests.slice(0, from)];
}

/** Rejects when a response is no success, and when there is none. */
export async function runHttpLoad({ url, requests, seconds, key }: LoadOptions): Promise<LoadResult> {
  const withKey = requests.map(request => ({
    ...request,
    headers: { 'x-api-key': key, ...(request.body !== undefined && { 'content-type': 'application/json' }) },
  }));
  let connection = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient(client) {
      client.setRequests(getRequestsOf(connection++, withKey));
    },
  });
  const { requests: responses, latency, non2xx, errors } = result;
  if (non2xx > 0 || responses.total === 0)
    throw new Error(
      `${requests[0]?.path}: ${non2xx} of ${responses.total} responses were no success, ${errors} failed.`,
    );
  return { rps: responses.average, p50: latency.p50, p99: latency.p99, total: responses.total, stalled: errors };
}
