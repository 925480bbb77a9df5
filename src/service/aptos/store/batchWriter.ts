// Writes a batch of transactions into the Aptos index: read by the rules one after the other, stored in one write.
import { HexLensError } from '../../../base/errors.ts';
import type { Connection } from '../../store/sqlite/connection.ts';
import type { CoinActivity, TokenActivity, TokenData } from '../models.ts';
import { type TransactionRows, transactionRows } from '../processors/processTransaction.ts';
import type { OwnershipChange } from '../processors/tokenOwnershipProcessor.ts';
import { progressOf } from './activityRowRange.ts';
import { packData, packId, packProperties, packStandard, packTime } from './aptosEncoding.ts';
import { CONTENTS } from './aptosSchema.ts';
import type { Applied, AptosBatch } from './aptosStore.ts';
import { createNumbers, type Numbers } from './idTables.ts';
import { createTableMemory, type TableMemory } from './storedPriorState.ts';
import { createTokenNumbers, type TokenNumbers } from './tokenRowIds.ts';

/** Two windows may index the same chain: whoever comes second begins again from where the first one is. */
const MOVED = 'The index of the chain was moved on by another window.';

/** What a writer has in memory of the file it writes. */
export interface Writer {
  readonly numbers: Numbers;
  readonly tokens: TokenNumbers;
  readonly memory: TableMemory;
  /** Where this writer left the index; when it is elsewhere, somebody else wrote. */
  left: { readonly next: bigint; readonly hash: string | null } | null;
}

export function createWriter(connection: Connection): Writer {
  const numbers = createNumbers(connection);
  return {
    numbers,
    tokens: createTokenNumbers(connection, numbers),
    memory: createTableMemory(connection, numbers),
    left: null,
  };
}

export function applyBatch(
  connection: Connection,
  writer: Writer,
  from: bigint,
  { transactions, next, hash, height }: AptosBatch,
): Applied {
  const { tokens, memory } = writer;
  const { accounts, names } = writer.numbers;
  const account = (address: CoinActivity['ownerAddress']) => (address === null ? null : accounts.intern(address));
  const name = (text: string | null) => (text === null ? null : names.intern(text));

  let coinId = 0;
  let tokenActivityId = 0;

  const addCoin = (row: CoinActivity) =>
    connection.run(
      'INSERT INTO coin VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ++coinId,
      Number(row.transactionVersion),
      row.eventIndex,
      packTime(row.transactionTimestamp),
      row.blockHeight === null ? null : Number(row.blockHeight),
      names.intern(row.activityType),
      row.amount.toString(),
      name(row.assetType),
      packStandard(row.tokenStandard),
      name(row.entryFunctionIdStr),
      account(row.eventAccountAddress),
      row.eventCreationNumber?.toString() ?? null,
      row.eventSequenceNumber?.toString() ?? null,
      row.isTransactionSuccess ? 1 : 0,
      account(row.ownerAddress),
    );
  const addTokenActivity = (row: TokenActivity) => {
    const token = tokens.intern(row);
    connection.run(
      'INSERT INTO token_activity VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ++tokenActivityId,
      Number(row.transactionVersion),
      row.eventIndex,
      packTime(row.transactionTimestamp),
      token.id,
      token.collection,
      names.intern(row.transferType),
      account(row.eventAccountAddress),
      row.eventCreationNumber?.toString() ?? null,
      row.eventSequenceNumber?.toString() ?? null,
      account(row.fromAddress),
      account(row.toAddress),
      row.propertyVersion.toString(),
      row.tokenAmount.toString(),
    );
  };
  const setTokenData = (row: TokenData) => {
    const { id } = tokens.intern(row);
    const { tokenStandard, tokenDataIdHash, collectionDataIdHash, collectionName, creatorAddress, ...rest } = row;
    const { name: _name, lastTransactionVersion, lastTransactionTimestamp, defaultProperties, ...data } = rest;
    connection.run(
      'UPDATE token SET properties = ?, data = ?, version = ?, time = ? WHERE id = ?',
      packProperties(defaultProperties),
      packData(data),
      Number(lastTransactionVersion),
      packTime(lastTransactionTimestamp),
      id,
    );
  };
  const setOwnership = (row: OwnershipChange, version: bigint, time: number) => {
    const token = tokens.intern(row);
    // An object has one owner: whoever it was before, is it no more.
    if (row.tokenStandard === 'v2') connection.run('DELETE FROM ownership WHERE token = ?', token.id);
    if (row.ownerAddress === null) return;
    const owner = accounts.intern(row.ownerAddress);
    const key = [token.id, row.propertyVersion.toString(), owner] as const;
    if (row.amount === 0n) {
      connection.run('DELETE FROM ownership WHERE token = ? AND property_version = ? AND owner = ?', ...key);
      return;
    }
    connection.run(
      'INSERT OR REPLACE INTO ownership VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ...key,
      token.collection,
      row.amount.toString(),
      packProperties(row.tokenProperties),
      Number(version),
      time,
    );
  };

  const store = (rows: TransactionRows) => {
    memory.learn(rows.learnt);
    for (const row of rows.coinActivities) addCoin(row);
    for (const row of rows.tokenActivities) addTokenActivity(row);
    for (const row of rows.tokenDatas) setTokenData(row);
    const { version, timestamp } = rows;
    for (const row of rows.ownerships) setOwnership(row, version, packTime(timestamp));
    // A burned object leaves the list of its creator; its transfers stay.
    for (const object of rows.burned)
      connection.run('UPDATE token SET data = NULL, version = NULL WHERE hash = ?', packId(object.slice(2)));
  };

  const leftOut = new Map<string, number>();
  let count = 0;
  try {
    connection.write(() => {
      const found = progressOf(connection);
      if (found.next !== from) throw new HexLensError('internal', MOVED, { fix: 'Try again.' });
      if (writer.left?.next !== found.next || writer.left.hash !== found.hash) forget(writer);
      coinId = lastOf(connection, 'coin');
      tokenActivityId = lastOf(connection, 'token_activity');
      for (const placed of transactions) {
        const rows = transactionRows(placed, memory);
        store(rows);
        count += rows.coinActivities.length + rows.tokenActivities.length;
        for (const reason of rows.leftOut) leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
      }
      connection.run(
        'UPDATE progress SET next = ?, hash = ?, height = ?',
        Number(next),
        hash,
        height === null ? null : Number(height),
      );
    });
    writer.left = { next, hash };
  } catch (error) {
    forget(writer);
    throw error;
  }
  return { rows: count, leftOut };
}

export function clearAll(connection: Connection, writer: Writer, first: bigint): void {
  connection.write(() => {
    for (const table of CONTENTS) connection.run(`DELETE FROM ${table}`);
    connection.run('UPDATE progress SET first = ?, next = ?, hash = NULL, height = NULL', Number(first), Number(first));
  });
  forget(writer);
}

const lastOf = (connection: Connection, table: 'coin' | 'token_activity'): number =>
  connection.get<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`)?.id ?? 0;

function forget(writer: Writer): void {
  writer.numbers.accounts.forget();
  writer.numbers.names.forget();
  writer.tokens.forget();
  writer.memory.forget();
  writer.left = null;
}
