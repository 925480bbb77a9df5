// Replies as the bytes that are sent: bodies are shared and nobody changes them, so one that is kept is printed once.
import type { WireReply } from '../api/wire/request.ts';
import type { OutgoingResponse } from './incomingRequest.ts';

export type SerializedBody = Pick<OutgoingResponse, 'body' | 'ascii'>;

/** Up to here one write of text, head and body together, is cheaper than two of bytes. */
const SMALL = 32 * 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
const ASCII = /^[\x00-\x7f]*$/;

function print(text: string, again: boolean): SerializedBody {
  if (text.length <= SMALL && ASCII.test(text)) return { body: text, isAscii: true };
  return { body: again ? Buffer.from(text) : text };
}

export function createReplySerializer(): (reply: WireReply) => SerializedBody {
  const kept = new WeakMap<object, SerializedBody>();
  return ({ body, freshness }) => {
    if (freshness === undefined || body === null || typeof body !== 'object') return print(JSON.stringify(body), false);
    let printed = kept.get(body);
    if (printed === undefined) {
      printed = print(JSON.stringify(body), true);
      kept.set(body, printed);
    }
    return printed;
  };
}
