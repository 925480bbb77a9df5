// Writes of the PostgreSQL index, each in one transaction: appending a batch, rolling back, filling in transaction values.
import { HexLensError } from '../../../base/errors.ts';
import type { Hex } from '../../../base/hex.ts';
import { sortBatchRows, sortTransactions, toTokensWithBlock, validateBlocks } from '../batchValidation.ts';
import { packStandard, unpackNumber } from '../encoding.ts';
import type { BlockBatch, InternalRecipients, TransactionPosition, TransactionValue } from '../rows.ts';
import type { StoreInfo } from '../store.ts';
import type { AddressTable } from './addressTable.ts';
import { readHead } from './blockReads.ts';
import { bulkColumn, insertRows, toColumnArray } from './bulkInsert.ts';
import { type LeaseState, lockChain, lockChainAsLeader } from './chainLock.ts';
import type { Database } from './database.ts';
import { applyTransfersToOwners, rebuildOwners } from './ownerWrites.ts';
import type { QueryRunner } from './queryRunner.ts';
import { MAX_BLOCK_NUMBER, NO_RECIPIENT } from './schema.ts';

export interface WriteContext {
  readonly database: Database;
  readonly chain: number;
  readonly addresses: AddressTable;
  readonly info: StoreInfo;
  getLease(): LeaseState;
}

type ToAddressId = (address: Hex) => number;

const createToAddressId =
  (ids: ReadonlyMap<Hex, number>): ToAddressId =>
  address => {
    const id = ids.get(address);
    if (id === undefined) throw new HexLensError('internal', `The index has no id for the address ${address}.`);
    return id;
  };

/** Rejects with `internal` when the batch does not follow the head. */
export async function applyBatch(context: WriteContext, batch: BlockBatch): Promise<void> {
  const { database, chain, addresses, info, getLease } = context;
  const firstBlock = batch.blocks[0]?.number ?? 0;
  const lastBlock = batch.blocks.at(-1)?.number ?? -1;
  if (lastBlock >= MAX_BLOCK_NUMBER)
    throw new HexLensError(
      'internal',
      `The index in PostgreSQL can not hold block ${lastBlock}, only those below ${MAX_BLOCK_NUMBER}.`,
    );
  const toId = createToAddressId(await addresses.intern(database, listAddresses(batch)));
  await database.transaction(async queries => {
    await lockChainAsLeader(queries, chain, getLease());
    const head = await readHead({ queries, chain, addresses });
    validateBlocks(info, head, batch);
    const transfers = sortBatchRows('transfer', batch.transfers, firstBlock, lastBlock);
    const erc20Transfers = sortBatchRows('ERC-20 transfer', batch.erc20Transfers, firstBlock, lastBlock);
    const trades = sortBatchRows('trade', batch.trades, firstBlock, lastBlock);
    await insertRows(queries, 'block', chain, batch.blocks, [
      bulkColumn.int('number', row => row.number),
      bulkColumn.hash('hash', row => row.hash),
      bulkColumn.hash('parent', row => row.parentHash),
      bulkColumn.big('time', row => row.timestamp),
    ]);
    await insertTransactions(queries, chain, sortTransactions(batch.transactions, firstBlock, lastBlock), toId);
    await insertTransfers(queries, chain, transfers, toId);
    await applyTransfersToOwners({ queries, chain, addresses, toId }, transfers);
    await insertRows(queries, 'erc20_transfer', chain, erc20Transfers, [
      bulkColumn.int('block', row => row.blockNumber),
      bulkColumn.big('log', row => row.place),
      bulkColumn.hash('tx', row => row.transactionHash),
      bulkColumn.int('tx_index', row => row.transactionIndex),
      bulkColumn.int('token', row => toId(row.tokenAddress)),
      bulkColumn.int('sender', row => toId(row.from)),
      bulkColumn.int('recipient', row => toId(row.to)),
      bulkColumn.amount('amount', row => row.amount),
    ]);
    await insertTrades(queries, chain, trades, toId);
    await insertTokens(queries, chain, batch, head?.number ?? 0, toId);
    if (head === null && batch.coveredFrom !== undefined)
      await queries.query('UPDATE @chain SET covered_from = $2 WHERE id = $1', [chain, batch.coveredFrom]);
  });
}

function* listAddresses({ transactions, transfers, erc20Transfers, trades, tokens }: BlockBatch): Generator<Hex> {
  for (const { from, to, internalRecipients } of transactions) {
    yield from;
    if (to !== null) yield to;
    yield* internalRecipients ?? [];
  }
  for (const { tokenAddress, from, to, operator } of transfers) {
    yield tokenAddress;
    yield from;
    yield to;
    if (operator !== null) yield operator;
  }
  for (const { tokenAddress, from, to } of erc20Transfers) yield* [tokenAddress, from, to];
  for (const { tokenAddress, seller, buyer, marketplace } of trades) yield* [tokenAddress, seller, buyer, marketplace];
  for (const { tokenAddress } of tokens) yield tokenAddress;
}

