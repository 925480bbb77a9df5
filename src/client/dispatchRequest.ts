// Sends one HTTP request over an undici dispatcher, with limits on time and size; all failures are HexLensErrors.
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import { createCancelledFault, type HexLensError } from '../base/errors.ts';
import type { HttpResponse } from '../base/httpPort.ts';
import {
  createResponseTooLargeFault,
  createTimeoutFault,
  createUnreadableBodyFault,
  type Phase,
  toNetworkFault,
} from './networkFault.ts';

export interface DispatchRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly maxBytes: number;
  readonly binary: boolean;
}

type Decompress = (compressed: Buffer, options: zlib.ZlibOptions) => Promise<Buffer>;
const inflate: Decompress = promisify(zlib.inflate);
const inflateRaw: Decompress = promisify(zlib.inflateRaw);

const DECOMPRESSORS: Readonly<Record<string, Decompress>> = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  br: promisify(zlib.brotliDecompress),
  // RFC 9110 means zlib's format; some servers send a raw stream, whose first byte is different.
  deflate: (compressed, options) => (((compressed[0] ?? 0) & 15) === 8 ? inflate : inflateRaw)(compressed, options),
};

export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** Decompresses at most `maxBytes`, so that small responses cannot fill the memory. */
async function decompress(url: URL, compressed: Buffer, header: string, maxBytes: number): Promise<Buffer> {
  const encodings = header
    .toLowerCase()
    .split(',')
    .map(encoding => encoding.trim())
    .filter(encoding => encoding !== '' && encoding !== 'identity');
  if (encodings.length > 2) throw createUnreadableBodyFault(url, `${encodings.length} encodings`);
  let body = compressed;
  for (const encoding of encodings.reverse()) {
    const decompressStep = Object.hasOwn(DECOMPRESSORS, encoding) ? DECOMPRESSORS[encoding] : undefined;
    if (decompressStep === undefined) throw createUnreadableBodyFault(url, 'an unknown encoding');
    if (body.length === 0) return body; // a response without a body may still name an encoding
    try {
      body = await decompressStep(body, { maxOutputLength: maxBytes });
    } catch (error) {
      const isTooLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
      throw isTooLarge ? createResponseTooLargeFault(url, maxBytes) : createUnreadableBodyFault(url, encoding);
    }
  }
  return body;
}

function flattenHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) result[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  return result;
}

/** Sends the request and reads the whole response. Rejects with a HexLensError only, and then closes the connection. */
export function dispatchRequest(dispatcher: Dispatcher, what: DispatchRequest): Promise<HttpResponse> {
  const { url, signal, maxBytes, timeoutMs } = what;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(createCancelledFault());
    let phase: Phase = 'connecting';
    let controller: Dispatcher.DispatchController | undefined;
    let failure: HexLensError | undefined;
    let status = 0;
    let headers: Record<string, string> = {};
    let size = 0;
    const chunks: Buffer[] = [];

    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    };
    const fail = (fault: HexLensError) => {
      if (failure !== undefined) return;
      failure = fault;
      settle();
      reject(fault);
      controller?.abort(fault);
    };
    const cancel = () => fail(createCancelledFault());
    const timer = setTimeout(() => fail(createTimeoutFault(url, phase, timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', cancel, { once: true });

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        phase = 'waiting';
        if (failure !== undefined) started.abort(failure); // it failed while it was waiting for a connection
      },
      onResponseStart(_controller, code, received) {
        if (code < 200 || failure !== undefined) return;
        phase = 'reading';
        status = code;
        headers = flattenHeaders(received);
        if (Number(headers['content-length'] ?? 0) > maxBytes) fail(createResponseTooLargeFault(url, maxBytes));
      },
      onResponseData(_controller, chunk) {
        if (failure !== undefined) return;
        size += chunk.length;
        if (size > maxBytes) fail(createResponseTooLargeFault(url, maxBytes));
        else chunks.push(chunk);
      },
      onResponseEnd() {
        if (failure !== undefined) return;
        const body = Buffer.concat(chunks, size);
        const encoding = headers['content-encoding'];
        const whole = encoding === undefined ? Promise.resolve(body) : decompress(url, body, encoding, maxBytes);
        whole.then(
          bytes => {
            settle();
            if (failure === undefined)
              resolve({ status, headers, body: bytes.toString(what.binary ? 'base64' : 'utf8') });
          },
          error => fail(toNetworkFault(url, error, 'reading', what.connectTimeoutMs)),
        );
      },
      onResponseError(_controller, error) {
        fail(toNetworkFault(url, error, phase, what.connectTimeoutMs));
      },
    };
    try {
      dispatcher.dispatch(
        {
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: what.method,
          headers: what.headers,
          body: what.body,
        },
        handler,
      );
    } catch (error) {
      fail(toNetworkFault(url, error, phase, what.connectTimeoutMs));
    }
  });
}
