// Appends a run of blocks to the PostgreSQL index, or takes blocks back, each in one transaction.
import { HexLensError } from '../../../base/errors.ts';
import type { Hex } from '../../../base/hex.ts';
import { checkBlocks, ordered } from '../batchValidation.ts';
import { packStandard, unpackNumber } from '../encoding.ts';
import type { Batch } from '../rows.ts';
import type { StoreInfo } from '../store.ts';
import type { Addresses } from './addressTable.ts';
import { headOf } from './blockReads.ts';
import { columns, insertRows } from './bulkInsert.ts';
import type { Database, Queries } from './database.ts';
import { moveOwners, rebuildOwners } from './ownerWrites.ts';
import { MOST_BLOCK, partitionOf, rangePartitions } from './schema.ts';

/** One writer per chain at a time, whatever process it is in. */
const lockChain = (queries: Queries, chain: number) =>
  queries.all('SELECT id FROM chain WHERE id = $1 FOR UPDATE', [chain]);

/** What writing to a chain needs; `partitions` are known to be there. */
export interface Writing {
  readonly database: Database;
  readonly chain: number;
  readonly addresses: Addresses;
  readonly info: StoreInfo;
  readonly partitions: Set<number>;
}

type Numbers = (address: Hex) => number;

const numbersIn =
  (numbers: ReadonlyMap<Hex, number>): Numbers =>
  address => {
    const id = numbers.get(address);
    if (id === undefined) throw new HexLensError('internal', `The index has no number for ${address}.`);
    return id;
  };

/** Rejects with `internal` when the run does not follow the head. */
export async function applyBatch(writing: Writing, batch: Batch): Promise<void> {
  const { database, chain, addresses, info } = writing;
  const first = batch.blocks[0]?.number ?? 0;
  const last = batch.blocks.at(-1)?.number ?? -1;
  await makePartitions(writing, first, last);
  const numbers = await addresses.intern(database, addressesOf(batch));
  const id = numbersIn(numbers);
  await database.write(async queries => {
    await lockChain(queries, chain);
    const head = await headOf(queries, chain);
    checkBlocks(info, head, batch);
    const transfers = ordered('transfer', batch.transfers, first, last);
    const mints = ordered('mint', batch.mints, first, last);
    const trades = ordered('trade', batch.trades, first, last);
    await insertRows(queries, 'block', chain, batch.blocks, [
      columns.int('number', row => row.number),
      columns.hash('hash', row => row.hash),
      columns.hash('parent', row => row.parentHash),
      columns.big('time', row => row.time),
    ]);
    await insertTransfers(queries, chain, transfers, id);
    await moveOwners({ queries, chain, addresses, id }, transfers);
    await insertRows(queries, 'mint', chain, mints, [
      columns.int('block', row => row.blockNumber),
      columns.int('log', row => row.logIndex),
      columns.hash('tx', row => row.transactionHash),
      columns.int('tx_index', row => row.transactionIndex),
      columns.int('token', row => id(row.token)),
      columns.int('recipient', row => id(row.to)),
      columns.amount('amount', row => row.amount),
    ]);
    await insertTrades(queries, chain, trades, id);
    await insertTokens(queries, chain, batch, head?.number ?? 0, id);
    if (head === null && batch.coveredFrom !== undefined)
      await queries.all('UPDATE chain SET covered_from = $2 WHERE id = $1', [chain, batch.coveredFrom]);
  });
}

/** Each in a transaction of its own, which is short: making one locks the tables of all chains. */
async function makePartitions({ database, chain, info, partitions }: Writing, first: number, last: number) {
  if (last >= MOST_BLOCK)
    throw new HexLensError(
      'internal',
      `The index in PostgreSQL can not hold block ${last}, only those below ${MOST_BLOCK}.`,
    );
  if (last < 0 || info.subject !== undefined) return;
  for (let partition = partitionOf(first); partition <= partitionOf(last); partition++) {
    if (partitions.has(partition)) continue;
    await database.write(async queries => {
      await lockChain(queries, chain);
      await queries.all(rangePartitions(chain, partition));
    });
    partitions.add(partition);
  }
}

