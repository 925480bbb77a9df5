// The PostgreSQL index as it is now: the partitions of a chain, its secondary indexes, and values with a meaning.

/** Block numbers are PostgreSQL's `integer`: 17 years of a chain with four blocks a second. */
export const MAX_BLOCK_NUMBER = 2_147_483_647;

/** The migration inserts the zero address first. */
export const ZERO_ADDRESS_ID = 1;

/** In `mined_transaction.recipient`: a creation failed. */
export const NO_RECIPIENT = 0;

/** In `owner.minted`: the index has no mint of the id. */
export const NEVER_MINTED = -1;

/**
 * The tables that are partitioned by chain. A chain that is indexed whole has a partition of its own. Sparse indexes, of
 * which there are many small ones, have ids from 2^30 on and share one partition.
 */
export const chainTables = [
  'block',
  'mined_transaction',
  'internal_recipient',
  'transfer',
  'erc20_transfer',
  'trade',
  'owner',
  'token',
] as const;

/**
 * What reads and rollbacks need beyond the primary keys, per chain: a partition has one chain, so its column is not in
 * them; the order within a block is a small sort. Built at the first read of a chain: building them once after a first
 * load costs less than updating them row by row, and leaves them densely packed. The partition of the sparse
 * indexes has them from the start, and they begin with the chain.
 */
const SECONDARY_INDEXES: Readonly<Record<string, string>> = {
  block_time: 'block (time, number)',
  mined_transaction_sender: 'mined_transaction (sender, block)',
  mined_transaction_recipient: 'mined_transaction (recipient, block)',
  mined_transaction_untraced: 'mined_transaction (block) WHERE NOT traced',
  internal_recipient_recipient: 'internal_recipient (recipient, block)',
  transfer_sender: 'transfer (sender, block)',
  transfer_recipient: 'transfer (recipient, block)',
  transfer_token: 'transfer (token, block)',
  transfer_token_id: 'transfer (token, token_id, block)',
  owner_wallet: `owner (holder, block) WHERE holder <> ${ZERO_ADDRESS_ID}`,
  owner_collection: `owner (holder, token, block) WHERE holder <> ${ZERO_ADDRESS_ID}`,
  owner_token: `owner (token, block) WHERE holder <> ${ZERO_ADDRESS_ID}`,
  erc20_transfer_sender: 'erc20_transfer (sender, block)',
  erc20_transfer_recipient: 'erc20_transfer (recipient, block)',
  erc20_transfer_token: 'erc20_transfer (token, block)',
  erc20_transfer_sender_token: 'erc20_transfer (sender, token, block)',
  erc20_transfer_recipient_token: 'erc20_transfer (recipient, token, block)',
  erc20_transfer_minted: `erc20_transfer (recipient, block) WHERE sender = ${ZERO_ADDRESS_ID}`,
  trade_price: 'trade (token, price, block DESC)',
};

export const sparseIndexSql: readonly string[] = Object.entries(SECONDARY_INDEXES).map(
  ([name, on]) => `CREATE INDEX ${name}_sparse ON ${on.replace(' (', '_sparse (chain, ')}`,
);

/** One by one, in one transaction. */
export const getSecondaryIndexSql = (chain: number): readonly string[] =>
  Object.entries(SECONDARY_INDEXES).map(
    ([name, on]) => `CREATE INDEX IF NOT EXISTS ${name}_${chain} ON @${on.replace(' ', `_${chain} `)}`,
  );

/** After that transaction. */
export const getAnalyzeSql = (chain: number): readonly string[] =>
  chainTables.map(table => `ANALYZE @${table}_${chain}`);

/** The partitions that a chain needs before its first row, unless it is sparse. */
export const getPartitionSql = (chain: number): readonly string[] =>
  chainTables.map(
    table =>
      `CREATE TABLE IF NOT EXISTS @${table}_${chain} PARTITION OF @${table} FOR VALUES FROM (${chain}) TO (${chain + 1})`,
  );
