// Processes a batch of transactions one after the other and stores their rows in one write transaction.
import { HexLensError } from '../../../base/errors.ts';
import type { Hex } from '../../../base/hex.ts';
import { BulkStatement } from '../../store/sqlite/bulkStatement.ts';
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
import { StoredPriorState } from './storedPriorState.ts';
import { createTokenRowIds, type TokenRowIds } from './tokenRowIds.ts';

/** Several windows may index the same chain: the second one continues from the progress of the first. */
const CHANGED_BY_OTHER_WINDOW = 'Another window has extended the index of the chain.';

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

const readLastId = (connection: SqliteConnection, table: 'coin' | 'token_activity'): number =>
  connection.get<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`)?.id ?? 0;

const countActivities = ({ coinActivities, tokenActivities }: ProcessedTransaction) =>
  coinActivities.length + tokenActivities.length;

export class BatchWriter {
  readonly idTables: IdTables;
  readonly #connection: SqliteConnection;
  readonly #tokenRowIds: TokenRowIds;
  readonly #priorState: StoredPriorState;
  /** Progress after the last batch of this writer. When the index has another one, another process has written. */
  #lastProgress: Pick<AptosProgress, 'nextVersion' | 'lastHash'> | null = null;
  /** The ids that were given last. */
  #coinActivityId = 0;
  #tokenActivityId = 0;
  readonly #coinRows: BulkStatement;
  readonly #tokenActivityRows: BulkStatement;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.idTables = createIdTables(connection);
    this.#tokenRowIds = createTokenRowIds(connection, this.idTables);
    this.#priorState = new StoredPriorState(connection, this.idTables);
    this.#coinRows = new BulkStatement(connection, { insert: 'INSERT INTO coin', columns: 15 });
    this.#tokenActivityRows = new BulkStatement(connection, { insert: 'INSERT INTO token_activity', columns: 14 });
  }

  write(firstVersion: bigint, batch: AptosBatch): BatchResult {
    try {
      const result = this.#connection.writeTransaction(() => this.#writeRows(firstVersion, batch));
      this.#lastProgress = { nextVersion: batch.nextVersion, lastHash: batch.lastHash };
      return result;
    } catch (error) {
      this.#clearCaches();
      throw error;
    }
  }

  /** Deletes everything that was read from the chain; the index then begins at `firstVersion`. */
  clear(firstVersion: bigint): void {
    const version = Number(firstVersion);
    this.#connection.writeTransaction(() => {
      for (const table of CONTENT_TABLES) this.#connection.run(`DELETE FROM ${table}`);
      this.#connection.run('UPDATE progress SET first = ?, next = ?, hash = NULL, height = NULL', version, version);
    });
    this.#clearCaches();
  }

  #writeRows(firstVersion: bigint, { transactions, nextVersion, lastHash, lastBlockHeight }: AptosBatch): BatchResult {
    const connection = this.#connection;
    const skipped = new Map<string, number>();
    let activityCount = 0;
    const progress = readProgress(connection);
    if (progress.nextVersion !== firstVersion)
      throw new HexLensError('internal', CHANGED_BY_OTHER_WINDOW, { fix: 'Try again.' });
    const last = this.#lastProgress;
    if (last?.nextVersion !== progress.nextVersion || last.lastHash !== progress.lastHash) this.#clearCaches();
    this.#coinActivityId = readLastId(connection, 'coin');
    this.#tokenActivityId = readLastId(connection, 'token_activity');
    for (const transaction of transactions) {
      const processed = processTransaction(transaction, this.#priorState);
      this.#writeTransactionRows(processed);
      activityCount += countActivities(processed);
      for (const reason of processed.skipped) skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    }
    this.#coinRows.flush();
    this.#tokenActivityRows.flush();
    this.#priorState.flush();
    connection.run(
      'UPDATE progress SET next = ?, hash = ?, height = ?',
      Number(nextVersion),
      lastHash,
      lastBlockHeight === null ? null : Number(lastBlockHeight),
    );
    return { activityCount, skipped };
  }

  #writeTransactionRows(processed: ProcessedTransaction): void {
    this.#priorState.update(processed.stateUpdates);
    for (const row of processed.coinActivities) this.#insertCoinActivity(row);
    for (const row of processed.tokenActivities) this.#insertTokenActivity(row);
    for (const row of processed.tokenDatas) this.#updateTokenData(row);
    const time = encodeSeconds(processed.timestamp);
    for (const row of processed.ownerships) this.#updateOwnership(row, processed.version, time);
    // A burned object disappears from the list of its creator, but its activities remain.
    for (const object of processed.burnedObjects)
      this.#connection.run(
        'UPDATE token SET data = NULL, version = NULL WHERE hash = ?',
        encodeIdHash(object.slice(2)),
      );
  }

  #insertCoinActivity(row: CoinActivity): void {
    const owner = this.#toAccountId(row.ownerAddress);
    const { eventAccountAddress } = row;
    this.#coinRows.add(
      ++this.#coinActivityId,
      Number(row.transactionVersion),
      row.eventIndex,
      encodeSeconds(row.transactionTimestamp),
      row.blockHeight === null ? null : Number(row.blockHeight),
      this.idTables.names.intern(row.activityType),
      row.amount.toString(),
      this.#toNameId(row.assetType),
      encodeTokenStandard(row.tokenStandard),
      this.#toNameId(row.entryFunctionIdStr),
      eventAccountAddress === row.ownerAddress ? owner : this.#toAccountId(eventAccountAddress),
      row.eventCreationNumber?.toString() ?? null,
      row.eventSequenceNumber?.toString() ?? null,
      row.isTransactionSuccess ? 1 : 0,
      owner,
    );
  }

  #insertTokenActivity(row: TokenActivity): void {
    const token = this.#tokenRowIds.getOrCreate(row);
    this.#tokenActivityRows.add(
      ++this.#tokenActivityId,
      Number(row.transactionVersion),
      row.eventIndex,
      encodeSeconds(row.transactionTimestamp),
      token.id,
      token.collectionId,
      this.idTables.names.intern(row.transferType),
      this.#toAccountId(row.eventAccountAddress),
      row.eventCreationNumber?.toString() ?? null,
      row.eventSequenceNumber?.toString() ?? null,
      this.#toAccountId(row.fromAddress),
      this.#toAccountId(row.toAddress),
      row.propertyVersion.toString(),
      row.tokenAmount.toString(),
    );
  }

  #updateTokenData(row: TokenData): void {
    const { id } = this.#tokenRowIds.getOrCreate(row);
    const { tokenStandard, tokenDataIdHash, collectionDataIdHash, collectionName, creatorAddress, ...rest } = row;
    const { name: _name, lastTransactionVersion, lastTransactionTimestamp, defaultProperties, ...data } = rest;
    this.#connection.run(
      'UPDATE token SET properties = ?, data = ?, version = ?, time = ? WHERE id = ?',
      encodeTokenProperties(defaultProperties),
      encodeTokenData(data),
      Number(lastTransactionVersion),
      encodeSeconds(lastTransactionTimestamp),
      id,
    );
  }

  #updateOwnership(row: OwnershipChange, version: bigint, time: number): void {
    const token = this.#tokenRowIds.getOrCreate(row);
    // An object has only one owner.
    if (row.tokenStandard === 'v2') this.#connection.run('DELETE FROM ownership WHERE token = ?', token.id);
    if (row.ownerAddress === null) return;
    const owner = this.idTables.accounts.intern(row.ownerAddress);
    const key = [token.id, row.propertyVersion.toString(), owner] as const;
    if (row.amount === 0n) {
      this.#connection.run('DELETE FROM ownership WHERE token = ? AND property_version = ? AND owner = ?', ...key);
      return;
    }
    this.#connection.run(
      'INSERT OR REPLACE INTO ownership VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ...key,
      token.collectionId,
      row.amount.toString(),
      encodeTokenProperties(row.tokenProperties),
      Number(version),
      time,
    );
  }

  #toAccountId(address: Hex | null): number | null {
    return address === null ? null : this.idTables.accounts.intern(address);
  }

  #toNameId(text: string | null): number | null {
    return text === null ? null : this.idTables.names.intern(text);
  }

  #clearCaches(): void {
    this.#coinRows.clear();
    this.#tokenActivityRows.clear();
    this.idTables.accounts.clearCache();
    this.idTables.names.clearCache();
    this.#tokenRowIds.clearCache();
    this.#priorState.clearCache();
    this.#lastProgress = null;
  }
}
