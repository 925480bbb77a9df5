// Writes of the SQLite index, each in one transaction: appending a batch, rolling back, filling in transaction values.
import type { Hex } from '../../../base/hex.ts';
import { validateBlocks } from '../batchValidation.ts';
import {
  packHex,
  packInteger,
  packNumber,
  packStandard,
  unpackHex,
  unpackInteger,
  unpackNftStandard,
} from '../encoding.ts';
import type { InternalRecipients, TransactionValue } from '../rows.ts';
import type { StoreInfo } from '../store.ts';
import type { AddressTable } from './addressTable.ts';
import { type BatchColumns, IntegerReader } from './batchColumns.ts';
import { readHead } from './blockReads.ts';
import { BulkStatement } from './bulkStatement.ts';
import type { SqliteConnection } from './connection.ts';
import { createOwnerWriter } from './ownerWrites.ts';
import { findFirstRowId, toLogPosition } from './rowIds.ts';

/** Throws `internal`, changing nothing, when the batch does not follow the head; and what SQLite throws. */
export function applyBatch(
  connection: SqliteConnection,
  addresses: AddressTable,
  info: StoreInfo,
  batch: BatchColumns,
): void {
  addresses.writeTransaction(() => {
    const head = readHead({ connection, addresses });
    validateBlocks(info, head, batch);
    const ids = addresses.internAll(batch.addresses);
    const firstIds: FirstIds = {
      mined_transaction: readNextId(connection, 'mined_transaction'),
      transfer: readNextId(connection, 'transfer'),
      erc20_transfer: readNextId(connection, 'erc20_transfer'),
      trade: readNextId(connection, 'trade'),
    };
    insertTransactions(connection, batch, ids, firstIds.mined_transaction);
    insertTransfers(connection, batch, ids, firstIds);
    insertErc20Transfers(connection, batch, ids, firstIds);
    insertTrades(connection, addresses, batch.trades, firstIds.trade);
    insertBlocks(connection, batch, firstIds);
    insertTokens(connection, addresses, batch.tokens, head?.number ?? 0);
    if (head === null && batch.coveredFrom !== undefined)
      connection.run('UPDATE coverage SET first = ?', batch.coveredFrom);
  });
}

const timelineTables = ['mined_transaction', 'transfer', 'erc20_transfer', 'trade'] as const;

type TimelineTable = (typeof timelineTables)[number];

type FirstIds = Readonly<Record<TimelineTable, number>>;

/** The id of a table's next row: ids have no gaps. */
function readNextId(connection: SqliteConnection, table: TimelineTable): number {
  return (connection.get<{ last: number | null }>(`SELECT max(id) AS last FROM ${table}`)?.last ?? 0) + 1;
}

/** A block stores where its rows begin in each timeline. */
function insertBlocks(
  connection: SqliteConnection,
  { blocks, transactions, transfers, erc20Transfers, trades }: BatchColumns,
  firstIds: FirstIds,
): void {
  const getBlock = (index: number | undefined) => transactions.block[index ?? -1];
  const blockOfRow: readonly ((row: number) => number | undefined)[] = [
    getBlock,
    row => getBlock(transfers.transaction[row]),
    row => getBlock(erc20Transfers.transaction[row]),
    row => trades[row]?.blockNumber,
  ];
  const nextRows = timelineTables.map(() => 0);
  const statement = new BulkStatement(connection, {
    into: `block (number, hash, parent, time, ${timelineTables.map(table => `first_${table}`).join(', ')})`,
    columns: 8,
  });
  for (const { number, hash, parentHash, timestamp } of blocks) {
    const firstIdsOfBlock = timelineTables.map((table, index) => {
      let row = nextRows[index] ?? 0;
      while ((blockOfRow[index]?.(row) ?? Number.POSITIVE_INFINITY) < number) row++;
      nextRows[index] = row;
      return firstIds[table] + row;
    });
    statement.add(number, packHex(hash, 32), packHex(parentHash, 32), timestamp, ...firstIdsOfBlock);
  }
  statement.flush();
}

const INSERT_INTERNAL_RECIPIENT = 'INSERT INTO internal_recipient VALUES (?, ?) ON CONFLICT DO NOTHING';

/** Ids of addresses in the file, by their index in the batch; `null` for -1. */
type AddressIds = readonly number[];

const getId = (ids: AddressIds, index: number | undefined): number | null => ids[index ?? -1] ?? null;

