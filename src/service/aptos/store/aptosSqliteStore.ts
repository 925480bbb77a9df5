// The Aptos index in SQLite: one file per chain id and genesis, or in memory.
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import { toSqliteFault } from '../../store/sqlite/faults.ts';
import { getIndexFileName } from '../../store/sqlite/indexFile.ts';
import { RecoveringDatabase } from '../../store/sqlite/recoveringDatabase.ts';
import type { AptosListName } from '../aptosSource.ts';
import { aptosSchema } from './aptosSchema.ts';
import { MAX_BATCH_TRANSACTIONS, type OpenAptosStore } from './aptosStore.ts';
import { BatchWriter, readProgress } from './batchWriter.ts';
import { readCoinActivitiesByBlock, readCoinActivitiesByOwner, readCoinActivitiesByType } from './coinActivityReads.ts';
import type { ReadList } from './idTables.ts';
import { readCollectionOwners, readOwnedTokens } from './tokenOwnershipReads.ts';
import { readTokenActivities, readTokensByCreator } from './tokenReads.ts';

export interface AptosSqliteOptions {
  /** The folder of the files, which is created when necessary; `null` for an index in memory. */
  readonly folder: string | null;
  readonly log: Log;
  readonly clock?: Clock | undefined;
}

const reads: { readonly [Name in AptosListName]: ReadList<Name> } = {
  coinActivitiesByType: readCoinActivitiesByType,
  coinActivitiesByOwner: readCoinActivitiesByOwner,
  coinActivitiesByBlock: readCoinActivitiesByBlock,
  tokenActivities: readTokenActivities,
  tokensByCreator: readTokensByCreator,
  collectionOwners: readCollectionOwners,
  ownedTokens: readOwnedTokens,
};

/**
 * Opening rejects with `internal` when the folder or the file cannot be used. When a file turns out to be corrupt while
 * it is in use, one call rejects and the store continues with an empty file.
 */
export function createAptosSqliteOpener({ folder, log, clock = systemClock }: AptosSqliteOptions): OpenAptosStore {
  return async info => {
    const open = () =>
      new RecoveringDatabase(
        folder,
        `aptos-${getIndexFileName(info)}`,
        { info, schema: aptosSchema, log, clock },
        connection => {
          connection.exec('PRAGMA wal_autocheckpoint = 0'); // `Checkpoints` does them
          return new BatchWriter(connection);
        },
      );
    let database: ReturnType<typeof open>;
    try {
      database = open();
    } catch (error) {
      throw toSqliteFault(error, folder);
    }
    const checkpoints = new Checkpoints(() => database.checkpoint());
    const commits = new BatchCommits({
      async commit(rows) {
        await database.run((_connection, writer) => writer.commit());
        checkpoints.afterWrite(rows);
      },
      clock,
      log,
    });
    return {
      info,
      readProgress: () => database.run(readProgress),
      async writeBatch(firstVersion, batch) {
        if (!commits.isPending) await checkpoints.beforeWrite();
        const result = await database.write((_connection, writer) => writer.write(firstVersion, batch));
        commits.afterWrite(result.activityCount);
        // A load writes full batches.
        if (batch.transactions.length < MAX_BATCH_TRANSACTIONS || commits.isDue || checkpoints.hasRest)
          await commits.commit();
        return result;
      },
      clear: firstVersion => database.write((_connection, writer) => writer.clear(firstVersion)),
      async read(list, query, page) {
        await commits.commit(); // which building an index waits for
        await database.buildIndexes(); // these queries name no index, so SQLite must have all of them to choose from
        return database.read((connection, { idTables }) => reads[list]({ connection, idTables }, query, page));
      },
      async close() {
        await commits.tryCommit();
        await database.close();
      },
    };
  };
}

const MAX_ROWS_PER_COMMIT = 30_000;
const MAX_UNCOMMITTED_MS = 1_000;

interface BatchCommitsDeps {
  readonly commit: (rows: number) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The batches of a load are committed together: the keys of stores, tokens and accounts are random, so that each batch
 * changes most of their pages, which a commit writes once. What is not committed is read again after a crash.
 */
class BatchCommits {
  readonly #deps: BatchCommitsDeps;
  /** Of the batches that are not committed. */
  #rows = 0;
  /** Ends the wait for further batches; `null` when all are committed. Other windows that write wait too. */
  #wait: AbortController | null = null;

  constructor(deps: BatchCommitsDeps) {
    this.#deps = deps;
  }

  get isPending(): boolean {
    return this.#wait !== null;
  }

  get isDue(): boolean {
    return this.#rows >= MAX_ROWS_PER_COMMIT;
  }

  afterWrite(rows: number): void {
    this.#rows += rows;
    if (this.#wait !== null) return;
    this.#wait = new AbortController();
    this.#deps.clock.sleep(MAX_UNCOMMITTED_MS, this.#wait.signal).then(
      () => this.tryCommit(),
      () => {}, // committed meanwhile
    );
  }

  async commit(): Promise<void> {
    if (this.#wait === null) return;
    this.#wait.abort();
    this.#wait = null;
    const rows = this.#rows;
    this.#rows = 0;
    await this.#deps.commit(rows);
  }

  /** After a failure the progress is that of the last commit, from which the indexer continues. */
  async tryCommit(): Promise<void> {
    try {
      await this.commit();
    } catch (error) {
      this.#deps.log.warn(`Transactions of the Aptos index could not be committed: ${String(error)}`);
    }
  }
}

/** Rows between two checkpoints: some 20 MB of the write-ahead log. */
const ROWS_PER_CHECKPOINT = 5_000;
/** Rows that are written beside a running checkpoint. */
const MAX_ROWS_BESIDE = 20_000;

/**
 * A checkpoint takes a second where the disk is slow: it runs beside further batches. The log begins again only when all of it is
 * in the file, so what was written meanwhile follows before the next batch.
 */
class Checkpoints {
  readonly #checkpoint: () => Promise<void>;
  /** Since the last one began. */
  #rows = 0;
  #running: Promise<void> | null = null;
  #hasRest = false;

  constructor(checkpoint: () => Promise<void>) {
    this.#checkpoint = checkpoint;
  }

  /** A checkpoint has ended. What was written beside it is committed soon: the next batch waits until it is in the file too. */
  get hasRest(): boolean {
    return this.#hasRest;
  }

  async beforeWrite(): Promise<void> {
    if (this.#rows > MAX_ROWS_BESIDE) await this.#running;
    if (!this.#hasRest) return;
    this.#hasRest = false;
    this.#rows = 0;
    await this.#checkpoint();
  }

  afterWrite(rows: number): void {
    this.#rows += rows;
    if (this.#hasRest || this.#rows < ROWS_PER_CHECKPOINT || this.#running !== null) return;
    this.#rows = 0;
    const finish = () => {
      this.#running = null;
      this.#hasRest = true; // which rejects too where the file can not be written
    };
    this.#running = this.#checkpoint().then(finish, finish);
  }
}
