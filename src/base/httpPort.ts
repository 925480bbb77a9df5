// HTTP requests as a port: what callers need of it, independent of the library that opens the socket.

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Absolute URL, query included. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the whole request; then `node-timeout`. */
  readonly timeoutMs?: number;
  /** Bytes of body to read at most; then `too-large`. */
  readonly maxBytes?: number;
  /** Parses the body to `parsed` while it counts to the memory for all responses. */
  readonly parser?: BodyParser;
  /**
   * Called before `parser`: what it returns is `parsed`, and `body` is empty, unless it is `undefined`. Not every port calls it,
   * and none for bodies of more than 4 MiB.
   */
  readonly parseBytes?: ((body: BodyBytes) => unknown) | undefined;
  /** Gets the body in pieces as they arrive, whatever its length; `body` of the response is empty then. Not over WebSockets. */
  readonly onChunk?: (bytes: Uint8Array) => void;
  /** A contract chose the URL: no private network, and only hosts that the settings allow for metadata. */
  readonly urlFromContract?: true;
  /** The body is returned as base64; absent: as text (UTF-8). */
  readonly binary?: true;
  /** What the log shows instead of path and query, so that it holds no hash or key. */
  readonly logLabel: string;
}

export interface BodyParser {
  /** Takes a body that is short, or a text already. */
  parse(body: string): unknown;
  /** Used by ports that get a long body in pieces; `body` of the response is empty then. */
  createReader(): BodyReader;
}

export interface BodyReader {
  /** Resolves when more may be added. Rejects with a HexLensError that ends the request, or is false where the rest need not be read. */
  add(bytes: Uint8Array): Promise<boolean>;
  end(): Promise<unknown>;
}

/** A `Buffer` of Node.js: it makes texts of parts of it faster than a `TextDecoder`. */
export interface BodyBytes extends Uint8Array {
  toString(encoding?: 'latin1', start?: number, end?: number): string;
  equals(other: Uint8Array): boolean;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it came: data may have the form of a key by chance. */
  readonly body: string;
  /** What `parser` of the request made of it; absent where the port does not call it. */
  readonly parsed?: unknown;
  /** Removes the keys that the host got from a text of its body that people will read, such as an error. */
  readonly hideKeys?: HideKeys | undefined;
}

/** A gateway may repeat the URL of a request, and the key in it, in its error. */
export type HideKeys = (text: string) => string;

/**
 * Rejects with a HexLensError only: `node-unreachable`, `node-timeout`, `too-large`, `cancelled`, `egress-refused`.
 * Resolves with any HTTP status. Redirects are never followed.
 */
export interface HttpPort {
  send(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Sends the body over a WebSocket of its own, and calls `onMessage` with each message that comes: the response first,
   * then notifications. Ends by rejecting: `cancelled` when the signal aborts, else when the socket did not open or was lost.
   */
  subscribe?(request: HttpRequest, onMessage: (text: string, hideKeys?: HideKeys) => void): Promise<never>;
}
