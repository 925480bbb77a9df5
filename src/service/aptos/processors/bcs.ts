// Table items as nodes give them when they do not decode: BCS bytes of the 0x3 token structs.
import { bytesToHex, type Hex, hexToBytes, isHex } from '../../../base/hex.ts';

/** The bytes are not what the struct says. */
class Malformed extends Error {
  override readonly name = 'Malformed';
}

export interface TokenDataId {
  readonly creator: Hex;
  readonly collection: string;
  readonly name: string;
}

export interface TokenId extends TokenDataId {
  readonly propertyVersion: bigint;
}

export interface BcsProperty {
  readonly key: string;
  /** Move type as text (`u64`, `0x1::string::String`); of objects the number of the type. */
  readonly type: string | bigint;
  /** BCS bytes as hex. */
  readonly value: string;
}

export interface BcsToken {
  readonly id: TokenId;
  readonly amount: bigint;
  readonly properties: readonly BcsProperty[];
}

export interface BcsTokenData {
  readonly maximum: bigint;
  readonly largestPropertyVersion: bigint;
  readonly supply: bigint;
  readonly uri: string;
  readonly royaltyNumerator: bigint;
  readonly royaltyDenominator: bigint;
  readonly payee: Hex;
  readonly name: string;
  readonly description: string;
  readonly properties: readonly BcsProperty[];
  readonly mutable: Readonly<Record<'maximum' | 'uri' | 'royalty' | 'description' | 'properties', boolean>>;
}

export interface BcsReader {
  address(): Hex;
  text(): string;
  bytes(): Uint8Array;
  /** Little-endian, of `size` bytes. */
  unsigned(size: number): bigint;
  bool(): boolean;
  length(): number;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What `read` makes of the bytes when it uses them all; `null` when they are malformed. */
export function decodeBcs<T>(hex: unknown, read: (reader: BcsReader) => T): T | null {
  if (!isHex(hex) || hex.length % 2 !== 0) return null;
  const bytes = hexToBytes(hex);
  let offset = 0;
  const take = (count: number): Uint8Array => {
    if (count > bytes.length - offset) throw new Malformed();
    offset += count;
    return bytes.subarray(offset - count, offset);
  };
  const byte = (): number => take(1)[0] as number;
  /** ULEB128, 32 bits, shortest form only. */
  const length = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const next = byte();
      value += (next & 0x7f) * 2 ** shift;
      if (next < 0x80) {
        if ((next === 0 && shift > 0) || value > 0xffffffff) throw new Malformed();
        return value;
      }
    }
    throw new Malformed();
  };
  const reader: BcsReader = {
    address: () => bytesToHex(take(32)),
    bytes: () => take(length()),
    text() {
      try {
        return utf8.decode(take(length()));
      } catch {
        throw new Malformed();
      }
    },
    unsigned(size) {
      let value = 0n;
      for (const next of take(size).toReversed()) value = (value << 8n) | BigInt(next);
      return value;
    },
    bool() {
      const value = byte();
      if (value > 1) throw new Malformed();
      return value === 1;
    },
    length,
  };
  try {
    const value = read(reader);
    return offset === bytes.length ? value : null;
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

/** `0x3::token::TokenDataId`. */
export const readTokenDataId = (reader: BcsReader): TokenDataId => ({
  creator: reader.address(),
  collection: reader.text(),
  name: reader.text(),
});

/** `0x3::token::TokenId`. */
export const readTokenId = (reader: BcsReader): TokenId => ({
  ...readTokenDataId(reader),
  propertyVersion: reader.unsigned(8),
});

/** `0x3::property_map::PropertyMap`: a vector of key and value, where the value has its bytes before its type. */
function propertiesIn(reader: BcsReader): readonly BcsProperty[] {
  const properties: BcsProperty[] = [];
  for (let count = reader.length(); count > 0; count--) {
    const key = reader.text();
    const value = bytesToHex(reader.bytes());
    properties.push({ key, value, type: reader.text() });
  }
  return properties;
}

/** `0x3::token::Token`. */
export const readToken = (reader: BcsReader): BcsToken => ({
  id: readTokenId(reader),
  amount: reader.unsigned(8),
  properties: propertiesIn(reader),
});

/** `0x3::token::TokenData`. */
export const readTokenData = (reader: BcsReader): BcsTokenData => ({
  maximum: reader.unsigned(8),
  largestPropertyVersion: reader.unsigned(8),
  supply: reader.unsigned(8),
  uri: reader.text(),
  royaltyNumerator: reader.unsigned(8),
  royaltyDenominator: reader.unsigned(8),
  payee: reader.address(),
  name: reader.text(),
  description: reader.text(),
  properties: propertiesIn(reader),
  mutable: {
    maximum: reader.bool(),
    uri: reader.bool(),
    royalty: reader.bool(),
    description: reader.bool(),
    properties: reader.bool(),
  },
});
