// The store suite over SQLite, in memory and in a file.
import { silentLog } from '../../../src/base/log.ts';
import { createSqliteStoreOpener } from '../../../src/service/store/sqlite/sqliteStore.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';
import { describeStore } from '../storeSuite.ts';

describeStore('SQLite in memory', async () => createSqliteStoreOpener({ folder: null, log: silentLog }));

describeStore('SQLite in a file', async () => {
  const folder = createTemporaryFolder('hexlens-store-');
  return createSqliteStoreOpener({ folder, log: silentLog });
});
