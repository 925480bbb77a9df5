// Processes a batch of transactions one after the other and stores their rows in a write transaction, which further batches extend.
import { HexLensError } from '../../../base/errors.ts';
import type { Hex } from '../../../base/hex.ts';
import { BulkStatement } from '../../store/sqlite/bulkStatement.ts';
import type { SqliteConnection } from '../../store/sqlite/connection.ts';
import type { ActivityKey, CoinActivity, TokenActivity } from '../models.ts';
import { type ProcessedTransaction, processTransaction } from '../processors/processTransaction.ts';
import { toEventId, toTransactionId } from './activityIds.ts';
import { encodeInteger, encodeOptionalInteger, encodeSeconds } from './aptosEncoding.ts';
import { CONTENT_TABLES } from './aptosSchema.ts';
import type { AptosBatch, AptosProgress, BatchResult } from './aptosStore.ts';
import { createIdTables, type IdTables } from './idTables.ts';
import { OwnershipRows } from './ownershipRows.ts';
import { StoredPriorState } from './storedPriorState.ts';
import { TokenRows } from './tokenRows.ts';

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

export class BatchWriter {
  readonly idTables: IdTables;
  readonly #connection: SqliteConnection;
  readonly #tokens: TokenRows;
  readonly #ownerships: OwnershipRows;
  readonly #priorState: StoredPriorState;
  /** Progress after the last batch of this writer. When the index has another one, another process has written. */
  #lastProgress: Pick<AptosProgress, 'nextVersion' | 'lastHash'> | null = null;
  readonly #transactionRows: BulkStatement;
  readonly #coinRows: BulkStatement;
  readonly #tokenActivityRows: BulkStatement;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.idTables = createIdTables(connection);
    this.#tokens = new TokenRows(connection, this.idTables);
    this.#ownerships = new OwnershipRows(connection, this.idTables);
    this.#priorState = new StoredPriorState(connection, this.idTables);
    this.#transactionRows = new BulkStatement(connection, { into: 'committed_transaction', columns: 8 });
    this.#coinRows = new BulkStatement(connection, { into: 'coin', columns: 8 });
    this.#tokenActivityRows = new BulkStatement(connection, { into: 'token_activity', columns: 11 });
  }

  /** Until `commit`, the rows are seen by this connection alone. When this throws, all that is not committed is rolled back. */
  write(firstVersion: bigint, batch: AptosBatch): BatchResult {
    const result = this.#clearCachesOnError(() =>
      this.#connection.extendTransaction(() => this.#writeRows(firstVersion, batch)),
    );
    this.#lastProgress = { nextVersion: batch.nextVersion, lastHash: batch.lastHash };
    return result;
  }

  /** When this throws, all that was not committed is rolled back. */
  commit(): void {
    this.#clearCachesOnError(() => this.#connection.commit());
  }

  /** Deletes everything that was read from the chain; the index then begins at `firstVersion`. */
  clear(firstVersion: bigint): void {
    this.commit();
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
    const skip = (reason: string) => void skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    for (const transaction of transactions) {
      const processed = processTransaction(transaction, this.#priorState);
      this.#priorState.update(processed.stateUpdates);
      activityCount += this.#insertActivities(processed, transaction.blockHeight, skip);
      this.#updateTokens(processed);
      for (const reason of processed.skipped) skip(reason);
    }
    this.#transactionRows.flush();
    this.#coinRows.flush();
    this.#tokenActivityRows.flush();
    this.#tokens.flush();
    this.#ownerships.flush();
    this.#priorState.flush();
    this.idTables.accounts.flush(); // last, since the others may add some
    connection.run(
      'UPDATE progress SET next = ?, hash = ?, height = ?',
      Number(nextVersion),
      lastHash,
      lastBlockHeight === null ? null : Number(lastBlockHeight),
    );
    return { activityCount, skipped };
  }

  /** Returns their number. */
  #insertActivities(
    { version, timestamp, coinActivities, tokenActivities }: ProcessedTransaction,
    blockHeight: bigint | null,
    skip: (reason: string) => void,
  ): number {
    const count = coinActivities.length + tokenActivities.length;
    if (count === 0) return 0;
    const transactionId = toTransactionId(version);
    if (transactionId === null) {
      skip('a transaction whose version is too large');
      return 0;
    }
    const [first] = coinActivities;
    const gasFee = first?.isGasFee ? first : undefined;
    this.#transactionRows.add(
      transactionId,
      encodeSeconds(timestamp),
      blockHeight === null ? null : Number(blockHeight),
      this.#toNameId(first?.entryFunctionIdStr ?? null),
      gasFee?.isTransactionSuccess === false ? 0 : 1,
      this.#toAccountId(gasFee?.ownerAddress ?? null),
      encodeOptionalInteger(gasFee?.amount ?? null),
      encodeOptionalInteger(gasFee?.eventSequenceNumber ?? null),
    );
    let skippedCount = 0;
    const insert = <Row extends ActivityKey>(row: Row, insertRow: (id: number, row: Row) => void) => {
      const id = toEventId(transactionId, row.eventIndex);
      if (id !== null) return insertRow(id, row);
      skippedCount++;
      skip('an event after too many others in its transaction');
    };
    for (const row of coinActivities) if (row !== gasFee) insert(row, this.#insertCoinActivity);
    for (const row of tokenActivities) insert(row, this.#insertTokenActivity);
    return count - skippedCount;
  }

  readonly #insertCoinActivity = (id: number, row: CoinActivity): void => {
    const owner = this.#toAccountId(row.ownerAddress);
    const { eventAccountAddress } = row;
    this.#coinRows.add(
      id,
      this.idTables.names.intern(row.activityType),
      encodeInteger(row.amount),
      this.#toNameId(row.assetType),
      eventAccountAddress === row.ownerAddress ? owner : this.#toAccountId(eventAccountAddress),
      encodeOptionalInteger(row.eventCreationNumber),
      encodeOptionalInteger(row.eventSequenceNumber),
      owner,
    );
  };

  readonly #insertTokenActivity = (id: number, row: TokenActivity): void => {
    const token = this.#tokens.getOrCreate(row);
    this.#tokenActivityRows.add(
      id,
      token.id,
      token.collectionId,
      this.idTables.names.intern(row.transferType),
      this.#toAccountId(row.eventAccountAddress),
      encodeOptionalInteger(row.eventCreationNumber),
      encodeOptionalInteger(row.eventSequenceNumber),
      this.#toAccountId(row.fromAddress),
      this.#toAccountId(row.toAddress),
      encodeInteger(row.propertyVersion),
      encodeInteger(row.tokenAmount),
    );
  };

  #updateTokens({ version, timestamp, tokenDatas, ownerships, burnedObjects }: ProcessedTransaction): void {
    for (const row of tokenDatas) this.#tokens.setData(row);
    const time = encodeSeconds(timestamp);
    for (const row of ownerships) this.#ownerships.add(row, this.#tokens.getOrCreate(row), version, time);
    for (const object of burnedObjects) this.#tokens.clearData(object.slice(2));
  }

  #toAccountId(address: Hex | null): number | null {
    return address === null ? null : this.idTables.accounts.intern(address);
  }

  #toNameId(text: string | null): number | null {
    return text === null ? null : this.idTables.names.intern(text);
  }

  #clearCachesOnError<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#clearCaches();
      throw error;
    }
  }

  #clearCaches(): void {
    this.#transactionRows.clear();
    this.#coinRows.clear();
    this.#tokenActivityRows.clear();
    this.idTables.accounts.clearCache();
    this.idTables.names.clearCache();
    this.#tokens.clearCache();
    this.#ownerships.clear();
    this.#priorState.clearCache();
    this.#lastProgress = null;
  }
}
