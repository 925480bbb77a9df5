// Processes a batch of transactions one after the other and stores their rows in one write transaction.
import { HexLensError } from '../../../base/errors.ts';
import type { Hex } from '../../../base/hex.ts';
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import type { CoinActivity, TokenActivity, TokenData } from '../models.ts';
import { type ProcessedTransaction, processTransaction } from '../processors/processTransaction.ts';
import type { OwnershipChange } from '../processors/tokenOwnershipProcessor.ts';
import {
  encodeIdHash,
  encodeSeconds,
  encodeTokenData,
  encodeTokenProperties,
  encodeTokenStandard,
} from './aptosEncoding.ts';
import { CONTENT_TABLES } from './aptosSchema.ts';
import type { AptosBatch, AptosProgress, BatchResult } from './aptosStore.ts';
import { createIdTables, type IdTables } from './idTables.ts';
import { createStoredPriorState, type StoredPriorState } from './storedPriorState.ts';
import { createTokenRowIds, type TokenRowIds } from './tokenRowIds.ts';

/** Several windows may index the same chain: the second one continues from the progress of the first. */
const CHANGED_BY_OTHER_WINDOW = 'Another window has extended the index of the chain.';

/** The caches of an open index. */
export interface BatchWriter {
  readonly idTables: IdTables;
  readonly tokenRowIds: TokenRowIds;
  readonly priorState: StoredPriorState;
  /** Progress after the last batch of this writer. When the index has another one, another process has written. */
  lastProgress: Pick<AptosProgress, 'nextVersion' | 'lastHash'> | null;
}

export function createBatchWriter(connection: SqliteConnection): BatchWriter {
  const idTables = createIdTables(connection);
  return {
    idTables,
    tokenRowIds: createTokenRowIds(connection, idTables),
    priorState: createStoredPriorState(connection, idTables),
    lastProgress: null,
  };
}

export function readProgress(connection: SqliteConnection): AptosProgress {
  const row = connection.get<{ first: number; next: number; hash: string | null; height: number | null }>(
    'SELECT first, next, hash, height FROM progress',
  );
  return {
    firstVersion: BigInt(row?.first ?? 0),
    nextVersion: BigInt(row?.next ?? 0),
    lastHash: row?.hash ?? null,
    lastBlockHeight: row === undefined || row.height === null ? null : BigInt(row.height),
  };
}

export function writeBatch(
  connection: SqliteConnection,
  writer: BatchWriter,
  firstVersion: bigint,
  { transactions, nextVersion, lastHash, lastBlockHeight }: AptosBatch,
): BatchResult {
  const { tokenRowIds, priorState } = writer;
  const { accounts, names } = writer.idTables;
  const toAccountId = (address: Hex | null) => (address === null ? null : accounts.getOrCreateId(address));
  const toNameId = (text: string | null) => (text === null ? null : names.getOrCreateId(text));

  let coinActivityId = 0;
  let tokenActivityId = 0;

  const insertCoinActivity = (row: CoinActivity) =>
    connection.run(
      'INSERT INTO coin VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ++coinActivityId,
      Number(row.transactionVersion),
      row.eventIndex,
      encodeSeconds(row.transactionTimestamp),
      row.blockHeight === null ? null : Number(row.blockHeight),
      names.getOrCreateId(row.activityType),
      row.amount.toString(),
      toNameId(row.assetType),
      encodeTokenStandard(row.tokenStandard),
      toNameId(row.entryFunctionIdStr),
      toAccountId(row.eventAccountAddress),
      row.eventCreationNumber?.toString() ?? null,
      row.eventSequenceNumber?.toString() ?? null,
      row.isTransactionSuccess ? 1 : 0,
      toAccountId(row.ownerAddress),
    );
  const insertTokenActivity = (row: TokenActivity) => {
    const token = tokenRowIds.getOrCreate(row);
    connection.run(
      'INSERT INTO token_activity VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ++tokenActivityId,
      Number(row.transactionVersion),
      row.eventIndex,
      encodeSeconds(row.transactionTimestamp),
      token.id,
      token.collectionId,
      names.getOrCreateId(row.transferType),
      toAccountId(row.eventAccountAddress),
      row.eventCreationNumber?.toString() ?? null,
      row.eventSequenceNumber?.toString() ?? null,
      toAccountId(row.fromAddress),
      toAccountId(row.toAddress),
      row.propertyVersion.toString(),
      row.tokenAmount.toString(),
    );
  };
  const updateTokenData = (row: TokenData) => {
    const { id } = tokenRowIds.getOrCreate(row);
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
  const updateOwnership = (row: OwnershipChange, version: bigint, time: number) => {
    const token = tokenRowIds.getOrCreate(row);
    // An object has only one owner.
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

  const writeTransactionRows = (processed: ProcessedTransaction) => {
    priorState.update(processed.stateUpdates);
    for (const row of processed.coinActivities) insertCoinActivity(row);
    for (const row of processed.tokenActivities) insertTokenActivity(row);
    for (const row of processed.tokenDatas) updateTokenData(row);
    const time = encodeSeconds(processed.timestamp);
    for (const row of processed.ownerships) updateOwnership(row, processed.version, time);
    // A burned object disappears from the list of its creator, but its activities remain.
    for (const object of processed.burnedObjects)
      connection.run('UPDATE token SET data = NULL, version = NULL WHERE hash = ?', encodeIdHash(object.slice(2)));
  };

  const skipped = new Map<string, number>();
  let activityCount = 0;
  try {
    connection.writeTransaction(() => {
      const progress = readProgress(connection);
      if (progress.nextVersion !== firstVersion)
        throw new HexLensError('internal', CHANGED_BY_OTHER_WINDOW, { fix: 'Try again.' });
      if (
        writer.lastProgress?.nextVersion !== progress.nextVersion ||
        writer.lastProgress.lastHash !== progress.lastHash
      )
        clearCaches(writer);
      coinActivityId = readLastId(connection, 'coin');
      tokenActivityId = readLastId(connection, 'token_activity');
      for (const transaction of transactions) {
        const processed = processTransaction(transaction, priorState);
        writeTransactionRows(processed);
        activityCount += processed.coinActivities.length + processed.tokenActivities.length;
        for (const reason of processed.skipped) skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
      }
      connection.run(
        'UPDATE progress SET next = ?, hash = ?, height = ?',
        Number(nextVersion),
        lastHash,
        lastBlockHeight === null ? null : Number(lastBlockHeight),
      );
    });
    writer.lastProgress = { nextVersion, lastHash };
  } catch (error) {
    clearCaches(writer);
    throw error;
  }
  return { activityCount, skipped };
}

/** Deletes everything that was read from the chain; the index then begins at `firstVersion`. */
export function clearIndex(connection: SqliteConnection, writer: BatchWriter, firstVersion: bigint): void {
  const version = Number(firstVersion);
  connection.writeTransaction(() => {
    for (const table of CONTENT_TABLES) connection.run(`DELETE FROM ${table}`);
    connection.run('UPDATE progress SET first = ?, next = ?, hash = NULL, height = NULL', version, version);
  });
  clearCaches(writer);
}

const readLastId = (connection: SqliteConnection, table: 'coin' | 'token_activity'): number =>
  connection.get<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`)?.id ?? 0;

function clearCaches(writer: BatchWriter): void {
  writer.idTables.accounts.clearCache();
  writer.idTables.names.clearCache();
  writer.tokenRowIds.clearCache();
  writer.priorState.clearCache();
  writer.lastProgress = null;
}
