// Conditions of PostgreSQL statements as data: terms with `$?` for values, numbered when they are put together.

import type { LogPosition } from '../rows.ts';
import { MAX_BLOCK_NUMBER } from './schema.ts';

export interface SqlCondition {
  /** `token = $?`: one `$?` per value. */
  readonly sql: string;
  readonly values: readonly unknown[];
}

export interface NumberedConditions {
  /** One per arm, made by `write` of its `WHERE` terms. */
  readonly sql: readonly string[];
  /** `$1` is the chain. */
  readonly values: readonly unknown[];
}

/** Every arm is of one chain; arms are lists of terms that all must hold. */
export function numberConditions(
  chain: number,
  arms: readonly (readonly SqlCondition[])[],
  write: (where: string) => string,
): NumberedConditions {
  const values: unknown[] = [chain];
  const sql = arms.map(arm => {
    const terms = arm.map(condition => {
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

/** Of addresses by number. */
export const isAnyOf = (column: string, list: readonly number[], not: '' | 'NOT' = ''): SqlCondition => ({
  sql: `${not} ${column} = ANY ($?::integer[])`,
  values: [list],
});

/** A block of a query or a cursor, which may be any number, as a column can have it. */
export const clampBlockNumber = (block: number): number => Math.min(block, MAX_BLOCK_NUMBER);

/** Newest first. */
export const NEWEST_FIRST = 'ORDER BY block DESC, log DESC, position DESC';

const beside = (compare: '<' | '<=', { blockNumber, logIndex, batchIndex: position }: LogPosition): SqlCondition => {
  const block = clampBlockNumber(blockNumber);
  // The block alone, too: by that the planner leaves out the partitions above it.
  return {
    sql: `block <= $? AND (block, log, position) ${compare} ($?, $?, $?)`,
    values: [block, block, logIndex, position],
  };
};

export const positionCondition = {
  /** Strictly later in a list that is newest first. */
  before: (after: LogPosition): SqlCondition => beside('<', after),
  /** At the place or behind it. */
  atOrBefore: (after: LogPosition): SqlCondition => beside('<=', after),
};
