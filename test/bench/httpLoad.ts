// Requests as fast as they are answered, from a few connections.
import autocannon from 'autocannon';

export const CONNECTIONS = 32;

export interface Hard {
  readonly url: string;
  readonly seconds: number;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  /** Requests a second. */
  readonly rps: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Rejects when an answer is no success. */
export async function askHard({ url, seconds, method = 'GET', headers = {}, body }: Hard): Promise<Load> {
  const given = { url, method, headers, connections: CONNECTIONS, duration: seconds };
  const result = await autocannon({ ...given, ...(body !== undefined && { body }) });
  if (result.non2xx > 0 || result.errors > 0 || result.requests.total === 0)
    throw new Error(`${url}: ${result.non2xx} answers were no success, ${result.errors} failed.`);
  return { rps: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}
