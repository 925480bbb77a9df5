// What tokens are after one transaction: of 0x3 from the table of their creator, of 0x4 from their objects.
import { MAX_URI_BYTES, truncateUtf8 } from '../derivedIds.ts';
import { getField } from '../jsonFields.ts';
import type { TokenData } from '../models.ts';
import { getObjectCollection, getObjectTokenIdentity, parseObjectToken } from './objectTokens.ts';
import { getTokenV1Identity, parseTokenDefinition } from './tokenV1.ts';
import type { TransactionContext } from './transactionContext.ts';
import type { TableItemChange } from './writeSetChanges.ts';

const TOKEN_DATA = '0x3::token::TokenData';

/** A node that decodes says the type; else whose table it is says it. */
export function isTokenDataItem(
  { data, handle }: TableItemChange,
  { changes, priorState }: TransactionContext,
): boolean {
  if (data !== null) return getField(data, 'value_type') === TOKEN_DATA;
  return (changes.tokenTables.get(handle) ?? priorState.getTokenTable(handle))?.kind === 'tokenData';
}

export function processTokenDatas(scene: TransactionContext): readonly TokenData[] {
  const { transactionVersion, transactionTimestamp } = scene.position;
  const last = { lastTransactionVersion: transactionVersion, lastTransactionTimestamp: transactionTimestamp };
  const rows: TokenData[] = [];
  for (const item of scene.changes.tableItems) {
    // A token whose last edition was burned leaves the table; its row stays as it was, as in the official tables.
    if (item.deleted || !isTokenDataItem(item, scene)) continue;
    const token = parseTokenDefinition(item);
    if (token === null) {
      scene.reportSkipped('a token data that can not be read');
      continue;
    }
    rows.push({
      ...last,
      tokenStandard: 'v1',
      ...getTokenV1Identity(token.id),
      description: token.description,
      metadataUri: truncateUtf8(token.uri, MAX_URI_BYTES),
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
    const token = parseObjectToken(state);
    if (token === null) continue;
    const collection =
      token.collection === null ? null : getObjectCollection(token.collection, scene.changes, scene.priorState);
    const royalty = token.royalty ?? collection?.royalty ?? null;
    rows.push({
      ...last,
      tokenStandard: 'v2',
      ...getObjectTokenIdentity(address, scene.changes, scene.priorState),
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
