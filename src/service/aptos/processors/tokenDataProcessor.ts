// The state of tokens after a transaction: 0x3 tokens from the tables of their creators, 0x4 tokens from objects.
import { MAX_URI_BYTES, truncateUtf8 } from '../derivedIds.ts';
import { getField } from '../jsonFields.ts';
import type { TokenData } from '../models.ts';
import { getObjectCollection, getObjectTokenIdentity, parseObjectToken } from './objectTokens.ts';
import { getTokenV1Identity, parseTokenDefinition } from './tokenV1.ts';
import type { TransactionContext } from './transactionContext.ts';
import type { TableItemChange } from './writeSetChanges.ts';

const TOKEN_DATA_TYPE = '0x3::token::TokenData';

/** By the type that the node decoded, or else by the resource to which the table belongs. */
function isTokenDataItem({ data, handle }: TableItemChange, { changes, priorState }: TransactionContext): boolean {
  if (data !== null) return getField(data, 'value_type') === TOKEN_DATA_TYPE;
  return (changes.tokenTables.get(handle) ?? priorState.getTokenTable(handle))?.kind === 'tokenData';
}

export function processTokenDatas(context: TransactionContext): readonly TokenData[] {
  const { transactionVersion, transactionTimestamp } = context.position;
  const lastChange = { lastTransactionVersion: transactionVersion, lastTransactionTimestamp: transactionTimestamp };
  const rows: TokenData[] = [];
  for (const item of context.changes.tableItems) {
    // When the last edition of a token is burned, its item is deleted, but its row remains, as in the official tables.
    if (item.isDeleted || !isTokenDataItem(item, context)) continue;
    const token = parseTokenDefinition(item);
    if (token === null) {
      context.reportSkipped('a token data that could not be parsed');
      continue;
    }
    rows.push({
      ...lastChange,
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
  for (const [address, resources] of context.changes.objects) {
    const token = parseObjectToken(resources);
    if (token === null) continue;
    const collection =
      token.collection === null ? null : getObjectCollection(token.collection, context.changes, context.priorState);
    const royalty = token.royalty ?? collection?.royalty ?? null;
    rows.push({
      ...lastChange,
      tokenStandard: 'v2',
      ...getObjectTokenIdentity(address, context.changes, context.priorState),
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
