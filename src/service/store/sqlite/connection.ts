// A connection to a SQLite file, or to memory: cached prepared statements, transactions, and missing secondary indexes.
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { isBusy } from './faults.ts';

/** Statements differ by the number of filtered addresses; when there are more than this, the cache is emptied. */
const MAX_CACHED_STATEMENTS = 200;

/** How long opening a file waits for another window that creates or migrates it. */
const OPEN_TIMEOUT_MS = 3_000;
/** How long a later statement waits, which blocks the thread: callers retry instead. */
const BUSY_TIMEOUT_MS = 20;

export interface SqliteConnection {
  all<Row>(sql: string, ...values: readonly SQLInputValue[]): readonly Row[];
  get<Row>(sql: string, ...values: readonly SQLInputValue[]): Row | undefined;
  /** Rows one by one, for results that may be too large for memory. */
  iterate<Row>(sql: string, ...values: readonly SQLInputValue[]): IterableIterator<Row>;
  run(sql: string, ...values: readonly SQLInputValue[]): void;
  exec(sql: string): void;
  /** Reads that see one state of the file, whatever other processes write meanwhile. */
  readTransaction<T>(work: () => T): T;
  /** Rolled back when `work` throws. Sees what other processes wrote before. */
  writeTransaction<T>(work: () => T): T;
  /**
   * A write transaction that stays open until `commit`: what is done meanwhile, reads too, is part of it. All of it is
   * rolled back when `work` throws.
   */
  extendTransaction<T>(work: () => T): T;
  /** Ends what `extendTransaction` began, if anything. When it throws, all of it is rolled back. */
  commit(): void;
  /** Names of the secondary indexes that are not built yet. */
  listMissingIndexes(): readonly string[];
  getFileSizeBytes(): number;
  /** To be called when the file is open: later statements hardly block this thread. */
  useShortBusyTimeout(): void;
  close(): void;
}

/** Copies what the write-ahead log has into the file, without waiting for others. */
export const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)';

/** What follows `CREATE INDEX … ON`, by the name of the index. */
export type SecondaryIndexes = Readonly<Record<string, string>>;

/** `IF NOT EXISTS`: another thread or process may have built it meanwhile. */
export const getCreateIndexSql = (name: string, indexes: SecondaryIndexes) =>
  `CREATE INDEX IF NOT EXISTS ${name} ON ${indexes[name] ?? ''}`;

/** A statement names a secondary index that is not built yet. */
export class MissingIndexError extends Error {
  override readonly name = 'MissingIndexError';
  readonly index: string;

  constructor(index: string) {
    super(`The index ${index} is not built yet.`);
    this.index = index;
  }
}

/** SQLite does not wait for another process that switches the same new file at this moment. */
function useWriteAheadLog(database: DatabaseSync): void {
  const deadline = performance.now() + OPEN_TIMEOUT_MS;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
      database.exec('BEGIN IMMEDIATE; COMMIT'); // waits until the other process has finished
    }
  }
}

/** A new file is for this user alone; SQLite gives its further files (`-wal`, `-shm`) the same mode. */
export function createPrivateFile(path: string): void {
  if (path !== ':memory:' && !existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

function openDatabase(path: string): DatabaseSync {
  createPrivateFile(path);
  const database = new DatabaseSync(path);
  try {
    // Neither the constructor's `timeout` nor `isTransaction` is in Node 22.15, which the oldest supported VS Code may have.
    database.exec(`PRAGMA busy_timeout = ${OPEN_TIMEOUT_MS}`);
    // `page_size` has an effect only while the file is empty.
    database.exec('PRAGMA page_size = 16384');
    useWriteAheadLog(database);
    database.exec('PRAGMA synchronous = NORMAL');
    database.exec('PRAGMA cache_size = -32768; PRAGMA journal_size_limit = 67108864;');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens or creates the file; `:memory:` is a new database in memory. Throws what SQLite throws. */
export function openConnection(path: string, secondaryIndexes: SecondaryIndexes): SqliteConnection {
  const database = openDatabase(path);
  let isInTransaction = false;
  let statements = new Map<string, StatementSync>();

  const prepare = (sql: string): StatementSync => {
    try {
      return database.prepare(sql);
    } catch (error) {
      const index = error instanceof Error ? /^no such index: (\w+)$/.exec(error.message)?.[1] : undefined;
      throw index !== undefined && Object.hasOwn(secondaryIndexes, index) ? new MissingIndexError(index) : error;
    }
  };
  const prepared = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      if (statements.size >= MAX_CACHED_STATEMENTS) statements = new Map();
      statement = prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  const begin = (sql: string) => {
    if (isInTransaction) return;
    database.exec(sql);
    isInTransaction = true;
  };
  const rollBackOnError = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      isInTransaction = false;
      try {
        database.exec('ROLLBACK');
      } catch {
        // SQLite has rolled back already, as it does when the disk is full.
      }
      throw error;
    }
  };
  const commit = () => {
    if (!isInTransaction) return;
    rollBackOnError(() => database.exec('COMMIT'));
    isInTransaction = false;
  };
  const transaction = <T>(sql: string, work: () => T): T => {
    if (isInTransaction) return work();
    begin(sql);
    const result = rollBackOnError(work);
    commit();
    return result;
  };

  return {
    // The tables are STRICT, so values have the types of their columns; the shape of a row is what the statement selects.
    all: <Row>(sql: string, ...values: readonly SQLInputValue[]) => prepared(sql).all(...values) as unknown as Row[],
    get: <Row>(sql: string, ...values: readonly SQLInputValue[]) =>
      prepared(sql).get(...values) as unknown as Row | undefined,
    iterate: <Row>(sql: string, ...values: readonly SQLInputValue[]) =>
      prepared(sql).iterate(...values) as unknown as IterableIterator<Row>,
    run(sql, ...values) {
      prepared(sql).run(...values);
    },
    exec: sql => database.exec(sql),
    readTransaction: work => transaction('BEGIN', work),
    writeTransaction: work => transaction('BEGIN IMMEDIATE', work),
    extendTransaction(work) {
      begin('BEGIN IMMEDIATE');
      return rollBackOnError(work);
    },
    commit,
    listMissingIndexes() {
      const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index'").all();
      const existing = new Set(rows.map(row => row['name']));
      return Object.keys(secondaryIndexes).filter(name => !existing.has(name));
    },
    getFileSizeBytes() {
      const pragma = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
      return pragma('page_count') * pragma('page_size');
    },
    useShortBusyTimeout: () => database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`),
    close() {
      if (!database.isOpen) return;
      statements = new Map();
      database.close();
    },
  };
}
