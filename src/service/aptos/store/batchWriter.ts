// Writes a batch of transactions into the Aptos index: read by the rules one after the other, stored in one write.
import { HexLensError } from '../../../base/errors.ts';
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import type { CoinActivity, TokenActivity, TokenData } from '../models.ts';
import { type ProcessedTransaction, processTransaction } from '../processors/processTransaction.ts';
import type { OwnershipChange } from '../processors/tokenOwnershipProcessor.ts';
import { readProgress } from './activityRowRange.ts';
import {
  encodeIdHash,
  encodeSeconds,
  encodeTokenData,
  encodeTokenProperties,
  encodeTokenStandard,
} from './aptosEncoding.ts';
import { CONTENT_TABLES } from './aptosSchema.ts';
import type { AptosBatch, BatchResult } from './aptosStore.ts';
import { createIdTables, type IdTables } from './idTables.ts';
import { createStoredPriorState, type StoredPriorState } from './storedPriorState.ts';
import { createTokenRowIds, type TokenRowIds } from './tokenRowIds.ts';

/** Two windows may index the same chain: whoever comes second begins again from where the first one is. */
const MOVED = 'The index of the chain was moved on by another window.';

/** What a writer has in memory of the file it writes. */
export interface BatchWriter {
  readonly idTables: IdTables;
  readonly tokenRowIds: TokenRowIds;
  readonly priorState: StoredPriorState;
  /** Where this writer left the index; when it is elsewhere, somebody else wrote. */
  lastProgress: { readonly next: bigint; readonly hash: string | null } | null;
}

export function createBatchWriter(connection: SqliteConnection): BatchWriter {
  const numbers = createIdTables(connection);
  return {
    idTables: numbers,
    tokenRowIds: createTokenRowIds(connection, numbers),
    priorState: createStoredPriorState(connection, numbers),
    lastProgress: null,
  };
}

export function writeBatch(
  connection: SqliteConnection,
  writer: BatchWriter,
  from: bigint,
  { transactions, nextVersion: next, lastHash: hash, lastBlockHeight: height }: AptosBatch,
): BatchResult {
  const { tokenRowIds: tokens, priorState: memory } = writer;
  const { accounts, names } = writer.idTables;
  const account = (address: CoinActivity['ownerAddress']) =>
    address === null ? null : accounts.getOrCreateId(address);
  const name = (text: string | null) => (text === null ? null : names.getOrCreateId(text));

  let coinId = 0;
  let tokenActivityId = 0;

  const addCoin = (row: CoinActivity) =>
    connection.run(
      'INSERT INTO coin VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ++coinId,
      Number(row.transactionVersion),
      row.eventIndex,
      encodeSeconds(row.transactionTimestamp),
      row.blockHeight === null ? null : Number(row.blockHeight),
      names.getOrCreateId(row.activityType),
      row.amount.toString(),
      name(row.assetType),
      encodeTokenStandard(row.tokenStandard),
      name(row.entryFunctionIdStr),
      account(row.eventAccountAddress),
      row.eventCreationNumber?.toString() ?? null,
      row.eventSequenceNumber?.toString() ?? null,
      row.isTransactionSuccess ? 1 : 0,
      account(row.ownerAddress),
    );
  const addTokenActivity = (row: TokenActivity) => {
    const token = tokens.getOrCreate(row);
    connection.run(
      'INSERT INTO token_activity VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ++tokenActivityId,
      Number(row.transactionVersion),
      row.eventIndex,
      encodeSeconds(row.transactionTimestamp),
      token.id,
      token.collectionId,
      names.getOrCreateId(row.transferType),
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
    const { id } = tokens.getOrCreate(row);
    const { tokenStandard, tokenDataIdHash, collectionDataIdHash, collectionName, creatorAddress, ...rest } = row;
    const { name: _name, lastTransactionVersion, lastTransactionTimestamp, defaultProperties, ...data } = rest;
    connection.run(
      'UPDATE token SET properties = ?, data = ?, version = ?, time = ? WHERE id = ?',
      encodeTokenProperties(defaultProperties),
      encodeTokenData(data),
      Number(lastTransactionVersion),
      encodeSeconds(lastTransactionTimestamp),
      id,
    );
  };
  const setOwnership = (row: OwnershipChange, version: bigint, time: number) => {
    const token = tokens.getOrCreate(row);
    // An object has one owner: whoever it was before, is it no more.
    if (row.tokenStandard === 'v2') connection.run('DELETE FROM ownership WHERE token = ?', token.id);
    if (row.ownerAddress === null) return;
    const owner = accounts.getOrCreateId(row.ownerAddress);
    const key = [token.id, row.propertyVersion.toString(), owner] as const;
    if (row.amount === 0n) {
      connection.run('DELETE FROM ownership WHERE token = ? AND property_version = ? AND owner = ?', ...key);
      return;
    }
    connection.run(
      'INSERT OR REPLACE INTO ownership VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ...key,
      token.collectionId,
      row.amount.toString(),
      encodeTokenProperties(row.tokenProperties),
      Number(version),
      time,
    );
  };

  const store = (rows: ProcessedTransaction) => {
    memory.update(rows.stateUpdates);
    for (const row of rows.coinActivities) addCoin(row);
    for (const row of rows.tokenActivities) addTokenActivity(row);
    for (const row of rows.tokenDatas) setTokenData(row);
    const { version, timestamp } = rows;
    for (const row of rows.ownerships) setOwnership(row, version, encodeSeconds(timestamp));
    // A burned object leaves the list of its creator; its transfers stay.
    for (const object of rows.burnedObjects)
      connection.run('UPDATE token SET data = NULL, version = NULL WHERE hash = ?', encodeIdHash(object.slice(2)));
  };

  const leftOut = new Map<string, number>();
  let count = 0;
  try {
    connection.writeTransaction(() => {
      const found = readProgress(connection);
      if (found.nextVersion !== from) throw new HexLensError('internal', MOVED, { fix: 'Try again.' });
      if (writer.lastProgress?.next !== found.nextVersion || writer.lastProgress.hash !== found.lastHash)
        forget(writer);
      coinId = lastOf(connection, 'coin');
      tokenActivityId = lastOf(connection, 'token_activity');
      for (const placed of transactions) {
        const rows = processTransaction(placed, memory);
        store(rows);
        count += rows.coinActivities.length + rows.tokenActivities.length;
        for (const reason of rows.skipped) leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
      }
      connection.run(
        'UPDATE progress SET next = ?, hash = ?, height = ?',
        Number(next),
        hash,
        height === null ? null : Number(height),
      );
    });
    writer.lastProgress = { next, hash };
  } catch (error) {
    forget(writer);
    throw error;
  }
  return { activityCount: count, skipped: leftOut };
}

export function clearIndex(connection: SqliteConnection, writer: BatchWriter, first: bigint): void {
  connection.writeTransaction(() => {
    for (const table of CONTENT_TABLES) connection.run(`DELETE FROM ${table}`);
    connection.run('UPDATE progress SET first = ?, next = ?, hash = NULL, height = NULL', Number(first), Number(first));
  });
  forget(writer);
}

const lastOf = (connection: SqliteConnection, table: 'coin' | 'token_activity'): number =>
  connection.get<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`)?.id ?? 0;

function forget(writer: BatchWriter): void {
  writer.idTables.accounts.clearCache();
  writer.idTables.names.clearCache();
  writer.tokenRowIds.clearCache();
  writer.priorState.clearCache();
  writer.lastProgress = null;
}
