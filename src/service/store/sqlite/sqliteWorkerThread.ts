// A second connection to one SQLite file, in a thread: makes indexes and stores large batches while others read.
import { parentPort, workerData } from 'node:worker_threads';
import type { StoreInfo } from '../store.ts';
import { type AddressTable, createAddressTable } from './addressTable.ts';
import { applyBatch } from './batchWrites.ts';
import { readHead } from './blockReads.ts';
import { openConnection } from './connection.ts';
import { decodeBatch, type EncodedBatch } from './workerMessages.ts';

/** One statement, or a batch for the index of this chain. */
export type SqliteTask = { readonly sql: string } | { readonly info: StoreInfo; readonly batch: EncodedBatch };

/** What went wrong with a task, as far as it crosses threads; `null` when it went well. */
export type SqliteTaskError = {
  readonly message: string;
  readonly code: unknown;
  readonly errcode: unknown;
  /** Whether it is the index that refused. */
  readonly refused: boolean;
} | null;

/** Milliseconds that a task waits for whoever else writes: nobody waits for this thread meanwhile. */
const BUSY_TIMEOUT = 60_000;

const connection = openConnection(String(workerData), {});
connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
let addresses: AddressTable | null = null;

function run(task: SqliteTask): SqliteTaskError {
  try {
    if ('sql' in task) connection.exec(task.sql);
    else {
      addresses ??= createAddressTable(connection);
      applyBatch(connection, addresses, task.info, () => readHead(connection), decodeBatch(task.batch));
    }
    return null;
  } catch (error) {
    const { name, message, code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
    return { message, code, errcode, refused: name === 'HexLensError' };
  }
}

parentPort?.on('message', (task: SqliteTask | null) => {
  if (task !== null) return parentPort?.postMessage(run(task));
  connection.close();
  parentPort?.close();
});
