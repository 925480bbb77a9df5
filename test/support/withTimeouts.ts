import type { HttpPort } from '../../src/base/httpPort.ts';

/** Requests that never get an answer time out at once, while those that a busy machine delays do not. */
export const withTimeouts = (http: HttpPort, getTimeoutMs: (body: string) => number): HttpPort => ({
  send: request => http.send({ ...request, timeoutMs: getTimeoutMs(request.body ?? '') }),
});
