// Pages of token ownerships out of the Aptos index: of a collection, and of wallets.

import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import { addConditions, placeholders, selectUnion, type UnionBranch } from '../../store/sqlite/unionQuery.ts';
import type { AptosPageRequest, CollectionOwnersQuery, OwnedTokensQuery } from '../aptosSource.ts';
import type { OwnershipKey, TokenOwnership } from '../models.ts';
import { decodeSeconds, decodeTokenProperties } from './aptosEncoding.ts';
import { findAccountIds, findRowIds, type IdTables } from './idTables.ts';
import {
  filterCollections,
  TOKEN_IDENTITY_COLUMNS,
  type TokenIdentityRecord,
  toTokenIdentity,
} from './tokenQueries.ts';

interface OwnershipRecord extends TokenIdentityRecord {
  readonly property_version: string;
  readonly owner: number;
  readonly amount: string;
  readonly properties: string | null;
  readonly shared: string | null;
  readonly version: number;
  readonly time: number;
}

const QUERY = {
  table: 'ownership',
  columns: `r.token AS token, r.property_version AS property_version, r.owner AS owner, r.amount, r.properties,
    r.version AS version, r.time,
    t.properties AS shared, ${TOKEN_IDENTITY_COLUMNS}`,
  join: 'JOIN token AS t ON t.id = r.token LEFT JOIN collection AS c ON c.id = t.collection',
  order: 'version DESC, token DESC, property_version DESC, owner DESC',
};

export function queryCollectionOwners(
  connection: SqliteConnection,
  numbers: IdTables,
  { collection, owners, excludedOwners: notOwners }: CollectionOwnersQuery,
  slice: AptosPageRequest<OwnershipKey>,
): readonly TokenOwnership[] {
  const collections = findRowIds(connection, 'collection', [collection]);
  let arms: readonly UnionBranch[] =
    owners === undefined
      ? collections.map(id => ({ index: 'owner_collection', where: ['r.collection = ?'], values: [id] }))
      : collections.flatMap(id =>
          findAccountIds(numbers, owners).map(owner => ({
            index: 'owner_wallet',
            where: ['r.owner = ?', '+r.collection = ?'],
            values: [owner, id],
          })),
        );
  const unwanted = notOwners === undefined ? [] : findAccountIds(numbers, notOwners);
  if (unwanted.length > 0)
    arms = arms.map(arm => addConditions(arm, [`+r.owner NOT IN (${placeholders(unwanted)})`], unwanted));
  return page(connection, numbers, arms, slice);
}

export function queryOwnedTokens(
  connection: SqliteConnection,
  numbers: IdTables,
  { owners, ...filter }: OwnedTokensQuery,
  slice: AptosPageRequest<OwnershipKey>,
): readonly TokenOwnership[] {
  const arms = findAccountIds(numbers, owners).map(owner => ({
    index: 'owner_wallet',
    where: ['r.owner = ?'],
    values: [owner],
  }));
  return page(connection, numbers, filterCollections(connection, arms, filter), slice);
}

function page(
  connection: SqliteConnection,
  numbers: IdTables,
  arms: readonly UnionBranch[],
  { limit, offset, after }: AptosPageRequest<OwnershipKey>,
): readonly TokenOwnership[] {
  let bound = arms;
  if (after !== undefined) {
    const [token = 0] = findRowIds(connection, 'token', [after.tokenDataIdHash]);
    const version = Number(after.lastTransactionVersion);
    const owner = numbers.accounts.findId(after.ownerAddress) ?? 0;
    // The first term is for the index, the second one says it exactly.
    bound = arms.map(arm =>
      addConditions(
        arm,
        ['r.version <= ?', '(r.version, r.token, r.property_version, r.owner) < (?, ?, ?, ?)'],
        [version, version, token, after.propertyVersion.toString(), owner],
      ),
    );
  }
  return selectUnion<OwnershipRecord>(connection, QUERY, bound, limit, offset).map(record => rowOf(record, numbers));
}

function rowOf(record: OwnershipRecord, numbers: IdTables): TokenOwnership {
  const names = toTokenIdentity(record, numbers);
  const isObject = names.tokenStandard === 'v2';
  return {
    ...names,
    propertyVersion: BigInt(record.property_version),
    ownerAddress: numbers.accounts.getValue(record.owner),
    amount: BigInt(record.amount),
    tableType: isObject ? '0x1::object::ObjectCore' : '0x3::token::TokenStore',
    // An object's properties are those of the token itself.
    tokenProperties: decodeTokenProperties(isObject ? record.shared : record.properties),
    lastTransactionVersion: BigInt(record.version),
    lastTransactionTimestamp: decodeSeconds(record.time),
  };
}
