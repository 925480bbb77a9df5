// Tokens of the 0x3 framework, as events, table keys and table values name them.
import { hashCollectionDataId, hashTokenDataId, MAX_NAME_BYTES, truncateUtf8 } from '../derivedIds.ts';
import { asAddress, asBoolean, asString, asUnsigned, getField, type JsonValue } from '../jsonFields.ts';
import type { TokenProperties } from '../models.ts';
import {
  type BcsTokenData,
  decodeBcs,
  readToken,
  readTokenData,
  readTokenDataId,
  readTokenId,
  type TokenDataId,
  type TokenId,
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

/** The fields of a record that follow from a token's three names; shown names are cut, hashes are of the whole ones. */
export function getTokenV1Identity({ creator, collection, name }: TokenDataId) {
  return {
    tokenDataIdHash: hashTokenDataId(creator, collection, name),
    collectionDataIdHash: hashCollectionDataId(creator, collection),
    collectionName: truncateUtf8(collection, MAX_NAME_BYTES),
    creatorAddress: creator,
    name: truncateUtf8(name, MAX_NAME_BYTES),
  };
}

/** What an item of a `TokenStore` holds. Items that the node did not decode are read from their bytes. */
export interface HeldToken {
  readonly id: TokenId;
  readonly amount: bigint;
  readonly properties: TokenProperties | null;
}

export function parseHeldToken({ data, rawValue }: TableItemChange): HeldToken | null {
  if (data === null) {
    const raw = decodeBcs(rawValue, readToken);
    return raw === null ? null : { id: raw.id, amount: raw.amount, properties: flattenProperties(raw.properties) };
  }
  const value = getField(data, 'value');
  const id = parseTokenId(getField(value, 'id'));
  const amount = asUnsigned(getField(value, 'amount'));
  if (id === null || amount === null) return null;
  return { id, amount, properties: parsePropertyMap(getField(value, 'token_properties')) };
}

/** The token that a deleted item of a `TokenStore` held. */
export function parseHeldTokenId({ data, rawKey }: TableItemChange): TokenId | null {
  return data === null ? decodeBcs(rawKey, readTokenId) : parseTokenId(getField(data, 'key'));
}

/** What an item of `Collections.token_data` says. */
export interface TokenDefinition extends Omit<BcsTokenData, 'properties' | 'name' | 'payee' | 'mutable'> {
  readonly id: TokenDataId;
  readonly payee: BcsTokenData['payee'] | null;
  readonly properties: TokenProperties | null;
  readonly mutable: Readonly<Record<keyof BcsTokenData['mutable'], boolean | null>>;
}

export function parseTokenDefinition({ data, rawKey, rawValue }: TableItemChange): TokenDefinition | null {
  if (data === null) {
    const id = decodeBcs(rawKey, readTokenDataId);
    const raw = decodeBcs(rawValue, readTokenData);
    return id === null || raw === null ? null : { ...raw, id, properties: flattenProperties(raw.properties) };
  }
  const value = getField(data, 'value');
  const whole = (...path: readonly string[]) => asUnsigned(getField(value, ...path));
  const mutable = (name: string) => asBoolean(getField(value, 'mutability_config', name));
  const id = parseTokenDataId(getField(data, 'key'));
  const maximum = whole('maximum');
  const supply = whole('supply');
  if (id === null || maximum === null || supply === null) return null;
  return {
    id,
    maximum,
    supply,
    largestPropertyVersion: whole('largest_property_version') ?? 0n,
    uri: asString(getField(value, 'uri')) ?? '',
    description: asString(getField(value, 'description')) ?? '',
    royaltyNumerator: whole('royalty', 'royalty_points_numerator') ?? 0n,
    royaltyDenominator: whole('royalty', 'royalty_points_denominator') ?? 0n,
    payee: asAddress(getField(value, 'royalty', 'payee_address')),
    properties: parsePropertyMap(getField(value, 'default_properties')),
    mutable: {
      maximum: mutable('maximum'),
      uri: mutable('uri'),
      royalty: mutable('royalty'),
      description: mutable('description'),
      properties: mutable('properties'),
    },
  };
}
