// Kinds of parameter values: parsed from text with a reason when invalid, and formatted as text.

import { quote } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { hashSignature } from '../../base/hashSignature.ts';
import { type Hex, isAddress, isHash } from '../../base/hex.ts';
import { type LocalizableText, localizable, localize } from '../../base/localize.ts';
import { parseWrittenChain } from '../chainNames.ts';
import type { JsonSchema } from '../records/jsonSchema.ts';
import { parseDate } from '../wire/parseDate.ts';

/** The text of a parameter is invalid; the reason follows the field's name: "limit must be a whole number". */
export class InvalidValueError extends Error {
  readonly reason: LocalizableText;

  constructor(reason: LocalizableText) {
    super(localize(reason));
    this.reason = reason;
  }
}

const reject = (reason: LocalizableText): never => {
  throw new InvalidValueError(reason);
};

export interface ParameterKind<T> {
  readonly name: string;
  /** JSON Schema of the value on the wire. */
  readonly schema: JsonSchema;
  /** Short description for forms and the reference. */
  readonly hint: string;
  /** Throws `InvalidValueError`. */
  parse(text: string): T;
  format(value: T): string;
}

/** The text itself; throws where a JavaScript caller passed something else. */
const requireText = <T extends string>(value: T): T =>
  typeof value === 'string' ? value : reject(localizable('must be given as text'));

/** Rejects unpaired surrogates, which percent-encoding cannot represent. */
const requireWellFormed = (value: string): string =>
  value.isWellFormed() ? value : reject(localizable('holds half a character (an unpaired surrogate)'));

function parseWholeNumber(text: string, min: number, max: number): number {
  if (!/^[+-]?\d+$/.test(text)) reject(localizable('must be a whole number, not {0}', quote(text)));
  const number = Number(text) + 0; // `-0` is 0
  if (number < min) reject(localizable('must not be less than {0}', min));
  if (number > max) reject(localizable('must not be greater than {0}', max));
  return number;
}

export const integer = (min: number, max: number): ParameterKind<number> => ({
  name: 'integer',
  schema: { type: 'integer', minimum: min, maximum: max },
  hint: `a whole number from ${min} to ${max}`,
  parse: text => parseWholeNumber(text, min, max),
  format: String,
});

/** Block heights, also in the hex form that JSON-RPC uses. */
export const blockNumber: ParameterKind<number> = {
  name: 'blockNumber',
  schema: { type: 'integer', minimum: 0 },
  hint: 'a block number',
  parse: text =>
    parseWholeNumber(/^0x[0-9a-f]{1,13}$/i.test(text) ? String(Number(text)) : text, 0, Number.MAX_SAFE_INTEGER),
  format: String,
};

/** As `blockNumber`, where the description types the parameter as a string. */
export const blockNumberText: ParameterKind<number> = {
  ...blockNumber,
  name: 'blockNumberText',
  schema: { type: 'string', pattern: '^(\\d+|0x[0-9a-fA-F]{1,13})$' },
};

export const flag: ParameterKind<boolean> = {
  name: 'flag',
  schema: { type: 'boolean' },
  hint: 'true or false',
  parse(text) {
    const lower = text.toLowerCase();
    if (lower === 'true' || lower === '1') return true;
    if (lower === 'false' || lower === '0') return false;
    return reject(localizable('must be true or false, not {0}', quote(text)));
  },
  format: String,
};

export const choice = <const T extends string>(...values: readonly [T, ...T[]]): ParameterKind<T> => ({
  name: 'choice',
  schema: { type: 'string', enum: [...values] },
  hint: values.length === 1 ? `only ${values[0]}` : `one of ${values.join(', ')}`,
  parse(text) {
    const found = values.find(value => value === text.toLowerCase());
    return (
      found ??
      reject(
        values.length === 1
          ? localizable('must be {0}, not {1}', values[0], quote(text))
          : localizable('must be one of {0}, not {1}', values.join(', '), quote(text)),
      )
    );
  },
  format: requireText,
});

function parseHexBytes(text: string, bytes: number, what: LocalizableText): Hex {
  const digits = /^0x([0-9a-f]*)$/i.exec(text)?.[1];
  if (digits === undefined)
    return reject(localizable('is not a valid hex {0}: {1} is not 0x and hex digits', what, quote(text)));
  if (digits.length !== bytes * 2)
    reject(localizable('is not a valid hex {0}: it has {1} digits, {2} are needed', what, digits.length, bytes * 2));
  return `0x${digits.toLowerCase()}`;
}

