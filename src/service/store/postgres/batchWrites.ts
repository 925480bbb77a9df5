// Appends a run of blocks to the PostgreSQL index, or takes blocks back, each in one transaction.

import { HexLensError } from '../../../base/errors.ts';
import type { Hex } from '../../../base/hex.ts';
import { sortBatchRows, validateBlocks } from '../batchValidation.ts';
import { packStandard, unpackNumber } from '../encoding.ts';
import type { BlockBatch, TransactionValue } from '../rows.ts';
import type { StoreInfo } from '../store.ts';
import type { AddressTable } from './addressTable.ts';
import { readHead } from './blockReads.ts';
import { bulkColumn, insertRows, toColumnArray } from './bulkInsert.ts';
import type { Database, QueryRunner } from './database.ts';
import { applyTransfersToOwners, rebuildOwners } from './ownerWrites.ts';
import { getPartitionNumber, getRangePartitionSql, MAX_BLOCK_NUMBER } from './schema.ts';

// Native values of transactions, added to transfers of the PostgreSQL index that were stored without them.
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

/** One writer per chain at a time, whatever process it is in. */
const lockChain = (queries: QueryRunner, chain: number) =>
  queries.query('SELECT id FROM chain WHERE id = $1 FOR UPDATE', [chain]);

/** What writing to a chain needs; `partitions` are known to be there. */
export interface WriteContext {
  readonly database: Database;
  readonly chain: number;
  readonly addresses: AddressTable;
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
export async function applyBatch(writing: WriteContext, batch: BlockBatch): Promise<void> {
  const { database, chain, addresses, info } = writing;
  const first = batch.blocks[0]?.number ?? 0;
  const last = batch.blocks.at(-1)?.number ?? -1;
  await makePartitions(writing, first, last);
  const numbers = await addresses.intern(database, addressesOf(batch));
  const id = numbersIn(numbers);
  await database.transaction(async queries => {
    await lockChain(queries, chain);
    const head = await readHead(queries, chain);
    validateBlocks(info, head, batch);
    const transfers = sortBatchRows('transfer', batch.transfers, first, last);
    const mints = sortBatchRows('mint', batch.mints, first, last);
    const trades = sortBatchRows('trade', batch.trades, first, last);
    await insertRows(queries, 'block', chain, batch.blocks, [
      bulkColumn.int('number', row => row.number),
      bulkColumn.hash('hash', row => row.hash),
      bulkColumn.hash('parent', row => row.parentHash),
      bulkColumn.big('time', row => row.timestamp),
    ]);
    await insertTransfers(queries, chain, transfers, id);
    await applyTransfersToOwners({ queries, chain, addresses, id }, transfers);
    await insertRows(queries, 'mint', chain, mints, [
      bulkColumn.int('block', row => row.blockNumber),
      bulkColumn.int('log', row => row.logIndex),
      bulkColumn.hash('tx', row => row.transactionHash),
      bulkColumn.int('tx_index', row => row.transactionIndex),
      bulkColumn.int('token', row => id(row.token)),
      bulkColumn.int('recipient', row => id(row.to)),
      bulkColumn.amount('amount', row => row.amount),
    ]);
    await insertTrades(queries, chain, trades, id);
    await insertTokens(queries, chain, batch, head?.number ?? 0, id);
    if (head === null && batch.coveredFrom !== undefined)
      await queries.query('UPDATE chain SET covered_from = $2 WHERE id = $1', [chain, batch.coveredFrom]);
  });
}

/** Each in a transaction of its own, which is short: making one locks the tables of all chains. */
async function makePartitions({ database, chain, info, partitions }: WriteContext, first: number, last: number) {
  if (last >= MAX_BLOCK_NUMBER)
    throw new HexLensError(
      'internal',
      `The index in PostgreSQL can not hold block ${last}, only those below ${MAX_BLOCK_NUMBER}.`,
    );
  if (last < 0 || info.scope !== undefined) return;
  for (let partition = getPartitionNumber(first); partition <= getPartitionNumber(last); partition++) {
    if (partitions.has(partition)) continue;
    await database.transaction(async queries => {
      await lockChain(queries, chain);
      await queries.query(getRangePartitionSql(chain, partition));
    });
    partitions.add(partition);
  }
}

function* addressesOf({ transfers, mints, trades, tokens }: BlockBatch): Generator<Hex> {
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

const insertTransfers = (queries: QueryRunner, chain: number, transfers: BlockBatch['transfers'], id: Numbers) =>
  insertRows(queries, 'transfer', chain, transfers, [
    bulkColumn.int('block', row => row.blockNumber),
    bulkColumn.int('log', row => row.logIndex),
    bulkColumn.int('position', row => row.batchIndex),
    bulkColumn.hash('tx', row => row.transactionHash),
    bulkColumn.int('tx_index', row => row.transactionIndex),
    bulkColumn.int('token', row => id(row.token)),
    bulkColumn.number('token_id', row => row.tokenId),
    bulkColumn.small('standard', row => packStandard(row.standard)),
    bulkColumn.int('sender', row => id(row.from)),
    bulkColumn.int('recipient', row => id(row.to)),
    bulkColumn.amount('amount', row => row.amount),
    bulkColumn.int('operator', row => (row.operator === null ? 0 : id(row.operator))),
    bulkColumn.number('value', row => row.value),
  ]);

async function insertTrades(
  queries: QueryRunner,
  chain: number,
  trades: BlockBatch['trades'],
  id: Numbers,
): Promise<void> {
  let place = '';
  let ordinal = 0;
  const numbered = trades.map(row => {
    const here = `${row.blockNumber} ${row.logIndex}`;
    ordinal = here === place ? ordinal + 1 : 0;
    place = here;
    return { row, ordinal };
  });
  await insertRows(queries, 'trade', chain, numbered, [
    bulkColumn.int('block', ({ row }) => row.blockNumber),
    bulkColumn.int('log', ({ row }) => row.logIndex),
    bulkColumn.int('ordinal', trade => trade.ordinal),
    bulkColumn.hash('tx', ({ row }) => row.transactionHash),
    bulkColumn.int('token', ({ row }) => id(row.token)),
    bulkColumn.digits('token_ids', ({ row }) => row.tokenIds.join()),
    bulkColumn.int('seller', ({ row }) => id(row.seller)),
    bulkColumn.int('buyer', ({ row }) => id(row.buyer)),
    bulkColumn.int('marketplace', ({ row }) => id(row.marketplace)),
    bulkColumn.number('price', ({ row }) => row.price),
  ]);
}

/** A description goes with the block that the token was first seen in, so that taking that back takes it too. */
async function insertTokens(
  queries: QueryRunner,
  chain: number,
  batch: BlockBatch,
  head: number,
  id: Numbers,
): Promise<void> {
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
      bulkColumn.int('address', row => id(row.token)),
      bulkColumn.small('standard', row => packStandard(row.standard)),
      bulkColumn.utf8('name', row => row.name),
      bulkColumn.utf8('symbol', row => row.symbol),
      bulkColumn.small('decimals', row => row.decimals),
      bulkColumn.int('seen', row => seen.get(row.token) ?? elsewhere),
    ],
    `ON CONFLICT (chain, address) DO UPDATE SET standard = excluded.standard, name = excluded.name,
       symbol = excluded.symbol, decimals = excluded.decimals`,
  );
}

/** Everything above `block`; nothing happens when there is nothing above it. */
export async function rollBackTo({ database, chain, addresses }: WriteContext, block: number): Promise<void> {
  if (block >= MAX_BLOCK_NUMBER) return;
  await database.transaction(async queries => {
    await lockChain(queries, chain);
    const touched = await queries.query<{ token: number; token_id: Buffer }>(
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
      await queries.query(`DELETE FROM ${table} WHERE chain = $1 AND ${column} > $2`, [chain, block]);
    const address = await addresses.resolve(
      queries,
      touched.map(({ token }) => token),
    );
    const ids = touched.map(({ token, token_id }) => ({ token: address(token), tokenId: unpackNumber(token_id) }));
    const numbers = new Map(touched.map(({ token }) => [address(token), token]));
    await rebuildOwners({ queries, chain, addresses, id: numbersIn(numbers) }, ids);
  });
}
