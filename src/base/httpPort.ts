// HTTP as a port: what the client and the nodes need of it, without saying who opens the socket.

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Absolute URL, query included. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the whole exchange must be over; then `node-timeout`. */
  readonly timeoutMs?: number;
  /** Bytes of body that are read at most; more is `too-large`. */
  readonly maxBytes?: number;
  /** The address was chosen by a stranger (a contract): no private network, and only hosts that are named for this. */
  readonly publicOnly?: true;
  /** The body is bytes and comes as base64; absent: text, as UTF-8. */
  readonly binary?: true;
  /** What the log says in place of the path and query, so that no hash or key is written. */
  readonly logLabel: string;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Rejects with a HexLensError only: `node-unreachable`, `node-timeout`, `too-large`, `cancelled`, `egress-refused`.
 * Any HTTP status resolves. Redirects are never followed.
 */
export interface HttpPort {
  send(request: HttpRequest): Promise<HttpResponse>;
}
