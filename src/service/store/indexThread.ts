// A thread that makes secondary indexes of one SQLite file, one statement per message; it ends when it is told nothing.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** What went wrong with a statement, as far as it crosses threads; `null` when it went well. */
export type IndexReply = { readonly message: string; readonly code: unknown; readonly errcode: unknown } | null;

/** Milliseconds that a statement waits for whoever else writes: nobody waits for this thread meanwhile. */
const BUSY_TIMEOUT = 60_000;

const database = new DatabaseSync(String(workerData), { timeout: BUSY_TIMEOUT });
database.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384;');

function run(sql: string): IndexReply {
  try {
    database.exec(sql);
    return null;
  } catch (error) {
    const { message, code, errcode } = error as { message: string; code?: unknown; errcode?: unknown };
    return { message, code, errcode };
  }
}

parentPort?.on('message', (sql: string | null) => {
  if (sql !== null) return parentPort?.postMessage(run(sql));
  database.close();
  parentPort?.close();
});