function* addressesOf({ transfers, mints, trades, tokens }: Batch): Generator<Hex> {
  for (const { token, from, to, operator } of transfers) {
    yield token;
    yield from;
    yield to;
    if (operator !== null) yield operator;
  }
  for (const { token, to } of mints) yield* [token, to];
  for (const { token, seller, buyer, marketplace } of trades) yield* [token, seller, buyer, marketplace];
  for (const { token } of tokens) yield token;
}

const insertTransfers = (queries: Queries, chain: number, transfers: Batch['transfers'], id: Numbers) =>
  insertRows(queries, 'transfer', chain, transfers, [
    columns.int('block', row => row.blockNumber),
    columns.int('log', row => row.logIndex),
    columns.int('position', row => row.position),
    columns.hash('tx', row => row.transactionHash),
    columns.int('tx_index', row => row.transactionIndex),
    columns.int('token', row => id(row.token)),
    columns.number('token_id', row => row.tokenId),
    columns.small('standard', row => packStandard(row.standard)),
    columns.int('sender', row => id(row.from)),
    columns.int('recipient', row => id(row.to)),
    columns.amount('amount', row => row.amount),
    columns.int('operator', row => (row.operator === null ? 0 : id(row.operator))),
    columns.number('value', row => row.value),
  ]);

async function insertTrades(queries: Queries, chain: number, trades: Batch['trades'], id: Numbers): Promise<void> {
  let place = '';
  let ordinal = 0;
  const numbered = trades.map(row => {
    const here = `${row.blockNumber} ${row.logIndex}`;
    ordinal = here === place ? ordinal + 1 : 0;
    place = here;
    return { row, ordinal };
  });
  await insertRows(queries, 'trade', chain, numbered, [
    columns.int('block', ({ row }) => row.blockNumber),
    columns.int('log', ({ row }) => row.logIndex),
    columns.int('ordinal', trade => trade.ordinal),
    columns.hash('tx', ({ row }) => row.transactionHash),
    columns.int('token', ({ row }) => id(row.token)),
    columns.digits('token_ids', ({ row }) => row.tokenIds.join()),
    columns.int('seller', ({ row }) => id(row.seller)),
    columns.int('buyer', ({ row }) => id(row.buyer)),
    columns.int('marketplace', ({ row }) => id(row.marketplace)),
    columns.number('price', ({ row }) => row.price),
  ]);
}

/** A description goes with the block that the token was first seen in, so that taking that back takes it too. */
async function insertTokens(queries: Queries, chain: number, batch: Batch, head: number, id: Numbers): Promise<void> {
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
      columns.int('address', row => id(row.token)),
      columns.small('standard', row => packStandard(row.standard)),
      columns.utf8('name', row => row.name),
      columns.utf8('symbol', row => row.symbol),
      columns.small('decimals', row => row.decimals),
      columns.int('seen', row => seen.get(row.token) ?? elsewhere),
    ],
    `ON CONFLICT (chain, address) DO UPDATE SET standard = excluded.standard, name = excluded.name,
       symbol = excluded.symbol, decimals = excluded.decimals`,
  );
}

/** Everything above `block`; nothing happens when there is nothing above it. */
export async function rollBack({ database, chain, addresses }: Writing, block: number): Promise<void> {
  if (block >= MOST_BLOCK) return;
  await database.write(async queries => {
    await lockChain(queries, chain);
    const touched = await queries.all<{ token: number; token_id: Buffer }>(
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
    const address = await addresses.named(
      queries,
      touched.map(({ token }) => token),
    );
    const ids = touched.map(({ token, token_id }) => ({ token: address(token), tokenId: unpackNumber(token_id) }));
    const numbers = new Map(touched.map(({ token }) => [address(token), token]));
    await rebuildOwners({ queries, chain, addresses, id: numbersIn(numbers) }, ids);
  });
}
