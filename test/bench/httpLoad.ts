// Requests as fast as they are answered, from a few connections.
import autocannon from 'autocannon';

export const CONNECTIONS = 32;

export type LoadRequest = autocannon.Request;

export interface LoadResult {
  /** Requests a second. */
  readonly rps: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly total: number;
  /** Requests that nobody answered in time, or whose connection ended before: on a machine that stalls, not an answer. */
  readonly stalled: number;
}

interface Hard {
  readonly url: string;
  /** Asked in turn, again and again. */
  readonly questions: readonly LoadRequest[];
  readonly seconds: number;
  readonly key: string;
}

/** Rejects when an answer is no success, and when there is none at all. */
export async function runHttpLoad({ url, questions, seconds, key }: Hard): Promise<LoadResult> {
  const requests = questions.map(question => ({
    ...question,
    headers: { 'x-api-key': key, ...(question.body !== undefined && { 'content-type': 'application/json' }) },
  }));
  let connection = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    // Each connection begins elsewhere in the list: else all of them would ask the same at the same time.
    setupClient(client) {
      const from = Math.floor((connection++ * requests.length) / CONNECTIONS) % requests.length;
      client.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
    },
  });
  const { requests: answered, latency, non2xx, errors } = result;
  if (non2xx > 0 || answered.total === 0)
    throw new Error(`${questions[0]?.path}: ${non2xx} of ${answered.total} answers were no success, ${errors} failed.`);
  return { rps: answered.average, p50: latency.p50, p99: latency.p99, total: answered.total, stalled: errors };
}
