// Pages of token activities and of tokens by their creators, out of the Aptos index.

import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import { addConditions, placeholders, selectUnion, type UnionBranch } from '../../store/sqlite/unionQuery.ts';
import type { AptosPageRequest, CollectionFilter, TokenActivitiesQuery, TokensByCreatorQuery } from '../aptosSource.ts';
import type { ActivityKey, TokenActivity, TokenData, TokenDataKey } from '../models.ts';
import { findActivityRowRange } from './activityRowRange.ts';
import {
  decodeIdHash,
  decodeSeconds,
  decodeTokenData,
  decodeTokenProperties,
  decodeTokenStandard,
} from './aptosEncoding.ts';
import { findAccountIds, findRowIds, type IdTables } from './idTables.ts';

/** What every row says of its token. */
export interface TokenIdentityRecord {
  readonly hash: Uint8Array;
  readonly standard: number;
  readonly name: string | null;
  readonly creator: number | null;
  readonly collection_hash: Uint8Array | null;
  readonly collection_name: string | null;
}

export const TOKEN_IDENTITY_COLUMNS =
  't.hash, t.standard, t.name, t.creator, c.hash AS collection_hash, c.name AS collection_name';

export const toTokenIdentity = (record: TokenIdentityRecord, { accounts }: IdTables) => ({
  tokenStandard: decodeTokenStandard(record.standard),
  tokenDataIdHash: decodeIdHash(record.hash),
  collectionDataIdHash: record.collection_hash === null ? null : decodeIdHash(record.collection_hash),
  collectionName: record.collection_name,
  creatorAddress: record.creator === null ? null : accounts.getValue(record.creator),
  name: record.name,
});

/** Arms with the collections that the caller wants, or does not want; rows of no known collection are of none of them. */
export function filterCollections(
  connection: SqliteConnection,
  arms: readonly UnionBranch[],
  { collections, excludedCollections: notCollections }: CollectionFilter,
): readonly UnionBranch[] {
  let filtered = arms;
  if (collections !== undefined) {
    const ids = findRowIds(connection, 'collection', collections);
    filtered = filtered.map(arm => addConditions(arm, [`+r.collection IN (${placeholders(ids)})`], ids));
  }
  const unwanted = notCollections === undefined ? [] : findRowIds(connection, 'collection', notCollections);
  if (unwanted.length === 0) return filtered;
  const where = `(r.collection IS NULL OR +r.collection NOT IN (${placeholders(unwanted)}))`;
  return filtered.map(arm => addConditions(arm, [where], unwanted));
}

interface ActivityRecord extends TokenIdentityRecord {
  readonly version: number;
  readonly event: number;
  readonly time: number;
  readonly type: number;
  readonly account: number | null;
  readonly creation: string | null;
  readonly sequence: string | null;
  readonly sender: number | null;
  readonly recipient: number | null;
  readonly property_version: string;
  readonly amount: string;
}

export function queryTokenActivities(
  connection: SqliteConnection,
  numbers: IdTables,
  { wallets, ...filter }: TokenActivitiesQuery,
  { limit, offset, after }: AptosPageRequest<ActivityKey>,
): readonly TokenActivity[] {
  const ids = findAccountIds(numbers, wallets);
  const marks = placeholders(ids);
  const sent = ids.map(id => ({ index: 'token_sender', where: ['r.sender = ?'], values: [id] }));
  // What one of them sent to another is a row of the sender already.
  const received = ids.map(id => ({
    index: 'token_recipient',
    where: ['r.recipient = ?', `(r.sender IS NULL OR +r.sender NOT IN (${marks}))`],
    values: [id, ...ids],
  }));
  const { from, below } = findActivityRowRange(connection, 'token_activity', {}, after);
  const arms = filterCollections(connection, [...sent, ...received], filter).map(arm =>
    addConditions(arm, ['r.id >= ?', 'r.id < ?'], [from, below]),
  );
  const query = {
    table: 'token_activity',
    columns: `r.id AS place, r.version, r.event, r.time, r.type, r.account, r.creation, r.sequence, r.sender, r.recipient,
      r.property_version, r.amount, ${TOKEN_IDENTITY_COLUMNS}`,
    join: 'JOIN token AS t ON t.id = r.token LEFT JOIN collection AS c ON c.id = t.collection',
    order: 'place DESC',
  };
  const { accounts, names } = numbers;
  const account = (id: number | null) => (id === null ? null : accounts.getValue(id));
  return selectUnion<ActivityRecord>(connection, query, arms, limit, offset).map(record => ({
    ...toTokenIdentity(record, numbers),
    transactionVersion: BigInt(record.version),
    eventIndex: record.event,
    transactionTimestamp: decodeSeconds(record.time),
    eventAccountAddress: account(record.account),
    eventCreationNumber: record.creation === null ? null : BigInt(record.creation),
    eventSequenceNumber: record.sequence === null ? null : BigInt(record.sequence),
    fromAddress: account(record.sender),
    toAddress: account(record.recipient),
    propertyVersion: BigInt(record.property_version),
    tokenAmount: BigInt(record.amount),
    transferType: names.getValue(record.type),
  }));
}

interface DataRecord extends TokenIdentityRecord {
  readonly version: number;
  readonly time: number;
  readonly properties: string | null;
  readonly data: string;
}

export function queryTokensByCreator(
  connection: SqliteConnection,
  numbers: IdTables,
  { creators }: TokensByCreatorQuery,
  { limit, offset, after }: AptosPageRequest<TokenDataKey>,
): readonly TokenData[] {
  let arms: readonly UnionBranch[] = findAccountIds(numbers, creators).map(id => ({
    index: 'token_creator',
    where: ['r.creator = ?', 'r.version IS NOT NULL'],
    values: [id],
  }));
  if (after !== undefined) {
    const [token = 0] = findRowIds(connection, 'token', [after.tokenDataIdHash]);
    const key = [Number(after.lastTransactionVersion), token];
    arms = arms.map(arm => addConditions(arm, ['(r.version, r.id) < (?, ?)'], key));
  }
  const query = {
    table: 'token',
    columns: `r.id AS place, r.version AS version, r.time, r.properties, r.data, r.hash, r.standard, r.name, r.creator,
      c.hash AS collection_hash, c.name AS collection_name`,
    join: 'LEFT JOIN collection AS c ON c.id = r.collection',
    order: 'version DESC, place DESC',
  };
  return selectUnion<DataRecord>(connection, query, arms, limit, offset).map(record => {
    return {
      ...toTokenIdentity(record, numbers),
      ...decodeTokenData(record.data),
      defaultProperties: decodeTokenProperties(record.properties),
      lastTransactionVersion: BigInt(record.version),
      lastTransactionTimestamp: decodeSeconds(record.time),
    };
  });
}
