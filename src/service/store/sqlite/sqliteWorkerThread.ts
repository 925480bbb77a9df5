// A second connection to one SQLite file, in a thread: makes indexes and stores large batches while others read.
import { parentPort, workerData } from 'node:worker_threads';
import type { StoreInfo } from '../store.ts';
import { type Addresses, createAddresses } from './addressTable.ts';
import { applyBatch } from './batchWrites.ts';
import { headOf } from './blockReads.ts';
import { connect } from './connection.ts';
import { type BatchColumns, toBatch } from './workerMessages.ts';

/** One statement, or a batch for the index of this chain. */
export type FileTask = { readonly sql: string } | { readonly info: StoreInfo; readonly batch: BatchColumns };

/** What went wrong with a task, as far as it crosses threads; `null` when it went well. */
export type FileReply = {
  readonly message: string;
  readonly code: unknown;
  readonly errcode: unknown;
  /** Whether it is the index that refused. */
  readonly refused: boolean;
} | null;

/** Milliseconds that a task waits for whoever else writes: nobody waits for this thread meanwhile. */
const BUSY_TIMEOUT = 60_000;

const connection = connect(String(workerData), {});
connection.execute(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
let addresses: Addresses | null = null;

function run(task: FileTask): FileReply {
  try {
    if ('sql' in task) connection.execute(task.sql);
    else {
      addresses ??= createAddresses(connection);
      applyBatch(connection, addresses, task.info, () => headOf(connection), toBatch(task.batch));
    }
    return null;
  } catch (error) {
    const { name, message, code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
    return { message, code, errcode, refused: name === 'HexLensError' };
  }
}

parentPort?.on('message', (task: FileTask | null) => {
  if (task !== null) return parentPort?.postMessage(run(task));
  connection.close();
  parentPort?.close();
});
