// The picture of a token as far as a page may show it: data of an image type and bounded size, or where to ask for it.

export interface TokenImage {
  readonly name: string | null;
  /** A data URI for `<img>`, where nothing in it runs; `null` when there is none. */
  readonly dataUri: string | null;
  /** Where it can be asked for, when there is no data. */
  readonly uri: string | null;
}

const MOST = 1_500_000;
const IMAGE = /^data:image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)(;charset=[\w-]+)?(;base64)?(;utf8)?,/i;

/** Addresses that the host knows how to ask for; it judges them again. */
const REMOTE = /^(?:https?:\/\/|ipfs:\/\/|\/ipfs\/|ar:\/\/|Qm[1-9A-HJ-NP-Za-km-z]{44}|bafy)/i;

function objectIn(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = text === null ? null : JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

const asText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * SVG stands in `<img>` only: there scripts do not run and nothing is loaded. Characters that a URI cannot hold are
 * encoded, as collections often leave them out.
 */
function safeSource(text: string | null): string | null {
  if (text === null || text.length > MOST || !IMAGE.test(text)) return null;
  const comma = text.indexOf(',');
  const head = text.slice(0, comma).replace(/;utf8$/i, '');
  const body = text.slice(comma + 1);
  if (/;base64$/i.test(head)) return /^[A-Za-z0-9+/=\s]*$/.test(body) ? `${head},${body}` : null;
  return `${head},${body.replace(/[#"<>\s]/g, encodeURIComponent)}`;
}

const remoteSource = (text: string | null): string | null =>
  text !== null && text.length <= 4_000 && REMOTE.test(text) ? text : null;

export function getTokenImage(metadata: string | null, media: string | null): TokenImage {
  const about = objectIn(metadata);
  const preview = objectIn(media);
  const candidates = [
    preview['previewUrl'],
    preview['original_media_url'],
    preview['originalUrl'],
    about['image'],
    about['image_data'],
  ];
  let source: string | null = null;
  for (const candidate of candidates) source ??= safeSource(asText(candidate));
  let remote: string | null = null;
  for (const candidate of candidates) remote ??= remoteSource(asText(candidate));
  return { name: asText(about['name']), dataUri: source, uri: source === null ? remote : null };
}
