// Native values of transactions, added to transfers of the PostgreSQL index that were stored without them.

import { bulkColumn, toColumnArray } from './postgres/bulkInsert.ts';
import type { QueryRunner } from './postgres/database.ts';
import type { TransactionValue } from './rows.ts';

const BLOCK = bulkColumn.int<TransactionValue>('block', ({ blockNumber }) => blockNumber);
const HASH = bulkColumn.hash<TransactionValue>('tx', ({ transactionHash }) => transactionHash);
const VALUE = bulkColumn.number<TransactionValue>('value', ({ value }) => value);

/** The block is part of the key. */
const NOTE = `
  UPDATE transfer AS r SET value = noted.value
  FROM unnest($2::integer[], $3::bytea[], $4::bytea[]) AS noted (block, tx, value)
  WHERE r.chain = $1 AND r.block = noted.block AND r.tx = noted.tx AND r.value IS NULL`;

export async function writeTransactionValues(
  queries: QueryRunner,
  chain: number,
  values: readonly TransactionValue[],
): Promise<void> {
  if (values.length === 0) return;
  await queries.query(NOTE, [
    chain,
    toColumnArray(BLOCK, values),
    toColumnArray(HASH, values),
    toColumnArray(VALUE, values),
  ]);
}