/** EVM address in any case; the value is in lower case. */
export const evmAddress: ParameterKind<Hex> = {
  name: 'evmAddress',
  schema: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
  hint: '0x and 40 hex digits',
  parse: text => parseHexBytes(text, 20, localizable('address')),
  format: requireText,
};

export const hash32: ParameterKind<Hex> = {
  name: 'hash32',
  schema: { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' },
  hint: '0x and 64 hex digits',
  parse: text => parseHexBytes(text, 32, localizable('hash')),
  format: requireText,
};

const EVENT_SIGNATURE = /^[A-Za-z_$][\w$]*\([\w$,()[\]]*\)$/;

/** topic0 of an event: its hash, or the signature that is hashed. */
export const eventTopic: ParameterKind<Hex> = {
  ...hash32,
  name: 'eventTopic',
  schema: { type: 'string', pattern: '^(0x[0-9a-fA-F]{64}|[A-Za-z_$][\\w$]*\\([\\w$,()\\[\\]]*\\))$' },
  hint: 'an event such as Transfer(address,address,uint256), or 0x and 64 hex digits',
  parse(text) {
    const hash = text.toLowerCase();
    if (isHash(hash)) return hash;
    if (text.length <= MAX_SIGNATURE_LENGTH && EVENT_SIGNATURE.test(text)) return hashSignature(text);
    return reject(
      localizable(
        'must be an event such as Transfer(address,address,uint256), or 0x and 64 digits, not {0}',
        quote(text),
      ),
    );
  },
};
const MAX_SIGNATURE_LENGTH = 1_000;

/** An indexed argument of an event. */
export const indexedTopic: ParameterKind<Hex> = {
  ...hash32,
  name: 'indexedTopic',
  schema: { type: 'string', pattern: '^0x([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$' },
  hint: '0x and 64 hex digits, or an address',
  parse(text) {
    const hex = text.toLowerCase();
    if (isHash(hex)) return hex;
    if (isAddress(hex)) return `0x${hex.slice(2).padStart(64, '0')}`;
    return reject(localizable('must be 0x and 64 digits, or an address, not {0}', quote(text)));
  },
};

export const blockId: ParameterKind<number | Hex> = {
  name: 'blockId',
  schema: { type: 'string', pattern: '^(\\d+|0x[0-9a-fA-F]{1,13}|0x[0-9a-fA-F]{64})$' },
  hint: 'a block number or block hash',
  parse(text) {
    if (/^0x[0-9a-f]{64}$/i.test(text)) return parseHexBytes(text, 32, localizable('block hash'));
    if (/^(\d+|0x[0-9a-f]{1,13})$/i.test(text)) return blockNumber.parse(text);
    return reject(localizable('is neither a block number nor a block hash (0x and 64 hex digits): {0}', quote(text)));
  },
  format: String,
};

const UINT256_MAX = (1n << 256n) - 1n;

/** A token id of full 256 bits, decimal or hex. */
export const tokenId: ParameterKind<bigint> = {
  name: 'tokenId',
  schema: { type: 'string', pattern: '^(\\d{1,78}|0x[0-9a-fA-F]{1,64})$' },
  hint: 'a token id, decimal or hex',
  parse(text) {
    if (!/^(\d{1,78}|0x[0-9a-f]{1,64})$/i.test(text))
      reject(localizable('is not a token id (decimal or 0x and hex digits): {0}', quote(text)));
    const id = BigInt(text);
    return id <= UINT256_MAX ? id : reject(localizable('is larger than 2^256 - 1'));
  },
  format: String,
};

export const chainSelector: ParameterKind<string> = {
  name: 'chain',
  schema: { type: 'string', pattern: '^[A-Za-z0-9][\\w:-]*( [\\w-]+){0,3}$' },
  hint: 'a chain name or chain id',
  parse: text =>
    parseWrittenChain(text) ??
    reject(
      localizable(
        'is not a chain: {0}. Use a name such as eth, base or local, or a chain id such as 8453 or 0x2105',
        quote(text),
      ),
    ),
  format: requireText,
};

export const date: ParameterKind<Date> = {
  name: 'date',
  schema: { type: 'string', minLength: 1, maxLength: 64 },
  hint: 'a date: ISO 8601, RFC 2822, Nov 14, 2023 or Unix time',
  parse: text =>
    parseDate(text) ??
    reject(
      /^\d+$/.test(text)
        ? localizable(
            'can be a calendar date or Unix time: {0}. Write a date as 2023-01-31 and Unix seconds with 9 to 11 digits',
            quote(text),
          )
        : localizable(
            'is not a date: {0}. Use ISO 8601 (2023-01-31T12:00:00Z), YYYY-MM-DD or Unix seconds',
            quote(text),
          ),
    ),
  format: value => value.toISOString(),
};

/** A value that only its creator reads: the cursor. */
export const opaque: ParameterKind<string> = {
  name: 'opaque',
  schema: { type: 'string', maxLength: 4096 },
  hint: 'the cursor of the previous page',
  parse: value =>
    value.length <= 4096 ? requireWellFormed(value) : reject(localizable('is longer than 4,096 characters')),
  format: requireText,
};

/** Free text of bounded size. */
export const text = (maxLength: number, hint: string): ParameterKind<string> => ({
  name: 'text',
  schema: { type: 'string', minLength: 1, maxLength },
  hint,
  parse(value) {
    if (value === '') reject(localizable('must not be empty'));
    if (value.length > maxLength) reject(localizable('is longer than {0} characters', formatInteger(maxLength)));
    return requireWellFormed(value);
  },
  format: requireText,
});

/** An Aptos account address in short or long form (AIP-40); the value is the long form. */
export const aptosAddress: ParameterKind<Hex> = {
  name: 'aptosAddress',
  schema: { type: 'string', pattern: '^0x[0-9a-fA-F]{1,64}$' },
  hint: '0x and 1 to 64 hex digits',
  parse(value) {
    const digits = /^0x([0-9a-f]{1,64})$/i.exec(value)?.[1];
    return digits === undefined
      ? reject(localizable('is not an Aptos address (0x and 1 to 64 hex digits): {0}', quote(value)))
      : `0x${digits.toLowerCase().padStart(64, '0')}`;
  },
  format: requireText,
};

/** A collection or token data id hash: 64 hex digits; `0x` before them is removed. */
export const aptosHash: ParameterKind<string> = {
  name: 'aptosHash',
  schema: { type: 'string', pattern: '^(0x)?[0-9a-fA-F]{64}$' },
  hint: '64 hex digits',
  parse: value =>
    /^(?:0x)?([0-9a-f]{64})$/i.exec(value)?.[1]?.toLowerCase() ??
    reject(localizable('must be 64 hex digits: {0}', quote(value))),
  format: requireText,
};

/**
 * An Aptos struct type, `<address>::<module>::<name>`, with generic arguments, or the metadata address of a fungible asset,
 * which records have as their `coin_type`. Only spaces around it are removed.
 */
export const coinType: ParameterKind<string> = {
  name: 'coinType',
  schema: { type: 'string', minLength: 1, maxLength: 5000, pattern: '^\\s*0x[0-9a-fA-F]{1,64}(::|\\s*$)' },
  hint: '<address>::<module>::<name>, or the address of a fungible asset',
  parse(value) {
    const type = value.trim();
    if (type.length > 5000) reject(localizable('is longer than 5,000 characters'));
    return /^0x[0-9a-f]{1,64}(::[^\s:]+::\S.*)?$/is.test(type)
      ? requireWellFormed(type)
      : reject(localizable('is not a coin type (<address>::<module>::<name>): {0}', quote(value)));
  },
  format: requireText,
};

export const aptosNetwork: ParameterKind<string> = {
  name: 'aptosNetwork',
  schema: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9-]{0,31}$' },
  hint: 'mainnet, testnet, devnet or local',
  parse: value =>
    /^[a-z][a-z0-9-]{0,31}$/i.test(value)
      ? value.toLowerCase()
      : reject(localizable('is not the name of an Aptos network, such as mainnet or local: {0}', quote(value))),
  format: requireText,
};

/** An unsigned 64-bit number as text: Aptos block heights. */
export const uint64: ParameterKind<bigint> = {
  name: 'uint64',
  schema: { type: 'string', pattern: '^\\d{1,20}$' },
  hint: 'an unsigned 64-bit number',
  parse(value) {
    if (!/^\d{1,20}$/.test(value)) reject(localizable('must be an unsigned number, not {0}', quote(value)));
    const number = BigInt(value);
    return number < 1n << 64n ? number : reject(localizable('is larger than 2^64 - 1'));
  },
  format: String,
};

/** A list; `min` to `max` items of one kind. */
export const list = <T>(item: ParameterKind<T>, bounds: { min: number; max: number }): ListKind<T> => ({
  name: `list of ${item.name}`,
  schema: { type: 'array', items: item.schema, minItems: bounds.min, maxItems: bounds.max },
  hint: `up to ${bounds.max}: ${item.hint}`,
  item,
  bounds,
});

export interface ListKind<T> {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly hint: string;
  readonly item: ParameterKind<T>;
  readonly bounds: { readonly min: number; readonly max: number };
}
