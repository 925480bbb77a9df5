// Tokens of the 0x3 framework as they appear in events, table keys and table values.
import { hashCollectionDataId, hashTokenDataId, MAX_NAME_BYTES, truncateUtf8 } from '../derivedIds.ts';
import { asAddress, asBoolean, asString, asUnsigned, getField, type JsonValue } from '../jsonFields.ts';
import type { TokenProperties } from '../models.ts';
import {
  type BcsTokenData,
  decodeBcs,
  type TokenDataId,
  type TokenId,
  tokenDataIdType,
  tokenDataType,
  tokenIdType,
  tokenType,
} from './bcs.ts';
import { flattenProperties, parsePropertyMap } from './propertyMap.ts';
import type { TableItemChange } from './writeSetChanges.ts';

export function parseTokenDataId(value: JsonValue): TokenDataId | null {
  const creator = asAddress(getField(value, 'creator'));
  const collection = asString(getField(value, 'collection'));
  const name = asString(getField(value, 'name'));
  return creator === null || collection === null || name === null ? null : { creator, collection, name };
}

export function parseTokenId(value: JsonValue): TokenId | null {
  const id = parseTokenDataId(getField(value, 'token_data_id'));
  const propertyVersion = asUnsigned(getField(value, 'property_version'));
  return id === null || propertyVersion === null ? null : { ...id, propertyVersion };
}

/** The columns that identify a token: hashes of the complete names, and the truncated names. */
export function getTokenV1Identity({ creator, collection, name }: TokenDataId) {
  return {
    tokenDataIdHash: hashTokenDataId(creator, collection, name),
    collectionDataIdHash: hashCollectionDataId(creator, collection),
    collectionName: truncateUtf8(collection, MAX_NAME_BYTES),
    creatorAddress: creator,
    name: truncateUtf8(name, MAX_NAME_BYTES),
  };
}

/** The value of an item of a `TokenStore`. */
export interface HeldToken {
  readonly id: TokenId;
  readonly amount: bigint;
  readonly properties: TokenProperties | null;
}

export function parseHeldToken({ data, rawValue }: TableItemChange): HeldToken | null {
  if (data === null) {
    const token = decodeBcs(rawValue, tokenType);
    return token === null
      ? null
      : { id: token.id, amount: token.amount, properties: flattenProperties(token.properties) };
  }
  const value = getField(data, 'value');
  const id = parseTokenId(getField(value, 'id'));
  const amount = asUnsigned(getField(value, 'amount'));
  if (id === null || amount === null) return null;
  return { id, amount, properties: parsePropertyMap(getField(value, 'token_properties')) };
}

/** The key of an item of a `TokenStore`: all that is left of a deleted item. */
export function parseHeldTokenId({ data, rawKey }: TableItemChange): TokenId | null {
  return data === null ? decodeBcs(rawKey, tokenIdType) : parseTokenId(getField(data, 'key'));
}

/** An item of `Collections.token_data`. */
export interface TokenDefinition extends Omit<BcsTokenData, 'properties' | 'name' | 'payee' | 'mutable'> {
  readonly id: TokenDataId;
  readonly payee: BcsTokenData['payee'] | null;
  readonly properties: TokenProperties | null;
  readonly mutable: Readonly<Record<keyof BcsTokenData['mutable'], boolean | null>>;
}

export function parseTokenDefinition({ data, rawKey, rawValue }: TableItemChange): TokenDefinition | null {
  if (data === null) {
    const id = decodeBcs(rawKey, tokenDataIdType);
    const tokenData = decodeBcs(rawValue, tokenDataType);
    return id === null || tokenData === null
      ? null
      : { ...tokenData, id, properties: flattenProperties(tokenData.properties) };
  }
  const value = getField(data, 'value');
  const getUnsigned = (...path: readonly string[]) => asUnsigned(getField(value, ...path));
  const isMutable = (field: string) => asBoolean(getField(value, 'mutability_config', field));
  const id = parseTokenDataId(getField(data, 'key'));
  const maximum = getUnsigned('maximum');
  const supply = getUnsigned('supply');
  if (id === null || maximum === null || supply === null) return null;
  return {
    id,
    maximum,
    supply,
    largestPropertyVersion: getUnsigned('largest_property_version') ?? 0n,
    uri: asString(getField(value, 'uri')) ?? '',
    description: asString(getField(value, 'description')) ?? '',
    royaltyNumerator: getUnsigned('royalty', 'royalty_points_numerator') ?? 0n,
    royaltyDenominator: getUnsigned('royalty', 'royalty_points_denominator') ?? 0n,
    payee: asAddress(getField(value, 'royalty', 'payee_address')),
    properties: parsePropertyMap(getField(value, 'default_properties')),
    mutable: {
      maximum: isMutable('maximum'),
      uri: isMutable('uri'),
      royalty: isMutable('royalty'),
      description: isMutable('description'),
      properties: isMutable('properties'),
    },
  };
}
