// Fetches metadata documents and images that contracts point to: bounded in size and time, cached for a while, never failing.
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import { isFault } from '../../base/errors.ts';
import type { HttpPort } from '../../base/httpPort.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import { RequestDeduplicator } from '../../base/requestDeduplicator.ts';
import { MAX_FETCHED_METADATA_BYTES, MAX_IMAGE_BYTES, MAX_MEDIA_BYTES } from './metadataLimits.ts';

/** How long one request may take. */
const TIMEOUT_MS = 5_000;
const CACHE_MS = 10 * 60_000;
/** A host that was down is tried again soon. */
const CACHE_FAILURE_MS = 30_000;
/** Each redirect is checked like the first URL. */
const MAX_REDIRECTS = 3;
/** Characters of keys and texts, which take one byte or two: at most 32 MB. */
const MAX_CACHED_CHARACTERS = 16 * 1024 * 1024;
const MAX_CACHED_DOCUMENTS = 10_000;
/** A contract may name origins of half a megabyte. */
const MAX_REFUSED_CHARACTERS = 256 * 1024;
const MAX_REFUSED_ORIGINS = 1_000;

/** `document`: metadata as text. `media-type`: only the type of an image or video. `image`: its bytes too, as base64. */
export type DocumentKind = 'document' | 'media-type' | 'image';

/** `refused`: the egress policy does not allow the request. */
export type FetchedDocument =
  | { readonly kind: 'document'; readonly text: string; readonly type: string }
  | { readonly kind: 'too-large' | 'missing' | 'refused' | 'unreachable' };

const ACCEPT: Readonly<Record<DocumentKind, string>> = {
  document: 'application/json, */*;q=0.5',
  'media-type': 'image/*, video/*, audio/*, */*;q=0.5',
  image: 'image/avif, image/webp, image/png, image/jpeg, image/gif',
};
const MAX_BYTES: Readonly<Record<DocumentKind, number>> = {
  document: MAX_FETCHED_METADATA_BYTES,
  'media-type': MAX_MEDIA_BYTES,
  image: MAX_IMAGE_BYTES,
};
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

interface CachedDocument {
  readonly fetched: FetchedDocument;
  readonly expiresAt: number;
}

interface DocumentFetcherDeps {
  readonly http: HttpPort;
  readonly clock: Clock;
}

export type DocumentFetcher = ReturnType<typeof createDocumentFetcher>;

export function createDocumentFetcher({ http, clock }: DocumentFetcherDeps) {
  const documentCache = new LRUCache<string, CachedDocument>({
    max: MAX_CACHED_DOCUMENTS,
    maxSize: MAX_CACHED_CHARACTERS,
    maxEntrySize: MAX_CACHED_CHARACTERS / 4,
  });
  /** Origins that the policy refused, and until when: a page of a hundred ids requests such an origin once. */
  const refusedOrigins = new LRUCache<string, number>({
    max: MAX_REFUSED_ORIGINS,
    maxSize: MAX_REFUSED_CHARACTERS,
    maxEntrySize: MAX_REFUSED_CHARACTERS / 4,
  });
  const requests = new RequestDeduplicator<FetchedDocument>();

  const addToCache = (key: string, fetched: FetchedDocument) => {
    const isFinal = fetched.kind === 'document' || fetched.kind === 'missing';
    const expiresAt = clock.now() + (isFinal ? CACHE_MS : CACHE_FAILURE_MS);
    const size = key.length + (fetched.kind === 'document' ? fetched.text.length : 0);
    documentCache.set(key, { fetched, expiresAt }, { size });
  };

  const request = async (
    url: string,
    kind: DocumentKind,
    allowsLoopback: boolean,
    signal: AbortSignal,
  ): Promise<FetchedDocument> => {
    let current = url;
    try {
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        const isLoopback = isLoopbackUrl(current);
        if (isLoopback && !allowsLoopback) return { kind: 'refused' };
        const response = await http.send({
          method: 'GET',
          url: current,
          headers: { accept: ACCEPT[kind] },
          signal,
          timeoutMs: TIMEOUT_MS,
          maxBytes: MAX_BYTES[kind],
          ...(kind === 'image' && { binary: true }),
          logLabel: kind === 'document' ? 'token metadata' : 'token picture',
          ...(!isLoopback && { urlFromContract: true }),
        });
        if (REDIRECTS.includes(response.status)) {
          const target = URL.parse(response.headers['location'] ?? '', current);
          if (target === null || target.username !== '' || target.password !== '') return { kind: 'missing' };
          if (!isLoopback && isLoopbackUrl(target.href)) return { kind: 'refused' };
          current = target.href;
          continue;
        }
        if (response.status !== 200) return { kind: response.status >= 500 ? 'unreachable' : 'missing' };
        const type = response.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
        return { kind: 'document', text: kind === 'media-type' ? '' : response.body, type };
      }
      return { kind: 'missing' };
    } catch (error) {
      if (signal.aborted) throw error;
      if (isFault(error, 'too-large')) return { kind: 'too-large' };
      if (!isFault(error, 'egress-refused')) return { kind: 'unreachable' };
      const origin = URL.parse(current)?.origin ?? ''; // after a redirect another one than at first
      refusedOrigins.set(origin, clock.now() + CACHE_FAILURE_MS, { size: Math.max(1, origin.length) });
      return { kind: 'refused' };
    }
  };

  return {
    /**
     * Fetches a URL that a contract chose. A loopback URL is fetched only when `allowsLoopback`, and never when another
     * machine redirects to it. Rejects with `cancelled` only.
     */
    async fetch(
      url: string,
      kind: DocumentKind,
      allowsLoopback: boolean,
      signal: AbortSignal,
    ): Promise<FetchedDocument> {
      if (isLoopbackUrl(url) && !allowsLoopback) return { kind: 'refused' };
      const origin = URL.parse(url)?.origin ?? '';
      if ((refusedOrigins.get(origin) ?? 0) > clock.now()) return { kind: 'refused' };
      const key = `${kind} ${allowsLoopback ? 'loopback' : ''} ${url}`;
      const cached = documentCache.get(key);
      if (cached !== undefined && cached.expiresAt > clock.now()) return cached.fetched;
      return requests.join(
        key,
        async shared => {
          const fetched = await request(url, kind, allowsLoopback, shared);
          addToCache(key, fetched);
          return fetched;
        },
        signal,
      );
    },
  };
}