function insertTransactions(
  connection: SqliteConnection,
  { transactions, internalRecipients }: BatchColumns,
  ids: AddressIds,
  firstId: number,
): void {
  const { block, index: transactionIndex, hash, sender, recipient, traced } = transactions;
  const values = new IntegerReader(transactions.value);
  const statement = new BulkStatement(connection, { into: 'mined_transaction', columns: 8 });
  for (let row = 0; row < block.length; row++) {
    const value = values.readValue();
    statement.add(
      firstId + row,
      block[row] ?? 0,
      transactionIndex[row] ?? 0,
      hash.subarray(32 * row, 32 * row + 32),
      getId(ids, sender[row]),
      getId(ids, recipient[row]),
      traced[row] ?? 0,
      value === null ? null : packInteger(value),
    );
  }
  statement.flush();
  for (let at = 0; at < internalRecipients.length; at += 2)
    connection.run(
      INSERT_INTERNAL_RECIPIENT,
      firstId + (internalRecipients[at] ?? 0),
      getId(ids, internalRecipients[at + 1]),
    );
}

function insertTransfers(
  connection: SqliteConnection,
  { transfers, transactions }: BatchColumns,
  ids: AddressIds,
  { mined_transaction: firstTransaction, transfer: firstId }: FirstIds,
): void {
  const owners = createOwnerWriter(connection);
  const statement = new BulkStatement(connection, { into: 'transfer', columns: 11 });
  const tokenIds = new IntegerReader(transfers.tokenId);
  const amounts = new IntegerReader(transfers.amount);
  for (let row = 0; row < transfers.transaction.length; row++) {
    const id = firstId + row;
    const transaction = transfers.transaction[row] ?? 0;
    const token = getId(ids, transfers.token[row]) ?? 0;
    const tokenId = tokenIds.readValue() ?? 0n;
    const amount = amounts.readValue() ?? 0n;
    const standard = transfers.standard[row] ?? 0;
    const sender = getId(ids, transfers.sender[row]) ?? 0;
    const recipient = getId(ids, transfers.recipient[row]) ?? 0;
    statement.add(
      id,
      firstTransaction + transaction,
      transfers.place[row] ?? 0,
      transfers.batchIndex[row] ?? 0,
      token,
      packInteger(tokenId),
      standard,
      sender,
      recipient,
      packInteger(amount),
      getId(ids, transfers.operator[row]),
    );
    const block = transactions.block[transaction] ?? 0;
    owners.add({ id, block, token, tokenId, standard: unpackNftStandard(standard), sender, recipient, amount });
  }
  statement.flush();
  owners.flush();
}

function insertErc20Transfers(
  connection: SqliteConnection,
  { erc20Transfers: { transaction, place, token, sender, recipient, amount } }: BatchColumns,
  ids: AddressIds,
  { mined_transaction: firstTransaction, erc20_transfer: firstId }: FirstIds,
): void {
  const statement = new BulkStatement(connection, { into: 'erc20_transfer', columns: 7 });
  const amounts = new IntegerReader(amount);
  for (let row = 0; row < transaction.length; row++)
    statement.add(
      firstId + row,
      firstTransaction + (transaction[row] ?? 0),
      place[row] ?? 0,
      getId(ids, token[row]),
      getId(ids, sender[row]),
      getId(ids, recipient[row]),
      packInteger(amounts.readValue() ?? 0n),
    );
  statement.flush();
}

function insertTrades(
  connection: SqliteConnection,
  addresses: AddressTable,
  rows: BatchColumns['trades'],
  firstId: number,
): void {
  for (const [index, row] of rows.entries())
    connection.run(
      'INSERT INTO trade VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      firstId + index,
      row.blockNumber,
      row.place,
      packHex(row.transactionHash, 32),
      addresses.intern(row.tokenAddress),
      row.tokenIds.join(),
      addresses.intern(row.seller),
      addresses.intern(row.buyer),
      addresses.intern(row.marketplace),
      packNumber(row.price),
      row.transactionIndex,
    );
}

function insertTokens(
  connection: SqliteConnection,
  addresses: AddressTable,
  tokens: BatchColumns['tokens'],
  head: number,
): void {
  for (const { tokenAddress, standard, name, symbol, decimals, seen } of tokens)
    connection.run(
      `INSERT INTO token (address, standard, name, symbol, decimals, seen) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET standard = excluded.standard, name = excluded.name, symbol = excluded.symbol,
         decimals = excluded.decimals`,
      addresses.intern(tokenAddress),
      packStandard(standard),
      name,
      symbol,
      decimals,
      seen ?? head,
    );
}

interface RemainingTransfer {
  readonly id: number;
  readonly block: number;
  readonly standard: number;
  readonly sender: number;
  readonly recipient: number;
  readonly amount: number | Uint8Array;
}

