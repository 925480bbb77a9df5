// Loads token images that come into view: a few at a time, each one once.
import { t } from '../../../base/localize.ts';
import type { PageChannel } from '../../../protocol/messages.ts';
import { getUriHint, getUriHost } from '../nftMetadataController.ts';

const MAX_CONCURRENT = 4;
/** Data URIs that are cached. */
const MAX_CACHED = 200;

export interface ImageRequest {
  readonly chain: string;
  readonly uri: string;
}

export type ImageState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly source: string }
  | { readonly kind: 'missing'; readonly problem: string };

const IMAGE_DATA_URI = /^data:image\/(png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=]*$/;

/** `onChange` is called whenever an image has loaded or is found to be missing. */
export function createImageLoader(onChange: () => void) {
  const states = new Map<string, ImageState>();
  const queue: { readonly channel: PageChannel; readonly image: ImageRequest }[] = [];
  const running = new Set<() => void>();
  const getKey = ({ chain, uri }: ImageRequest) => `${chain} ${uri}`;

  function startNext(): void {
    if (running.size >= MAX_CONCURRENT) return;
    const next = queue.shift();
    if (next === undefined) return;
    const { channel, image } = next;
    let hasEnded = false;
    const end = (state: ImageState) => {
      if (hasEnded) return;
      hasEnded = true;
      running.delete(cancel);
      states.set(getKey(image), state);
      for (const oldest of states.keys()) {
        if (states.size <= MAX_CACHED) break;
        states.delete(oldest);
      }
      onChange();
      startNext();
    };
    const cancel = channel.start('image', image, {
      onPart({ source, problem }) {
        if (source !== null && IMAGE_DATA_URI.test(source)) end({ kind: 'loaded', source });
        else end({ kind: 'missing', problem: problem ?? 'unsupported' });
      },
      onDone: () => end({ kind: 'missing', problem: 'missing' }),
      onFault: () => end({ kind: 'missing', problem: 'unreachable' }),
    });
    running.add(cancel);
    startNext();
  }

  return {
    /** `null` before `load`. */
    get: (image: ImageRequest): ImageState | null => states.get(getKey(image)) ?? null,
    load(channel: PageChannel, image: ImageRequest) {
      const key = getKey(image);
      if (states.has(key)) return;
      states.set(key, { kind: 'loading' });
      queue.push({ channel, image });
      startNext();
    },
    cancelAll() {
      for (const cancel of running) cancel();
      running.clear();
      queue.length = 0;
      for (const [key, { kind }] of states) if (kind === 'loading') states.delete(key);
    },
  };
}

/** Why there is no picture, and what decides that. */
export function describeImageProblem(problem: string, uri: string): string {
  if (problem === 'too-large') return t('Larger than 512 kB.');
  if (problem === 'unsupported') return t('Unsupported image format.');
  const reason = problem === 'missing' ? t('Not found.') : t('Its image could not be read from {0}.', getUriHost(uri));
  return `${reason} ${getUriHint(uri)}`.trim();
}
