// How Aptos values are written in the index: standards and table kinds as numbers, data of tokens as JSON.
import type { Hex } from '../../../base/hex.ts';
import { packHex, unpackHex } from '../../store/encoding.ts';
import type { Properties, Standard, TokenData } from '../models.ts';
import type { KnownCollection, TableKind } from '../processors/priorState.ts';

const STANDARDS: readonly Standard[] = ['v1', 'v2'];
const KINDS: readonly TableKind[] = ['tokens', 'tokenData', 'claims'];

export const packStandard = (standard: Standard): number => STANDARDS.indexOf(standard);
export const unpackStandard = (number: number): Standard => STANDARDS[number] ?? 'v1';
export const packKind = (kind: TableKind): number => KINDS.indexOf(kind);
export const unpackKind = (number: number): TableKind => KINDS[number] ?? 'claims';

/** Ids have no `0x`. */
export const packId = (id: string): Buffer => packHex(`0x${id}`, 32);
export const unpackId = (bytes: Uint8Array): string => unpackHex(bytes).slice(2);
export const packAddress = (address: Hex): Buffer => packHex(address, 32);

/** Seconds; rows have whole ones. */
export const packTime = (time: Date): number => Math.floor(time.getTime() / 1000);
export const unpackTime = (seconds: number): Date => new Date(seconds * 1000);

export const packProperties = (properties: Properties | null): string | null =>
  properties === null ? null : JSON.stringify(properties);
export const unpackProperties = (text: string | null): Properties | null =>
  text === null ? null : (JSON.parse(text) as Properties);

/** What only the list by creators shows. */
export type StoredData = Omit<
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

export const packData = (data: StoredData): string =>
  JSON.stringify({
    ...data,
    largestPropertyVersion: print(data.largestPropertyVersion),
    maximum: print(data.maximum),
    supply: print(data.supply),
    royaltyPointsNumerator: print(data.royaltyPointsNumerator),
    royaltyPointsDenominator: print(data.royaltyPointsDenominator),
  } satisfies Plain<StoredData>);

export function unpackData(text: string): StoredData {
  const data = JSON.parse(text) as Plain<StoredData>;
  return {
    ...data,
    largestPropertyVersion: whole(data.largestPropertyVersion),
    maximum: whole(data.maximum),
    supply: whole(data.supply),
    royaltyPointsNumerator: whole(data.royaltyPointsNumerator),
    royaltyPointsDenominator: whole(data.royaltyPointsDenominator),
  };
}

export type Terms = Pick<KnownCollection, 'royalty' | 'mutability'>;

export function packTerms({ royalty, mutability }: Terms): string {
  const plain = royalty && {
    ...royalty,
    numerator: print(royalty.numerator),
    denominator: print(royalty.denominator),
  };
  return JSON.stringify({ royalty: plain, mutability });
}

export function unpackTerms(text: string): Terms {
  const { royalty, mutability } = JSON.parse(text) as {
    royalty: Plain<NonNullable<Terms['royalty']>> | null;
    mutability: Terms['mutability'];
  };
  const exact = royalty && {
    ...royalty,
    numerator: whole(royalty.numerator),
    denominator: whole(royalty.denominator),
  };
  return { royalty: exact, mutability };
}
