// Queries for pages of token activities, and of tokens by creator, in the Aptos index.
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import { addRange } from '../../store/sqlite/rowIds.ts';
import { addConditions, placeholders, selectUnion, type UnionBranch } from '../../store/sqlite/unionQuery.ts';
import type { CollectionFilter } from '../aptosSource.ts';
import { type ActivityRecord, findActivityIds, JOIN_TRANSACTION, toActivity } from './activityIds.ts';
import {
  decodeIdHash,
  decodeSeconds,
  decodeTokenData,
  decodeTokenProperties,
  decodeTokenStandard,
  type StoredInteger,
} from './aptosEncoding.ts';
import { findAccountIds, findRowIds, type IdTables, type ReadList } from './idTables.ts';

/** The columns that identify a token in all queries. */
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
  creatorAddress: accounts.resolveOptional(record.creator),
  name: record.name,
});

/** Branches limited to some collections, or without some. A row without a collection is not excluded. */
export function filterCollections(
  connection: SqliteConnection,
  branches: readonly UnionBranch[],
  { collections, excludedCollections }: CollectionFilter,
): readonly UnionBranch[] {
  let filtered = branches;
  if (collections !== undefined) {
    const ids = findRowIds(connection, 'collection', collections);
    filtered = filtered.map(branch => addConditions(branch, [`+r.collection IN (${placeholders(ids)})`], ids));
  }
  const excluded = excludedCollections === undefined ? [] : findRowIds(connection, 'collection', excludedCollections);
  if (excluded.length === 0) return filtered;
  const where = `(r.collection IS NULL OR +r.collection NOT IN (${placeholders(excluded)}))`;
  return filtered.map(branch => addConditions(branch, [where], excluded));
}

interface TokenActivityRecord extends ActivityRecord, TokenIdentityRecord {
  readonly type: number;
  readonly sender: number | null;
  readonly recipient: number | null;
  readonly property_version: StoredInteger;
}

export const readTokenActivities: ReadList<'tokenActivities'> = (
  { connection, idTables },
  { wallets, ...filter },
  { limit, offset, after },
) => {
  const ids = findAccountIds(idTables, wallets);
  const sent = ids.map(id => ({ index: 'token_sender', where: ['r.sender = ?'], values: [id] }));
  // A transfer between two of the wallets is already in the branch of the sender.
  const received = ids.map(id => ({
    index: 'token_recipient',
    where: ['r.recipient = ?', `(r.sender IS NULL OR +r.sender NOT IN (${placeholders(ids)}))`],
    values: [id, ...ids],
  }));
  const branches = addRange(
    filterCollections(connection, [...sent, ...received], filter),
    findActivityIds(connection, {}, after),
  );
  const query = {
    table: 'token_activity',
    columns: `r.id AS id, m.time, r.type, r.account, r.creation, r.sequence, r.sender, r.recipient, r.property_version,
      r.amount, ${TOKEN_IDENTITY_COLUMNS}`,
    join: `${JOIN_TRANSACTION} JOIN token AS t ON t.id = r.token LEFT JOIN collection AS c ON c.id = t.collection`,
    order: 'id DESC',
  };
  const { accounts, names } = idTables;
  return selectUnion<TokenActivityRecord>(connection, query, branches, limit, offset).map(record => ({
    ...toTokenIdentity(record, idTables),
    ...toActivity(record, idTables),
    fromAddress: accounts.resolveOptional(record.sender),
    toAddress: accounts.resolveOptional(record.recipient),
    propertyVersion: BigInt(record.property_version),
    tokenAmount: BigInt(record.amount),
    transferType: names.resolve(record.type),
  }));
};

interface TokenDataRecord extends TokenIdentityRecord {
  readonly version: number;
  readonly time: number;
  readonly properties: string | null;
  readonly data: string;
}

export const readTokensByCreator: ReadList<'tokensByCreator'> = (
  { connection, idTables },
  { creators },
  { limit, offset, after },
) => {
  let branches: readonly UnionBranch[] = findAccountIds(idTables, creators).map(id => ({
    index: 'token_creator',
    where: ['r.creator = ?', 'r.version IS NOT NULL'],
    values: [id],
  }));
  if (after !== undefined) {
    const [token = 0] = findRowIds(connection, 'token', [after.tokenDataIdHash]);
    const key = [Number(after.lastTransactionVersion), token];
    branches = branches.map(branch => addConditions(branch, ['(r.version, r.id) < (?, ?)'], key));
  }
  const query = {
    table: 'token',
    columns: `r.id AS row_id, r.version AS version, r.time, r.properties, r.data, r.hash, r.standard, r.name, r.creator,
      c.hash AS collection_hash, c.name AS collection_name`,
    join: 'LEFT JOIN collection AS c ON c.id = r.collection',
    order: 'version DESC, row_id DESC',
  };
  return selectUnion<TokenDataRecord>(connection, query, branches, limit, offset).map(record => {
    return {
      ...toTokenIdentity(record, idTables),
      ...decodeTokenData(record.data),
      defaultProperties: decodeTokenProperties(record.properties),
      lastTransactionVersion: BigInt(record.version),
      lastTransactionTimestamp: decodeSeconds(record.time),
    };
  });
};
