// Metadata documents and pictures from the network: bounded in size, time and number, kept for a while, never an error.
import type { Clock } from '../../base/clock.ts';
import { isFault } from '../../base/errors.ts';
import type { HttpPort } from '../../base/httpPort.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import { createLru } from '../../base/lru.ts';
import { RequestDeduplicator } from '../../base/requestDeduplicator.ts';
import { MAX_DOCUMENT_CHARACTERS } from './tokenUri.ts';

/** How long one document may take. */
const DOCUMENT_MS = 5_000;
/** Bytes of a picture that are read to learn what it is; larger ones count as there. */
const LONGEST_PICTURE = 4 * 1024 * 1024;
/** Bytes of a picture that is shown: previews, not the art itself. */
export const MAX_IMAGE_BYTES = 512 * 1024;
const KEEP_MS = 10 * 60_000;
/** A host that was down is asked again soon. */
const KEEP_FAILED_MS = 30_000;
/** Hosts of pictures send from one address to another; each is judged like the first. */
const MOST_REDIRECTS = 3;
/** Weighed by characters of text and URL, which take a byte or two: 32 MB at most. */
const KEPT = { maxEntries: 10_000, maxWeight: 16 * 1024 * 1024 };
/** Weighed like them: a contract may write origins of half a megabyte. */
const REFUSED_KEPT = { maxEntries: 1_000, maxWeight: 256 * 1024 };

/** `picture`: only its type is learned. `image`: its bytes too, as base64. */
export type DocumentKind = 'document' | 'picture' | 'image';

/** What a URL gave. `refused`: the egress policy does not let us there. */
export type FetchedDocument =
  | { readonly kind: 'document'; readonly text: string; readonly type: string }
  | { readonly kind: 'too-large' | 'missing' | 'refused' | 'unreachable' };

export interface DocumentFetcher {
  /**
   * GET of a URL that a contract chose. Loopback is only reached where `ownMachine` says that the chain is of this machine
   * too. Rejects with `cancelled` only.
   */
  fetch(url: string, what: DocumentKind, ownMachine: boolean, signal: AbortSignal): Promise<FetchedDocument>;
}

const ACCEPT: Readonly<Record<DocumentKind, string>> = {
  document: 'application/json, */*;q=0.5',
  picture: 'image/*, video/*, audio/*, */*;q=0.5',
  image: 'image/avif, image/webp, image/png, image/jpeg, image/gif',
};
const LONGEST: Readonly<Record<DocumentKind, number>> = {
  document: MAX_DOCUMENT_CHARACTERS,
  picture: LONGEST_PICTURE,
  image: MAX_IMAGE_BYTES,
};

interface Kept {
  readonly fetched: FetchedDocument;
  readonly until: number;
}

export function createDocumentFetcher({
  http,
  clock,
}: {
  readonly http: HttpPort;
  readonly clock: Clock;
}): DocumentFetcher {
  const kept = createLru<string, Kept>(KEPT);
  const flights = new RequestDeduplicator<FetchedDocument>();
  /** Origins that the policy refused, and until when that is believed: a page of a hundred ids asks once, not each time. */
  const refused = createLru<string, number>(REFUSED_KEPT);

  const keep = (key: string, fetched: FetchedDocument) => {
    const until = clock.now() + (fetched.kind === 'document' || fetched.kind === 'missing' ? KEEP_MS : KEEP_FAILED_MS);
    kept.set(key, { fetched, until }, key.length + sizeOf(fetched));
  };

  const noteRefused = (origin: string) => refused.set(origin, clock.now() + KEEP_FAILED_MS, origin.length);

  const load = async (
    url: string,
    what: DocumentKind,
    ownMachine: boolean,
    signal: AbortSignal,
  ): Promise<FetchedDocument> => {
    let next = url;
    try {
      for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
        const loopback = isLoopbackUrl(next);
        if (loopback && !ownMachine) return { kind: 'refused' };
        const response = await http.send({
          method: 'GET',
          url: next,
          headers: {
            accept: ACCEPT[what],
          },
          signal,
          timeoutMs: DOCUMENT_MS,
          maxBytes: LONGEST[what],
          ...(what === 'image' && { binary: true }),
          logLabel: what === 'document' ? 'token metadata' : 'token picture',
          ...(!loopback && { publicOnly: true }),
        });
        if ([301, 302, 303, 307, 308].includes(response.status)) {
          const target = URL.parse(response.headers['location'] ?? '', next);
          if (target === null || target.username !== '' || target.password !== '') return { kind: 'missing' };
          next = target.href;
          continue;
        }
        if (response.status !== 200) return { kind: response.status >= 500 ? 'unreachable' : 'missing' };
        const type = response.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
        return { kind: 'document', text: what === 'picture' ? '' : response.body, type };
      }
      return { kind: 'missing' };
    } catch (error) {
      if (signal.aborted) throw error;
      if (isFault(error, 'too-large')) return { kind: 'too-large' };
      if (!isFault(error, 'egress-refused')) return { kind: 'unreachable' };
      noteRefused(URL.parse(next)?.origin ?? ''); // after a redirect it is not where we began
      return { kind: 'refused' };
    }
  };

  return {
    async fetch(url, what, ownMachine, signal) {
      if (isLoopbackUrl(url) && !ownMachine) return { kind: 'refused' };
      const origin = URL.parse(url)?.origin ?? '';
      if ((refused.get(origin) ?? 0) > clock.now()) return { kind: 'refused' };
      const key = `${what} ${ownMachine ? 'own' : ''} ${url}`;
      const known = kept.get(key);
      if (known !== undefined && known.until > clock.now()) return known.fetched;
      return flights.join(
        key,
        async shared => {
          const fetched = await load(url, what, ownMachine, shared);
          keep(key, fetched);
          return fetched;
        },
        signal,
      );
    },
  };
}

const sizeOf = (fetched: FetchedDocument): number => (fetched.kind === 'document' ? fetched.text.length : 0);
