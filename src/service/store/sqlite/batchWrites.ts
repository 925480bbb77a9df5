// Appends a batch to the SQLite index: blocks, transfers with their owners, mints, trades and tokens in one transaction.

import type { Hex } from '../../../base/hex.ts';
import { type Located, sortBatchRows, validateBlocks } from '../batchValidation.ts';
import { packHex, packNumber, packStandard, unpackHex, unpackNftStandard } from '../encoding.ts';
import type { BlockBatch, BlockRow, TransactionValue } from '../rows.ts';
import type { StoreInfo } from '../store.ts';
import type { AddressTable } from './addressTable.ts';
import type { SqliteConnection } from './connection.ts';
import { createOwnerWriter } from './ownerWrites.ts';

// Takes blocks back out of the SQLite index, and works out the owners of what they touched from the transfers that stay.
interface Starts {
  readonly transfer: number;
  readonly mint: number;
  readonly trade: number;
}

interface Kept {
  readonly id: number;
  readonly block: number;
  readonly standard: number;
  readonly sender: number;
  readonly recipient: number;
  readonly amount: string;
}

const STARTS = `
  SELECT first_transfer AS transfer, first_mint AS mint, first_trade AS trade
  FROM block WHERE number > ? ORDER BY number LIMIT 1`;

const KEPT = `
  SELECT id, block, standard, sender, recipient, amount
  FROM transfer INDEXED BY transfer_token_id WHERE token = ? AND token_id = ? ORDER BY id`;

/** Everything above `block`; nothing happens when there is nothing above it. Needs the secondary indexes. */
export function rollBackTo(connection: SqliteConnection, block: number): void {
  connection.writeTransaction(() => {
    const starts = connection.get<Starts>(STARTS, block);
    if (starts === undefined) return;
    const touched = connection.all<{ token: number; token_id: Uint8Array }>(
      // Else SQLite reads the whole index of ids, which names each only once.
      'SELECT DISTINCT token, token_id FROM transfer NOT INDEXED WHERE id >= ?',
      starts.transfer,
    );
    for (const table of ['transfer', 'mint', 'trade'] as const)
      connection.run(`DELETE FROM ${table} WHERE id >= ?`, starts[table]);
    connection.run('DELETE FROM block WHERE number > ?', block);
    connection.run('DELETE FROM token WHERE seen > ?', block);
    for (const { token, token_id: tokenId } of touched) {
      connection.run('DELETE FROM owner WHERE token = ? AND token_id = ?', token, tokenId);
      const owners = createOwnerWriter(connection);
      for (const { standard, amount, ...row } of connection.iterate<Kept>(KEPT, token, tokenId))
        owners.add({
          ...row,
          token,
          tokenId,
          standard: unpackNftStandard(standard),
          amount: BigInt(amount),
        });
      owners.flush();
    }
  });
}

// Native values of transactions, added to transfers of the SQLite index that were stored without them.
/** The rows of a block stand together: those from its first up to the first of the block behind it. */
const WITHOUT_VALUE = `
  SELECT id, tx FROM transfer
  WHERE id >= (SELECT first_transfer FROM block WHERE number = ?1)
    AND id < ifnull((SELECT first_transfer FROM block WHERE number > ?1 ORDER BY number LIMIT 1), 9007199254740991)
    AND block = ?1 AND value IS NULL`;

export function writeTransactionValues(connection: SqliteConnection, values: readonly TransactionValue[]): void {
  const blocks = Map.groupBy(values, ({ blockNumber }) => blockNumber);
  if (blocks.size === 0) return;
  connection.writeTransaction(() => {
    for (const [block, noted] of blocks) {
      const byHash = new Map<Hex, bigint>(noted.map(({ transactionHash, value }) => [transactionHash, value]));
      for (const { id, tx } of connection.all<{ id: number; tx: Uint8Array }>(WITHOUT_VALUE, block)) {
        const value = byHash.get(unpackHex(tx));
        if (value !== undefined) connection.run('UPDATE transfer SET value = ? WHERE id = ?', value.toString(), id);
      }
    }
  });
}

