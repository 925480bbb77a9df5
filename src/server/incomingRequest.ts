// What the application sees of an HTTP request and says of its answer: plain values, no sockets.
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

export interface IncomingRequest {
  readonly method: string;
  /** The request target as it came: `/block/1?chain=eth`, or an absolute URL; nothing decoded. */
  readonly target: string;
  /** Names in lower case, as Node reads them. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values as they came, in turn. */
  readonly rawHeaders: readonly string[];
  /** IP address of whoever is at the other end of the connection; empty when it has gone. */
  readonly remoteAddress: string;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
  /** The whole body. Rejects with `too-large` past `maxBytes`, with `cancelled` when the client leaves. */
  readBody(maxBytes: number): Promise<string>;
}

export interface OutgoingResponse {
  readonly status: number;
  /** Its own: whoever sends it adds to them. */
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer;
  /** The body is a text of ASCII only. */
  readonly isAscii?: true;
}

/** Where a request goes: nothing is decoded, and no `..` is resolved. */
export interface RequestTarget {
  /** What the target itself says of the host (`http://host:1/path`); the `Host` header does not count then. */
  readonly authority: string | null;
  readonly path: string;
  readonly query: string;
}

/** `null` when it is no target of a request to a server: only `/path` and `http://host/path` are. */
export function parseRequestTarget(target: string): RequestTarget | null {
  let authority: string | null = null;
  let rest = target;
  if (!target.startsWith('/')) {
    const absolute = /^https?:\/\/([^/?#]+)(.*)$/is.exec(target);
    if (absolute === null) return null;
    authority = absolute[1] ?? '';
    rest = absolute[2]?.startsWith('/') ? absolute[2] : `/${absolute[2] ?? ''}`;
  }
  const hash = rest.indexOf('#'); // no client sends one on purpose
  if (hash >= 0) rest = rest.slice(0, hash);
  const mark = rest.indexOf('?');
  return mark < 0
    ? { authority, path: rest, query: '' }
    : { authority, path: rest.slice(0, mark), query: rest.slice(mark + 1) };
}
