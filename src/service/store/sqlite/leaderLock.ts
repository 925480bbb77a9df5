// Which of several processes over one folder follows a chain: whoever holds the lock of a small file beside the index.
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isBusy, isCorruption } from './faults.ts';

const remove = (path: string) => {
  try {
    rmSync(path, { force: true });
  } catch {
    // somebody else has it open
  }
};

/**
 * Holds the lock until the function is called or the process ends, however it does: the system lets go of it then. `null`
 * while another process, or another store of this one, has it. The file is empty, and gone when nobody leads. Should two
 * lead all the same (the file was deleted, the disk knows no locks), a run that does not follow the head is refused.
 */
export function tryAcquireLockFile(path: string): (() => Promise<void>) | null {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    // Not ours, then: it is made anew next time.
    if (isCorruption(error)) remove(path);
    else if (!isBusy(error)) throw error;
    return null;
  }
  return async () => {
    if (!file.isOpen) return;
    // Before it is let go of, lest it be another one's; Windows only removes what nobody has open.
    if (process.platform !== 'win32') remove(path);
    file.close();
    if (process.platform === 'win32') remove(path);
  };
}
