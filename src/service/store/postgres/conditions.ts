// Conditions of PostgreSQL statements as data: terms with `$?` for values, numbered when a statement is built.
import type { LogPosition } from '../rows.ts';
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

export const NEWEST_FIRST = 'ORDER BY block DESC, tx_index DESC, log DESC, position DESC';
export const OLDEST_FIRST = 'ORDER BY block, tx_index, log, position';

function comparePosition(operator: '<' | '<=' | '>', position: LogPosition): SqlCondition {
  // The block is compared alone too: by that the planner skips partitions.
  return {
    sql: `block ${operator === '>' ? '>=' : '<='} $? AND (block, tx_index, log, position) ${operator} ($?, $?, $?, $?)`,
    values: [clampBlockNumber(position.blockNumber), ...getPositionValues(position)],
  };
}

export const positionCondition = {
  before: (position: LogPosition): SqlCondition => comparePosition('<', position),
  after: (position: LogPosition): SqlCondition => comparePosition('>', position),
  atOrBefore: (position: LogPosition): SqlCondition => comparePosition('<=', position),
};
