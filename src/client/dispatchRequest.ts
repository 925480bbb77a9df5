// Sends one HTTP request over an undici dispatcher, with limits on time and size; all failures are HexLensErrors.
import type { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import zlib from 'node:zlib';
import type Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import { createCancelledFault, type HexLensError, toFault } from '../base/errors.ts';
import type { HttpRequest, HttpResponse } from '../base/httpPort.ts';
import { yieldToEventLoop } from '../base/yieldToEventLoop.ts';
import {
  createBudgetFault,
  createRatioFault,
  createResponseTooLargeFault,
  createTimeoutFault,
  createUnreadableBodyFault,
  type Phase,
  toNetworkFault,
} from './networkFault.ts';
import { type ResponseBudget, ResponseShare } from './responseBudget.ts';

export interface DispatchRequest {
  /** Named by faults. */
  readonly url: URL;
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly maxBytes: number;
  readonly binary: boolean;
  readonly parse: ((body: string) => unknown) | undefined;
  readonly parseBytes: HttpRequest['parseBytes'];
  readonly onChunk: ((bytes: Uint8Array) => void) | undefined;
  readonly budget: ResponseBudget;
}

/** Logs and blocks of nodes are compressed 5 to 50 times. */
const MAX_COMPRESSION_RATIO = 100;
/** Small responses may be compressed more: an empty block has a bloom filter of zeros. */
const MIN_RATIO_BYTES = 8 * 1024 * 1024;

const DECOMPRESSORS: Readonly<Record<string, (compressed: Buffer) => Transform>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  br: () => zlib.createBrotliDecompress(),
  // RFC 9110 means zlib's format; some servers send a raw stream, whose first byte is different.
  deflate: compressed => (((compressed[0] ?? 0) & 15) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
};

export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** Up to that, a body is made one text in some milliseconds. */
const MAX_WHOLE_BYTES = 4 * 1024 * 1024;
/** Bytes that are decoded between two turns of the event loop. */
const SLICE_BYTES = 1024 * 1024;

/** Takes the chunks, whose memory is free as they become text. */
async function decodeText(chunks: Buffer[]): Promise<string> {
  const decoder = new StringDecoder('utf8');
  const parts: string[] = [];
  let decoded = 0;
  for (const [index, chunk] of chunks.entries()) {
    parts.push(decoder.write(chunk));
    chunks[index] = NO_BYTES;
    decoded += chunk.length;
    if (decoded < SLICE_BYTES) continue;
    decoded = 0;
    await yieldToEventLoop();
  }
  return parts.join('') + decoder.end();
}

const NO_BYTES = Buffer.alloc(0);
const joinChunks = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 ? (chunks[0] ?? NO_BYTES) : Buffer.concat(chunks);

/** Decompresses at most `maxBytes`, and as much as the share gets, so that small responses cannot fill the memory. */
async function decompress(
  url: URL,
  compressed: Buffer,
  header: string,
  maxBytes: number,
  share: ResponseShare,
): Promise<Buffer[]> {
  const encodings = header
    .toLowerCase()
    .split(',')
    .map(encoding => encoding.trim())
    .filter(encoding => encoding !== '' && encoding !== 'identity');
  if (encodings.length > 2) throw createUnreadableBodyFault(url, `${encodings.length} encodings`);
  const maxByRatio = Math.max(MIN_RATIO_BYTES, compressed.length * MAX_COMPRESSION_RATIO);
  let body = [compressed];
  for (const encoding of encodings.reverse()) {
    const createDecompressor = Object.hasOwn(DECOMPRESSORS, encoding) ? DECOMPRESSORS[encoding] : undefined;
    if (createDecompressor === undefined) throw createUnreadableBodyFault(url, 'an unknown encoding');
    const bytes = joinChunks(body);
    if (bytes.length === 0) return []; // a response without a body may still name an encoding
    const decompressor = createDecompressor(bytes);
    decompressor.end(bytes);
    const chunks: Buffer[] = [];
    let size = 0;
    let fault: HexLensError | null = null;
    try {
      for await (const chunk of decompressor as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes) fault = createResponseTooLargeFault(url, maxBytes);
        else if (size > maxByRatio) fault = createRatioFault(url, MAX_COMPRESSION_RATIO);
        else if (!share.take(chunk.length)) fault = createBudgetFault(url, share.maxBytes);
        if (fault !== null) break; // which destroys the stream
        chunks.push(chunk);
      }
    } catch {
      throw createUnreadableBodyFault(url, encoding);
    }
    if (fault !== null) throw fault;
    body = chunks;
  }
  return body;
}

function flattenHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined) result[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return result;
}

/** Sends the request and reads the whole response. Rejects with a HexLensError only, and then closes the connection. */
export function dispatchRequest(dispatcher: Dispatcher, what: DispatchRequest): Promise<HttpResponse> {
  const { url, signal, maxBytes, timeoutMs, parse } = what;
  const share = new ResponseShare(what.budget);
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
      share.release();
      reject(fault);
      controller?.abort(fault);
    };
    const cancel = () => fail(createCancelledFault());
    const timer = setTimeout(() => fail(createTimeoutFault(url, phase, timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', cancel, { once: true });

    /** The chunks, without their encoding; nothing else refers to them, so that they are free while the text is parsed. */
    const takeChunks = async (): Promise<Buffer[]> => {
      const encoding = headers['content-encoding'];
      const received = chunks.splice(0);
      return encoding === undefined ? received : decompress(url, joinChunks(received), encoding, maxBytes, share);
    };
    const readBody = async (): Promise<Pick<HttpResponse, 'body' | 'parsed'>> => {
      const received = await takeChunks();
      const isLarge = received.reduce((sum, { length }) => sum + length, 0) > MAX_WHOLE_BYTES;
      if (isLarge && !what.binary) return { body: await decodeText(received) };
      const bytes = joinChunks(received);
      const parsed = what.parseBytes?.(bytes);
      return parsed === undefined ? { body: bytes.toString(what.binary ? 'base64' : 'utf8') } : { body: '', parsed };
    };
    const finish = async () => {
      const { body, parsed = await parse?.(body) } = await readBody();
      if (failure !== undefined) return;
      settle();
      share.release();
      // undici lets the connection rest for one turn of the event loop: a request that followed at once would open another one.
      setImmediate(resolve, { status, headers, body, ...(parsed !== undefined && { parsed }) });
    };

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
        if (what.onChunk === undefined && Number(headers['content-length'] ?? 0) > maxBytes)
          fail(createResponseTooLargeFault(url, maxBytes));
      },
      onResponseData(_controller, chunk) {
        if (failure !== undefined) return;
        if (what.onChunk !== undefined && status < 300) return what.onChunk(chunk);
        size += chunk.length;
        if (size > maxBytes) fail(createResponseTooLargeFault(url, maxBytes));
        else if (!share.take(chunk.length)) fail(createBudgetFault(url, share.maxBytes));
        else chunks.push(chunk);
      },
      onResponseEnd() {
        if (failure !== undefined) return;
        finish().catch(error => fail(toFault(error)));
      },
      onResponseError(_controller, error) {
        fail(toNetworkFault(url, error, phase, what.connectTimeoutMs));
      },
    };
    try {
      dispatcher.dispatch(
        {
          origin: what.origin,
          path: what.path,
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
