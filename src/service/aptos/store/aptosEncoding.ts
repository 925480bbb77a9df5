// How Aptos values are written in the index: standards and table kinds as numbers, data of tokens as JSON.
import type { Hex } from '../../../base/hex.ts';
import { packHex, unpackHex } from '../../store/encoding.ts';
import type { TokenData, TokenProperties, TokenStandard } from '../models.ts';
import type { ObjectCollection, TokenTableKind } from '../processors/priorState.ts';

const STANDARDS: readonly TokenStandard[] = ['v1', 'v2'];
const KINDS: readonly TokenTableKind[] = ['tokens', 'tokenData', 'claims'];

export const encodeTokenStandard = (standard: TokenStandard): number => STANDARDS.indexOf(standard);
export const decodeTokenStandard = (number: number): TokenStandard => STANDARDS[number] ?? 'v1';
export const encodeTableKind = (kind: TokenTableKind): number => KINDS.indexOf(kind);
export const decodeTableKind = (number: number): TokenTableKind => KINDS[number] ?? 'claims';

/** Ids have no `0x`. */
export const encodeIdHash = (id: string): Buffer => packHex(`0x${id}`, 32);
export const decodeIdHash = (bytes: Uint8Array): string => unpackHex(bytes).slice(2);
export const encodeAptosAddress = (address: Hex): Buffer => packHex(address, 32);

/** Seconds; rows have whole ones. */
export const encodeSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);
export const decodeSeconds = (seconds: number): Date => new Date(seconds * 1000);

export const encodeTokenProperties = (properties: TokenProperties | null): string | null =>
  properties === null ? null : JSON.stringify(properties);
export const decodeTokenProperties = (text: string | null): TokenProperties | null =>
  text === null ? null : (JSON.parse(text) as TokenProperties);

/** What only the list by creators shows. */
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

const print = (value: bigint | null): string | null => value?.toString() ?? null;
const whole = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

type Plain<T> = { readonly [K in keyof T]: bigint extends T[K] ? string | null : T[K] };

export const encodeTokenData = (data: StoredTokenData): string =>
  JSON.stringify({
    ...data,
    largestPropertyVersion: print(data.largestPropertyVersion),
    maximum: print(data.maximum),
    supply: print(data.supply),
    royaltyPointsNumerator: print(data.royaltyPointsNumerator),
    royaltyPointsDenominator: print(data.royaltyPointsDenominator),
  } satisfies Plain<StoredTokenData>);

export function decodeTokenData(text: string): StoredTokenData {
  const data = JSON.parse(text) as Plain<StoredTokenData>;
  return {
    ...data,
    largestPropertyVersion: whole(data.largestPropertyVersion),
    maximum: whole(data.maximum),
    supply: whole(data.supply),
    royaltyPointsNumerator: whole(data.royaltyPointsNumerator),
    royaltyPointsDenominator: whole(data.royaltyPointsDenominator),
  };
}

export type CollectionTerms = Pick<ObjectCollection, 'royalty' | 'mutability'>;

export function encodeCollectionTerms({ royalty, mutability }: CollectionTerms): string {
  const plain = royalty && {
    ...royalty,
    numerator: print(royalty.numerator),
    denominator: print(royalty.denominator),
  };
  return JSON.stringify({ royalty: plain, mutability });
}

export function decodeCollectionTerms(text: string): CollectionTerms {
  const { royalty, mutability } = JSON.parse(text) as {
    royalty: Plain<NonNullable<CollectionTerms['royalty']>> | null;
    mutability: CollectionTerms['mutability'];
  };
  const exact = royalty && {
    ...royalty,
    numerator: whole(royalty.numerator),
    denominator: whole(royalty.denominator),
  };
  return { royalty: exact, mutability };
}
