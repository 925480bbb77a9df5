// The type of an image by its first bytes: the Content-Type of a server may be wrong.

/** Formats that a page may show: none of them can run code, as SVG could. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif';

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
