// Tokens of the 0x4 framework: what objects of the changes say of tokens and their collections, completed from memory.

import type { Hex } from '../../../base/hex.ts';
import { MAX_NAME_BYTES, MAX_URI_BYTES, truncateUtf8 } from '../derivedIds.ts';
import {
  asAddress,
  asBoolean,
  asObjectAddress,
  asString,
  asUnsigned,
  getField,
  type JsonObject,
} from '../jsonFields.ts';
import type { TokenProperties } from '../models.ts';
import type { Mutability, ObjectCollection, ObjectTokenName, PriorState, Royalty } from './priorState.ts';
import { parsePropertyMap } from './propertyMap.ts';
import type { ObjectResources, WriteSetChanges } from './writeSetChanges.ts';

export interface ObjectToken extends ObjectTokenName {
  readonly description: string | null;
  readonly uri: string | null;
  readonly properties: TokenProperties | null;
  readonly royalty: Royalty | null;
}

function royaltyOf(royalty: JsonObject | null): Royalty | null {
  if (royalty === null) return null;
  return {
    payee: asAddress(getField(royalty, 'payee_address')),
    numerator: asUnsigned(getField(royalty, 'numerator')),
    denominator: asUnsigned(getField(royalty, 'denominator')),
  };
}

function mutabilityOf(data: JsonObject | null): Mutability | null {
  if (data === null) return null;
  const flag = (name: string) => asBoolean(getField(data, `mutable_token_${name}`));
  return {
    uri: flag('uri'),
    description: flag('description'),
    properties: flag('properties'),
    royalty: asBoolean(getField(data, 'mutable_royalty')),
  };
}

const cut = (text: string | null, most: number): string | null => (text === null ? null : truncateUtf8(text, most));

/** `null` when the object is no token. Since names are counted in parallel, the name is in `TokenIdentifiers`. */
export function parseObjectToken({ token, identifiers, properties, royalty }: ObjectResources): ObjectToken | null {
  if (token === null) return null;
  return {
    collection: asObjectAddress(getField(token, 'collection')),
    name: cut(asString(getField(identifiers, 'name', 'value')) ?? asString(getField(token, 'name')), MAX_NAME_BYTES),
    description: asString(getField(token, 'description')),
    uri: cut(asString(getField(token, 'uri')), MAX_URI_BYTES),
    properties: parsePropertyMap(properties ?? undefined),
    royalty: royaltyOf(royalty),
  };
}

export function getObjectCollection(
  address: Hex,
  changes: WriteSetChanges,
  memory: PriorState,
): ObjectCollection | null {
  const state = changes.objects.get(address);
  const before = memory.getCollection(address);
  if (state === undefined || state.collection === null) return before;
  return {
    creator: asAddress(getField(state.collection, 'creator')),
    name: cut(asString(getField(state.collection, 'name')), MAX_NAME_BYTES),
    royalty: royaltyOf(state.royalty),
    mutability: mutabilityOf(state.mutability),
  };
}

export function getObjectTokenName(address: Hex, changes: WriteSetChanges, memory: PriorState): ObjectTokenName | null {
  const state = changes.objects.get(address);
  return (state === undefined ? null : parseObjectToken(state)) ?? memory.getToken(address);
}

/** The fields of a record that follow from a token's object and its collection. */
export function getObjectTokenIdentity(address: Hex, changes: WriteSetChanges, memory: PriorState) {
  const token = getObjectTokenName(address, changes, memory);
  const collection = token?.collection ?? null;
  const known = collection === null ? null : getObjectCollection(collection, changes, memory);
  return {
    tokenDataIdHash: address.slice(2),
    collectionDataIdHash: collection?.slice(2) ?? null,
    collectionName: known?.name ?? null,
    creatorAddress: known?.creator ?? null,
    name: token?.name ?? null,
  };
}
