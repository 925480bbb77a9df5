// Tokens of the 0x3 framework, as events, table keys and table values name them.
import { collectionDataIdHash, cutText, LONGEST_NAME, tokenDataIdHash } from '../derivedIds.ts';
import { addressOf, at, boolOf, textOf, type Value, wholeOf } from '../jsonFields.ts';
import type { Properties } from '../models.ts';
import {
  type RawTokenData,
  readBcs,
  type TokenDataId,
  type TokenId,
  tokenDataIdIn,
  tokenDataIn,
  tokenIdIn,
  tokenIn,
} from './bcs.ts';
import { flatProperties, propertiesOf } from './propertyMap.ts';
import type { TableItem } from './writeSetChanges.ts';

export function tokenDataIdOf(value: Value): TokenDataId | null {
  const creator = addressOf(at(value, 'creator'));
  const collection = textOf(at(value, 'collection'));
  const name = textOf(at(value, 'name'));
  return creator === null || collection === null || name === null ? null : { creator, collection, name };
}

export function tokenIdOf(value: Value): TokenId | null {
  const id = tokenDataIdOf(at(value, 'token_data_id'));
  const propertyVersion = wholeOf(at(value, 'property_version'));
  return id === null || propertyVersion === null ? null : { ...id, propertyVersion };
}

/** The fields of a record that follow from a token's three names; shown names are cut, hashes are of the whole ones. */
export function namesOf({ creator, collection, name }: TokenDataId) {
  return {
    tokenDataIdHash: tokenDataIdHash(creator, collection, name),
    collectionDataIdHash: collectionDataIdHash(creator, collection),
    collectionName: cutText(collection, LONGEST_NAME),
    creatorAddress: creator,
    name: cutText(name, LONGEST_NAME),
  };
}

/** What an item of a `TokenStore` holds. Items that the node did not decode are read from their bytes. */
export interface HeldToken {
  readonly id: TokenId;
  readonly amount: bigint;
  readonly properties: Properties | null;
}

export function heldTokenOf({ data, rawValue }: TableItem): HeldToken | null {
  if (data === null) {
    const raw = readBcs(rawValue, tokenIn);
    return raw === null ? null : { id: raw.id, amount: raw.amount, properties: flatProperties(raw.properties) };
  }
  const value = at(data, 'value');
  const id = tokenIdOf(at(value, 'id'));
  const amount = wholeOf(at(value, 'amount'));
  if (id === null || amount === null) return null;
  return { id, amount, properties: propertiesOf(at(value, 'token_properties')) };
}

/** The token that a deleted item of a `TokenStore` held. */
export function heldKeyOf({ data, rawKey }: TableItem): TokenId | null {
  return data === null ? readBcs(rawKey, tokenIdIn) : tokenIdOf(at(data, 'key'));
}

/** What an item of `Collections.token_data` says. */
export interface DefinedToken extends Omit<RawTokenData, 'properties' | 'name' | 'payee' | 'mutable'> {
  readonly id: TokenDataId;
  readonly payee: RawTokenData['payee'] | null;
  readonly properties: Properties | null;
  readonly mutable: Readonly<Record<keyof RawTokenData['mutable'], boolean | null>>;
}

export function definedTokenOf({ data, rawKey, rawValue }: TableItem): DefinedToken | null {
  if (data === null) {
    const id = readBcs(rawKey, tokenDataIdIn);
    const raw = readBcs(rawValue, tokenDataIn);
    return id === null || raw === null ? null : { ...raw, id, properties: flatProperties(raw.properties) };
  }
  const value = at(data, 'value');
  const whole = (...path: readonly string[]) => wholeOf(at(value, ...path));
  const mutable = (name: string) => boolOf(at(value, 'mutability_config', name));
  const id = tokenDataIdOf(at(data, 'key'));
  const maximum = whole('maximum');
  const supply = whole('supply');
  if (id === null || maximum === null || supply === null) return null;
  return {
    id,
    maximum,
    supply,
    largestPropertyVersion: whole('largest_property_version') ?? 0n,
    uri: textOf(at(value, 'uri')) ?? '',
    description: textOf(at(value, 'description')) ?? '',
    royaltyNumerator: whole('royalty', 'royalty_points_numerator') ?? 0n,
    royaltyDenominator: whole('royalty', 'royalty_points_denominator') ?? 0n,
    payee: addressOf(at(value, 'royalty', 'payee_address')),
    properties: propertiesOf(at(value, 'default_properties')),
    mutable: {
      maximum: mutable('maximum'),
      uri: mutable('uri'),
      royalty: mutable('royalty'),
      description: mutable('description'),
      properties: mutable('properties'),
    },
  };
}
