// Encodes the arguments of a call, given as text or JSON, and decodes what the call returns (Solidity ABI specification).
import * as AbiParameters from 'ox/AbiParameters';
import { checksumAddress } from '../base/checksumAddress.ts';
import { badInputFault, type FieldIssue } from '../base/errors.ts';
import { type Hex, hexToBytes, isAddress, isHex } from '../base/hex.ts';
import { type AbiItem, getAbiFields } from './abiItem.ts';
import { type AbiField, type AbiType, parseAbiParameters } from './abiType.ts';
import { type DecodedValue, decodeValues } from './decodeValues.ts';

/** A value cannot be one of its type; the message follows its name. Caught in this file. */
class InvalidArgumentError extends Error {}

const fail = (expected: string): never => {
  throw new InvalidArgumentError(`must be ${expected}`);
};

function toInteger(value: unknown, { kind, bits }: { kind: 'uint' | 'int'; bits: number }): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  const expected = `a whole number of ${kind}${bits}, as decimal or 0x hex text`;
  if (typeof text !== 'string' || !/^(-?\d{1,80}|0x[0-9a-fA-F]{1,64})$/.test(text)) return fail(expected);
  const number = BigInt(text);
  const [min, max] =
    kind === 'uint' ? [0n, 2n ** BigInt(bits) - 1n] : [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n];
  return number >= min && number <= max ? number : fail(`${expected}, from ${min} to ${max}`);
}

function toBytes(value: unknown, size: number | null): Hex {
  const expected = size === null ? 'bytes as 0x hex' : `${size} bytes as 0x hex`;
  if (typeof value !== 'string' || !isHex(value) || value.length % 2 !== 0) return fail(expected);
  return size === null || value.length === 2 + 2 * size ? (value as Hex) : fail(expected);
}

function toAddress(value: unknown): Hex {
  if (typeof value !== 'string' || !isAddress(value)) return fail('an address of 20 bytes');
  const hasMixedCase = /[a-f]/.test(value.slice(2)) && /[A-F]/.test(value.slice(2));
  if (hasMixedCase && checksumAddress(value) !== value)
    return fail('an address with its EIP-55 checksum, or in lower case');
  return value.toLowerCase() as Hex;
}

/** Lists and tuples may also be given as the text of a JSON array. */
function toList(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function toTuple(value: unknown, fields: readonly AbiField[]): Readonly<Record<string, unknown>> | readonly unknown[] {
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
  const list = isObject ? fields.map(({ name }) => (value as Readonly<Record<string, unknown>>)[name]) : toList(value);
  if (list === null || list.length !== fields.length) return fail(`a list of ${fields.length} values`);
  const values = fields.map((field, index) => toAbiValue(list[index], field.type));
  // ox reads the fields of a tuple by their names, and by their positions where one has none.
  const isNamed =
    fields.every(({ name }) => name !== '') && new Set(fields.map(({ name }) => name)).size === fields.length;
  return isNamed ? Object.fromEntries(fields.map(({ name }, index) => [name, values[index]])) : values;
}

function toAbiValue(value: unknown, type: AbiType): unknown {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return toInteger(value, type);
    case 'address':
      return toAddress(value);
    case 'bool':
      if (value === true || value === 'true') return true;
      return value === false || value === 'false' ? false : fail('true or false');
    case 'string':
      return typeof value === 'string' ? value : fail('a text');
    case 'bytes':
      return toBytes(value, null);
    case 'fixedBytes':
      return toBytes(value, type.size);
    case 'array': {
      const list = toList(value);
      const expected = type.length === null ? 'a list' : `a list of ${type.length} values`;
      if (list === null || (type.length !== null && list.length !== type.length)) return fail(expected);
      return list.map(item => toAbiValue(item, type.item));
    }
    case 'tuple':
      return toTuple(value, type.fields);
  }
}

/**
 * Data of a call: selector and encoded arguments.
 *
 * @param args One per parameter: text (`'42'`, `'0x…'`, `'true'`, `'[1, 2]'`) or JSON values; tuples as lists or objects.
 * @throws `bad-input` that names every wrong argument.
 *
 * @example
 * ```ts
 * import { parseAbiItem } from './abiItem.ts';
 * import { encodeCall } from './encodeCall.ts';
 *
 * const item = parseAbiItem({ type: 'function', name: 'ownerOf', inputs: [{ name: 'tokenId', type: 'uint256' }] }, '');
 * if (item !== null) console.log(encodeCall(item, ['7']));
 * ```
 */
export function encodeCall(item: AbiItem, args: readonly unknown[]): Hex {
  const fields = getAbiFields(item);
  if (args.length !== fields.length)
    throw badInputFault([
      { field: 'args', message: `args must hold ${fields.length} values, as in ${item.canonical}, not ${args.length}` },
    ]);
  const issues: FieldIssue[] = [];
  const values = fields.map((field, index) => {
    const name = field.name === '' ? `argument ${index + 1}` : field.name;
    try {
      return toAbiValue(args[index], field.type);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      issues.push({ field: name, message: `${name} ${error.message}` });
      return null;
    }
  });
  if (issues.length > 0) throw badInputFault(issues);
  const encoded = AbiParameters.encode(item.inputs as readonly { type: string }[], values);
  return `${item.hash.slice(0, 10)}${encoded.slice(2)}` as Hex; // the selector, then the arguments
}

/** The values that a function returned; `null` when the data is not of its outputs, or these are unknown. */
export function decodeCallResult({ outputs }: AbiItem, output: Hex): readonly DecodedValue[] | null {
  const fields = outputs === undefined ? null : parseAbiParameters(outputs);
  return fields === null || output.length % 2 !== 0 ? null : decodeValues(fields, hexToBytes(output));
}
