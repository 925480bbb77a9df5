// One statement for many rows: a statement for each of them takes half as long again.
import type { SQLInputValue } from 'node:sqlite';
import type { SqliteConnection } from './connection.ts';

/** Measured best: longer statements are no faster. */
const ROWS_PER_STATEMENT = 32;

interface BulkInsert {
  /** The table, with the names of its columns unless the rows have all of them. */
  readonly into: string;
  readonly columns: number;
  /** After the rows. */
  readonly conflict?: string;
}

export class BulkStatement {
  readonly #connection: SqliteConnection;
  readonly #insert: BulkInsert;
  readonly #fullSql: string;
  #values: SQLInputValue[] = [];

  constructor(connection: SqliteConnection, insert: BulkInsert) {
    this.#connection = connection;
    this.#insert = insert;
    this.#fullSql = toSql(insert, ROWS_PER_STATEMENT);
  }

  add(...row: readonly SQLInputValue[]): void {
    for (const value of row) this.#values.push(value);
    if (this.#values.length < ROWS_PER_STATEMENT * this.#insert.columns) return;
    this.#connection.run(this.#fullSql, ...this.#values);
    this.#values = [];
  }

  /** Drops the rows that are left, after a write was rolled back. */
  clear(): void {
    this.#values = [];
  }

  /** Writes the rows that are left, with statements of few lengths, since each is prepared once. */
  flush(): void {
    const { columns } = this.#insert;
    let values = this.#values;
    this.#values = [];
    for (let rows = ROWS_PER_STATEMENT / 2; rows >= 1; rows /= 2) {
      if (values.length < rows * columns) continue;
      this.#connection.run(toSql(this.#insert, rows), ...values.slice(0, rows * columns));
      values = values.slice(rows * columns);
    }
  }
}

/**
 * An error rolls back the transaction, as its caller would: otherwise SQLite copies each page that a statement of many rows
 * changes into a temporary file first, to undo the statement alone.
 */
const toSql = ({ into, columns, conflict = '' }: BulkInsert, rows: number): string =>
  `INSERT OR ROLLBACK INTO ${into} VALUES ${toTuples(rows, columns)} ${conflict}`;

/** `(?,?),(?,?)` */
export const toTuples = (rows: number, columns: number): string =>
  Array(rows)
    .fill(`(${Array(columns).fill('?').join()})`)
    .join();