async function insertTransactions(
  queries: QueryRunner,
  chain: number,
  rows: BlockBatch['transactions'],
  toId: ToAddressId,
): Promise<void> {
  await insertRows(queries, 'mined_transaction', chain, rows, [
    bulkColumn.int('block', row => row.blockNumber),
    bulkColumn.int('tx_index', row => row.transactionIndex),
    bulkColumn.int('sender', row => toId(row.from)),
    bulkColumn.int('recipient', row => (row.to === null ? NO_RECIPIENT : toId(row.to))),
    bulkColumn.flag('traced', row => row.internalRecipients !== null),
    bulkColumn.hash('tx', row => row.transactionHash),
  ]);
  await insertInternalRecipients(queries, chain, rows, toId);
}

/** Inserts the internal recipients of the transactions whose recipients are known. */
async function insertInternalRecipients(
  queries: QueryRunner,
  chain: number,
  list: readonly (TransactionPosition & { readonly internalRecipients: readonly Hex[] | null })[],
  toId: ToAddressId,
): Promise<void> {
  const rows = list.flatMap(({ internalRecipients, ...row }) =>
    [...new Set(internalRecipients)].map(recipient => ({ ...row, recipient })),
  );
  await insertRows(queries, 'internal_recipient', chain, rows, [
    bulkColumn.int('block', row => row.blockNumber),
    bulkColumn.int('tx_index', row => row.transactionIndex),
    bulkColumn.int('recipient', row => toId(row.recipient)),
  ]);
}

const insertTransfers = (queries: QueryRunner, chain: number, rows: BlockBatch['transfers'], toId: ToAddressId) =>
  insertRows(queries, 'transfer', chain, rows, [
    bulkColumn.int('block', row => row.blockNumber),
    bulkColumn.big('log', row => row.place),
    bulkColumn.int('position', row => row.batchIndex),
    bulkColumn.hash('tx', row => row.transactionHash),
    bulkColumn.int('tx_index', row => row.transactionIndex),
    bulkColumn.int('token', row => toId(row.tokenAddress)),
    bulkColumn.number('token_id', row => row.tokenId),
    bulkColumn.small('standard', row => packStandard(row.standard)),
    bulkColumn.int('sender', row => toId(row.from)),
    bulkColumn.int('recipient', row => toId(row.to)),
    bulkColumn.amount('amount', row => row.amount),
    bulkColumn.int('operator', row => (row.operator === null ? 0 : toId(row.operator))),
    bulkColumn.number('value', row => row.value),
  ]);

/** `ordinal` tells apart the trades of one log. */
async function insertTrades(
  queries: QueryRunner,
  chain: number,
  rows: BlockBatch['trades'],
  toId: ToAddressId,
): Promise<void> {
  let previous = '';
  let ordinal = 0;
  const numbered = rows.map(row => {
    const log = `${row.blockNumber} ${row.transactionIndex} ${row.place}`;
    ordinal = log === previous ? ordinal + 1 : 0;
    previous = log;
    return { row, ordinal };
  });
  await insertRows(queries, 'trade', chain, numbered, [
    bulkColumn.int('block', ({ row }) => row.blockNumber),
    bulkColumn.int('tx_index', ({ row }) => row.transactionIndex),
    bulkColumn.big('log', ({ row }) => row.place),
    bulkColumn.int('ordinal', trade => trade.ordinal),
    bulkColumn.hash('tx', ({ row }) => row.transactionHash),
    bulkColumn.int('token', ({ row }) => toId(row.tokenAddress)),
    bulkColumn.digits('token_ids', ({ row }) => row.tokenIds.join()),
    bulkColumn.int('seller', ({ row }) => toId(row.seller)),
    bulkColumn.int('buyer', ({ row }) => toId(row.buyer)),
    bulkColumn.int('marketplace', ({ row }) => toId(row.marketplace)),
    bulkColumn.number('price', ({ row }) => row.price),
  ]);
}

