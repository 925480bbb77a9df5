// A decoded call or error as one line, with names, units and nested calls: `deposit(to: Alice, amount: 5 MFT)`.
import { keccak256 } from 'ox/Hash';
import { toShortDisplayAddress } from '../base/displayAddress.ts';
import { shortenHex } from '../base/displayText.ts';
import { formatInteger, formatTokenAmount, type TokenAmountUnit } from '../base/formatUnits.ts';
import { type Hex, hexToBytes, isAddress, isHex, ZERO_ADDRESS } from '../base/hex.ts';
import { t } from '../base/localize.ts';
import type { AbiItem } from './abiItem.ts';
import type { AbiRegistry } from './abiRegistry.ts';
import { parseAbiParameters } from './abiType.ts';
import { getAmountTokens, getReturnedToken } from './amountTokens.ts';
import { type DecodedItem, decodeErrorResult, decodeFunctionData } from './decodeAbi.ts';
import { type DecodedValue, decodeValues } from './decodeValues.ts';
import { nameByStandard, type TokenStandard } from './sharedSignatures.ts';

export interface DecodedItemFormat {
  /** Finds what nested `bytes` encode. */
  readonly registry: AbiRegistry;
  /** Saved or well-known name of an address. */
  getName(address: Hex): string | null;
  /** Standard of a token (lower-case address), as far as it is known. */
  getStandard?(token: string): TokenStandard | null;
  /** Unit of a token (lower-case address) or of the chain's coin (`NATIVE_COIN`), as far as it is known. */
  getUnit?(token: string): TokenAmountUnit | null;
  /** Texts that the hash of an indexed parameter may be of, beside those of the same log: those of the call that emitted it. */
  readonly texts?: readonly string[];
  /** Texts by their hash, which is all that an indexed parameter has of one. */
  readonly hashed?: ReadonlyMap<string, string>;
}

/** All texts among the values, also those inside of tuples and arrays. */
export const listTexts = (values: readonly DecodedValue[]): readonly string[] =>
  values.flatMap(({ type, value, hashed }) =>
    typeof value !== 'string' ? listTexts(value) : type === 'string' && hashed !== true ? [value] : [],
  );

/** All addresses among the values, also those of errors and calls that `bytes` encode. */
export const listAddresses = (values: readonly DecodedValue[], registry: AbiRegistry, depth = 0): readonly Hex[] =>
  values.flatMap(({ type, value, hashed }) => {
    if (typeof value !== 'string') return listAddresses(value, registry, depth);
    if (type === 'bytes' && hashed !== true && depth < MAX_DEPTH)
      return listAddresses(decodeNested(registry, value)?.values ?? [], registry, depth + 1);
    return type === 'address' && hashed !== true && isAddress(value) && value !== ZERO_ADDRESS ? [value] : [];
  });

/** The texts among the values, and others, whose hash is one of the values: `Named(string indexed name, string name)`. */
export function findHashedTexts(
  values: readonly DecodedValue[],
  others: readonly string[] = [],
): ReadonlyMap<string, string> {
  const hashes = new Set(
    values.flatMap(({ value, hashed }) => (hashed === true && typeof value === 'string' ? [value] : [])),
  );
  if (hashes.size === 0) return NO_TEXTS;
  return new Map(
    [...listTexts(values), ...others]
      .map(text => [keccak256(new TextEncoder().encode(text), { as: 'Hex' }), text] as const)
      .filter(([hash]) => hashes.has(hash)),
  );
}

const NO_TEXTS: ReadonlyMap<string, string> = new Map();

/** Elements of an array, and levels of calls in `bytes`, that are shown. */
const MAX_ELEMENTS = 8;
const MAX_DEPTH = 4;
const MAX_STRING_LENGTH = 300;
/** Integers with such names are no amounts: ids, dates and the like. */
const UNGROUPED_NAME = /ids?$|nonce|deadline|time|expir|since|until|date|salt|seed|hash|root|key|mask|flags|code/i;

/** Names of moments; whether the number is one, it tells itself. */
const TIME_NAME =
  /deadline|time(?:stamp)?$|expir|until$|since$|valid(?:after|before)$|(?:starts?|ends?|unlock(?:s|ed)?)(?:at|time)$|date$/i;
/** Seconds from 2001 to 2286: other numbers are durations, blocks or milliseconds. */
const MIN_TIME = 1_000_000_000n;
const MAX_TIME = 9_999_999_999n;

