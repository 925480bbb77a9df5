// Pictures that a page asks the host for when they come into sight: a few at a time, each one once.
import type { PageChannel } from '../pageChannel.ts';

const AT_ONCE = 4;
/** Data URIs that are kept: a page of pictures, whatever their number. */
const MOST_KEPT = 200;

export interface ImageRequest {
  readonly chain: string;
  readonly uri: string;
}

export type ImageState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'there'; readonly source: string }
  | { readonly kind: 'missing'; readonly problem: string };

const DATA = /^data:image\/(png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=]*$/;

export interface ImageLoader {
  /** `null` until it was wanted. */
  get(asked: ImageRequest): ImageState | null;
  load(link: PageChannel, asked: ImageRequest): void;
  /** Stops what is under way. */
  cancelAll(): void;
}

/** `changed` is called whenever a picture arrives, or does not. */
export function createImageLoader(changed: () => void): ImageLoader {
  const known = new Map<string, ImageState>();
  const waiting: { readonly link: PageChannel; readonly asked: ImageRequest }[] = [];
  const running = new Set<() => void>();
  const keyOf = ({ chain, uri }: ImageRequest) => `${chain} ${uri}`;

  function next(): void {
    if (running.size >= AT_ONCE) return;
    const turn = waiting.shift();
    if (turn === undefined) return;
    const { link, asked } = turn;
    const key = keyOf(asked);
    let ended = false;
    let cancel = () => {};
    const end = (pictured: ImageState) => {
      if (ended) return;
      ended = true;
      running.delete(cancel);
      known.set(key, pictured);
      for (const oldest of known.keys()) {
        if (known.size <= MOST_KEPT) break;
        known.delete(oldest);
      }
      changed();
      next();
    };
    cancel = link.ask(
      { kind: 'picture', ...asked },
      {
        answer(message) {
          if (message.type !== 'picture') return;
          const { source, problem } = message;
          if (source !== null && DATA.test(source)) end({ kind: 'there', source });
          else end({ kind: 'missing', problem: problem ?? 'unsupported' });
        },
        done: () => end({ kind: 'missing', problem: 'missing' }),
        fault: () => end({ kind: 'missing', problem: 'unreachable' }),
      },
    );
    if (!ended) running.add(cancel);
    next();
  }

  return {
    get: asked => known.get(keyOf(asked)) ?? null,
    load(link, asked) {
      const key = keyOf(asked);
      if (known.has(key)) return;
      known.set(key, { kind: 'waiting' });
      waiting.push({ link, asked });
      next();
    },
    cancelAll() {
      for (const cancel of running) cancel();
      running.clear();
      waiting.length = 0;
      for (const [key, { kind }] of known) if (kind === 'waiting') known.delete(key);
    },
  };
}
