// Consumed nonces of sign-in messages in PostgreSQL, shared by all processes over the database.
import type { Log } from '../../../base/log.ts';
import { NONCE_CLEANUP_INTERVAL_MS, NONCE_MARGIN_MS, type SharedNonces } from '../nonces.ts';
import { openDatabase } from './database.ts';
import { parsePostgresUrl } from './postgresUrl.ts';

const MAX_CONNECTIONS = 2;

/** `null` when this process may not write. Rejects with a HexLensError, as `insert` does. */
export async function openPostgresNonces(url: string, log: Log, signal?: AbortSignal): Promise<SharedNonces | null> {
  const database = await openDatabase({ ...parsePostgresUrl(url), log, signal, maxConnections: MAX_CONNECTIONS });
  if ((await database.fetchReadOnlyReason()) !== null) {
    log.warn('Nonces of sign-in messages are not shared, because PostgreSQL is only read.');
    await database.close();
    return null;
  }
  let cleanedUpAt = 0;
  return {
    async insert(key, expires, now) {
      if (now - cleanedUpAt >= NONCE_CLEANUP_INTERVAL_MS) {
        cleanedUpAt = now;
        await database.query('DELETE FROM @siwe_nonce WHERE expires <= $1', [now - NONCE_MARGIN_MS]);
      }
      const inserted = await database.query(
        `INSERT INTO @siwe_nonce (key, expires) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET expires = excluded.expires
         WHERE siwe_nonce.expires <= $3 RETURNING 1`,
        [key, expires, now - NONCE_MARGIN_MS],
      );
      return inserted.length > 0;
    },
    close: () => database.close(),
  };
}
