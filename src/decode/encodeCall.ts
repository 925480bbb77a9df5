// Encodes the arguments of a call, given as text or JSON, and decodes what the call returns (Solidity ABI specification).
import * as AbiParameters from 'ox/AbiParameters';
import { checksumAddress } from '../base/checksumAddress.ts';
import { createBadInputFault } from '../base/errors.ts';
import { type Hex, hexToBytes, isAddress, isHex } from '../base/hex.ts';
import { type Localizable, localizable, localize, t } from '../base/localize.ts';
import { type AbiItem, getAbiFields } from './abiItem.ts';
import { type AbiField, type AbiParameter, type AbiType, parseAbiParameters } from './abiType.ts';
import { type DecodedValue, decodeValues } from './decodeValues.ts';

/** An argument cannot be a value of its type. Caught in this file. */
class InvalidArgumentError extends Error {
  readonly text: Localizable;

  constructor(text: Localizable) {
    super(localize(text));
    this.text = text;
  }
}

const fail = (text: Localizable): never => {
  throw new InvalidArgumentError(text);
};

// In the functions below `path` names a value within the arguments: `orders[1].amount`.

function toInteger(value: unknown, { kind, bits }: { kind: 'uint' | 'int'; bits: number }, path: string): bigint {
  const given = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  const text = typeof given === 'string' ? given.trim() : '';
  const type = `${kind}${bits}`;
  if (!/^(-?\d{1,80}|0x[0-9a-fA-F]{1,64})$/.test(text))
    return fail(localizable('{0} must be a whole number of {1}, as decimal or 0x hex text', path, type));
  const number = BigInt(text);
  const [min, max] =
    kind === 'uint' ? [0n, 2n ** BigInt(bits) - 1n] : [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n];
  if (number >= min && number <= max) return number;
  return fail(localizable('{0} must be a whole number of {1}, from {2} to {3}', path, type, String(min), String(max)));
}

function toBytes(value: unknown, size: number | null, path: string): Hex {
  const text = typeof value === 'string' ? value.trim() : '';
  const isBytes = isHex(text) && text.length % 2 === 0;
  if (isBytes && (size === null || text.length === 2 + 2 * size)) return text as Hex;
  if (size === null) return fail(localizable('{0} must be bytes as 0x hex, two digits each', path));
  return isBytes
    ? fail(localizable('{0} must be {1} bytes as 0x hex, not {2}', path, size, text.length / 2 - 1))
    : fail(localizable('{0} must be {1} bytes as 0x hex', path, size));
}

function toAddress(value: unknown, path: string): Hex {
  const text = typeof value === 'string' ? value.trim() : '';
  if (!isAddress(text)) return fail(localizable('{0} must be an address: 0x and 40 hex digits', path));
  const hasMixedCase = /[a-f]/.test(text.slice(2)) && /[A-F]/.test(text.slice(2));
  if (hasMixedCase && checksumAddress(text) !== text)
    return fail(
      localizable(
        '{0} must be an address with its EIP-55 checksum, or in lower case: check it for typing errors',
        path,
      ),
    );
  return text.toLowerCase() as Hex;
}

