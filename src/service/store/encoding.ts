// The encoding of values in the databases: hashes and addresses as bytes, 256-bit numbers so that bytes sort as numbers do.
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { NftStandard, TokenRow } from './rows.ts';

/** The bytes of a hex value that must have exactly `length` of them, in either case. */
export function packHex(hex: Hex, length: number): Buffer {
  const bytes = Buffer.from(hex.slice(2), 'hex');
  // Buffer stops silently at the first character that is no digit.
  if (bytes.length !== length || hex.length !== 2 + 2 * length)
    throw new HexLensError('internal', `The index received a value that is not ${length} bytes of hex.`);
  return bytes;
}

export function unpackHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

/** The digits of a hex value of exactly `length` bytes, for a database that reads hex. */
export function toHexDigits(hex: Hex, length: number): string {
  if (hex.length !== 2 + 2 * length || !/^0x[0-9a-fA-F]*$/.test(hex))
    throw new HexLensError('internal', `The index received a value that is not ${length} bytes of hex.`);
  return hex.slice(2);
}

/** Hex digits of one byte with the number of bytes that follow, then of the number, big-endian without leading zeros. */
export function encodeNumberHex(value: bigint): string {
  if (value === 0n) return '00';
  if (value < 0n) throw new HexLensError('internal', 'The index received a negative number.');
  const digits = value.toString(16);
  const size = (digits.length + 1) >> 1;
  if (size > 255) throw new HexLensError('internal', `The index received a number of ${size} bytes.`);
  return `${size.toString(16).padStart(2, '0')}${digits.padStart(2 * size, '0')}`;
}

export const packNumber = (value: bigint): Buffer => Buffer.from(encodeNumberHex(value), 'hex');

export function unpackNumber(bytes: Uint8Array): bigint {
  return bytes.byteLength < 2 ? 0n : BigInt(unpackHex(bytes.subarray(1)));
}

const MAX_SAFE_INTEGER = BigInt(Number.MAX_SAFE_INTEGER);

/** Whether JavaScript reads the number from SQLite exactly. */
export const isSafeInteger = (value: bigint): boolean => value >= 0n && value <= MAX_SAFE_INTEGER;

/** For a column of SQLite that takes any type, where all integers sort before all bytes. */
export const packInteger = (value: bigint): bigint | Buffer => (isSafeInteger(value) ? value : packNumber(value));

export const unpackInteger = (stored: number | Uint8Array): bigint =>
  typeof stored === 'number' ? BigInt(stored) : unpackNumber(stored);

/** Like a number, but empty for 1, the amount of most NFT transfers. */
export const encodeAmountHex = (amount: bigint): string => (amount === 1n ? '' : encodeNumberHex(amount));

export const unpackAmount = (bytes: Uint8Array): bigint => (bytes.byteLength === 0 ? 1n : unpackNumber(bytes));

/** Standards by their stored number. */
const STANDARDS = ['ERC721', 'ERC1155', 'CRYPTOPUNKS', 'ERC20'] as const satisfies readonly TokenRow['standard'][];

export function packStandard(standard: TokenRow['standard']): number {
  return STANDARDS.indexOf(standard);
}

export function unpackStandard(number: number): TokenRow['standard'] {
  const standard = STANDARDS[number];
  if (standard === undefined) throw new HexLensError('internal', `The index holds the unknown standard ${number}.`);
  return standard;
}

export function unpackNftStandard(number: number): NftStandard {
  const standard = unpackStandard(number);
  if (standard === 'ERC20') throw new HexLensError('internal', 'The index holds an ERC-20 among its NFTs.');
  return standard;
}
