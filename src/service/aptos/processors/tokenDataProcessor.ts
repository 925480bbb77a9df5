// What tokens are after one transaction: of 0x3 from the table of their creator, of 0x4 from their objects.
import { cutText, LONGEST_URI } from '../derivedIds.ts';
import { at } from '../jsonFields.ts';
import type { TokenData } from '../models.ts';
import { collectionAt, objectNames, objectTokenOf } from './objectTokens.ts';
import { definedTokenOf, namesOf } from './tokenV1.ts';
import type { Scene } from './transactionContext.ts';
import type { TableItem } from './writeSetChanges.ts';

const TOKEN_DATA = '0x3::token::TokenData';

/** A node that decodes says the type; else whose table it is says it. */
export function isTokenData({ data, handle }: TableItem, { changes, memory }: Scene): boolean {
  if (data !== null) return at(data, 'value_type') === TOKEN_DATA;
  return (changes.tables.get(handle) ?? memory.table(handle))?.kind === 'tokenData';
}

export function tokenDatas(scene: Scene): readonly TokenData[] {
  const { transactionVersion, transactionTimestamp } = scene.placed;
  const last = { lastTransactionVersion: transactionVersion, lastTransactionTimestamp: transactionTimestamp };
  const rows: TokenData[] = [];
  for (const item of scene.changes.items) {
    // A token whose last edition was burned leaves the table; its row stays as it was, as in the official tables.
    if (item.deleted || !isTokenData(item, scene)) continue;
    const token = definedTokenOf(item);
    if (token === null) {
      scene.leaveOut('a token data that can not be read');
      continue;
    }
    rows.push({
      ...last,
      tokenStandard: 'v1',
      ...namesOf(token.id),
      description: token.description,
      metadataUri: cutText(token.uri, LONGEST_URI),
      defaultProperties: token.properties,
      largestPropertyVersion: token.largestPropertyVersion,
      maximum: token.maximum,
      supply: token.supply,
      payeeAddress: token.payee,
      royaltyPointsNumerator: token.royaltyNumerator,
      royaltyPointsDenominator: token.royaltyDenominator,
      maximumMutable: token.mutable.maximum,
      uriMutable: token.mutable.uri,
      descriptionMutable: token.mutable.description,
      propertiesMutable: token.mutable.properties,
      royaltyMutable: token.mutable.royalty,
    });
  }
  for (const [address, state] of scene.changes.objects) {
    const token = objectTokenOf(state);
    if (token === null) continue;
    const collection = token.collection === null ? null : collectionAt(token.collection, scene.changes, scene.memory);
    const royalty = token.royalty ?? collection?.royalty ?? null;
    rows.push({
      ...last,
      tokenStandard: 'v2',
      ...objectNames(address, scene.changes, scene.memory),
      description: token.description,
      metadataUri: token.uri,
      defaultProperties: token.properties,
      largestPropertyVersion: null,
      maximum: null,
      supply: null,
      payeeAddress: royalty?.payee ?? null,
      royaltyPointsNumerator: royalty?.numerator ?? null,
      royaltyPointsDenominator: royalty?.denominator ?? null,
      maximumMutable: null,
      uriMutable: collection?.mutability?.uri ?? null,
      descriptionMutable: collection?.mutability?.description ?? null,
      propertiesMutable: collection?.mutability?.properties ?? null,
      royaltyMutable: collection?.mutability?.royalty ?? null,
    });
  }
  return rows;
}
