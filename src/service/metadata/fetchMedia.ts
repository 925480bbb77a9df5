// The preview of a token's image: where it is, its type, and whether it is available.
import type { DocumentFetcher, FetchedDocument } from './documentFetcher.ts';
import { parseDataUri, toRemoteUrl } from './tokenUri.ts';

/** As hosts of the service name them. */
export type MediaStatus = 'success' | 'unsupported_media' | 'invalid_url' | 'host_unavailable';

export interface TokenMedia {
  /** As the metadata has it. */
  readonly originalUrl: string;
  readonly status: MediaStatus;
  readonly updatedAt: Date;
  /** `image/png`; `null` when it is not known. */
  readonly type: string | null;
  /** Where the image is available in its original size. */
  readonly previewUrl: string | null;
}

const VIEWABLE_TYPE = /^(?:image|video|audio)\/[\w.+-]{1,60}$/;

/** Never rejects: an image that is not available has a status that says why. */
export async function fetchMedia(
  documents: DocumentFetcher,
  image: string,
  allowsLoopback: boolean,
  updatedAt: Date,
  signal: AbortSignal,
  gateway?: string,
): Promise<TokenMedia> {
  const succeed = (type: string | null, previewUrl: string): TokenMedia => ({
    originalUrl: image,
    status: 'success',
    updatedAt,
    type,
    previewUrl,
  });
  const fail = (status: MediaStatus): TokenMedia => ({
    originalUrl: image,
    status,
    updatedAt,
    type: null,
    previewUrl: null,
  });
  if (/^data:/i.test(image)) {
    const type = parseDataUri(image)?.type ?? null;
    if (type === null) return fail('invalid_url');
    return VIEWABLE_TYPE.test(type) ? succeed(type, image) : fail('unsupported_media');
  }
  const url = toRemoteUrl(image, gateway);
  if (url === null) return fail('invalid_url');
  const fetched = await documents
    .fetch(url, 'media-type', allowsLoopback, signal)
    .catch((): FetchedDocument => ({ kind: 'unreachable' }));
  if (fetched.kind === 'too-large') return succeed(null, url);
  if (fetched.kind !== 'document') return fail(fetched.kind === 'missing' ? 'invalid_url' : 'host_unavailable');
  return VIEWABLE_TYPE.test(fetched.type) ? succeed(fetched.type, url) : fail('unsupported_media');
}
