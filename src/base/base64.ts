// Base64 without Node's `Buffer`, which browsers do not have.

/** Bytes per call of `String.fromCharCode`, whose arguments must fit on the stack. */
const CHUNK_BYTES = 8_192;

export function bytesToBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES)
    binary += String.fromCharCode(...bytes.subarray(from, from + CHUNK_BYTES));
  return btoa(binary);
}

/** The text in UTF-8, as base64. */
export const textToBase64 = (text: string): string => bytesToBase64(new TextEncoder().encode(text));

/** As lenient as wallets are: accepts the URL alphabet, skips other characters and ends at the padding. */
export function base64ToBytes(text: string): Uint8Array {
  const [digits = ''] = text.split('=', 1);
  const clean = digits
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^A-Za-z0-9+/]/g, '');
  // A single last digit is less than a byte.
  const binary = atob(clean.length % 4 === 1 ? clean.slice(0, -1) : clean);
  return Uint8Array.from(binary, character => character.charCodeAt(0));
}

/** Bytes that are not UTF-8 become U+FFFD. */
export const bytesToText = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
