// Values that are loaded when they are first needed, such as bundles behind `import()`.

export interface Lazy<T> {
  /** Starts loading at the first call; every later call gets the same promise. A failed load is tried again. */
  (): Promise<T>;
  /** The promise of a load that has started; `undefined` before the first call. Never starts one. */
  peek(): Promise<T> | undefined;
  /** Runs with the value if its load has started, once it is there. A failed load is left to those who started it. */
  ifLoaded(run: (value: T) => void): void;
}

/**
 * Loads a value once, at first need.
 *
 * @example
 * ```ts
 * const getDatabase = lazy(async () => new (await import('node:sqlite')).DatabaseSync(':memory:'));
 * const database = await getDatabase();
 * ```
 */
export function lazy<T>(load: () => Promise<T>): Lazy<T> {
  let loading: Promise<T> | undefined;
  const get = () => {
    if (loading === undefined) {
      const started = load();
      loading = started;
      started.catch(() => {
        if (loading === started) loading = undefined;
      });
    }
    return loading;
  };
  return Object.assign(get, {
    peek: () => loading,
    ifLoaded: (run: (value: T) => void) => void loading?.then(run, () => {}),
  });
}
