// The image of a token: a data URI of an image type and bounded size, or the URI to load it from.

export interface TokenImage {
  readonly name: string | null;
  /** For `<img>`, where scripts in it do not run; `null` when the metadata holds none. */
  readonly dataUri: string | null;
  /** Where the extension can load it from, when there is no data. */
  readonly uri: string | null;
}

const MAX_DATA_URI_LENGTH = 1_500_000;
const MAX_URI_LENGTH = 4_000;
const IMAGE_DATA_URI = /^data:image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)(;charset=[\w-]+)?(;base64)?(;utf8)?,/i;

/** URIs that the extension can load; it checks them again. */
const REMOTE_URI = /^(?:https?:\/\/|ipfs:\/\/|\/ipfs\/|ar:\/\/|Qm[1-9A-HJ-NP-Za-km-z]{44}|bafy)/i;

function parseObject(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = text === null ? null : JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

const toText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Encodes characters that a URI cannot hold, as collections often omit that. SVG is safe in `<img>`: scripts do not run. */
function toSafeDataUri(text: string | null): string | null {
  if (text === null || text.length > MAX_DATA_URI_LENGTH || !IMAGE_DATA_URI.test(text)) return null;
  const comma = text.indexOf(',');
  const head = text.slice(0, comma).replace(/;utf8$/i, '');
  const body = text.slice(comma + 1);
  if (/;base64$/i.test(head)) return /^[A-Za-z0-9+/=\s]*$/.test(body) ? `${head},${body}` : null;
  return `${head},${body.replace(/[#"<>\s]/g, encodeURIComponent)}`;
}

const toRemoteUri = (text: string | null): string | null =>
  text !== null && text.length <= MAX_URI_LENGTH && REMOTE_URI.test(text) ? text : null;

export function getTokenImage(metadata: string | null, media: string | null): TokenImage {
  const details = parseObject(metadata);
  const preview = parseObject(media);
  const candidates = [
    preview['previewUrl'],
    preview['original_media_url'],
    preview['originalUrl'],
    details['image'],
    details['image_data'],
  ];
  const texts = candidates.map(toText);
  const dataUri = texts.map(toSafeDataUri).find(uri => uri !== null) ?? null;
  const uri = dataUri === null ? (texts.map(toRemoteUri).find(uri => uri !== null) ?? null) : null;
  return { name: toText(details['name']), dataUri, uri };
}
