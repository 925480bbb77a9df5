// The leader lock of several processes over one folder: a SQLite lock on a small file next to the index.
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from './connection.ts';
import { isBusy, isCorruption } from './faults.ts';

const remove = (path: string) => {
  try {
    rmSync(path, { force: true });
  } catch {
    // another process has it open
  }
};

/**
 * Held until the returned function is called or the process ends in any way: then the operating system releases it.
 * `null` while another process, or another store of this one, holds it. The file is empty, and deleted on release.
 * If two processes hold it all the same (the file was deleted, or the disk has no locks), a batch that does not follow the
 * head is rejected.
 */
export function tryAcquireLockFile(path: string): (() => Promise<void>) | null {
  createPrivateFile(path);
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    // Not written by SQLite: deleted, so that the next attempt creates it.
    if (isCorruption(error)) remove(path);
    else if (!isBusy(error)) throw error;
    return null;
  }
  return async () => {
    if (!file.isOpen) return;
    // Deleted before it is unlocked, else it could be another process's file; Windows deletes only files that are closed.
    if (process.platform !== 'win32') remove(path);
    file.close();
    if (process.platform === 'win32') remove(path);
  };
}
