// The URLs of a chain's nodes: one, or several in the order in which they are preferred; secrets in them are placeholders.

/** One URL, or several that are all asked about the same chain, the preferred one first. */
export type NodeUrls = string | readonly string[];

/** As a list. */
export const toUrlList = (urls: NodeUrls | undefined): readonly string[] =>
  urls === undefined ? [] : typeof urls === 'string' ? [urls] : urls;

/** A single URL is not a list. */
export const toNodeUrls = (urls: readonly string[]): NodeUrls => (urls.length === 1 ? (urls[0] ?? '') : urls);

/** Splits `https://one.example, https://two.example/a,b` where a comma is followed by a space, another URL or nothing. */
export function splitUrls(text: string): readonly string[] {
  const parts = text.split(/,(?=\s|$|[a-z]{2,9}:\/\/)/i).map(part => part.trim());
  const urls = parts.filter(part => part !== '');
  return urls.length === 0 ? [text] : urls;
}

/** The reverse of {@link splitUrls}, for settings. */
export const joinUrls = (urls: readonly string[]): string => urls.join(', ');

/** `${secret:infura}` in a URL, as written, and as `URL.href` encodes it. */
export const SECRET_PLACEHOLDER = /\$(?:\{|%7B)secret:([\w.-]{1,64})(?:\}|%7D)/gi;

/** Names in the placeholders of a URL. */
export const getSecretNames = (url: string): readonly string[] =>
  [...url.matchAll(SECRET_PLACEHOLDER)].flatMap(([, name]) => name ?? []);

/** At least 20 characters of a key's alphabet. */
const KEY_SEGMENT = /^[A-Za-z0-9_-]{20,200}$/;

/** Hex, or letters and digits mixed: words of a path are neither. */
export const isKeySegment = (segment: string): boolean =>
  KEY_SEGMENT.test(segment) && (/^[0-9a-f]+$/i.test(segment) || (/\d/.test(segment) && /[a-z]/i.test(segment)));