const FIRST_IDS_ABOVE = `
  SELECT ${timelineTables.map(table => `first_${table} AS ${table}`).join(', ')}
  FROM block WHERE number > ? ORDER BY number LIMIT 1`;

const TRANSFERS_OF_ID = `
  SELECT r.id, m.block, r.standard, r.sender, r.recipient, r.amount
  FROM transfer AS r INDEXED BY transfer_token_id CROSS JOIN mined_transaction AS m ON m.id = r.transaction_id
  WHERE r.token = ? AND r.token_id = ? ORDER BY r.id`;

/**
 * Removes everything above `block`, and computes the owners of the ids concerned from their remaining transfers. Needs the
 * secondary indexes.
 */
export function rollBackTo(connection: SqliteConnection, block: number): void {
  connection.writeTransaction(() => {
    const firstIds = connection.get<FirstIds>(FIRST_IDS_ABOVE, block);
    if (firstIds === undefined) return;
    const movedIds = connection.all<{ token: number; token_id: number | Uint8Array }>(
      // NOT INDEXED: else SQLite reads all of transfer_token_id, where the ids are distinct already.
      'SELECT DISTINCT token, token_id FROM transfer NOT INDEXED WHERE id >= ?',
      firstIds.transfer,
    );
    for (const table of timelineTables) connection.run(`DELETE FROM ${table} WHERE id >= ?`, firstIds[table]);
    connection.run('DELETE FROM internal_recipient WHERE id >= ?', firstIds.mined_transaction);
    connection.run('DELETE FROM block WHERE number > ?', block);
    connection.run('DELETE FROM token WHERE seen > ?', block);
    for (const { token, token_id: storedId } of movedIds) {
      const tokenId = unpackInteger(storedId);
      const key = [token, packInteger(tokenId)] as const;
      connection.run('DELETE FROM owner WHERE token = ? AND token_id = ?', ...key);
      const owners = createOwnerWriter(connection);
      for (const { standard, amount, ...row } of connection.iterate<RemainingTransfer>(TRANSFERS_OF_ID, ...key))
        owners.add({ ...row, token, tokenId, standard: unpackNftStandard(standard), amount: unpackInteger(amount) });
      owners.flush();
    }
  });
}

/** The rows of a block are adjacent: from its first up to the first of the next block. */
const TRANSACTIONS_WITHOUT_VALUE = `
  SELECT id, tx FROM mined_transaction
  WHERE id >= (SELECT first_mined_transaction FROM block WHERE number = ?1)
    AND id < ifnull((SELECT first_mined_transaction FROM block WHERE number > ?1 ORDER BY number LIMIT 1), 9007199254740991)
    AND block = ?1 AND value IS NULL`;

/** Fills in the native value of transactions that were stored without it. */
export function writeTransactionValues(connection: SqliteConnection, values: readonly TransactionValue[]): void {
  const valuesByBlock = Map.groupBy(values, ({ blockNumber }) => blockNumber);
  if (valuesByBlock.size === 0) return;
  connection.writeTransaction(() => {
    for (const [block, valuesOfBlock] of valuesByBlock) {
      const valueByHash = new Map<Hex, bigint>(valuesOfBlock.map(row => [row.transactionHash, row.value]));
      for (const { id, tx } of connection.all<{ id: number; tx: Uint8Array }>(TRANSACTIONS_WITHOUT_VALUE, block)) {
        const value = valueByHash.get(unpackHex(tx));
        if (value !== undefined)
          connection.run('UPDATE mined_transaction SET value = ? WHERE id = ?', packInteger(value), id);
      }
    }
  });
}

/** Fills in the internal recipients of transactions that were stored without them. */
export function writeInternalRecipients(
  connection: SqliteConnection,
  addresses: AddressTable,
  list: readonly InternalRecipients[],
): void {
  if (list.length === 0) return;
  addresses.writeTransaction(() => {
    for (const { transactionHash, internalRecipients, ...position } of list) {
      const id = findFirstRowId(connection, 'mined_transaction', toLogPosition(position));
      const row = connection.get<{ tx: Uint8Array; block: number; traced: number }>(
        'SELECT tx, block, traced FROM mined_transaction WHERE id = ?',
        id,
      );
      if (row?.traced !== 0 || row.block !== position.blockNumber || unpackHex(row.tx) !== transactionHash) continue;
      for (const recipient of internalRecipients)
        connection.run(INSERT_INTERNAL_RECIPIENT, id, addresses.intern(recipient));
      connection.run('UPDATE mined_transaction SET traced = 1 WHERE id = ?', id);
    }
  });
}