/** `seen` is the block with the token's first row, so that rolling back that block removes the token too. */
async function insertTokens(
  queries: QueryRunner,
  chain: number,
  batch: BlockBatch,
  head: number,
  toId: ToAddressId,
): Promise<void> {
  // One statement may not write a row twice: the last one of a token counts.
  const unique = new Map(toTokensWithBlock(batch).map(row => [row.tokenAddress, row]));
  await insertRows(
    queries,
    'token',
    chain,
    [...unique.values()],
    [
      bulkColumn.int('address', row => toId(row.tokenAddress)),
      bulkColumn.small('standard', row => packStandard(row.standard)),
      bulkColumn.utf8('name', row => row.name),
      bulkColumn.utf8('symbol', row => row.symbol),
      bulkColumn.small('decimals', row => row.decimals),
      bulkColumn.int('seen', row => row.seen ?? head),
    ],
    `ON CONFLICT (chain, address) DO UPDATE SET standard = excluded.standard, name = excluded.name,
       symbol = excluded.symbol, decimals = excluded.decimals`,
  );
}

/** Removes everything above `block`, and computes the owners of the ids concerned from their remaining transfers. */
export async function rollBackTo(context: WriteContext, block: number): Promise<void> {
  const { database, chain, addresses, getLease } = context;
  if (block >= MAX_BLOCK_NUMBER) return;
  await database.transaction(async queries => {
    await lockChainAsLeader(queries, chain, getLease());
    const movedIds = await queries.query<{ token: number; token_id: Buffer }>(
      'SELECT DISTINCT token, token_id FROM @transfer WHERE chain = $1 AND block > $2',
      [chain, block],
    );
    for (const [table, column] of [
      ['mined_transaction', 'block'],
      ['internal_recipient', 'block'],
      ['transfer', 'block'],
      ['erc20_transfer', 'block'],
      ['trade', 'block'],
      ['block', 'number'],
      ['token', 'seen'],
    ])
      await queries.query(`DELETE FROM @${table} WHERE chain = $1 AND ${column} > $2`, [chain, block]);
    const toAddress = await addresses.resolve(
      queries,
      movedIds.map(({ token }) => token),
    );
    const nfts = movedIds.map(({ token, token_id }) => ({
      tokenAddress: toAddress(token),
      tokenId: unpackNumber(token_id),
    }));
    const toId = createToAddressId(new Map(movedIds.map(({ token }) => [toAddress(token), token])));
    await rebuildOwners({ queries, chain, addresses, toId }, nfts);
  });
}

const VALUE_COLUMNS = [
  bulkColumn.int('block', (row: TransactionValue) => row.blockNumber),
  bulkColumn.hash('tx', (row: TransactionValue) => row.transactionHash),
  bulkColumn.number('value', (row: TransactionValue) => row.value),
];

/** With the block, which is part of the primary key. */
const UPDATE_VALUES = `
  UPDATE @transfer AS r SET value = given.value
  FROM unnest($2::integer[], $3::bytea[], $4::bytea[]) AS given (block, tx, value)
  WHERE r.chain = $1 AND r.block = given.block AND r.tx = given.tx AND r.value IS NULL`;

/** Fills in the native value of transfers that were stored without it. */
export async function writeTransactionValues(
  queries: QueryRunner,
  chain: number,
  values: readonly TransactionValue[],
): Promise<void> {
  if (values.length === 0) return;
  await queries.query(UPDATE_VALUES, [chain, ...VALUE_COLUMNS.map(column => toColumnArray(column, values))]);
}

const TRACED_COLUMNS = [
  bulkColumn.int('block', (row: InternalRecipients) => row.blockNumber),
  bulkColumn.int('tx_index', (row: InternalRecipients) => row.transactionIndex),
  bulkColumn.hash('tx', (row: InternalRecipients) => row.transactionHash),
];

const SET_TRACED = `
  UPDATE @mined_transaction AS r SET traced = true
  FROM unnest($2::integer[], $3::integer[], $4::bytea[]) AS given (block, tx_index, tx)
  WHERE r.chain = $1 AND r.block = given.block AND r.tx_index = given.tx_index AND r.tx = given.tx AND NOT r.traced
  RETURNING r.block, r.tx_index`;

/** Fills in the internal recipients of transactions that were stored without them. */
export async function writeInternalRecipients(
  { database, chain, addresses }: WriteContext,
  list: readonly InternalRecipients[],
): Promise<void> {
  if (list.length === 0) return;
  const recipients = list.flatMap(({ internalRecipients }) => internalRecipients);
  const toId = createToAddressId(await addresses.intern(database, recipients));
  await database.transaction(async queries => {
    await lockChain(queries, chain); // no reorg may remove the transactions meanwhile
    const values = TRACED_COLUMNS.map(column => toColumnArray(column, list));
    const updated = await queries.query<{ block: number; tx_index: number }>(SET_TRACED, [chain, ...values]);
    const places = new Set(updated.map(({ block, tx_index }) => `${block} ${tx_index}`));
    const isUpdated = (row: InternalRecipients) => places.has(`${row.blockNumber} ${row.transactionIndex}`);
    await insertInternalRecipients(queries, chain, list.filter(isUpdated), toId);
  });
}
