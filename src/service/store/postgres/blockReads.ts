// Reads of blocks from the PostgreSQL index, each one statement, so that it sees whole batches only.
import { type BlockRecord, toBlockRow } from '../records.ts';
import type { BlockRow } from '../rows.ts';
import type { PostgresRead } from './addressTable.ts';
import type { QueryRunner } from './queryRunner.ts';

const SELECT_BLOCK = 'SELECT number, hash, parent, time FROM @block WHERE chain = $1';

async function readOneBlock(queries: QueryRunner, sql: string, values: readonly unknown[]): Promise<BlockRow | null> {
  const [record] = await queries.query<BlockRecord>(sql, values);
  return record === undefined ? null : toBlockRow(record);
}

export const readHead: PostgresRead<'readHead'> = ({ queries, chain }) =>
  readOneBlock(queries, `${SELECT_BLOCK} ORDER BY number DESC LIMIT 1`, [chain]);

export const readBlock: PostgresRead<'readBlock'> = ({ queries, chain }, number) =>
  readOneBlock(queries, `${SELECT_BLOCK} AND number = $2::bigint`, [chain, number]);

export const readBlocksDownFrom: PostgresRead<'readBlocksDownFrom'> = async ({ queries, chain }, fromBlock, limit) => {
  const sql = `${SELECT_BLOCK} AND number <= $2::bigint ORDER BY number DESC LIMIT $3`;
  return (await queries.query<BlockRecord>(sql, [chain, fromBlock, limit])).map(toBlockRow);
};

export const readFirstBlockAt: PostgresRead<'readFirstBlockAt'> = ({ queries, chain }, time) =>
  readOneBlock(queries, `${SELECT_BLOCK} AND time >= $2 ORDER BY time, number LIMIT 1`, [chain, time]);

export const readCoverage: PostgresRead<'readCoverage'> = async ({ queries, chain }) => {
  const [record] = await queries.query<BlockRecord & { readonly first: string | number }>(
    `SELECT number, hash, parent, time, coalesce(
       (SELECT covered_from FROM @chain WHERE id = $1), (SELECT min(number) FROM @block WHERE chain = $1)) AS first
     FROM @block WHERE chain = $1 ORDER BY number DESC LIMIT 1`,
    [chain],
  );
  return record === undefined ? null : { fromBlock: Number(record.first), head: toBlockRow(record) };
};
