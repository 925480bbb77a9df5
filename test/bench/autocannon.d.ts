// Types of the parts of autocannon that the benchmarks use: the package has none.
declare module 'autocannon' {
  namespace autocannon {
    interface Request {
      readonly method: 'GET' | 'POST';
      readonly path: string;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
    interface Client {
      setRequests(requests: readonly Request[]): void;
    }
    interface Options {
      readonly url: string;
      readonly connections: number;
      /** Seconds. */
      readonly duration: number;
      /** Called for each connection. */
      setupClient(client: Client): void;
    }
    interface Result {
      readonly requests: { readonly average: number; readonly total: number };
      /** Milliseconds. */
      readonly latency: { readonly p50: number; readonly p99: number };
      readonly non2xx: number;
      readonly errors: number;
    }
  }
  function autocannon(options: autocannon.Options): Promise<autocannon.Result>;
  export = autocannon;
}
