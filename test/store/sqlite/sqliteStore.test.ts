// The store suite over SQLite, in memory and in a file.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { createSqliteStoreOpener } from '../../../src/service/store/sqlite/sqliteStore.ts';
import { describeStore } from '../storeSuite.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map(folder => rm(folder, { recursive: true }))));

describeStore('SQLite in memory', async () => createSqliteStoreOpener({ folder: null, log: silentLog }));

describeStore('SQLite in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-store-'));
  folders.push(folder);
  return createSqliteStoreOpener({ folder, log: silentLog });
});
