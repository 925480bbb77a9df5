// Pages of token activities and of tokens by their creators, out of the Aptos index.

import type { Connection } from '../../store/sqlite/connection.ts';
import { type Arm, narrowed, questionMarks, selectArms } from '../../store/sqlite/unionQuery.ts';
import type { AptosSlice, CollectionFilter, CreatorQuery, WalletTokenQuery } from '../aptosSource.ts';
import type { ActivityKey, TokenActivity, TokenData, TokenDataKey } from '../models.ts';
import { rowsBetween } from './activityRowRange.ts';
import { unpackData, unpackId, unpackProperties, unpackStandard, unpackTime } from './aptosEncoding.ts';
import type { Numbers } from './idTables.ts';
import { knownAccounts, knownIds } from './known.ts';

/** What every row says of its token. */
export interface NamedRecord {
  readonly hash: Uint8Array;
  readonly standard: number;
  readonly name: string | null;
  readonly creator: number | null;
  readonly collection_hash: Uint8Array | null;
  readonly collection_name: string | null;
}

export const NAMED = 't.hash, t.standard, t.name, t.creator, c.hash AS collection_hash, c.name AS collection_name';

export const namesIn = (record: NamedRecord, { accounts }: Numbers) => ({
  tokenStandard: unpackStandard(record.standard),
  tokenDataIdHash: unpackId(record.hash),
  collectionDataIdHash: record.collection_hash === null ? null : unpackId(record.collection_hash),
  collectionName: record.collection_name,
  creatorAddress: record.creator === null ? null : accounts.value(record.creator),
  name: record.name,
});

/** Arms with the collections that the caller wants, or does not want; rows of no known collection are of none of them. */
export function ofCollections(
  connection: Connection,
  arms: readonly Arm[],
  { collections, notCollections }: CollectionFilter,
): readonly Arm[] {
  let filtered = arms;
  if (collections !== undefined) {
    const ids = knownIds(connection, 'collection', collections);
    filtered = filtered.map(arm => narrowed(arm, [`+r.collection IN (${questionMarks(ids)})`], ids));
  }
  const unwanted = notCollections === undefined ? [] : knownIds(connection, 'collection', notCollections);
  if (unwanted.length === 0) return filtered;
  const where = `(r.collection IS NULL OR +r.collection NOT IN (${questionMarks(unwanted)}))`;
  return filtered.map(arm => narrowed(arm, [where], unwanted));
}

interface ActivityRecord extends NamedRecord {
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

export function tokenTransfers(
  connection: Connection,
  numbers: Numbers,
  { wallets, ...filter }: WalletTokenQuery,
  { limit, offset, after }: AptosSlice<ActivityKey>,
): readonly TokenActivity[] {
  const ids = knownAccounts(numbers, wallets);
  const marks = questionMarks(ids);
  const sent = ids.map(id => ({ index: 'token_sender', where: ['r.sender = ?'], values: [id] }));
  // What one of them sent to another is a row of the sender already.
  const received = ids.map(id => ({
    index: 'token_recipient',
    where: ['r.recipient = ?', `(r.sender IS NULL OR +r.sender NOT IN (${marks}))`],
    values: [id, ...ids],
  }));
  const { from, below } = rowsBetween(connection, 'token_activity', {}, after);
  const arms = ofCollections(connection, [...sent, ...received], filter).map(arm =>
    narrowed(arm, ['r.id >= ?', 'r.id < ?'], [from, below]),
  );
  const query = {
    table: 'token_activity',
    columns: `r.id AS place, r.version, r.event, r.time, r.type, r.account, r.creation, r.sequence, r.sender, r.recipient,
      r.property_version, r.amount, ${NAMED}`,
    join: 'JOIN token AS t ON t.id = r.token LEFT JOIN collection AS c ON c.id = t.collection',
    order: 'place DESC',
  };
  const { accounts, names } = numbers;
  const account = (id: number | null) => (id === null ? null : accounts.value(id));
  return selectArms<ActivityRecord>(connection, query, arms, limit, offset).map(record => ({
    ...namesIn(record, numbers),
    transactionVersion: BigInt(record.version),
    eventIndex: record.event,
    transactionTimestamp: unpackTime(record.time),
    eventAccountAddress: account(record.account),
    eventCreationNumber: record.creation === null ? null : BigInt(record.creation),
    eventSequenceNumber: record.sequence === null ? null : BigInt(record.sequence),
    fromAddress: account(record.sender),
    toAddress: account(record.recipient),
    propertyVersion: BigInt(record.property_version),
    tokenAmount: BigInt(record.amount),
    transferType: names.value(record.type),
  }));
}

interface DataRecord extends NamedRecord {
  readonly version: number;
  readonly time: number;
  readonly properties: string | null;
  readonly data: string;
}

export function tokensByCreators(
  connection: Connection,
  numbers: Numbers,
  { creators }: CreatorQuery,
  { limit, offset, after }: AptosSlice<TokenDataKey>,
): readonly TokenData[] {
  let arms: readonly Arm[] = knownAccounts(numbers, creators).map(id => ({
    index: 'token_creator',
    where: ['r.creator = ?', 'r.version IS NOT NULL'],
    values: [id],
  }));
  if (after !== undefined) {
    const [token = 0] = knownIds(connection, 'token', [after.tokenDataIdHash]);
    const key = [Number(after.lastTransactionVersion), token];
    arms = arms.map(arm => narrowed(arm, ['(r.version, r.id) < (?, ?)'], key));
  }
  const query = {
    table: 'token',
    columns: `r.id AS place, r.version AS version, r.time, r.properties, r.data, r.hash, r.standard, r.name, r.creator,
      c.hash AS collection_hash, c.name AS collection_name`,
    join: 'LEFT JOIN collection AS c ON c.id = r.collection',
    order: 'version DESC, place DESC',
  };
  return selectArms<DataRecord>(connection, query, arms, limit, offset).map(record => {
    return {
      ...namesIn(record, numbers),
      ...unpackData(record.data),
      defaultProperties: unpackProperties(record.properties),
      lastTransactionVersion: BigInt(record.version),
      lastTransactionTimestamp: unpackTime(record.time),
    };
  });
}
