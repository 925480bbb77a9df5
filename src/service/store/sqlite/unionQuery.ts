// Queries as arms: each arm reads one run of one index in order, arms have no row in common, SQLite merges them.
import type { SQLInputValue } from 'node:sqlite';
import type { Hex } from '../../../base/hex.ts';
import type { AddressTable } from './addressTable.ts';
import type { SqliteConnection } from './connection.ts';

export interface UnionBranch {
  /** An index of the schema; `null` reads in the order of the table itself. */
  readonly index: string | null;
  /** Terms that all must hold, first those that the index finds; other columns have a `+`, which keeps SQLite from other indexes. */
  readonly where: readonly string[];
  readonly values: readonly SQLInputValue[];
}

/** SQLite joins at most 500 selects; beyond a few, preparing them costs more than it saves. */
export const MAX_BRANCHES = 128;

export interface UnionQuery {
  readonly table: string;
  /** What comes of each row, with the aliases that `order` uses. */
  readonly columns: string;
  readonly join?: string;
  readonly order: string;
}

/** The first rows of all arms together, behind the first `offset` of them. No arms, no rows. */
export function selectUnion<Row>(
  connection: SqliteConnection,
  { table, columns, join = '', order }: UnionQuery,
  arms: readonly UnionBranch[],
  limit: number,
  offset = 0,
): readonly Row[] {
  if (arms.length === 0) return [];
  const selects = arms.map(arm => `SELECT ${columns} FROM ${source(table, arm)} ${join} ${condition(arm)}`);
  const sql = `${selects.join(' UNION ALL ')} ORDER BY ${order} LIMIT ?${offset > 0 ? ' OFFSET ?' : ''}`;
  return connection.all<Row>(sql, ...arms.flatMap(arm => arm.values), limit, ...(offset > 0 ? [offset] : []));
}

export function countUnion(connection: SqliteConnection, table: string, arms: readonly UnionBranch[]): number {
  let total = 0;
  for (const arm of arms) {
    const sql = `SELECT count(*) AS n FROM ${source(table, arm)} ${condition(arm)}`;
    total += connection.get<{ n: number }>(sql, ...arm.values)?.n ?? 0;
  }
  return total;
}

const source = (table: string, { index }: UnionBranch) =>
  `${table} AS r ${index === null ? 'NOT INDEXED' : `INDEXED BY ${index}`}`;

const condition = ({ where }: UnionBranch) => (where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`);

/** The arm with further terms. */
export function addConditions(
  arm: UnionBranch,
  where: readonly string[],
  values: readonly SQLInputValue[],
): UnionBranch {
  return { index: arm.index, where: [...arm.where, ...where], values: [...arm.values, ...values] };
}

/** The numbers of the addresses that the index knows: others are in no row. */
export function findAddressIds(addresses: AddressTable, list: readonly Hex[]): readonly number[] {
  return [...new Set(list.map(address => addresses.find(address)).filter(id => id !== null))];
}

export const placeholders = (list: readonly unknown[]) => list.map(() => '?').join();
