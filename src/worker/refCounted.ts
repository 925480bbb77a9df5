// A part that is in use: made at first need, replaced at any time, stopped when the last call that began on it has ended.
import { HexLensError } from '../base/errors.ts';

export interface RefCounted<T> {
  /** The part, made now if it was not. Throws `backend-stopped` when it is gone. */
  get(): T;
  /** Keeps the part alive, also between two uses, until the returned function is called. */
  acquire(): () => void;
  /** No longer wanted: resolves when nobody held it any more and it was stopped. */
  retire(): Promise<void>;
  /** Stops it now, whoever holds it. Resolves when that is done; a failure is nobody's to handle. */
  stop(): Promise<void>;
}

export function createRefCounted<T>(make: () => T, end: (part: T) => Promise<void>): RefCounted<T> {
  const ended = Promise.withResolvers<void>();
  let made: { readonly part: T } | null = null;
  let holders = 0;
  let retired = false;
  let ending = false;
  const finish = () => {
    if (ending) return;
    ending = true;
    const over = made === null ? Promise.resolve() : end(made.part);
    over.then(ended.resolve, () => ended.resolve());
  };
  return {
    get() {
      if (ending) throw new HexLensError('backend-stopped', 'The HexLens backend was stopped.');
      made ??= { part: make() };
      return made.part;
    },
    acquire() {
      holders++;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        holders--;
        if (retired && holders === 0) finish();
      };
    },
    retire() {
      retired = true;
      if (holders === 0) finish();
      return ended.promise;
    },
    stop() {
      finish();
      return ended.promise;
    },
  };
}
