// Entry of the worker thread: a second connection to one SQLite file, for index builds and large batches.
import { parentPort, workerData } from 'node:worker_threads';
import { AddressTable } from './addressTable.ts';
import { applyBatch } from './batchWrites.ts';
import { CHECKPOINT, openConnection } from './connection.ts';
import type { SqliteTask, SqliteTaskResult } from './workerMessages.ts';

/** How long a task waits for another writer: no request waits for this thread meanwhile. */
const BUSY_TIMEOUT_MS = 60_000;

const connection = openConnection(String(workerData), {});
// In a load most pages are written many times before they are copied into the file.
connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA wal_autocheckpoint = 4096;`);
let addresses: AddressTable | null = null;

function run(task: SqliteTask): SqliteTaskResult {
  try {
    if ('sql' in task) {
      // An index may need more memory to be sorted than there is.
      connection.exec('PRAGMA temp_store = FILE');
      connection.exec(task.sql);
    } else if ('isCheckpoint' in task) connection.exec(CHECKPOINT);
    else {
      // Before a statement changes rows of owners, SQLite copies their pages, to undo it alone: some megabytes at most.
      connection.exec('PRAGMA temp_store = MEMORY');
      addresses ??= new AddressTable(connection);
      applyBatch(connection, addresses, task.info, task.batch);
    }
    return null;
  } catch (error) {
    const { name, message, code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
    return { message, code, errcode, isRejection: name === 'HexLensError' };
  }
}

// `null` asks the thread to end.
parentPort?.on('message', (task: SqliteTask | null) => {
  if (task !== null) return parentPort?.postMessage(run(task));
  connection.close();
  parentPort?.close();
});
