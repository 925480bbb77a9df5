// Sends one HTTP request over an undici dispatcher, with limits on time and size; all failures are HexLensErrors.
import type Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import { createCancelledFault, type HexLensError, toFault } from '../base/errors.ts';
import type { HttpResponse } from '../base/httpPort.ts';
import { decompressBody, parseEncodings } from './decompressBody.ts';
import {
  createBudgetFault,
  createResponseTooLargeFault,
  createTimeoutFault,
  type Phase,
  toNetworkFault,
} from './networkFault.ts';
import { type BodyOptions, ResponseBody } from './responseBody.ts';
import { type ResponseBudget, ResponseShare } from './responseBudget.ts';

export interface DispatchRequest extends BodyOptions {
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
  readonly budget: ResponseBudget;
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
  const { url, signal, maxBytes, timeoutMs } = what;
  const share = new ResponseShare(what.budget);
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(createCancelledFault());
    let phase: Phase = 'connecting';
    let controller: Dispatcher.DispatchController | undefined;
    let failure: HexLensError | undefined;
    let status = 0;
    let headers: Record<string, string> = {};
    let size = 0;
    let encodings: readonly string[] = [];
    const compressed: Buffer[] = [];
    let body = new ResponseBody(what);
    /** All that is needed has been received. */
    let isEnded = false;

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

    const finish = async () => {
      if (encodings.length > 0) await decompressBody(url, compressed.splice(0), encodings, body, maxBytes, share);
      const read = await body.end();
      if (failure !== undefined) return;
      settle();
      share.release();
      // undici lets the connection rest for one turn of the event loop: a request that followed at once would open another one.
      setImmediate(resolve, { status, headers, ...read });
    };
    const end = () => {
      isEnded = true;
      finish().catch(error => fail(toFault(error)));
    };
    const pauseFor = async (ready: Promise<boolean>, received: Dispatcher.DispatchController) => {
      received.pause();
      const isNeeded = await ready.catch(error => fail(toFault(error)));
      if (failure !== undefined || isEnded) return;
      if (isNeeded) return received.resume();
      end();
      received.abort(new Error('The rest of the response is not needed.'));
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
        encodings = parseEncodings(headers['content-encoding']);
        if (status >= 300) body = new ResponseBody({ ...what, onChunk: undefined });
        if (what.onChunk === undefined && Number(headers['content-length'] ?? 0) > maxBytes)
          fail(createResponseTooLargeFault(url, maxBytes));
      },
      onResponseData(received, chunk) {
        // A response that was paused comes with no bytes first.
        if (failure !== undefined || isEnded || chunk.length === 0) return;
        if (what.onChunk === undefined || status >= 300) {
          size += chunk.length;
          if (size > maxBytes) return fail(createResponseTooLargeFault(url, maxBytes));
          if (!share.take(chunk.length)) return fail(createBudgetFault(url, share.maxBytes));
        }
        if (encodings.length > 0) return void compressed.push(chunk);
        const ready = body.add(chunk);
        if (ready !== undefined) void pauseFor(ready, received);
      },
      onResponseEnd() {
        if (failure === undefined && !isEnded) end();
      },
      onResponseError(_controller, error) {
        if (isEnded) return; // it has been aborted
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
