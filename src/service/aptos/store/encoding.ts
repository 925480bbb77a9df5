// How Aptos values are written in the index: standards and table kinds as numbers, data of tokens as JSON.
import type { Hex } from '../../../base/hex.ts';
import { packHex, unpackHex } from '../../store/encoding.ts';
import type { Properties, Standard, TokenData } from '../rows.ts';
import type { KnownCollection, TableKind } from '../rules/memory.ts';

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

/** bigints as `{"$":"1"}`: no other value here is an object with that one key. */
const replace = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? { $: value.toString() } : value;
const revive = (_key: string, value: unknown): unknown => {
  const digits = (value as { $?: unknown } | null)?.$;
  return typeof digits === 'string' && Object.keys(value as object).length === 1 ? BigInt(digits) : value;
};

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
> & { readonly defaultProperties: string | null };

export const packData = (data: StoredData): string => JSON.stringify(data, replace);
export const unpackData = (text: string): StoredData => JSON.parse(text, revive) as StoredData;

export type Terms = Pick<KnownCollection, 'royalty' | 'mutability'>;
export const packTerms = (terms: Terms): string => JSON.stringify(terms, replace);
export const unpackTerms = (text: string): Terms => JSON.parse(text, revive) as Terms;
