// Tokens of the 0x4 framework: what objects of the changes say of tokens and their collections, completed from memory.
import type { Hex } from '../../../base/hex.ts';
import { cutText, LONGEST_NAME, LONGEST_URI } from '../derivedIds.ts';
import { addressOf, at, boolOf, referenceOf, textOf, wholeOf } from '../jsonFields.ts';
import type { Properties } from '../models.ts';
import type { JsonObject } from '../transaction.ts';
import type { KnownCollection, KnownToken, Memory, Mutability, Royalty } from './priorState.ts';
import { propertiesOf } from './propertyMap.ts';
import type { Changes, ObjectState } from './writeSetChanges.ts';

export interface ObjectToken extends KnownToken {
  readonly description: string | null;
  readonly uri: string | null;
  readonly properties: Properties | null;
  readonly royalty: Royalty | null;
}

function royaltyOf(royalty: JsonObject | null): Royalty | null {
  if (royalty === null) return null;
  return {
    payee: addressOf(at(royalty, 'payee_address')),
    numerator: wholeOf(at(royalty, 'numerator')),
    denominator: wholeOf(at(royalty, 'denominator')),
  };
}

function mutabilityOf(data: JsonObject | null): Mutability | null {
  if (data === null) return null;
  const flag = (name: string) => boolOf(at(data, `mutable_token_${name}`));
  return {
    uri: flag('uri'),
    description: flag('description'),
    properties: flag('properties'),
    royalty: boolOf(at(data, 'mutable_royalty')),
  };
}

const cut = (text: string | null, most: number): string | null => (text === null ? null : cutText(text, most));

/** `null` when the object is no token. Since names are counted in parallel, the name is in `TokenIdentifiers`. */
export function objectTokenOf({ token, identifiers, properties, royalty }: ObjectState): ObjectToken | null {
  if (token === null) return null;
  return {
    collection: referenceOf(at(token, 'collection')),
    name: cut(textOf(at(identifiers, 'name', 'value')) ?? textOf(at(token, 'name')), LONGEST_NAME),
    description: textOf(at(token, 'description')),
    uri: cut(textOf(at(token, 'uri')), LONGEST_URI),
    properties: propertiesOf(properties ?? undefined),
    royalty: royaltyOf(royalty),
  };
}

export function collectionAt(address: Hex, changes: Changes, memory: Memory): KnownCollection | null {
  const state = changes.objects.get(address);
  const before = memory.collection(address);
  if (state === undefined || state.collection === null) return before;
  return {
    creator: addressOf(at(state.collection, 'creator')),
    name: cut(textOf(at(state.collection, 'name')), LONGEST_NAME),
    royalty: royaltyOf(state.royalty),
    mutability: mutabilityOf(state.mutability),
  };
}

export function tokenAt(address: Hex, changes: Changes, memory: Memory): KnownToken | null {
  const state = changes.objects.get(address);
  return (state === undefined ? null : objectTokenOf(state)) ?? memory.token(address);
}

/** The fields of a record that follow from a token's object and its collection. */
export function objectNames(address: Hex, changes: Changes, memory: Memory) {
  const token = tokenAt(address, changes, memory);
  const collection = token?.collection ?? null;
  const known = collection === null ? null : collectionAt(collection, changes, memory);
  return {
    tokenDataIdHash: address.slice(2),
    collectionDataIdHash: collection?.slice(2) ?? null,
    collectionName: known?.name ?? null,
    creatorAddress: known?.creator ?? null,
    name: token?.name ?? null,
  };
}
