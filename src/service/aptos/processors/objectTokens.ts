// Tokens and collections of the 0x4 framework, from the objects of a transaction and from the prior state.
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

function parseRoyalty(royalty: JsonObject | null): Royalty | null {
  if (royalty === null) return null;
  return {
    payee: asAddress(getField(royalty, 'payee_address')),
    numerator: asUnsigned(getField(royalty, 'numerator')),
    denominator: asUnsigned(getField(royalty, 'denominator')),
  };
}

function parseMutability(data: JsonObject | null): Mutability | null {
  if (data === null) return null;
  const isMutable = (name: string) => asBoolean(getField(data, `mutable_token_${name}`));
  return {
    uri: isMutable('uri'),
    description: isMutable('description'),
    properties: isMutable('properties'),
    royalty: asBoolean(getField(data, 'mutable_royalty')),
  };
}

const truncate = (text: string | null, maxBytes: number): string | null =>
  text === null ? null : truncateUtf8(text, maxBytes);

/** `null` when the object is not a token. Newer tokens have their name in `TokenIdentifiers`. */
export function parseObjectToken({ token, identifiers, properties, royalty }: ObjectResources): ObjectToken | null {
  if (token === null) return null;
  return {
    collection: asObjectAddress(getField(token, 'collection')),
    name: truncate(
      asString(getField(identifiers, 'name', 'value')) ?? asString(getField(token, 'name')),
      MAX_NAME_BYTES,
    ),
    description: asString(getField(token, 'description')),
    uri: truncate(asString(getField(token, 'uri')), MAX_URI_BYTES),
    properties: parsePropertyMap(properties),
    royalty: parseRoyalty(royalty),
  };
}

export function getObjectCollection(
  address: Hex,
  changes: WriteSetChanges,
  priorState: PriorState,
): ObjectCollection | null {
  const resources = changes.objects.get(address);
  if (resources === undefined || resources.collection === null) return priorState.getCollection(address);
  return {
    creator: asAddress(getField(resources.collection, 'creator')),
    name: truncate(asString(getField(resources.collection, 'name')), MAX_NAME_BYTES),
    royalty: parseRoyalty(resources.royalty),
    mutability: parseMutability(resources.mutability),
  };
}

function getObjectTokenName(address: Hex, changes: WriteSetChanges, priorState: PriorState): ObjectTokenName | null {
  const resources = changes.objects.get(address);
  return (resources === undefined ? null : parseObjectToken(resources)) ?? priorState.getToken(address);
}

/** The columns that identify a token, from its object and its collection. */
export function getObjectTokenIdentity(address: Hex, changes: WriteSetChanges, priorState: PriorState) {
  const token = getObjectTokenName(address, changes, priorState);
  const collectionAddress = token?.collection ?? null;
  const collection = collectionAddress === null ? null : getObjectCollection(collectionAddress, changes, priorState);
  return {
    tokenDataIdHash: address.slice(2),
    collectionDataIdHash: collectionAddress?.slice(2) ?? null,
    collectionName: collection?.name ?? null,
    creatorAddress: collection?.creator ?? null,
    name: token?.name ?? null,
  };
}
