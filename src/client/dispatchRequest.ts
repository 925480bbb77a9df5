// One HTTP exchange over a dispatcher: its phases, its time, its size, its end; every failure a HexLensError.
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import { cancelledFault, type HexLensError } from '../base/errors.ts';
import type { HttpResponse } from '../base/httpPort.ts';
import { networkFault, type Phase, timeoutFault, tooLargeFault, unreadableBodyFault } from './networkFault.ts';

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

type Unpack = (packed: Buffer, options: zlib.ZlibOptions) => Promise<Buffer>;
const inflate: Unpack = promisify(zlib.inflate);
const inflateRaw: Unpack = promisify(zlib.inflateRaw);

const UNPACK: Readonly<Record<string, Unpack>> = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  br: promisify(zlib.brotliDecompress),
  // RFC 9110 means zlib's format; some servers send the bare stream, whose first byte can not be zlib's.
  deflate: (packed, options) => (((packed[0] ?? 0) & 15) === 8 ? inflate : inflateRaw)(packed, options),
};

export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** The bytes as they were before packing, never more than `maxBytes` of them, whatever they were packed from. */
async function unpack(url: URL, packed: Buffer, header: string, maxBytes: number): Promise<Buffer> {
  const encodings = header
    .toLowerCase()
    .split(',')
    .map(encoding => encoding.trim())
    .filter(encoding => encoding !== '' && encoding !== 'identity');
  if (encodings.length > 2) throw unreadableBodyFault(url, `${encodings.length} encodings`);
  let body = packed;
  for (const encoding of encodings.reverse()) {
    const step = Object.hasOwn(UNPACK, encoding) ? UNPACK[encoding] : undefined;
    if (step === undefined) throw unreadableBodyFault(url, 'an unknown encoding');
    if (body.length === 0) return body; // an answer without a body may still name an encoding
    try {
      body = await step(body, { maxOutputLength: maxBytes });
    } catch (error) {
      const full = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
      throw full ? tooLargeFault(url, maxBytes) : unreadableBodyFault(url, encoding);
    }
  }
  return body;
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) result[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  return result;
}

/** Sends and reads the whole answer. Rejects with a HexLensError only; then the connection is given up as well. */
export function dispatchRequest(dispatcher: Dispatcher, what: DispatchRequest): Promise<HttpResponse> {
  const { url, signal, maxBytes, timeoutMs } = what;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(cancelledFault());
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
    const cancel = () => fail(cancelledFault());
    const timer = setTimeout(() => fail(timeoutFault(url, phase, timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', cancel, { once: true });

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        phase = 'waiting';
        if (failure !== undefined) started.abort(failure); // it gave up while it stood in line for a connection
      },
      onResponseStart(_controller, code, received) {
        if (code < 200 || failure !== undefined) return;
        phase = 'reading';
        status = code;
        headers = flat(received);
        if (Number(headers['content-length'] ?? 0) > maxBytes) fail(tooLargeFault(url, maxBytes));
      },
      onResponseData(_controller, chunk) {
        if (failure !== undefined) return;
        size += chunk.length;
        if (size > maxBytes) fail(tooLargeFault(url, maxBytes));
        else chunks.push(chunk);
      },
      onResponseEnd() {
        if (failure !== undefined) return;
        const body = Buffer.concat(chunks, size);
        const encoding = headers['content-encoding'];
        const whole = encoding === undefined ? Promise.resolve(body) : unpack(url, body, encoding, maxBytes);
        whole.then(
          bytes => {
            settle();
            if (failure === undefined)
              resolve({ status, headers, body: bytes.toString(what.binary ? 'base64' : 'utf8') });
          },
          error => fail(networkFault(url, error, 'reading', what.connectTimeoutMs)),
        );
      },
      onResponseError(_controller, error) {
        fail(networkFault(url, error, phase, what.connectTimeoutMs));
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
      fail(networkFault(url, error, phase, what.connectTimeoutMs));
    }
  });
}
