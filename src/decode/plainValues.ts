// Decoded values as JSON: by name, and as a list where one has no name of its own.
import { toDisplayAddress } from '../base/displayAddress.ts';
import type { DecodedValue } from './decodeValues.ts';

function toPlainValue({ type, value, hashed }: DecodedValue): unknown {
  if (typeof value !== 'string') return toPlainValues(value);
  if (hashed === true) return { keccak256: value };
  return type === 'bool' ? value === 'true' : value;
}

/** Addresses in EIP-55 form, nested ones too. */
export const toChecksummed = (decoded: DecodedValue): DecodedValue => {
  const { type, value, hashed } = decoded;
  if (typeof value !== 'string') return { ...decoded, value: value.map(toChecksummed) };
  return type === 'address' && hashed !== true ? { ...decoded, value: toDisplayAddress(value) } : decoded;
};

export function toPlainValues(values: readonly DecodedValue[]): unknown {
  const names = new Set(values.map(({ name }) => name));
  const isNamed = names.size > 0 && names.size === values.length && ![...names].some(isNoName);
  return isNamed
    ? Object.fromEntries(values.map(value => [value.name, toPlainValue(value)]))
    : values.map(toPlainValue);
}

/** Elements of arrays have their index for a name. */
const isNoName = (name: string): boolean => /^(?:\d|$)/.test(name);
