// Reads request bodies as text, within a limit for each and one for all that are being received.
import type { IncomingMessage } from 'node:http';
import { cancelledFault, HexLensError } from '../base/errors.ts';

/**
 * Calls `sendContinue` before it reads, unless the length is already too large. Rejects with `too-large`, with
 * `rate-limited`, and with `cancelled` when the client disconnects.
 */
export type BodyReader = (message: IncomingMessage, maxBytes: number, sendContinue: () => void) => Promise<string>;

/** Whether the client waits for `100 Continue` before it sends the body. */
export const expectsContinue = ({ headers }: IncomingMessage): boolean => /^100-continue$/i.test(headers.expect ?? '');

const createTooLargeFault = (maxBytes: number) =>
  new HexLensError('too-large', `The body is larger than ${maxBytes / 1024 / 1024} MiB.`, {
    fix: 'Send less: no operation needs so much.',
  });
const createTooManyBodiesFault = () =>
  new HexLensError('rate-limited', 'Too many large bodies are being sent at the same time.', {
    retryAfterMs: 1_000,
    fix: 'Try again in a moment.',
  });

/** @param maxTotalBytes Bytes of all incomplete bodies together. */
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
      const onDisconnect = () => fail(cancelledFault());
      const onData = (chunk: Buffer) => {
        bytes += chunk.length;
        totalBytes += chunk.length;
        chunks.push(chunk);
        if (bytes <= maxBytes && totalBytes <= maxTotalBytes) return;
        message.pause();
        fail(bytes > maxBytes ? createTooLargeFault(maxBytes) : createTooManyBodiesFault());
      };
      const onEnd = () => {
        const text = Buffer.concat(chunks).toString('utf8');
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
