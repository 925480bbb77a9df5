// Queries for pages of token ownerships in the Aptos index, by collection and by owner.
import { addConditions, placeholders, selectUnion, type UnionBranch } from '../../store/sqlite/unionQuery.ts';
import type { AptosPageRequest } from '../aptosSource.ts';
import type { OwnershipKey, TokenOwnership } from '../models.ts';
import { decodeSeconds, decodeTokenProperties } from './aptosEncoding.ts';
import { type AptosIndex, findAccountIds, findRowIds, type IdTables, type ReadList } from './idTables.ts';
import { filterCollections, TOKEN_IDENTITY_COLUMNS, type TokenIdentityRecord, toTokenIdentity } from './tokenReads.ts';

interface OwnershipRecord extends TokenIdentityRecord {
  readonly property_version: string;
  readonly owner: number;
  readonly amount: string;
  readonly properties: string | null;
  readonly token_properties: string | null;
  readonly version: number;
  readonly time: number;
}

const OWNERSHIP_QUERY = {
  table: 'ownership',
  columns: `r.token AS token, r.property_version AS property_version, r.owner AS owner, r.amount, r.properties,
    r.version AS version, r.time,
    t.properties AS token_properties, ${TOKEN_IDENTITY_COLUMNS}`,
  join: 'JOIN token AS t ON t.id = r.token LEFT JOIN collection AS c ON c.id = t.collection',
  order: 'version DESC, token DESC, property_version DESC, owner DESC',
};

export const readCollectionOwners: ReadList<'collectionOwners'> = (
  index,
  { collection, owners, excludedOwners },
  page,
) => {
  const collections = findRowIds(index.connection, 'collection', [collection]);
  let branches: readonly UnionBranch[] =
    owners === undefined
      ? collections.map(id => ({ index: 'owner_collection', where: ['r.collection = ?'], values: [id] }))
      : collections.flatMap(id =>
          findAccountIds(index.idTables, owners).map(owner => ({
            index: 'owner_wallet',
            where: ['r.owner = ?', '+r.collection = ?'],
            values: [owner, id],
          })),
        );
  const excluded = excludedOwners === undefined ? [] : findAccountIds(index.idTables, excludedOwners);
  if (excluded.length > 0)
    branches = branches.map(branch => addConditions(branch, [`+r.owner NOT IN (${placeholders(excluded)})`], excluded));
  return queryPage(index, branches, page);
};

export const readOwnedTokens: ReadList<'ownedTokens'> = (index, { owners, ...filter }, page) => {
  const branches = findAccountIds(index.idTables, owners).map(owner => ({
    index: 'owner_wallet',
    where: ['r.owner = ?'],
    values: [owner],
  }));
  return queryPage(index, filterCollections(index.connection, branches, filter), page);
};

function queryPage(
  { connection, idTables }: AptosIndex,
  branches: readonly UnionBranch[],
  { limit, offset, after }: AptosPageRequest<OwnershipKey>,
): readonly TokenOwnership[] {
  let limited = branches;
  if (after !== undefined) {
    const [token = 0] = findRowIds(connection, 'token', [after.tokenDataIdHash]);
    const version = Number(after.lastTransactionVersion);
    const owner = idTables.accounts.find(after.ownerAddress) ?? 0;
    // The first condition lets SQLite use the index; the second one is exact.
    limited = branches.map(branch =>
      addConditions(
        branch,
        ['r.version <= ?', '(r.version, r.token, r.property_version, r.owner) < (?, ?, ?, ?)'],
        [version, version, token, after.propertyVersion.toString(), owner],
      ),
    );
  }
  return selectUnion<OwnershipRecord>(connection, OWNERSHIP_QUERY, limited, limit, offset).map(record =>
    toTokenOwnership(record, idTables),
  );
}

function toTokenOwnership(record: OwnershipRecord, idTables: IdTables): TokenOwnership {
  const identity = toTokenIdentity(record, idTables);
  const isObject = identity.tokenStandard === 'v2';
  return {
    ...identity,
    propertyVersion: BigInt(record.property_version),
    ownerAddress: idTables.accounts.resolve(record.owner),
    amount: BigInt(record.amount),
    tableType: isObject ? '0x1::object::ObjectCore' : '0x3::token::TokenStore',
    // The properties of an object are stored with the token.
    tokenProperties: decodeTokenProperties(isObject ? record.token_properties : record.properties),
    lastTransactionVersion: BigInt(record.version),
    lastTransactionTimestamp: decodeSeconds(record.time),
  };
}
