// BCS types of the 0x3 token structs: table items come as bytes from nodes that do not decode them.
import { BcsReader, bcs } from '@mysten/bcs';
import { bytesToHex, hexToBytes, isHex } from '../../../base/hex.ts';

const u64 = bcs.u64().transform({ output: value => BigInt(value) });
export const addressType = bcs.bytes(32).transform({ output: bytes => bytesToHex(bytes) });
export const hexBytesType = bcs.byteVector().transform({ output: bytes => bytesToHex(bytes) });

const tokenDataIdFields = { creator: addressType, collection: bcs.string(), name: bcs.string() };

/** `0x3::token::TokenDataId`. */
export const tokenDataIdType = bcs.struct('TokenDataId', tokenDataIdFields);
export type TokenDataId = typeof tokenDataIdType.$inferType;

/** `0x3::token::TokenId`. */
export const tokenIdType = bcs.struct('TokenId', { ...tokenDataIdFields, propertyVersion: u64 });
export type TokenId = typeof tokenIdType.$inferType;

/** An entry of `0x3::property_map::PropertyMap`, whose value precedes its type. */
const propertyType = bcs.struct('Property', { key: bcs.string(), value: hexBytesType, type: bcs.string() });

/** `0x3::token::Token`. */
export const tokenType = bcs.struct('Token', { id: tokenIdType, amount: u64, properties: bcs.vector(propertyType) });

/** `0x3::token::TokenData`. */
export const tokenDataType = bcs.struct('TokenData', {
  maximum: u64,
  largestPropertyVersion: u64,
  supply: u64,
  uri: bcs.string(),
  royaltyNumerator: u64,
  royaltyDenominator: u64,
  payee: addressType,
  name: bcs.string(),
  description: bcs.string(),
  properties: bcs.vector(propertyType),
  mutable: bcs.struct('TokenMutabilityConfig', {
    maximum: bcs.bool(),
    uri: bcs.bool(),
    royalty: bcs.bool(),
    description: bcs.bool(),
    properties: bcs.bool(),
  }),
});
export type BcsTokenData = typeof tokenDataType.$inferType;

/** Counts the bytes that were read, which `BcsReader` does not expose. */
class CountingBcsReader extends BcsReader {
  bytesRead = 0;

  override shift(bytes: number): this {
    this.bytesRead += bytes;
    return super.shift(bytes);
  }
}

/** The value of hex bytes; `null` when they are malformed or longer than the value. */
export function decodeBcs<T>(hex: unknown, type: { read(reader: BcsReader): T }): T | null {
  if (!isHex(hex) || hex.length % 2 !== 0) return null;
  const bytes = hexToBytes(hex);
  const reader = new CountingBcsReader(bytes);
  try {
    const value = type.read(reader);
    return reader.bytesRead === bytes.length ? value : null;
  } catch {
    return null; // the library throws errors of several classes for malformed bytes
  }
}
