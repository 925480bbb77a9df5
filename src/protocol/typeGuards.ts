// Small checks of values that crossed a border: both ends of a panel are built of them.

export type Check<T> = (value: unknown) => value is T;
export type Shape = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Shape =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
export const isText: Check<string> = (value): value is string => typeof value === 'string';
export const isFlag: Check<boolean> = (value): value is boolean => typeof value === 'boolean';
export const isWhole: Check<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
export const isBytes: Check<ArrayBuffer> = (value): value is ArrayBuffer => value instanceof ArrayBuffer;

export const isShort =
  (most: number): Check<string> =>
  (value): value is string =>
    typeof value === 'string' && value.length <= most;

export const isOneOf =
  <const T extends string>(...values: readonly T[]): Check<T> =>
  (value): value is T =>
    values.some(other => other === value);

export const isNullOr =
  <T>(check: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    value === null || check(value);

export const isListOf =
  <T>(check: Check<T>, most = Number.POSITIVE_INFINITY): Check<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.length <= most && value.every(check);

export const isRecordOf =
  <T>(check: Check<T>): Check<Readonly<Record<string, T>>> =>
  (value): value is Readonly<Record<string, T>> =>
    isObject(value) && Object.values(value).every(check);

/** Every named property is as it should be; others do not count. */
export const has =
  <T extends object>(checks: { readonly [K in keyof T]-?: Check<T[K]> }): Check<T> =>
  (value): value is T =>
    isObject(value) &&
    Object.entries<Check<unknown>>(checks).every(([name, check]) =>
      check(Object.hasOwn(value, name) ? value[name] : undefined),
    );
