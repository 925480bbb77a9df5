// The URLs of a chain's nodes: one, or several in the order in which they are preferred; secrets in them are placeholders.

/** One URL, or several that are all asked about the same chain, the preferred one first. */
export type NodeUrls = string | readonly string[];

/** The URLs as a list; empty without any. */
export const toUrlList = (urls: NodeUrls | undefined): readonly string[] =>
  urls === undefined ? [] : typeof urls === 'string' ? [urls] : urls;

/** The reverse of {@link toUrlList}: a single URL as text. */
export const toNodeUrls = (urls: readonly string[]): NodeUrls => (urls.length === 1 ? (urls[0] ?? '') : urls);

/** Splits `https://one.example, https://two.example/a,b` where a comma is followed by a space, another URL or nothing. */
export function splitUrls(text: string): readonly string[] {
  const parts = text.split(/,(?=\s|$|[A-Za-z]{2,9}:\/\/)/).map(part => part.trim());
  const urls = parts.filter(part => part !== '');
  return urls.length === 0 ? [text] : urls;
}

/** The reverse of {@link splitUrls}, for settings. */
export const joinUrls = (urls: readonly string[]): string => urls.join(', ');

/** `${secret:infura}` in a URL, as written, and as `URL.href` encodes it. */
export const SECRET_PLACEHOLDER = /\$(?:\{|%7B)secret:([\w.-]{1,64})(?:\}|%7D)/gi;

/** `${secret:infura}`, as texts on screen name a secret: by what is in the settings. */
export const formatPlaceholder = (name: string): string => `\${secret:${name}}`;

/** Names in the placeholders of a URL. */
export const getSecretNames = (url: string): readonly string[] =>
  [...url.matchAll(SECRET_PLACEHOLDER)].flatMap(([, name]) => name ?? []);

/** Shorter texts are not taken for keys. */
export const MIN_KEY_LENGTH = 8;
const KEY_PARAMETER = /^(?:api[-_]?key|key|token|access[-_]?token|auth|secret|project[-_]?id|dkey)$/i;
/** Letters and digits mixed: words of a path are not. */
const MIXED = /^(?=.*\d)(?=.*[a-z]).{8,}$/is;

/** At least 20 characters of a key's alphabet. */
const KEY_SEGMENT = /^[A-Za-z0-9_-]{20,200}$/;

/** Hex, or letters and digits mixed: words of a path are neither. */
const isKeySegment = (segment: string): boolean =>
  KEY_SEGMENT.test(segment) && (/^[0-9a-f]+$/i.test(segment) || (/\d/.test(segment) && /[a-z]/i.test(segment)));

/** A part of the path or the query of a URL. */
export interface PossibleKey {
  /** Decoded, where it is in the query. */
  readonly text: string;
  /** As it is in the URL. */
  readonly raw: string;
  /** By the name of its parameter, or by its length and characters; the others are only no words. */
  readonly isLikely: boolean;
}

/** Possible keys of the query first, then those of the path, the last segment first. */
export function findPossibleKeys({ search, pathname }: URL): readonly PossibleKey[] {
  const query = search
    .slice(1)
    .split('&')
    .map(raw => {
      const [name = '', text = ''] = [...new URLSearchParams(raw)][0] ?? [];
      const isLikely = KEY_PARAMETER.test(name) && text.length >= MIN_KEY_LENGTH;
      return { text, raw: raw.slice(raw.indexOf('=') + 1), isLikely };
    });
  const path = pathname.split('/').map(text => ({ text, raw: text, isLikely: isKeySegment(text) }));
  return [...query, ...path.reverse()].filter(
    ({ text, raw, isLikely }) => isLikely || MIXED.test(text) || MIXED.test(raw) || isKeySegment(text),
  );
}
