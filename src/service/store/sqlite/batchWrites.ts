// Writes of the SQLite index, each in one transaction: appending a batch, rolling back, filling in transaction values.
import type { Hex } from '../../../base/hex.ts';
import { sortBatchRows, sortTransactions, validateBlocks } from '../batchValidation.ts';
import { packHex, packNumber, packStandard, unpackHex, unpackNftStandard } from '../encoding.ts';
import type { BlockBatch, BlockRow, InternalRecipients, TransactionRow, TransactionValue } from '../rows.ts';
import type { StoreInfo } from '../store.ts';
import type { AddressTable } from './addressTable.ts';
import { readHead } from './blockReads.ts';
import type { SqliteConnection } from './connection.ts';
import { createOwnerWriter } from './ownerWrites.ts';
import { findFirstRowId, toLogPosition } from './rowIds.ts';

/** Throws `internal`, changing nothing, when the batch does not follow the head; and what SQLite throws. */
export function applyBatch(
  connection: SqliteConnection,
  addresses: AddressTable,
  info: StoreInfo,
  batch: BlockBatch,
): void {
  try {
    connection.writeTransaction(() => {
      const head = readHead({ connection, addresses });
      validateBlocks(info, head, batch);
      const firstBlock = batch.blocks[0]?.number ?? 0;
      const lastBlock = batch.blocks.at(-1)?.number ?? -1;
      const transfers = sortBatchRows('transfer', batch.transfers, firstBlock, lastBlock);
      const erc20Transfers = sortBatchRows('ERC-20 transfer', batch.erc20Transfers, firstBlock, lastBlock);
      const trades = sortBatchRows('trade', batch.trades, firstBlock, lastBlock);
      const transactions = sortTransactions(batch.transactions, firstBlock, lastBlock);
      const firstIds = [
        insertTransactions(connection, addresses, transactions),
        insertTransfers(connection, addresses, transfers),
        insertErc20Transfers(connection, addresses, erc20Transfers),
        insertTrades(connection, addresses, trades),
      ] as const;
      insertBlocks(connection, batch.blocks, [transactions, transfers, erc20Transfers, trades], firstIds);
      insertTokens(connection, addresses, batch, head?.number ?? 0);
      if (head === null && batch.coveredFrom !== undefined)
        connection.run('UPDATE coverage SET first = ?', batch.coveredFrom);
    });
  } catch (error) {
    addresses.clearCache();
    throw error;
  }
}

const timelineTables = ['mined_transaction', 'transfer', 'erc20_transfer', 'trade'] as const;

type TimelineTable = (typeof timelineTables)[number];

/** The id of a table's next row: ids have no gaps. */
function readNextId(connection: SqliteConnection, table: TimelineTable): number {
  return (connection.get<{ last: number | null }>(`SELECT max(id) AS last FROM ${table}`)?.last ?? 0) + 1;
}

/** Consecutive rows often have the same transaction hash: its bytes are made once. */
function createHashPacker(): (hash: Hex) => Buffer {
  let last: Hex | null = null;
  let bytes: Buffer = Buffer.alloc(0);
  return hash => {
    if (hash !== last) {
      bytes = packHex(hash, 32);
      last = hash;
    }
    return bytes;
  };
}

