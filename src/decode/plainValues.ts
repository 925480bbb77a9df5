// Decoded values as JSON: by name, and as a list where one has no name.
import type { DecodedValue } from './decodeValues.ts';

function toPlainValue({ value, hashed }: DecodedValue): unknown {
  if (typeof value !== 'string') return toPlainValues(value);
  return hashed === true ? { keccak256: value } : value;
}

export function toPlainValues(values: readonly DecodedValue[]): unknown {
  const isNamed = values.length > 0 && values.every(({ name }) => name !== '' && !isElementName(name));
  return isNamed
    ? Object.fromEntries(values.map(value => [value.name, toPlainValue(value)]))
    : values.map(toPlainValue);
}

/** Elements of arrays have their index for a name. */
const isElementName = (name: string): boolean => /^\d/.test(name);
