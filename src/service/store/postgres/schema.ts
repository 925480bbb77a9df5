// The PostgreSQL index as it is now: the partitions of a chain, its secondary indexes, and values with a meaning.

/** About 20 weeks of Ethereum; a development chain never needs a second partition. */
export const BLOCKS_PER_PARTITION = 1_000_000;

/** Block numbers are PostgreSQL's `integer`: 17 years of a chain with four blocks a second. */
export const MAX_BLOCK_NUMBER = 2_147_483_647;

/** The migration inserts the zero address first. */
export const ZERO_ADDRESS_ID = 1;

/** In `owner.minted`: the index has no mint of the id. */
export const NEVER_MINTED = -1;

/** The column with the block number, by which each timeline is partitioned. */
const BLOCK_COLUMNS = { block: 'number', transfer: 'block', mint: 'block', trade: 'block' } as const;

/** Tables that are partitioned by chain, then by block. */
const timelineTables = Object.keys(BLOCK_COLUMNS) as readonly (keyof typeof BLOCK_COLUMNS)[];
/** Tables of the current state, partitioned by chain only. */
const stateTables = ['owner', 'token'] as const;

/**
 * What reads and rollbacks need beyond the primary keys, per chain: a partition has one chain, so its column is not in
 * them; the order within a block is a small sort. Built at the first read of a chain: building them once after a first
 * load costs less than updating them row by row, and leaves them densely packed.
 */
const SECONDARY_INDEXES: Readonly<Record<string, string>> = {
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

/** One by one, in one transaction. PostgreSQL adds the indexes to partitions that are created later. */
export const getSecondaryIndexSql = (chain: number): readonly string[] =>
  Object.entries(SECONDARY_INDEXES).map(
    ([name, on]) => `CREATE INDEX IF NOT EXISTS ${name}_${chain} ON @${on.replace(' ', `_${chain} `)}`,
  );

/** After that transaction. */
export const getAnalyzeSql = (chain: number): readonly string[] =>
  [...timelineTables, ...stateTables].map(table => `ANALYZE @${table}_${chain}`);

/** The partitions that a chain needs before its first row. A sparse one is small and has one partition per table. */
export function getChainPartitionSql(chain: number, isSparse: boolean): readonly string[] {
  const getSubpartitioning = (table: (typeof timelineTables)[number]) =>
    isSparse ? '' : ` PARTITION BY RANGE (${BLOCK_COLUMNS[table]})`;
  const tables = [
    ...timelineTables.map(table => ({ table, suffix: getSubpartitioning(table) })),
    ...stateTables.map(table => ({ table, suffix: '' })),
  ];
  return tables.map(
    ({ table, suffix }) =>
      `CREATE TABLE IF NOT EXISTS @${table}_${chain} PARTITION OF @${table} FOR VALUES IN (${chain})${suffix}`,
  );
}

export const getPartitionNumber = (block: number): number => Math.floor(block / BLOCKS_PER_PARTITION);

/** The partitions for one range of blocks of a chain. */
export function getRangePartitionSql(chain: number, partition: number): readonly string[] {
  const from = partition * BLOCKS_PER_PARTITION;
  const end = Math.min(from + BLOCKS_PER_PARTITION, MAX_BLOCK_NUMBER);
  return timelineTables.map(
    table =>
      `CREATE TABLE IF NOT EXISTS @${table}_${chain}_${partition} PARTITION OF @${table}_${chain} FOR VALUES FROM (${from}) TO (${end})`,
  );
}