/** `rows` and `firstIds` are those of the timelines: a block stores where its rows begin in each. */
function insertBlocks(
  connection: SqliteConnection,
  blocks: readonly BlockRow[],
  rows: readonly (readonly { readonly blockNumber: number }[])[],
  firstIds: readonly number[],
): void {
  const nextIndex = rows.map(() => 0);
  for (const { number, hash, parentHash, timestamp } of blocks) {
    const firstIdsOfBlock = rows.map((list, table) => {
      let index = nextIndex[table] ?? 0;
      while ((list[index]?.blockNumber ?? Number.POSITIVE_INFINITY) < number) index++;
      nextIndex[table] = index;
      return (firstIds[table] ?? 0) + index;
    });
    connection.run(
      `INSERT INTO block (number, hash, parent, time, ${timelineTables.map(table => `first_${table}`).join(', ')})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      number,
      packHex(hash, 32),
      packHex(parentHash, 32),
      timestamp,
      ...firstIdsOfBlock,
    );
  }
}

const INSERT_INTERNAL_RECIPIENT = 'INSERT INTO internal_recipient VALUES (?, ?) ON CONFLICT DO NOTHING';

function insertTransactions(
  connection: SqliteConnection,
  addresses: AddressTable,
  rows: readonly TransactionRow[],
): number {
  const firstId = readNextId(connection, 'mined_transaction');
  for (const [
    index,
    { blockNumber, transactionIndex, transactionHash, from, to, internalRecipients },
  ] of rows.entries()) {
    const id = firstId + index;
    connection.run(
      'INSERT INTO mined_transaction VALUES (?, ?, ?, ?, ?, ?, ?)',
      id,
      blockNumber,
      transactionIndex,
      packHex(transactionHash, 32),
      addresses.intern(from),
      to === null ? null : addresses.intern(to),
      internalRecipients === null ? 0 : 1,
    );
    for (const recipient of internalRecipients ?? [])
      connection.run(INSERT_INTERNAL_RECIPIENT, id, addresses.intern(recipient));
  }
  return firstId;
}

function insertTransfers(connection: SqliteConnection, addresses: AddressTable, rows: BlockBatch['transfers']): number {
  const firstId = readNextId(connection, 'transfer');
  const owners = createOwnerWriter(connection);
  const packHash = createHashPacker();
  for (const [index, row] of rows.entries()) {
    const id = firstId + index;
    const token = addresses.intern(row.tokenAddress);
    const tokenId = packNumber(row.tokenId);
    const sender = addresses.intern(row.from);
    const recipient = addresses.intern(row.to);
    connection.run(
      'INSERT INTO transfer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      id,
      row.blockNumber,
      row.place,
      row.batchIndex,
      packHash(row.transactionHash),
      row.transactionIndex,
      token,
      tokenId,
      packStandard(row.standard),
      sender,
      recipient,
      row.amount.toString(),
      row.operator === null ? null : addresses.intern(row.operator),
      row.value === null ? null : row.value.toString(),
    );
    const { standard, amount } = row;
    owners.add({ id, block: row.blockNumber, token, tokenId, standard, sender, recipient, amount });
  }
  owners.flush();
  return firstId;
}

function insertErc20Transfers(
  connection: SqliteConnection,
  addresses: AddressTable,
  rows: BlockBatch['erc20Transfers'],
): number {
  const firstId = readNextId(connection, 'erc20_transfer');
  const packHash = createHashPacker();
  for (const [index, row] of rows.entries()) {
    connection.run(
      'INSERT INTO erc20_transfer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      firstId + index,
      row.blockNumber,
      row.place,
      packHash(row.transactionHash),
      row.transactionIndex,
      addresses.intern(row.tokenAddress),
      addresses.intern(row.from),
      addresses.intern(row.to),
      packNumber(row.amount),
    );
  }
  return firstId;
}

function insertTrades(connection: SqliteConnection, addresses: AddressTable, rows: BlockBatch['trades']): number {
  const firstId = readNextId(connection, 'trade');
  for (const [index, row] of rows.entries()) {
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
  return firstId;
}

/** `seen` is the block with the token's first row, so that rolling back that block removes the token too. */
function insertTokens(connection: SqliteConnection, addresses: AddressTable, batch: BlockBatch, head: number): void {
  if (batch.tokens.length === 0) return;
  const seen = new Map<Hex, number>();
  for (const { tokenAddress, blockNumber } of [...batch.transfers, ...batch.erc20Transfers])
    seen.set(tokenAddress, Math.min(seen.get(tokenAddress) ?? blockNumber, blockNumber));
  for (const { tokenAddress, standard, name, symbol, decimals } of batch.tokens) {
    connection.run(
      `INSERT INTO token (address, standard, name, symbol, decimals, seen) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET standard = excluded.standard, name = excluded.name, symbol = excluded.symbol,
         decimals = excluded.decimals`,
      addresses.intern(tokenAddress),
      packStandard(standard),
      name,
      symbol,
      decimals,
      seen.get(tokenAddress) ?? batch.blocks.at(-1)?.number ?? head,
    );
  }
}

type FirstIds = Readonly<Record<TimelineTable, number>>;

interface RemainingTransfer {
  readonly id: number;
  readonly block: number;
  readonly standard: number;
  readonly sender: number;
  readonly recipient: number;
  readonly amount: string;
}

const FIRST_IDS_ABOVE = `
  SELECT ${timelineTables.map(table => `first_${table} AS ${table}`).join(', ')}
  FROM block WHERE number > ? ORDER BY number LIMIT 1`;

const TRANSFERS_OF_ID = `
  SELECT id, block, standard, sender, recipient, amount
  FROM transfer INDEXED BY transfer_token_id WHERE token = ? AND token_id = ? ORDER BY id`;

/**
 * Removes everything above `block`, and computes the owners of the ids concerned from their remaining transfers. Needs the
 * secondary indexes.
 */
export function rollBackTo(connection: SqliteConnection, block: number): void {
  connection.writeTransaction(() => {
    const firstIds = connection.get<FirstIds>(FIRST_IDS_ABOVE, block);
    if (firstIds === undefined) return;
    const movedIds = connection.all<{ token: number; token_id: Uint8Array }>(
      // NOT INDEXED: else SQLite reads all of transfer_token_id, where the ids are distinct already.
      'SELECT DISTINCT token, token_id FROM transfer NOT INDEXED WHERE id >= ?',
      firstIds.transfer,
    );
    for (const table of timelineTables) connection.run(`DELETE FROM ${table} WHERE id >= ?`, firstIds[table]);
    connection.run('DELETE FROM internal_recipient WHERE id >= ?', firstIds.mined_transaction);
    connection.run('DELETE FROM block WHERE number > ?', block);
    connection.run('DELETE FROM token WHERE seen > ?', block);
    for (const { token, token_id: tokenId } of movedIds) {
      connection.run('DELETE FROM owner WHERE token = ? AND token_id = ?', token, tokenId);
      const owners = createOwnerWriter(connection);
      for (const { standard, amount, ...row } of connection.iterate<RemainingTransfer>(TRANSFERS_OF_ID, token, tokenId))
        owners.add({ ...row, token, tokenId, standard: unpackNftStandard(standard), amount: BigInt(amount) });
      owners.flush();
    }
  });
}

/** The rows of a block are adjacent: from its first up to the first of the next block. */
const TRANSFERS_WITHOUT_VALUE = `
  SELECT id, tx FROM transfer
  WHERE id >= (SELECT first_transfer FROM block WHERE number = ?1)
    AND id < ifnull((SELECT first_transfer FROM block WHERE number > ?1 ORDER BY number LIMIT 1), 9007199254740991)
    AND block = ?1 AND value IS NULL`;

/** Fills in the native value of transfers that were stored without it. */
export function writeTransactionValues(connection: SqliteConnection, values: readonly TransactionValue[]): void {
  const valuesByBlock = Map.groupBy(values, ({ blockNumber }) => blockNumber);
  if (valuesByBlock.size === 0) return;
  connection.writeTransaction(() => {
    for (const [block, valuesOfBlock] of valuesByBlock) {
      const valueByHash = new Map<Hex, bigint>(valuesOfBlock.map(row => [row.transactionHash, row.value]));
      for (const { id, tx } of connection.all<{ id: number; tx: Uint8Array }>(TRANSFERS_WITHOUT_VALUE, block)) {
        const value = valueByHash.get(unpackHex(tx));
        if (value !== undefined) connection.run('UPDATE transfer SET value = ? WHERE id = ?', value.toString(), id);
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
  try {
    connection.writeTransaction(() => {
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
  } catch (error) {
    addresses.clearCache();
    throw error;
  }
}
