// `mediaPreview`: the image of a token as data, fetched from the hosts that token metadata may come from.
import { base64ToBytes } from '../../base/base64.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Lookup } from './lookup.ts';

// The type of an image by its first bytes: the Content-Type of a server may be wrong.

/** Formats that a page may show: none of them can run code, as SVG could. */
type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif';

const startsWith = (bytes: Uint8Array, offset: number, text: string): boolean =>
  bytes.length >= offset + text.length &&
  [...text].every((char, index) => bytes[offset + index] === char.charCodeAt(0));

/** `null` for everything else, such as SVG, HTML and video. */
export function detectImageType(bytes: Uint8Array): ImageType | null {
  if (startsWith(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (startsWith(bytes, 0, '\xff\xd8\xff')) return 'image/jpeg';
  if (startsWith(bytes, 0, 'GIF87a') || startsWith(bytes, 0, 'GIF89a')) return 'image/gif';
  if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP')) return 'image/webp';
  // ISO base media: a box `ftyp` whose brand is an AV1 image or image sequence.
  if (startsWith(bytes, 4, 'ftypavif') || startsWith(bytes, 4, 'ftypavis')) return 'image/avif';
  return null;
}

const MAX_URI_LENGTH = 4_000;
/** Base64 characters whose bytes show the image type; a multiple of 4. */
const TYPE_PREFIX_LENGTH = 64;

export const mediaPreview: Lookup<'mediaPreview'> = async ({ chain, uri }, { metadata, nodes }, signal) => {
  if (uri.length > MAX_URI_LENGTH)
    throw new HexLensError('bad-input', `uri has more than ${MAX_URI_LENGTH} characters.`);
  const node = await nodes.find(chain, signal);
  const document = await metadata.fetchImage(node, uri, signal);
  if (document.kind !== 'document') return { value: { kind: 'media', image: null, problem: document.kind } };
  const type = detectImageType(base64ToBytes(document.text.slice(0, TYPE_PREFIX_LENGTH)));
  if (type === null) return { value: { kind: 'media', image: null, problem: 'unsupported' } };
  return { value: { kind: 'media', image: { type, base64: document.text }, problem: null } };
};
