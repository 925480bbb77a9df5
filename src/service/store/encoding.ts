// How values are written in the SQLite index: hashes and addresses as bytes, 256-bit numbers so that bytes sort as numbers do.
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { NftStandard, TokenRow } from './rows.ts';

/** Bytes of a hex value that must have exactly `length` of them; upper case is taken as lower case. */
export function packHex(hex: Hex, length: number): Buffer {
  const bytes = Buffer.from(hex.slice(2), 'hex');
  // Buffer stops at the first digit that is none, without a word.
  if (bytes.length !== length || hex.length !== 2 + 2 * length)
    throw new HexLensError('internal', `The index was given something that is not ${length} bytes of hex.`);
  return bytes;
}

export function unpackHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

/** One byte that says how many follow, then the number, big-endian and without leading zeros. */
export function packNumber(value: bigint): Buffer {
  if (value === 0n) return Buffer.of(0);
  if (value < 0n) throw new HexLensError('internal', 'The index was given a negative number.');
  const digits = value.toString(16);
  const size = (digits.length + 1) >> 1;
  if (size > 255) throw new HexLensError('internal', `The index was given a number of ${size} bytes.`);
  const bytes = Buffer.allocUnsafe(size + 1);
  bytes[0] = size;
  bytes.write(digits.length % 2 === 0 ? digits : `0${digits}`, 1, 'hex');
  return bytes;
}

export function unpackNumber(bytes: Uint8Array): bigint {
  return bytes.byteLength < 2 ? 0n : BigInt(unpackHex(bytes.subarray(1)));
}

/** Standards by the number that stands for them; the schema knows that ERC1155 is 1. */
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
