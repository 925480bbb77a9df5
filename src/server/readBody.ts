// Bodies of requests as text: bounded one by one, and in what all that are on their way take together.
import type { IncomingMessage } from 'node:http';
import { cancelledFault, HexLensError } from '../base/errors.ts';

/** `proceed` asks for the body. Rejects with `too-large`, `rate-limited`, and `cancelled` when the client leaves. */
export type BodyReader = (message: IncomingMessage, maxBytes: number, proceed: () => void) => Promise<string>;

/** The client sends its body only when it is asked to. */
export const expectsContinue = ({ headers }: IncomingMessage): boolean => /^100-continue$/i.test(headers.expect ?? '');

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
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const letGo = () => {
        message.off('close', left);
        message.off('error', left);
        kept -= bytes;
        chunks.length = 0;
      };
      const give = (fault: HexLensError) => {
        message.off('data', take);
        message.off('end', end);
        message.on('error', () => {}); // there may be another
        letGo();
        reject(fault);
      };
      // Whoever sent it has gone: no mistake of ours.
      const left = () => give(cancelledFault());
      const take = (chunk: Buffer) => {
        bytes += chunk.length;
        kept += chunk.length;
        chunks.push(chunk);
        if (bytes <= maxBytes && kept <= allBytes) return;
        message.pause();
        give(bytes > maxBytes ? tooLarge(maxBytes) : tooMany());
      };
      const end = () => {
        const text = Buffer.concat(chunks).toString('utf8');
        letGo();
        resolve(text);
      };
      message.on('data', take);
      message.once('end', end);
      message.once('error', left);
      message.once('close', left);
    });
  };
}
