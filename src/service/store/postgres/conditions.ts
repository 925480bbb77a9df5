// Conditions of PostgreSQL statements as data: terms with `$?` for values, numbered when they are put together.

import type { Place } from '../rows.ts';
import { MOST_BLOCK } from './schema.ts';

export interface Condition {
  /** `token = $?`: one `$?` per value. */
  readonly sql: string;
  readonly values: readonly unknown[];
}

export interface Conditions {
  /** One per arm, made by `write` of its `WHERE` terms. */
  readonly sql: readonly string[];
  /** `$1` is the chain. */
  readonly values: readonly unknown[];
}

/** Every arm is of one chain; arms are lists of terms that all must hold. */
export function conditions(
  chain: number,
  arms: readonly (readonly Condition[])[],
  write: (where: string) => string,
): Conditions {
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
export const inSet = (column: string, list: readonly number[], not: '' | 'NOT' = ''): Condition => ({
  sql: `${not} ${column} = ANY ($?::integer[])`,
  values: [list],
});

/** A block of a query or a cursor, which may be any number, as a column can have it. */
export const blockValue = (block: number): number => Math.min(block, MOST_BLOCK);

/** Newest first. */
export const placeOrder = 'ORDER BY block DESC, log DESC, position DESC';

const beside = (compare: '<' | '<=', { blockNumber, logIndex, position }: Place): Condition => {
  const block = blockValue(blockNumber);
  // The block alone, too: by that the planner leaves out the partitions above it.
  return {
    sql: `block <= $? AND (block, log, position) ${compare} ($?, $?, $?)`,
    values: [block, block, logIndex, position],
  };
};

export const place = {
  /** Strictly later in a list that is newest first. */
  before: (after: Place): Condition => beside('<', after),
  /** At the place or behind it. */
  notAfter: (after: Place): Condition => beside('<=', after),
};
