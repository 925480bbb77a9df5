// A reference-counted resource: created at first use, replaceable at any time, closed when the last call using it has ended.
import { HexLensError } from '../base/errors.ts';
import { localizable } from '../base/localize.ts';

/** The fault of calls that a stopped backend can no longer answer. */
export function createBackendStoppedFault(): HexLensError {
  return new HexLensError('backend-stopped', localizable('The HexLens service was stopped.'), {
    fix: localizable('Try again: it is restarted when it is needed.'),
  });
}

export interface RefCounted<T> {
  /** The resource, created by the first call. Throws `backend-stopped` when it is closed. */
  get(): T;
  /** Keeps the resource open until the returned function is called. */
  acquire(): () => void;
  /** Closes it as soon as no caller holds it. Resolves when it is closed. */
  retire(): Promise<void>;
  /** Closes it now, even if callers hold it. Resolves when it is closed; errors of closing are ignored. */
  stop(): Promise<void>;
}

export function createRefCounted<T>(create: () => T, close: (resource: T) => Promise<void>): RefCounted<T> {
  const closed = Promise.withResolvers<void>();
  let created: { readonly resource: T } | null = null;
  let holders = 0;
  let isRetired = false;
  let isClosing = false;
  const closeOnce = () => {
    if (isClosing) return;
    isClosing = true;
    const closing = created === null ? Promise.resolve() : close(created.resource);
    closing.then(closed.resolve, () => closed.resolve());
  };
  return {
    get() {
      if (isClosing) throw createBackendStoppedFault();
      created ??= { resource: create() };
      return created.resource;
    },
    acquire() {
      holders++;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holders--;
        if (isRetired && holders === 0) closeOnce();
      };
    },
    retire() {
      isRetired = true;
      if (holders === 0) closeOnce();
      return closed.promise;
    },
    stop() {
      closeOnce();
      return closed.promise;
    },
  };
}