/** The same transaction hash comes many times in a row; its bytes are made once. */
function hashPacker(): (hash: Hex) => Buffer {
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

/** Throws `internal` when the batch does not follow `head()`, changing nothing; and whatever SQLite throws. */
export function applyBatch(
  connection: SqliteConnection,
  addresses: AddressTable,
  info: StoreInfo,
  head: () => BlockRow | null,
  batch: BlockBatch,
): void {
  try {
    connection.writeTransaction(() => {
      const before = head();
      validateBlocks(info, before, batch);
      const first = batch.blocks[0]?.number ?? 0;
      const last = batch.blocks.at(-1)?.number ?? -1;
      const transfers = sortBatchRows('transfer', batch.transfers, first, last);
      const mints = sortBatchRows('mint', batch.mints, first, last);
      const trades = sortBatchRows('trade', batch.trades, first, last);
      const starts = [
        insertTransfers(connection, addresses, transfers),
        insertMints(connection, addresses, mints),
        insertTrades(connection, addresses, trades),
      ] as const;
      insertBlocks(connection, batch.blocks, [transfers, mints, trades], starts);
      insertTokens(connection, addresses, batch, before?.number ?? 0);
      if (before === null && batch.coveredFrom !== undefined)
        connection.run('UPDATE coverage SET first = ?', batch.coveredFrom);
    });
  } catch (error) {
    addresses.clearCache();
    throw error;
  }
}

type Table = 'transfer' | 'mint' | 'trade';

/** The number that the next row of a table gets: numbers have no gaps. */
function nextId(connection: SqliteConnection, table: Table): number {
  return (connection.get<{ last: number | null }>(`SELECT max(id) AS last FROM ${table}`)?.last ?? 0) + 1;
}

function insertBlocks(
  connection: SqliteConnection,
  blocks: readonly BlockRow[],
  rows: readonly (readonly Located[])[],
  starts: readonly number[],
): void {
  const passed = rows.map(() => 0);
  for (const { number, hash, parentHash, timestamp: time } of blocks) {
    const firsts = rows.map((list, table) => {
      let index = passed[table] ?? 0;
      while ((list[index]?.blockNumber ?? Number.POSITIVE_INFINITY) < number) index++;
      passed[table] = index;
      return (starts[table] ?? 0) + index;
    });
    connection.run(
      'INSERT INTO block (number, hash, parent, time, first_transfer, first_mint, first_trade) VALUES (?, ?, ?, ?, ?, ?, ?)',
      number,
      packHex(hash, 32),
      packHex(parentHash, 32),
      time,
      ...firsts,
    );
  }
}

function insertTransfers(connection: SqliteConnection, addresses: AddressTable, rows: BlockBatch['transfers']): number {
  const start = nextId(connection, 'transfer');
  const owners = createOwnerWriter(connection);
  const hash = hashPacker();
  for (const [index, row] of rows.entries()) {
    const id = start + index;
    const token = addresses.intern(row.token);
    const tokenId = packNumber(row.tokenId);
    const sender = addresses.intern(row.from);
    const recipient = addresses.intern(row.to);
    connection.run(
      'INSERT INTO transfer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      id,
      row.blockNumber,
      row.logIndex,
      row.batchIndex,
      hash(row.transactionHash),
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
  return start;
}

function insertMints(connection: SqliteConnection, addresses: AddressTable, rows: BlockBatch['mints']): number {
  const start = nextId(connection, 'mint');
  const hash = hashPacker();
  for (const [index, row] of rows.entries()) {
    connection.run(
      'INSERT INTO mint VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      start + index,
      row.blockNumber,
      row.logIndex,
      hash(row.transactionHash),
      row.transactionIndex,
      addresses.intern(row.token),
      addresses.intern(row.to),
      row.amount.toString(),
    );
  }
  return start;
}

function insertTrades(connection: SqliteConnection, addresses: AddressTable, rows: BlockBatch['trades']): number {
  const start = nextId(connection, 'trade');
  for (const [index, row] of rows.entries()) {
    connection.run(
      'INSERT INTO trade VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      start + index,
      row.blockNumber,
      row.logIndex,
      packHex(row.transactionHash, 32),
      addresses.intern(row.token),
      row.tokenIds.join(),
      addresses.intern(row.seller),
      addresses.intern(row.buyer),
      addresses.intern(row.marketplace),
      packNumber(row.price),
    );
  }
  return start;
}

/** A description goes with the block that the token was first seen in, so that taking that back takes it too. */
function insertTokens(connection: SqliteConnection, addresses: AddressTable, batch: BlockBatch, head: number): void {
  if (batch.tokens.length === 0) return;
  const seen = new Map<Hex, number>();
  for (const { token, blockNumber } of [...batch.transfers, ...batch.mints])
    seen.set(token, Math.min(seen.get(token) ?? blockNumber, blockNumber));
  for (const { token, standard, name, symbol, decimals } of batch.tokens) {
    connection.run(
      `INSERT INTO token (address, standard, name, symbol, decimals, seen) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET standard = excluded.standard, name = excluded.name, symbol = excluded.symbol,
         decimals = excluded.decimals`,
      addresses.intern(token),
      packStandard(standard),
      name,
      symbol,
      decimals,
      seen.get(token) ?? batch.blocks.at(-1)?.number ?? head,
    );
  }
}
