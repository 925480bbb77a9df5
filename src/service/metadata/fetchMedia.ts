// The preview entry of a token's picture: where it is, of which type, and whether it could be had; never rendered.
import type { DocumentFetcher, FetchedDocument } from './documentFetcher.ts';
import { parseDataUri, toRemoteUrl } from './tokenUri.ts';

/** The words that hosts use. */
export type MediaStatus = 'success' | 'unsupported_media' | 'invalid_url' | 'host_unavailable';

export interface TokenMedia {
  /** As the metadata gives it. */
  readonly originalUrl: string;
  readonly status: MediaStatus;
  readonly updatedAt: Date;
  /** `image/png`; `null` when it is not known. */
  readonly type: string | null;
  /** Where the picture can be had in full size: nothing is resized here. */
  readonly previewUrl: string | null;
}

const VIEWABLE = /^(?:image|video|audio)\/[\w.+-]{1,60}$/;

/** Rejects never: a picture that cannot be had says so in its status. */
export async function fetchMedia(
  documents: DocumentFetcher,
  image: string,
  ownMachine: boolean,
  updatedAt: Date,
  signal: AbortSignal,
  gateway?: string,
): Promise<TokenMedia> {
  const failed = (status: MediaStatus): TokenMedia => ({
    originalUrl: image,
    status,
    updatedAt,
    type: null,
    previewUrl: null,
  });
  if (/^data:/i.test(image)) {
    const type = parseDataUri(image)?.type ?? null;
    if (type === null) return failed('invalid_url');
    return VIEWABLE.test(type)
      ? { originalUrl: image, status: 'success', updatedAt, type, previewUrl: image }
      : failed('unsupported_media');
  }
  const url = toRemoteUrl(image, gateway);
  if (url === null) return failed('invalid_url');
  const fetched = await documents
    .fetch(url, 'picture', ownMachine, signal)
    .catch((): FetchedDocument => ({ kind: 'unreachable' }));
  if (fetched.kind === 'too-large') {
    return { originalUrl: image, status: 'success', updatedAt, type: null, previewUrl: url };
  }
  if (fetched.kind !== 'document') return failed(fetched.kind === 'missing' ? 'invalid_url' : 'host_unavailable');
  return VIEWABLE.test(fetched.type)
    ? { originalUrl: image, status: 'success', updatedAt, type: fetched.type, previewUrl: url }
    : failed('unsupported_media');
}
