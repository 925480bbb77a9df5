// HTTP requests as plain values, so that the application needs no socket.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createCancelledFault, HexLensError } from '../base/errors.ts';

/**
 * Reads the body of a request as text. Calls `sendContinue` before it reads, unless the length is already too large.
 * Rejects with `too-large`, with `rate-limited`, and with `cancelled` when the client disconnects.
 */
export type BodyReader = (message: IncomingMessage, maxBytes: number, sendContinue: () => void) => Promise<string>;

/** Whether the client waits for `100 Continue` before it sends the body. */
export const expectsContinue = ({ headers }: IncomingMessage): boolean =>
  headers.expect !== undefined && /^100-continue$/i.test(headers.expect);

const createTooLargeFault = (maxBytes: number) =>
  new HexLensError('too-large', `The body is larger than ${maxBytes / 1024 / 1024} MiB.`, {
    fix: 'Send less: no operation needs so much.',
  });
const createTooManyBodiesFault = () =>
  new HexLensError('rate-limited', 'Too many large bodies are being sent at the same time.', {
    retryAfterMs: 1_000,
    fix: 'Try again in a moment.',
  });

/**
 * Limits each body, and all that are being received together.
 *
 * @param maxTotalBytes Bytes of all incomplete bodies together.
 */
export function createBodyReader(maxTotalBytes: number): BodyReader {
  let totalBytes = 0;
  return (message, maxBytes, sendContinue) => {
    if (Number(message.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(createTooLargeFault(maxBytes));
    sendContinue();
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const release = () => {
        message.off('close', onDisconnect);
        message.off('error', onDisconnect);
        totalBytes -= bytes;
        chunks.length = 0;
      };
      const fail = (fault: HexLensError) => {
        message.off('data', onData);
        message.off('end', onEnd);
        message.on('error', () => {}); // a second error event must not be unhandled
        release();
        reject(fault);
      };
      const onDisconnect = () => fail(createCancelledFault());
      const onData = (chunk: Buffer) => {
        bytes += chunk.length;
        totalBytes += chunk.length;
        chunks.push(chunk);
        if (bytes <= maxBytes && totalBytes <= maxTotalBytes) return;
        message.pause();
        fail(bytes > maxBytes ? createTooLargeFault(maxBytes) : createTooManyBodiesFault());
      };
      const onEnd = () => {
        const [first] = chunks;
        const text = (first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)).toString('utf8');
        release();
        resolve(text);
      };
      message.on('data', onData);
      message.once('end', onEnd);
      message.once('error', onDisconnect);
      message.once('close', onDisconnect);
    });
  };
}

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

/** A request target in its parts. Nothing is decoded, no `..` is resolved, and one slash at the end of the path is left out. */
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
    const absolute = /^https?:\/\/([^/?#]+)(.*)/is.exec(target);
    if (absolute === null) return null;
    authority = absolute[1] ?? '';
    rest = absolute[2]?.startsWith('/') ? absolute[2] : `/${absolute[2] ?? ''}`;
  }
  const fragment = rest.indexOf('#'); // clients do not send fragments: it is no part of the path
  if (fragment >= 0) rest = rest.slice(0, fragment);
  const mark = rest.indexOf('?');
  const path = mark < 0 ? rest : rest.slice(0, mark);
  const query = mark < 0 ? '' : rest.slice(mark + 1);
  return { authority, path: path.replace(/([^/])\/$/, '$1'), query };
}
