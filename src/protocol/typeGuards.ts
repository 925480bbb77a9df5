// Type guards of values that crossed from the page to the extension or back.
import { isObject } from '../base/isObject.ts';
import type { TableCell } from './table.ts';

export type TypeGuard<T> = (value: unknown) => value is T;
export const isString: TypeGuard<string> = (value): value is string => typeof value === 'string';
export const isBoolean: TypeGuard<boolean> = (value): value is boolean => typeof value === 'boolean';
export const isNonNegativeInteger: TypeGuard<number> = (value): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
export const isCell: TypeGuard<TableCell> = (value): value is TableCell =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
export const isArrayBuffer: TypeGuard<ArrayBuffer> = (value): value is ArrayBuffer => value instanceof ArrayBuffer;

export const isStringUpTo =
  (maxLength: number): TypeGuard<string> =>
  (value): value is string =>
    typeof value === 'string' && value.length <= maxLength;

export const isOneOf =
  <const T extends string>(...values: readonly T[]): TypeGuard<T> =>
  (value): value is T =>
    values.some(other => other === value);

export const isNullOr =
  <T>(guard: TypeGuard<T>): TypeGuard<T | null> =>
  (value): value is T | null =>
    value === null || guard(value);

export const isOptional =
  <T>(guard: TypeGuard<T>): TypeGuard<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || guard(value);

export const isArrayOf =
  <T>(guard: TypeGuard<T>, maxLength = Number.POSITIVE_INFINITY): TypeGuard<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.length <= maxLength && value.every(guard);

/** Every property of the type passes its guard; properties beside them are ignored. */
export const hasProperties =
  <T extends object>(guards: { readonly [K in keyof T]-?: TypeGuard<T[K]> }): TypeGuard<T> =>
  (value): value is T =>
    isObject(value) &&
    Object.entries<TypeGuard<unknown>>(guards).every(([name, guard]) =>
      guard(Object.hasOwn(value, name) ? value[name] : undefined),
    );
