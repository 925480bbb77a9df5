// HTTP requests and responses as plain values, so that the application needs no socket.
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

export interface IncomingRequest {
  readonly method: string;
  /** The request target as it came, not decoded: `/block/1?chain=eth`, or an absolute URL. */
  readonly target: string;
  /** Names in lower case, as Node parses them. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  /** IP address of the client; empty when the connection is closed. */
  readonly remoteAddress: string;
  /** Aborts when the client closes the connection. */
  readonly signal: AbortSignal;
  /** The whole body. Rejects with `too-large` past `maxBytes`, and with `cancelled` when the client disconnects. */
  readBody(maxBytes: number): Promise<string>;
}

export interface OutgoingResponse {
  readonly status: number;
  /** Owned by the receiver, who adds transport headers to them. */
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer;
  /** The body is a string of ASCII characters only. */
  readonly isAscii?: true;
}

/** A request target in its parts. Nothing is decoded, and no `..` is resolved. */
export interface RequestTarget {
  /** The host of an absolute target (`http://host:1/path`), which replaces the `Host` header. */
  readonly authority: string | null;
  readonly path: string;
  readonly query: string;
}

/** `null` for a target that is neither a path nor an absolute http(s) URL. */
export function parseRequestTarget(target: string): RequestTarget | null {
  let authority: string | null = null;
  let rest = target;
  if (!target.startsWith('/')) {
    const absolute = /^https?:\/\/([^/?#]+)(.*)$/is.exec(target);
    if (absolute === null) return null;
    authority = absolute[1] ?? '';
    rest = absolute[2]?.startsWith('/') ? absolute[2] : `/${absolute[2] ?? ''}`;
  }
  const fragment = rest.indexOf('#'); // clients do not send fragments: it is no part of the path
  if (fragment >= 0) rest = rest.slice(0, fragment);
  const mark = rest.indexOf('?');
  return mark < 0
    ? { authority, path: rest, query: '' }
    : { authority, path: rest.slice(0, mark), query: rest.slice(mark + 1) };
}
