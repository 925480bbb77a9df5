// Conditions of PostgreSQL statements as data: terms with `$?` for values, numbered when a statement is built.
import type { QueryResultRow } from 'pg';
import type { LogPosition, TransactionPosition } from '../rows.ts';
import type { OrderedPageQuery } from '../store.ts';
import type { PostgresIndex } from './addressTable.ts';
import { MAX_BLOCK_NUMBER } from './schema.ts';

export interface SqlCondition {
  /** `token = $?`: one `$?` per value. */
  readonly sql: string;
  readonly values: readonly unknown[];
}

export interface NumberedConditions {
  /** What `write` made of each branch. */
  readonly sql: readonly string[];
  /** `$1` is the chain. */
  readonly values: readonly unknown[];
}

/** Each branch is a list of conditions joined by AND, within one chain; `write` makes a select of its WHERE clause. */
export function numberConditions(
  chain: number,
  branches: readonly (readonly SqlCondition[])[],
  write: (where: string) => string,
): NumberedConditions {
  const values: unknown[] = [chain];
  const sql = branches.map(branch => {
    const terms = branch.map(condition => {
      let next = 0;
      return condition.sql.replaceAll('$?', () => {
        values.push(condition.values[next++]);
        return `$${values.length}`;
      });
    });
    return write(['chain = $1', ...terms].join(' AND '));
  });
  return { sql, values };
}

/** `ids` are those of addresses. */
export const isAnyOf = (column: string, ids: readonly number[], not: '' | 'NOT' = ''): SqlCondition => ({
  sql: `${not} ${column} = ANY ($?::integer[])`,
  values: [ids],
});

/** A block number of a query or a cursor, which has no upper bound, as the columns allow it. */
export const clampBlockNumber = (block: number): number => Math.min(block, MAX_BLOCK_NUMBER);

/** The columns of the position of a log; `log` is its place. */
export interface PositionRecord extends Record<string, unknown> {
  readonly block: number;
  readonly tx_index: number;
  readonly log: string;
  readonly position: number;
}

export const toPosition = ({ block, tx_index: transactionIndex, log, position }: PositionRecord): LogPosition => ({
  blockNumber: block,
  transactionIndex,
  place: Number(log),
  batchIndex: position,
});

/** The values of the columns, in this order. */
export const getPositionValues = ({ blockNumber, transactionIndex, place, batchIndex }: LogPosition) => [
  clampBlockNumber(blockNumber),
  transactionIndex,
  place,
  batchIndex,
];

/** The columns that order rows of each kind. */
const ORDER = {
  transaction: ['block', 'tx_index'],
  log: ['block', 'tx_index', 'log'],
  position: ['block', 'tx_index', 'log', 'position'],
} as const;

export const orderBy = (kind: keyof typeof ORDER, isOldestFirst: boolean): string =>
  `ORDER BY ${ORDER[kind].map(column => `${column} ${isOldestFirst ? 'ASC' : 'DESC'}`).join(', ')}`;

export const NEWEST_FIRST = orderBy('position', false);

/** What comes after these values, or before them, in the order of the chain. */
export function comparePosition(
  kind: keyof typeof ORDER,
  operator: '<' | '<=' | '>',
  { blockNumber, transactionIndex, place, batchIndex }: TransactionPosition & Partial<LogPosition>,
): SqlCondition {
  const columns = ORDER[kind];
  const block = clampBlockNumber(blockNumber);
  const values = [block, transactionIndex, place, batchIndex].slice(0, columns.length);
  return {
    // The block is compared alone too: by that the planner skips partitions.
    sql: `block ${operator === '>' ? '>=' : '<='} $? AND (${columns.join()}) ${operator} (${values.map(() => '$?').join()})`,
    values: [block, ...values],
  };
}

/** A page of the rows of all branches, each a select of its own index; they have no row in common. */
export async function selectPage<Row extends QueryResultRow>(
  { queries, chain }: PostgresIndex,
  table: string,
  kind: 'log' | 'position',
  branches: readonly (readonly SqlCondition[])[],
  { limit, after, isOldestFirst = false }: OrderedPageQuery<LogPosition>,
): Promise<readonly Row[]> {
  if (branches.length === 0) return [];
  const order = `${orderBy(kind, isOldestFirst)} LIMIT ${limit}`;
  const beyond = after === undefined ? [] : [comparePosition(kind, isOldestFirst ? '>' : '<', after)];
  const { sql, values } = numberConditions(
    chain,
    branches.map(branch => [...branch, ...beyond]),
    where => `(SELECT * FROM @${table} WHERE ${where} ${order})`,
  );
  return queries.query<Row>(`SELECT * FROM (${sql.join(' UNION ALL ')}) AS r ${order}`, values);
}

/** The rows of one branch after another, which have no row in common. */
export async function countRowsWhere(
  { queries, chain }: PostgresIndex,
  table: string,
  branches: readonly (readonly SqlCondition[])[],
): Promise<number> {
  const { sql, values } = numberConditions(chain, branches, where => `(SELECT count(*) FROM @${table} WHERE ${where})`);
  const [row] = await queries.query<{ n: string }>(`SELECT ${sql.join(' + ')} AS n`, values);
  return Number(row?.n ?? 0);
}
