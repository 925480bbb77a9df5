// Folders for files that are used until this process ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/** A new folder, deleted when this process ends. */
export function createTemporaryFolder(prefix: string): string {
  if (folders.length === 0)
    process.once('exit', () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
  const folder = mkdtempSync(join(tmpdir(), prefix));
  folders.push(folder);
  return folder;
}
