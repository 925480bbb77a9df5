// Files that can not be opened as a database are closed again.
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openConnection } from '../../../src/service/store/sqlite/connection.ts';
import { openSqliteNonces } from '../../../src/service/store/sqlite/sqliteNonces.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';

/** The files below `folder` that this process has open. */
const listOpenFiles = (folder: string): readonly string[] =>
  readdirSync('/proc/self/fd').flatMap(name => {
    try {
      const path = readlinkSync(`/proc/self/fd/${name}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return []; // the descriptor of the folder itself
    }
  });

describe.skipIf(process.platform !== 'linux')('what can not be opened is closed', () => {
  it('a file that is no database', () => {
    const folder = createTemporaryFolder('hexlens-close-');
    const path = join(folder, 'text.db');
    writeFileSync(path, 'no database '.repeat(2_000));
    expect(() => openConnection(path, {})).toThrow('file is not a database');
    expect(listOpenFiles(folder)).toEqual([]);
  });

  it('a file of nonces that can not be migrated', () => {
    const folder = createTemporaryFolder('hexlens-close-');
    openSqliteNonces(folder).close();
    const [file = ''] = readdirSync(folder);
    const database = new DatabaseSync(join(folder, file));
    database.exec('PRAGMA user_version = 0'); // the table exists already
    database.close();
    expect(() => openSqliteNonces(folder)).toThrow(expect.objectContaining({ code: 'internal' }));
    expect(listOpenFiles(folder)).toEqual([]);
  });
});
