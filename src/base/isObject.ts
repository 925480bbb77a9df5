// Narrows unknown values, such as parsed JSON, to objects.

export type UnknownRecord = Readonly<Record<string, unknown>>;

/** Whether the value is an object, neither `null` nor an array. */
export const isObject = (value: unknown): value is UnknownRecord =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The object, or an empty one in place of anything else. */
export const toRecord = (value: unknown): UnknownRecord => (isObject(value) ? value : {});