/** A quoted text, a parenthesis, or a word such as a number, hex or the name of a field. */
const TOKENS = /"(?:[^"\\]|\\.)*"?|[()]|[^\s"()[\]{},:]+/g;
const JSON_TOKEN = /^(?:"|(?:true|false)$)/;

/**
 * Lists and tuples may also be given as text: JSON, in which numbers and hex need no quotes (and keep all their digits), and
 * tuples may stand in parentheses: `[(0xab…, 5)]`.
 */
function parseStructure(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[({]/.test(value)) return value;
  const json = value.replace(TOKENS, token => {
    if (token === '(' || token === ')') return token === '(' ? '[' : ']';
    return JSON_TOKEN.test(token) ? token : JSON.stringify(token);
  });
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}

function toArray(value: unknown, type: Extract<AbiType, { kind: 'array' }>, path: string): readonly unknown[] {
  const list = parseStructure(value);
  const { length } = type;
  if (!Array.isArray(list))
    return fail(
      localizable('{0} must be a list such as {1}', path, type.item.kind === 'tuple' ? '[(…), (…)]' : '[…, …]'),
    );
  if (length !== null && list.length !== length)
    return fail(localizable('{0} must be a list of {1} values, not {2}', path, length, list.length));
  return list.map((item, index) => toAbiValue(item, type.item, `${path}[${index}]`));
}

function toTuple(
  value: unknown,
  fields: readonly AbiField[],
  path: string,
): Readonly<Record<string, unknown>> | readonly unknown[] {
  const given = parseStructure(value);
  const isObject = given !== null && typeof given === 'object' && !Array.isArray(given);
  const list = isObject ? fields.map(({ name }) => (given as Readonly<Record<string, unknown>>)[name]) : given;
  if (!Array.isArray(list) || list.length !== fields.length) {
    const names = fields.map(({ name, canonicalType }) => name || canonicalType).join(', ');
    return fail(localizable('{0} must be a tuple of {1} values: ({2})', path, fields.length, names));
  }
  const values = fields.map((field, index) =>
    toAbiValue(list[index], field.type, field.name === '' ? `${path}[${index}]` : `${path}.${field.name}`),
  );
  // ox reads the fields of a tuple by their names, and by their positions where one has none.
  const isNamed =
    fields.every(({ name }) => name !== '') && new Set(fields.map(({ name }) => name)).size === fields.length;
  return isNamed ? Object.fromEntries(fields.map(({ name }, index) => [name, values[index]])) : values;
}

function toBoolean(value: unknown, path: string): boolean {
  const text = typeof value === 'string' ? value.trim() : value;
  if (text === true || text === 'true') return true;
  return text === false || text === 'false' ? false : fail(localizable('{0} must be true or false', path));
}

function toAbiValue(value: unknown, type: AbiType, path: string): unknown {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return toInteger(value, type, path);
    case 'address':
      return toAddress(value, path);
    case 'bool':
      return toBoolean(value, path);
    case 'string':
      return typeof value === 'string' ? value : fail(localizable('{0} must be a text', path));
    case 'bytes':
      return toBytes(value, null, path);
    case 'fixedBytes':
      return toBytes(value, type.size, path);
    case 'array':
      return toArray(value, type, path);
    case 'tuple':
      return toTuple(value, type.fields, path);
  }
}

/** The name of an argument in messages and forms. */
export const getArgumentName = ({ name }: Pick<AbiField, 'name'>, index: number): string =>
  name === '' ? t('argument {0}', index + 1) : name;

/** Why the text cannot be this argument, in one sentence that begins with its name; `null` when it can. */
export function validateArgument(field: AbiField, index: number, value: unknown): string | null {
  try {
    toAbiValue(value, field.type, getArgumentName(field, index));
    return null;
  } catch (error) {
    if (error instanceof InvalidArgumentError) return error.message;
    throw error;
  }
}

/** ox does not know the type `function`, an address and a selector in 24 bytes. */
const toOxParameter = (parameter: AbiParameter): AbiParameter => ({
  ...parameter,
  type: parameter.type.replace(/^function(?=\[|$)/, 'bytes24'),
  ...(parameter.components && { components: parameter.components.map(toOxParameter) }),
});

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
    throw createBadInputFault([
      {
        field: 'args',
        message: localizable(
          'args must hold {0} values, as in {1}, not {2}',
          fields.length,
          item.canonical,
          args.length,
        ),
      },
    ]);
  const issues: { readonly field: string; readonly message: Localizable }[] = [];
  const values = fields.map((field, index) => {
    const name = getArgumentName(field, index);
    try {
      return toAbiValue(args[index], field.type, name);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      issues.push({ field: name, message: error.text });
      return null;
    }
  });
  if (issues.length > 0) throw createBadInputFault(issues);
  const encoded = AbiParameters.encode(item.inputs.map(toOxParameter), values);
  return `${item.hash.slice(0, 10)}${encoded.slice(2)}` as Hex; // the selector, then the arguments
}

/** A text in one word, up to its first zero byte: what `name()` and `symbol()` of the first tokens return as bytes32. */
function decodeShortText(fields: readonly AbiField[], bytes: Uint8Array): readonly DecodedValue[] | null {
  const [field] = fields;
  // ABI-encoded texts have two words or more.
  if (field === undefined || fields.length > 1 || field.type.kind !== 'string' || bytes.length !== 32) return null;
  const end = bytes.indexOf(0);
  const value = new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  return [{ name: field.name, type: field.canonicalType, value }];
}

/** The values that a function returned; `null` when the data is not of its outputs, or these are unknown. */
export function decodeCallResult({ outputs }: AbiItem, output: Hex): readonly DecodedValue[] | null {
  const fields = outputs === undefined ? null : parseAbiParameters(outputs);
  if (fields === null || output.length % 2 !== 0) return null;
  const bytes = hexToBytes(output);
  return decodeValues(fields, bytes) ?? decodeShortText(fields, bytes);
}
