// The PostgreSQL index as it is now: its migrations, forward only, the partitions of a chain, and its secondary indexes.

import { compactTablesMigration, initialMigrations } from './migrations.ts';

/** Blocks in one partition of a chain: about a month and a half of Ethereum; a dev chain never needs a second one. */
export const BLOCKS_PER_PARTITION = 1_000_000;

/** Block numbers are PostgreSQL's `integer`: 17 years of four blocks a second. */
export const MAX_BLOCK_NUMBER = 2_147_483_647;

/** The number of the zero address in every database. */
export const ZERO_ADDRESS_ID = 1;

/** The first mint of an id that was never seen to be minted. */
export const NEVER_MINTED = -1;

/** Column that the blocks of a timeline are partitioned by. */
const BLOCK_COLUMNS = { block: 'number', transfer: 'block', mint: 'block', trade: 'block' } as const;

/** Tables that are partitioned by chain, then by block. */
export const timelineTables = Object.keys(BLOCK_COLUMNS) as readonly (keyof typeof BLOCK_COLUMNS)[];
/** Tables that say what is, not what was: by chain only. */
export const stateTables = ['owner', 'token'] as const;

/**
 * When the metadata of ids was last read, in Unix milliseconds. One table for all chains: it only has what was asked for,
 * also of contracts that the index has no number for.
 */
const metadataSyncs = `
  CREATE TABLE metadata_sync (
    chain integer NOT NULL, token bytea NOT NULL, token_id bytea NOT NULL, token_uri bigint, metadata bigint,
    PRIMARY KEY (chain, token, token_id));
  `;

/** Each makes the next version of the schema; a migration that was released is never changed. */
export const migrations: readonly string[] = [...initialMigrations, compactTablesMigration, metadataSyncs];

/**
 * What reads and rollbacks need beyond the primary keys, per chain. Within a partition the chain is one and need not be
 * in them; order within a block is a small sort. Made at the first read of a chain: building them once over a first load
 * costs a part of keeping them up row by row, and leaves them densely packed.
 */
const SECONDARY: Readonly<Record<string, string>> = {
  block_time: 'block (time, number)',
  transfer_sender: 'transfer (sender, block)',
  transfer_recipient: 'transfer (recipient, block)',
  transfer_token: 'transfer (token, block)',
  transfer_token_id: 'transfer (token, token_id, block)',
  owner_wallet: `owner (holder, block) WHERE holder <> ${ZERO_ADDRESS_ID}`,
  owner_collection: `owner (holder, token, block) WHERE holder <> ${ZERO_ADDRESS_ID}`,
  owner_token: `owner (token, block) WHERE holder <> ${ZERO_ADDRESS_ID}`,
  mint_token: 'mint (token, block)',
  mint_recipient: 'mint (recipient, block)',
  trade_price: 'trade (token, price, block DESC)',
};

/** Statements for one transaction. Partitions of later blocks have the indexes from the beginning. */
export const getSecondaryIndexSql = (chain: number): string =>
  [
    ...Object.entries(SECONDARY).map(
      ([name, on]) => `CREATE INDEX IF NOT EXISTS ${name}_${chain} ON ${on.replace(' ', `_${chain} `)}`,
    ),
    ...[...timelineTables, ...stateTables].map(table => `ANALYZE ${table}_${chain}`),
  ].join(';\n');

/** The partitions that a chain needs before its first row; a sparse one is small, and each of its is for all blocks. */
export function getChainPartitionSql(chain: number, sparse: boolean): string {
  const byRange = (table: (typeof timelineTables)[number]) =>
    sparse ? '' : ` PARTITION BY RANGE (${BLOCK_COLUMNS[table]})`;
  const lists = [
    ...timelineTables.map(table => ({ table, further: byRange(table) })),
    ...stateTables.map(table => ({ table, further: '' })),
  ];
  return lists
    .map(
      ({ table, further }) =>
        `CREATE TABLE IF NOT EXISTS ${table}_${chain} PARTITION OF ${table} FOR VALUES IN (${chain})${further};`,
    )
    .join('\n');
}

export const getPartitionNumber = (block: number): number => Math.floor(block / BLOCKS_PER_PARTITION);

/** The partitions of one range of blocks of a chain. */
export function getRangePartitionSql(chain: number, partition: number): string {
  const from = partition * BLOCKS_PER_PARTITION;
  const before = Math.min(from + BLOCKS_PER_PARTITION, MAX_BLOCK_NUMBER);
  return timelineTables
    .map(
      table =>
        `CREATE TABLE IF NOT EXISTS ${table}_${chain}_${partition} PARTITION OF ${table}_${chain} FOR VALUES FROM (${from}) TO (${before});`,
    )
    .join('\n');
}
