// Appends a run of blocks to the PostgreSQL index, or takes blocks back, each in one transaction.
import type { Hex } from '../../base/hex.ts';
import { checkBlocks, ordered } from './chainOrder.ts';
import { packHex, packNumber, packStandard, unpackHex, unpackNumber } from './encoding.ts';
import { moveOwners, rebuildOwners } from './postgresOwners.ts';
import type { Database, Queries } from './postgresPool.ts';
import { headOf } from './postgresReads.ts';
import { columns, insertRows } from './postgresRows.ts';
import { partitionOf, rangePartitions } from './postgresSchema.ts';
import type { Batch } from './rows.ts';
import type { StoreInfo } from './store.ts';

/** One writer per chain at a time, whatever process it is in. */
const lockChain = (queries: Queries, chain: number) =>
  queries.all('SELECT id FROM chain WHERE id = $1 FOR UPDATE', [chain]);

const utf8 = (text: string | null) => (text === null ? null : Buffer.from(text, 'utf8'));

/** `made` names the partitions that are known to be there. Rejects with `internal` when the run does not follow the head. */
export async function applyBatch(
  database: Database,
  chain: number,
  info: StoreInfo,
  made: Set<number>,
  batch: Batch,
): Promise<void> {
  const first = batch.blocks[0]?.number ?? 0;
  const last = batch.blocks.at(-1)?.number ?? -1;
  const byRange = batch.blocks.length > 0 && info.subject === undefined;
  for (let partition = partitionOf(first); byRange && partition <= partitionOf(last); partition++) {
    if (made.has(partition)) continue;
    await database.write(async queries => {
      await lockChain(queries, chain);
      await queries.all(rangePartitions(chain, partition));
    });
    made.add(partition);
  }
  await database.write(async queries => {
    await lockChain(queries, chain);
    const head = await headOf(queries, chain);
    checkBlocks(info, head, batch);
    const transfers = ordered('transfer', batch.transfers, first, last);
    const mints = ordered('mint', batch.mints, first, last);
    const trades = ordered('trade', batch.trades, first, last);
    await insertRows(queries, 'block', chain, batch.blocks, [
      columns.big('number', row => row.number),
      columns.bytes('hash', row => packHex(row.hash, 32)),
      columns.bytes('parent', row => packHex(row.parentHash, 32)),
      columns.big('time', row => row.time),
    ]);
    await insertRows(queries, 'transfer', chain, transfers, [
      columns.big('block', row => row.blockNumber),
      columns.int('log', row => row.logIndex),
      columns.int('position', row => row.position),
      columns.bytes('tx', row => packHex(row.transactionHash, 32)),
      columns.int('tx_index', row => row.transactionIndex),
      columns.bytes('token', row => packHex(row.token, 20)),
      columns.bytes('token_id', row => packNumber(row.tokenId)),
      columns.small('standard', row => packStandard(row.standard)),
      columns.bytes('sender', row => packHex(row.from, 20)),
      columns.bytes('recipient', row => packHex(row.to, 20)),
      columns.numeric('amount', row => row.amount.toString()),
      columns.bytes('operator', row => (row.operator === null ? null : packHex(row.operator, 20))),
      columns.numeric('value', row => row.value?.toString() ?? null),
    ]);
    await moveOwners(queries, chain, transfers);
    await insertRows(queries, 'mint', chain, mints, [
      columns.big('block', row => row.blockNumber),
      columns.int('log', row => row.logIndex),
      columns.bytes('tx', row => packHex(row.transactionHash, 32)),
      columns.int('tx_index', row => row.transactionIndex),
      columns.bytes('token', row => packHex(row.token, 20)),
      columns.bytes('recipient', row => packHex(row.to, 20)),
      columns.numeric('amount', row => row.amount.toString()),
    ]);
    await insertTrades(queries, chain, trades);
    await insertTokens(queries, chain, batch, head?.number ?? 0);
    if (head === null && batch.coveredFrom !== undefined)
      await queries.all('UPDATE chain SET covered_from = $2 WHERE id = $1', [chain, batch.coveredFrom]);
  });
}

async function insertTrades(queries: Queries, chain: number, trades: Batch['trades']): Promise<void> {
  let place = '';
  let ordinal = 0;
  const numbered = trades.map(row => {
    const here = `${row.blockNumber} ${row.logIndex}`;
    ordinal = here === place ? ordinal + 1 : 0;
    place = here;
    return { row, ordinal };
  });
  await insertRows(queries, 'trade', chain, numbered, [
    columns.big('block', ({ row }) => row.blockNumber),
    columns.int('log', ({ row }) => row.logIndex),
    columns.int('ordinal', trade => trade.ordinal),
    columns.bytes('tx', ({ row }) => packHex(row.transactionHash, 32)),
    columns.bytes('token', ({ row }) => packHex(row.token, 20)),
    columns.text('token_ids', ({ row }) => row.tokenIds.join()),
    columns.bytes('seller', ({ row }) => packHex(row.seller, 20)),
    columns.bytes('buyer', ({ row }) => packHex(row.buyer, 20)),
    columns.bytes('marketplace', ({ row }) => packHex(row.marketplace, 20)),
    columns.numeric('price', ({ row }) => row.price.toString()),
  ]);
}

/** A description goes with the block that the token was first seen in, so that taking that back takes it too. */
async function insertTokens(queries: Queries, chain: number, batch: Batch, head: number): Promise<void> {
  if (batch.tokens.length === 0) return;
  const seen = new Map<Hex, number>();
  for (const { token, blockNumber } of [...batch.transfers, ...batch.mints])
    seen.set(token, Math.min(seen.get(token) ?? blockNumber, blockNumber));
  const latest = new Map(batch.tokens.map(row => [row.token, row]));
  const elsewhere = batch.blocks.at(-1)?.number ?? head;
  await insertRows(
    queries,
    'token',
    chain,
    [...latest.values()],
    [
      columns.bytes('address', row => packHex(row.token, 20)),
      columns.small('standard', row => packStandard(row.standard)),
      columns.bytes('name', row => utf8(row.name)),
      columns.bytes('symbol', row => utf8(row.symbol)),
      columns.small('decimals', row => row.decimals),
      columns.big('seen', row => seen.get(row.token) ?? elsewhere),
    ],
    `ON CONFLICT (chain, address) DO UPDATE SET standard = excluded.standard, name = excluded.name,
       symbol = excluded.symbol, decimals = excluded.decimals`,
  );
}

/** Everything above `block`; nothing happens when there is nothing above it. */
export async function rollBack(database: Database, chain: number, block: number): Promise<void> {
  await database.write(async queries => {
    await lockChain(queries, chain);
    const touched = await queries.all<{ token: Buffer; token_id: Buffer }>(
      'SELECT DISTINCT token, token_id FROM transfer WHERE chain = $1 AND block > $2',
      [chain, block],
    );
    for (const [table, column] of [
      ['transfer', 'block'],
      ['mint', 'block'],
      ['trade', 'block'],
      ['block', 'number'],
      ['token', 'seen'],
    ])
      await queries.all(`DELETE FROM ${table} WHERE chain = $1 AND ${column} > $2`, [chain, block]);
    const ids = touched.map(({ token, token_id }) => ({ token: unpackHex(token), tokenId: unpackNumber(token_id) }));
    await rebuildOwners(queries, chain, ids);
  });
}
