// Pages of token ownerships out of the Aptos index: of a collection, and of wallets.

import type { Connection } from '../../store/sqlite/connection.ts';
import { type Arm, narrowed, questionMarks, selectArms } from '../../store/sqlite/unionQuery.ts';
import type { AptosSlice, CollectionOwnerQuery, WalletOwnershipQuery } from '../aptosSource.ts';
import type { OwnershipKey, TokenOwnership } from '../models.ts';
import { unpackProperties, unpackTime } from './aptosEncoding.ts';
import type { Numbers } from './idTables.ts';
import { knownAccounts, knownIds } from './known.ts';
import { NAMED, type NamedRecord, namesIn, ofCollections } from './tokenQueries.ts';

interface OwnershipRecord extends NamedRecord {
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
    t.properties AS shared, ${NAMED}`,
  join: 'JOIN token AS t ON t.id = r.token LEFT JOIN collection AS c ON c.id = t.collection',
  order: 'version DESC, token DESC, property_version DESC, owner DESC',
};

export function collectionOwners(
  connection: Connection,
  numbers: Numbers,
  { collection, owners, notOwners }: CollectionOwnerQuery,
  slice: AptosSlice<OwnershipKey>,
): readonly TokenOwnership[] {
  const collections = knownIds(connection, 'collection', [collection]);
  let arms: readonly Arm[] =
    owners === undefined
      ? collections.map(id => ({ index: 'owner_collection', where: ['r.collection = ?'], values: [id] }))
      : collections.flatMap(id =>
          knownAccounts(numbers, owners).map(owner => ({
            index: 'owner_wallet',
            where: ['r.owner = ?', '+r.collection = ?'],
            values: [owner, id],
          })),
        );
  const unwanted = notOwners === undefined ? [] : knownAccounts(numbers, notOwners);
  if (unwanted.length > 0)
    arms = arms.map(arm => narrowed(arm, [`+r.owner NOT IN (${questionMarks(unwanted)})`], unwanted));
  return page(connection, numbers, arms, slice);
}

export function walletTokens(
  connection: Connection,
  numbers: Numbers,
  { owners, ...filter }: WalletOwnershipQuery,
  slice: AptosSlice<OwnershipKey>,
): readonly TokenOwnership[] {
  const arms = knownAccounts(numbers, owners).map(owner => ({
    index: 'owner_wallet',
    where: ['r.owner = ?'],
    values: [owner],
  }));
  return page(connection, numbers, ofCollections(connection, arms, filter), slice);
}

function page(
  connection: Connection,
  numbers: Numbers,
  arms: readonly Arm[],
  { limit, offset, after }: AptosSlice<OwnershipKey>,
): readonly TokenOwnership[] {
  let bound = arms;
  if (after !== undefined) {
    const [token = 0] = knownIds(connection, 'token', [after.tokenDataIdHash]);
    const version = Number(after.lastTransactionVersion);
    const owner = numbers.accounts.find(after.ownerAddress) ?? 0;
    // The first term is for the index, the second one says it exactly.
    bound = arms.map(arm =>
      narrowed(
        arm,
        ['r.version <= ?', '(r.version, r.token, r.property_version, r.owner) < (?, ?, ?, ?)'],
        [version, version, token, after.propertyVersion.toString(), owner],
      ),
    );
  }
  return selectArms<OwnershipRecord>(connection, QUERY, bound, limit, offset).map(record => rowOf(record, numbers));
}

function rowOf(record: OwnershipRecord, numbers: Numbers): TokenOwnership {
  const names = namesIn(record, numbers);
  const isObject = names.tokenStandard === 'v2';
  return {
    ...names,
    propertyVersion: BigInt(record.property_version),
    ownerAddress: numbers.accounts.value(record.owner),
    amount: BigInt(record.amount),
    tableType: isObject ? '0x1::object::ObjectCore' : '0x3::token::TokenStore',
    // An object's properties are those of the token itself.
    tokenProperties: unpackProperties(isObject ? record.shared : record.properties),
    lastTransactionVersion: BigInt(record.version),
    lastTransactionTimestamp: unpackTime(record.time),
  };
}
