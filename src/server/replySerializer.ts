// Serialises reply bodies to JSON, once for bodies that the worker's cache shares between requests.
import type { WireReply } from '../api/wire/request.ts';
import type { OutgoingResponse } from './incomingRequest.ts';

export type SerializedBody = Pick<OutgoingResponse, 'body' | 'isAscii'>;

/** Up to this length, writing head and body as one string is faster than writing the body as a buffer. */
const MAX_STRING_LENGTH = 32 * 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
const ASCII = /^[\x00-\x7f]*$/;

function toSerializedBody(json: string, isReused: boolean): SerializedBody {
  if (json.length <= MAX_STRING_LENGTH && ASCII.test(json)) return { body: json, isAscii: true };
  return { body: isReused ? Buffer.from(json) : json };
}

export function createReplySerializer(): (reply: WireReply) => SerializedBody {
  const serializedCache = new WeakMap<object, SerializedBody>();
  return ({ body, freshness }) => {
    const isCacheable = freshness !== undefined && body !== null && typeof body === 'object';
    if (!isCacheable) return toSerializedBody(JSON.stringify(body), false);
    let serialized = serializedCache.get(body);
    if (serialized === undefined) {
      serialized = toSerializedBody(JSON.stringify(body), true);
      serializedCache.set(body, serialized);
    }
    return serialized;
  };
}
