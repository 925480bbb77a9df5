// One open SQLite file: prepared statements by their text, transactions, and which secondary indexes it lacks.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** A statement per number of filtered addresses would add up; beyond this many all are prepared anew. */
const MOST_STATEMENTS = 200;

/** Milliseconds that opening a file waits for another window that begins or migrates it. */
const OPENING_TIMEOUT = 3_000;
/** And a statement later on: this thread has others to answer meanwhile, so whoever needs more patience asks again. */
const BUSY_TIMEOUT = 20;

export interface SqliteConnection {
  all<Row>(sql: string, ...values: readonly SQLInputValue[]): readonly Row[];
  get<Row>(sql: string, ...values: readonly SQLInputValue[]): Row | undefined;
  /** Rows one by one, for what may be more than memory should hold. */
  iterate<Row>(sql: string, ...values: readonly SQLInputValue[]): IterableIterator<Row>;
  run(sql: string, ...values: readonly SQLInputValue[]): void;
  exec(sql: string): void;
  /** Several reads of one state of the file, whatever other processes write meanwhile. */
  readTransaction<T>(work: () => T): T;
  /** All of it or nothing; sees what other processes wrote before. */
  writeTransaction<T>(work: () => T): T;
  /** Secondary indexes that are still to be made. */
  listMissingIndexes(): readonly string[];
  /** How large the file is. */
  getFileSizeBytes(): number;
  /** From now on no statement keeps this thread waiting. */
  useShortBusyTimeout(): void;
  close(): void;
}

/** Secondary indexes by name: what comes behind `ON`. */
export type SecondaryIndexes = Readonly<Record<string, string>>;

/** Another thread or process may have made it meanwhile. */
export const getCreateIndexSql = (name: string, indexes: SecondaryIndexes) =>
  `CREATE INDEX IF NOT EXISTS ${name} ON ${indexes[name] ?? ''}`;

/** A statement names a secondary index that was not made yet. */
export class MissingIndexError extends Error {
  override readonly name = 'MissingIndex';
  readonly index: string;

  constructor(index: string) {
    super(`The index ${index} is not there yet.`);
    this.index = index;
  }
}

/** Opens or makes the file; `:memory:` is a file of its own. Throws what SQLite throws. */
export function openConnection(path: string, secondaryIndexes: SecondaryIndexes): SqliteConnection {
  const database = new DatabaseSync(path, { timeout: OPENING_TIMEOUT });
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
      if (statements.size >= MOST_STATEMENTS) statements = new Map();
      statement = prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  const transaction = <T>(begin: string, work: () => T): T => {
    if (database.isTransaction) return work();
    database.exec(begin);
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite may have rolled back already, as it does when the disk is full.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };
  // The size of a page can only be chosen while the file is empty; before that, this does nothing.
  database.exec('PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  database.exec('PRAGMA cache_size = -32768; PRAGMA journal_size_limit = 67108864;');

  return {
    // The tables are STRICT: a row has the types of its columns. Its shape is what the statement selects.
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
    listMissingIndexes() {
      const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index'").all();
      const there = new Set(rows.map(row => row['name']));
      return Object.keys(secondaryIndexes).filter(name => !there.has(name));
    },
    getFileSizeBytes() {
      const pragma = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
      return pragma('page_count') * pragma('page_size');
    },
    useShortBusyTimeout: () => database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`),
    close() {
      if (!database.isOpen) return;
      statements = new Map();
      database.close();
    },
  };
}
