// Encodes values for the Aptos index: standards and table kinds as numbers, token data as JSON.
import type { Hex } from '../../../base/hex.ts';
import { packHex, unpackHex } from '../../store/encoding.ts';
import type { AptosTokenStandard, TokenData, TokenProperties } from '../models.ts';
import type { ObjectCollection, TokenTableKind } from '../processors/priorState.ts';

const TOKEN_STANDARDS: readonly AptosTokenStandard[] = ['v1', 'v2'];
const TABLE_KINDS: readonly TokenTableKind[] = ['tokens', 'tokenData', 'claims'];

export const encodeTokenStandard = (standard: AptosTokenStandard): number => TOKEN_STANDARDS.indexOf(standard);
export const decodeTokenStandard = (number: number): AptosTokenStandard => TOKEN_STANDARDS[number] ?? 'v1';
export const encodeTableKind = (kind: TokenTableKind): number => TABLE_KINDS.indexOf(kind);
export const decodeTableKind = (number: number): TokenTableKind => TABLE_KINDS[number] ?? 'claims';

/** Id hashes have no `0x`. */
export const encodeIdHash = (id: string): Buffer => packHex(`0x${id}`, 32);
export const decodeIdHash = (bytes: Uint8Array): string => unpackHex(bytes).slice(2);
export const encodeAptosAddress = (address: Hex): Buffer => packHex(address, 32);

/** Unix time in seconds; rows have no fractions. */
export const encodeSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);
export const decodeSeconds = (seconds: number): Date => new Date(seconds * 1000);

/** A number of any size and sign: an integer where JavaScript reads it from SQLite exactly, else text. */
export type StoredInteger = number | string;

const MAX_SAFE_INTEGER = BigInt(Number.MAX_SAFE_INTEGER);

export const encodeInteger = (value: bigint): bigint | string => (value > MAX_SAFE_INTEGER ? value.toString() : value);
export const encodeOptionalInteger = (value: bigint | null): bigint | string | null =>
  value === null ? null : encodeInteger(value);

export const encodeTokenProperties = (properties: TokenProperties | null): string | null =>
  properties === null ? null : JSON.stringify(properties);
export const decodeTokenProperties = (text: string | null): TokenProperties | null =>
  text === null ? null : (JSON.parse(text) as TokenProperties);

/** The fields that only the list of tokens by creator shows. */
export type StoredTokenData = Omit<
  TokenData,
  | 'tokenDataIdHash'
  | 'collectionDataIdHash'
  | 'collectionName'
  | 'creatorAddress'
  | 'name'
  | 'tokenStandard'
  | 'lastTransactionVersion'
  | 'lastTransactionTimestamp'
  | 'defaultProperties'
>;

const toDecimal = (value: bigint | null): string | null => value?.toString() ?? null;
const parseDecimal = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

type WithDecimalText<T> = { readonly [K in keyof T]: bigint extends T[K] ? string | null : T[K] };

export const encodeTokenData = (data: StoredTokenData): string =>
  JSON.stringify({
    ...data,
    largestPropertyVersion: toDecimal(data.largestPropertyVersion),
    maximum: toDecimal(data.maximum),
    supply: toDecimal(data.supply),
    royaltyPointsNumerator: toDecimal(data.royaltyPointsNumerator),
    royaltyPointsDenominator: toDecimal(data.royaltyPointsDenominator),
  } satisfies WithDecimalText<StoredTokenData>);

export function decodeTokenData(text: string): StoredTokenData {
  const data = JSON.parse(text) as WithDecimalText<StoredTokenData>;
  return {
    ...data,
    largestPropertyVersion: parseDecimal(data.largestPropertyVersion),
    maximum: parseDecimal(data.maximum),
    supply: parseDecimal(data.supply),
    royaltyPointsNumerator: parseDecimal(data.royaltyPointsNumerator),
    royaltyPointsDenominator: parseDecimal(data.royaltyPointsDenominator),
  };
}

export type CollectionTerms = Pick<ObjectCollection, 'royalty' | 'mutability'>;

export function encodeCollectionTerms({ royalty, mutability }: CollectionTerms): string {
  const encodedRoyalty = royalty && {
    ...royalty,
    numerator: toDecimal(royalty.numerator),
    denominator: toDecimal(royalty.denominator),
  };
  return JSON.stringify({ royalty: encodedRoyalty, mutability });
}

export function decodeCollectionTerms(text: string): CollectionTerms {
  const { royalty, mutability } = JSON.parse(text) as {
    royalty: WithDecimalText<NonNullable<CollectionTerms['royalty']>> | null;
    mutability: CollectionTerms['mutability'];
  };
  const decodedRoyalty = royalty && {
    ...royalty,
    numerator: parseDecimal(royalty.numerator),
    denominator: parseDecimal(royalty.denominator),
  };
  return { royalty: decodedRoyalty, mutability };
}
