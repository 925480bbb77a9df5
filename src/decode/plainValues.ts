// Decoded values as JSON: by name, and as a list where one has no name of its own.
import { toDisplayAddress } from '../base/displayAddress.ts';
import type { DecodedValue } from './decodeValues.ts';

/** The name of the member that a value of an enum is: `Status.Active`; `null` for other values. */
type GetMember = (decoded: DecodedValue) => string | null;

function toPlainValue(decoded: DecodedValue, getMember: GetMember): unknown {
  const { type, value, hashed } = decoded;
  if (typeof value !== 'string') return toPlainValues(value, getMember);
  if (hashed === true) return { keccak256: value };
  const member = getMember(decoded);
  if (member !== null) return { value, member };
  return type === 'bool' ? value === 'true' : value;
}

/** Addresses in EIP-55 form, nested ones too. */
export const toChecksummed = (decoded: DecodedValue): DecodedValue => {
  const { type, value, hashed } = decoded;
  if (typeof value !== 'string') return { ...decoded, value: value.map(toChecksummed) };
  return type === 'address' && hashed !== true ? { ...decoded, value: toDisplayAddress(value) } : decoded;
};

export function toPlainValues(values: readonly DecodedValue[], getMember: GetMember = () => null): unknown {
  const names = new Set(values.map(({ name }) => name));
  const isNamed = names.size > 0 && names.size === values.length && ![...names].some(isNoName);
  return isNamed
    ? Object.fromEntries(values.map(value => [value.name, toPlainValue(value, getMember)]))
    : values.map(value => toPlainValue(value, getMember));
}

/** Elements of arrays have their index for a name. */
const isNoName = (name: string): boolean => /^(?:\d|$)/.test(name);
