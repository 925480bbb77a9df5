// What call data, revert data and return data in code or typed text say, without a chain.
import { checksumAddress } from '../base/checksumAddress.ts';
import { type Hex, hexToBytes } from '../base/hex.ts';
import { type DecodedItems, decodeErrorResult, decodeFunctionData } from '../decode/decodeAbi.ts';
import { decodeValues } from '../decode/decodeValues.ts';
import {
  type DecodedItemFormat,
  formatAddressName,
  formatDecodedError,
  formatDecodedItem,
} from '../decode/formatDecodedItem.ts';
import type { DataLiteral } from '../detect/hexLiteral.ts';

/** Words of return data that are shown. */
const MAX_WORDS = 8;
/** More bytes are not read as one text. */
const MAX_TEXT_BYTES = 4_096;

const isReadable = (text: string): boolean => text !== '' && !/[\p{Cc}\ufffd]/u.test(text.replace(/[\t\r\n]/g, ''));

/** The text, when the data is exactly one ABI-encoded `string`. */
function decodeText(data: Hex): string | null {
  const size = (data.length - 2) / 2;
  if (size < 96 || size > MAX_TEXT_BYTES || BigInt(data.slice(0, 66)) !== 32n) return null;
  const length = BigInt(`0x${data.slice(66, 130)}`);
  if (length === 0n || 64n + ((length + 31n) / 32n) * 32n !== BigInt(size)) return null;
  const [value] =
    decodeValues([{ name: '', canonicalType: 'string', type: { kind: 'string' } }], hexToBytes(data)) ?? [];
  return typeof value?.value === 'string' && isReadable(value.value) ? JSON.stringify(value.value) : null;
}

/** A word as what it most likely is: a number, an address, else its digits. */
function formatWord(digits: string, getName: DecodedItemFormat['getName']): string {
  const value = BigInt(`0x${digits}`);
  if (value < 2n ** 96n) return String(value);
  if (!/^0{24}/.test(digits)) return `0x${digits.slice(0, 4)}…${digits.slice(-4)}`;
  const address: Hex = `0x${digits.slice(24)}`;
  return getName(address) === null ? checksumAddress(address) : formatAddressName(address, getName);
}

function formatWords(data: Hex, { getName }: DecodedItemFormat): string {
  const words = data.slice(2).match(/.{64}/g) ?? [];
  const shown = words.slice(0, MAX_WORDS).map(word => formatWord(word, getName));
  return words.length > MAX_WORDS ? `${shown.join(', ')}, … +${words.length - MAX_WORDS}` : shown.join(', ');
}

/** One line for each declaration that fits, with values; untrusted text. Empty when nothing is known of the data. */
export function decodeDataLiteral({ form, text }: DataLiteral, format: DecodedItemFormat): readonly string[] {
  const digits = text.replace(/^0x/i, '').toLowerCase();
  if (form === 'bytecode' || form === 'delegation' || form === 'signature' || !/^(?:[0-9a-f]{2})+$/.test(digits))
    return [];
  const data: Hex = `0x${digits}`;
  if (form === 'words') return [decodeText(data) ?? formatWords(data, format)];
  const lines = (items: DecodedItems, toLine: typeof formatDecodedItem) => items.map(item => toLine(item, format));
  const calls = lines(decodeFunctionData(format.registry, data), formatDecodedItem);
  return [...calls, ...lines(decodeErrorResult(format.registry, data), formatDecodedError)];
}
