// UTF-8 of texts that are hashed at once, in one buffer: `TextEncoder.encode` takes longer than the hash.
import { MAX_MESSAGE_BYTES } from '../../api/siwe/siweMessage.ts';

const encoder = new TextEncoder();
/** A character has at most 3 bytes. */
const buffer = new Uint8Array(3 * MAX_MESSAGE_BYTES);

/** The bytes may be overwritten by the next call. */
export function encodeText(text: string): Uint8Array {
  if (3 * text.length > buffer.length) return encoder.encode(text);
  return buffer.subarray(0, encoder.encodeInto(text, buffer).written);
}
