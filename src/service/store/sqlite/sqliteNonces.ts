// Consumed nonces of sign-in messages in a file of the data folder, which all processes with that folder share.
import { join } from 'node:path';
import { type Hex, hexToBytes } from '../../../base/hex.ts';
import { NONCE_CLEANUP_INTERVAL_MS, NONCE_MARGIN_MS, type SharedNonces } from '../nonces.ts';
import { openConnection, type SqliteConnection } from './connection.ts';
import { toSqliteFault } from './faults.ts';
import { createFolder } from './indexFile.ts';

const FILE = 'sign-in-nonces.db';

/** Each makes the next version of the file; a released one is never changed. */
const migrations: readonly string[] = [
  'CREATE TABLE nonce (key BLOB PRIMARY KEY, expires INTEGER) STRICT, WITHOUT ROWID;',
];

function migrate(connection: SqliteConnection): void {
  connection.writeTransaction(() => {
    const version = connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
    for (const sql of migrations.slice(version)) connection.exec(sql);
    if (version < migrations.length) connection.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

/**
 * Unlike an index, a corrupt file is not replaced: its nonces would be accepted again. Throws a HexLensError, as `insert`
 * does.
 */
export function openSqliteNonces(folder: string): SharedNonces {
  const run = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw toSqliteFault(error, folder);
    }
  };
  const connection = run(() => {
    createFolder(folder);
    const opened = openConnection(join(folder, FILE), {});
    try {
      opened.exec('PRAGMA synchronous = FULL'); // a nonce must stay consumed after a power failure
      migrate(opened);
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  });
  let cleanedUpAt = 0;
  return {
    insert: (nonces, now) =>
      run(() => {
        if (now - cleanedUpAt >= NONCE_CLEANUP_INTERVAL_MS) {
          connection.run('DELETE FROM nonce WHERE expires <= ?', now - NONCE_MARGIN_MS);
          cleanedUpAt = now;
        }
        const insertOne = `INSERT INTO nonce VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET expires = excluded.expires
          WHERE nonce.expires <= ? RETURNING 1 AS inserted`;
        const isNew = ([key, expires]: readonly [Hex, number | null]) =>
          connection.get(insertOne, hexToBytes(key), expires, now - NONCE_MARGIN_MS) !== undefined;
        return connection.writeTransaction(() => new Set([...nonces].filter(isNew).map(([key]) => key)));
      }),
    close: () => connection.close(),
  };
}
