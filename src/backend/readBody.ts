// Bodies of requests as text: bounded one by one, and in what all that are on their way take together.
import type { IncomingMessage } from 'node:http';
import { cancelled, HexLensError } from '../base/errors.ts';

/** `proceed` asks for the body. Rejects with `too-large`, `rate-limited`, and `cancelled` when the client leaves. */
export type BodyReader = (message: IncomingMessage, maxBytes: number, proceed: () => void) => Promise<string>;

/** The client sends its body only when it is asked to. */
export const waitsToSend = ({ headers }: IncomingMessage): boolean => /^100-continue$/i.test(headers.expect ?? '');

const tooLarge = (maxBytes: number) =>
  new HexLensError('too-large', `The body is larger than ${maxBytes / 1024 / 1024} MiB.`, {
    fix: 'Send less: no operation needs so much.',
  });
const tooMany = () =>
  new HexLensError('rate-limited', 'Too many large bodies are being sent at the same time.', {
    retryAfterMs: 1_000,
    fix: 'Try again in a moment.',
  });

/** `allBytes`: what is kept of all bodies that are not complete. */
export function createBodyReader(allBytes: number): BodyReader {
  let kept = 0;
  return (message, maxBytes, proceed) => {
    if (Number(message.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLarge(maxBytes));
    proceed();
    const chunks: Buffer[] = [];
    let bytes = 0;
    const read = new Promise<void>((resolve, reject) => {
      message.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        kept += chunk.length;
        if (bytes <= maxBytes && kept <= allBytes) {
          chunks.push(chunk);
          return;
        }
        message.pause();
        message.removeAllListeners('data');
        reject(bytes > maxBytes ? tooLarge(maxBytes) : tooMany());
      });
      message.once('end', resolve);
      // Whoever sent it has gone: no mistake of ours.
      message.once('error', () => reject(cancelled()));
      message.once('close', () => reject(cancelled()));
    });
    return read
      .then(() => Buffer.concat(chunks).toString('utf8'))
      .finally(() => {
        kept -= bytes;
        chunks.length = 0;
      });
  };
}
