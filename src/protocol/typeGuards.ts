// Small checks of values that crossed a border: both ends of a panel are built of them.

export type TypeGuard<T> = (value: unknown) => value is T;
export type UnknownRecord = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is UnknownRecord =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
export const isString: TypeGuard<string> = (value): value is string => typeof value === 'string';
export const isBoolean: TypeGuard<boolean> = (value): value is boolean => typeof value === 'boolean';
export const isNonNegativeInteger: TypeGuard<number> = (value): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
export const isArrayBuffer: TypeGuard<ArrayBuffer> = (value): value is ArrayBuffer => value instanceof ArrayBuffer;

export const isStringUpTo =
  (most: number): TypeGuard<string> =>
  (value): value is string =>
    typeof value === 'string' && value.length <= most;

export const isOneOf =
  <const T extends string>(...values: readonly T[]): TypeGuard<T> =>
  (value): value is T =>
    values.some(other => other === value);

export const isNullOr =
  <T>(check: TypeGuard<T>): TypeGuard<T | null> =>
  (value): value is T | null =>
    value === null || check(value);

export const isArrayOf =
  <T>(check: TypeGuard<T>, most = Number.POSITIVE_INFINITY): TypeGuard<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.length <= most && value.every(check);

export const isRecordOf =
  <T>(check: TypeGuard<T>): TypeGuard<Readonly<Record<string, T>>> =>
  (value): value is Readonly<Record<string, T>> =>
    isObject(value) && Object.values(value).every(check);

/** Every named property is as it should be; others do not count. */
export const hasProperties =
  <T extends object>(checks: { readonly [K in keyof T]-?: TypeGuard<T[K]> }): TypeGuard<T> =>
  (value): value is T =>
    isObject(value) &&
    Object.entries<TypeGuard<unknown>>(checks).every(([name, check]) =>
      check(Object.hasOwn(value, name) ? value[name] : undefined),
    );