/** `2026-11-14 22:13:20 UTC`; `null` for a number that is no moment in seconds. */
function formatTimestamp(value: string): string | null {
  const seconds = BigInt(value);
  if (seconds < MIN_TIME || seconds > MAX_TIME) return null;
  return `${new Date(Number(seconds) * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Codes of `Panic(uint256)` (Solidity documentation, "Panic via assert and Error via require"). */
const PANIC_REASONS: Readonly<Record<string, () => string>> = {
  '0': () => t('generic compiler panic'),
  '1': () => t('assertion failed'),
  '17': () => t('arithmetic overflow or underflow'),
  '18': () => t('division or modulo by zero'),
  '33': () => t('value is not a member of the enum'),
  '34': () => t('storage byte array is encoded incorrectly'),
  '49': () => t('pop on an empty array'),
  '50': () => t('array index is out of bounds'),
  '65': () => t('too much memory was allocated'),
  '81': () => t('call to an uninitialized function'),
};

/** An address as its name, `zero address`, or shortened. */
export function formatAddressName(address: Hex, getName: (address: Hex) => string | null): string {
  if (address === ZERO_ADDRESS) return t('zero address');
  return getName(address) ?? toShortDisplayAddress(address);
}

/** What `bytes` encode, when all of them are an error or a call with known parameters. */
function decodeNested(registry: AbiRegistry, bytes: string): DecodedItem | null {
  if (bytes.length < 10 || (bytes.length - 10) % 64 !== 0) return null;
  return decodeErrorResult(registry, bytes)[0] ?? decodeFunctionData(registry, bytes)[0] ?? null;
}

function formatValue(
  decoded: DecodedValue,
  units: ReadonlyMap<DecodedValue, string>,
  format: DecodedItemFormat,
  depth: number,
): string {
  const { type, value, hashed, struct = '' } = decoded;
  if (typeof value !== 'string') {
    const parts = value
      .slice(0, MAX_ELEMENTS)
      .map(inner => formatField(inner, units, format, depth, type.endsWith(']')));
    if (value.length > MAX_ELEMENTS) parts.push(`… +${value.length - MAX_ELEMENTS}`);
    return type.endsWith(']') ? `[${parts.join(', ')}]` : `${struct}(${parts.join(', ')})`;
  }
  if (hashed) {
    const text = format.hashed?.get(value) ?? null;
    return text === null
      ? t('hash {0}', shortenHex(value))
      : t('{0} (hash {1})', JSON.stringify(text), shortenHex(value));
  }
  if (type === 'address' && isAddress(value)) return formatAddressName(value, format.getName);
  if (type === 'string') return JSON.stringify(value.slice(0, MAX_STRING_LENGTH));
  if (type === 'bytes') {
    const nested = depth < MAX_DEPTH ? decodeNested(format.registry, value) : null;
    if (nested !== null) return formatItem(nested, null, format, depth + 1);
    const size = (value.length - 2) / 2;
    return size <= 32 ? value : `${shortenHex(value)} (${t('{0} bytes', size)})`;
  }
  const member = formatEnumMember(decoded, format);
  if (member !== null) return member;
  const token = units.get(decoded);
  const unit = token === undefined ? null : (format.getUnit?.(token) ?? null);
  if (unit !== null) return formatTokenAmount(BigInt(value), unit);
  const time = /^uint\d*$/.test(type) && TIME_NAME.test(decoded.name) ? formatTimestamp(value) : null;
  if (time !== null) return time;
  return /^u?int\d*$/.test(type) && !UNGROUPED_NAME.test(decoded.name) ? formatInteger(BigInt(value)) : value;
}

function formatField(
  decoded: DecodedValue,
  units: ReadonlyMap<DecodedValue, string>,
  format: DecodedItemFormat,
  depth: number,
  isElement = false,
): string {
  const text = formatValue(decoded, units, format, depth);
  return decoded.name === '' || isElement ? text : `${decoded.name}: ${text}`;
}

/** `Status.Active`, as far as a build of the workspace knows the enum; `null` for other values. */
export function getEnumMember({ enumName, value }: DecodedValue, registry: AbiRegistry): string | null {
  if (enumName === undefined || typeof value !== 'string') return null;
  const member = registry.enumMembers(enumName)?.[Number(value)];
  return member === undefined ? null : `${enumName.slice(enumName.lastIndexOf('.') + 1)}.${member}`;
}

/** `Status.Active (1)`. */
export function formatEnumMember(
  decoded: DecodedValue,
  { registry }: Pick<DecodedItemFormat, 'registry'>,
): string | null {
  const member = getEnumMember(decoded, registry);
  return member === null ? null : `${member} (${decoded.value})`;
}

/** The error or call that a value of type `bytes` encodes; `null` for other values. Untrusted text. */
export function formatEncodedBytes({ type, value }: DecodedValue, format: DecodedItemFormat): string | null {
  const nested = type === 'bytes' && typeof value === 'string' ? decodeNested(format.registry, value) : null;
  return nested === null ? null : formatItem(nested, null, format, 1);
}

/** Only an ERC-20 has a unit. */
const getStandard = (contract: string, format: DecodedItemFormat): TokenStandard | null =>
  format.getStandard?.(contract) ?? (format.getUnit?.(contract) ? 'ERC20' : null);

function formatItem(bare: DecodedItem, contract: string | null, format: DecodedItemFormat, depth: number): string {
  const decoded = nameByStandard(bare, contract === null ? null : getStandard(contract.toLowerCase(), format));
  const { item, values } = decoded;
  const [only] = values;
  if (item.kind === 'error' && item.canonical === 'Panic(uint256)' && typeof only?.value === 'string') {
    const reason = PANIC_REASONS[only.value]?.() ?? t('unknown code');
    return `Panic(0x${BigInt(only.value).toString(16).padStart(2, '0')}): ${reason}`;
  }
  const units = getAmountTokens(decoded, contract);
  const own = { ...format, hashed: findHashedTexts(decoded.values, format.texts) };
  return `${item.name}(${values.map(value => formatField(value, units, own, depth)).join(', ')})`;
}

/**
 * Untrusted text of one line: it must be sanitized where it is shown. `contract` was called, or emitted the log: amounts may be
 * in its units.
 */
export const formatDecodedItem = (decoded: DecodedItem, format: DecodedItemFormat, contract: string | null = null) =>
  formatItem(decoded, contract, format, 0);

/** The same for a revert: of `Error(string)` only the text. `contract` threw the error itself. */
export function formatDecodedError(
  decoded: DecodedItem,
  format: DecodedItemFormat,
  contract: string | null = null,
): string {
  const [only] = decoded.values;
  return decoded.item.canonical === 'Error(string)' && typeof only?.value === 'string'
    ? only.value.slice(0, MAX_STRING_LENGTH)
    : formatDecodedItem(decoded, format, contract);
}

/** What a reverted call returned: its error, else the selector of one that no ABI declares; `error` is `null` then. */
export function formatRevertData(
  data: string,
  format: DecodedItemFormat,
  contract: string | null = null,
): { readonly text: string; readonly error: AbiItem | null } {
  const [decoded] = decodeErrorResult(format.registry, data);
  if (decoded !== undefined) return { text: formatDecodedError(decoded, format, contract), error: decoded.item };
  return { text: data.length >= 10 ? t('custom error {0}', data.slice(0, 10)) : data, error: null };
}

/**
 * What a call of the function returned: `12`, `(Alice, 5)`; `null` when its outputs are unknown or do not match. `contract` was
 * called: an amount of its token is in its units.
 */
export function formatReturnedValues(
  { item }: DecodedItem,
  output: string,
  format: DecodedItemFormat,
  contract: string | null = null,
): string | null {
  const fields = item.outputs === undefined ? null : parseAbiParameters(item.outputs);
  if (fields === null || fields.length === 0 || !isHex(output) || output.length % 2 !== 0) return null;
  const values = decodeValues(fields, hexToBytes(output));
  const [first] = values ?? [];
  const token = getReturnedToken(item, contract);
  const units = new Map(token !== null && first !== undefined ? [[first, token]] : []);
  const texts = values?.map(value => formatField(value, units, format, 0));
  return texts === undefined ? null : texts.length === 1 ? (texts[0] ?? null) : `(${texts.join(', ')})`;
}

/** Tokens (lower-case addresses) and coins whose units `formatDecodedItem` needs. */
export const getUnitTokens = (decoded: DecodedItem, contract: string | null): ReadonlySet<string> =>
  new Set(getAmountTokens(decoded, contract).values());
