// Queries as UNION ALL of selects that each read one index in order and have no row in common; SQLite merges them.
import type { SQLInputValue } from 'node:sqlite';
import type { Hex } from '../../../base/hex.ts';
import type { AddressTable } from './addressTable.ts';
import type { SqliteConnection } from './connection.ts';

/** One select of the union. */
export interface UnionBranch {
  /** Instead of the table of the query: another one with the selected columns, or with columns of its own for them. */
  readonly table?: string;
  readonly columns?: string;
  readonly join?: string;
  /** An index of the schema; `null` reads in the order of the table itself. */
  readonly index: string | null;
  /**
   * Terms joined by AND, those that the index serves first. Other columns have a unary `+`, which keeps SQLite from using
   * another index for them.
   */
  readonly where: readonly string[];
  readonly values: readonly SQLInputValue[];
}

/** SQLite allows 500 selects in a union; from about this many on, preparing them costs more than it saves. */
export const MAX_BRANCHES = 128;

export interface UnionQuery {
  readonly table: string;
  /** The selected columns, with the aliases that `order` uses. */
  readonly columns: string;
  readonly join?: string | undefined;
  readonly order: string;
}

/** The first `limit` rows of all branches together, after skipping `offset`. Without a branch there are no rows. */
export function selectUnion<Row>(
  connection: SqliteConnection,
  { table, columns, join = '', order }: UnionQuery,
  branches: readonly UnionBranch[],
  limit: number,
  offset = 0,
): readonly Row[] {
  if (branches.length === 0) return [];
  const selects = branches.map(
    branch =>
      `SELECT ${branch.columns ?? columns} FROM ${toSource(table, branch)} ${branch.join ?? join} ${toWhere(branch)}`,
  );
  const sql = `${selects.join(' UNION ALL ')} ORDER BY ${order} LIMIT ?${offset > 0 ? ' OFFSET ?' : ''}`;
  return connection.all<Row>(sql, ...branches.flatMap(branch => branch.values), limit, ...(offset > 0 ? [offset] : []));
}

export function countUnion(connection: SqliteConnection, table: string, branches: readonly UnionBranch[]): number {
  let total = 0;
  for (const branch of branches) {
    const sql = `SELECT count(*) AS n FROM ${toSource(table, branch)} ${toWhere(branch)}`;
    total += connection.get<{ n: number }>(sql, ...branch.values)?.n ?? 0;
  }
  return total;
}

const toSource = (table: string, { table: ownTable = table, index }: UnionBranch) =>
  `${ownTable} AS r ${index === null ? 'NOT INDEXED' : `INDEXED BY ${index}`}`;

const toWhere = ({ where }: UnionBranch) => (where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`);

/** A copy of the branch with further terms. */
export function addConditions(
  branch: UnionBranch,
  where: readonly string[],
  values: readonly SQLInputValue[],
): UnionBranch {
  return { ...branch, where: [...branch.where, ...where], values: [...branch.values, ...values] };
}

/** The ids of the addresses that are in the index; the others are in no row. */
export function findAddressIds(addresses: AddressTable, list: readonly Hex[]): readonly number[] {
  return [...new Set(list.map(address => addresses.find(address)).filter(id => id !== null))];
}

export const placeholders = (values: readonly unknown[]) => values.map(() => '?').join();
