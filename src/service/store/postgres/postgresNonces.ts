// Consumed nonces of sign-in messages in PostgreSQL, shared by all processes over the database.
import type { Hex } from '../../../base/hex.ts';
import type { Log } from '../../../base/log.ts';
import { NONCE_CLEANUP_INTERVAL_MS, NONCE_MARGIN_MS, type SharedNonces } from '../nonces.ts';
import { toByteaArray } from './bulkInsert.ts';
import { openDatabase } from './database.ts';
import { parsePostgresUrl } from './postgresUrl.ts';

/** One statement runs at a time. */
const MAX_CONNECTIONS = 1;

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
    async insert(nonces, now) {
      if (now - cleanedUpAt >= NONCE_CLEANUP_INTERVAL_MS) {
        cleanedUpAt = now;
        // Without those that another process uses again or deletes: two statements could wait for each other's rows otherwise.
        await database.query(
          'DELETE FROM @siwe_nonce WHERE key IN (SELECT key FROM @siwe_nonce WHERE expires <= $1 FOR UPDATE SKIP LOCKED)',
          [now - NONCE_MARGIN_MS],
        );
      }
      const keys = toByteaArray([...nonces.keys()].map(key => key.slice(2)));
      // In order: two processes that insert the same keys at the same time would wait for each other otherwise.
      const inserted = await database.query<{ key: Hex }>(
        `INSERT INTO @siwe_nonce (key, expires) SELECT * FROM unnest($1::bytea[], $2::bigint[]) ORDER BY 1
         ON CONFLICT (key) DO UPDATE SET expires = excluded.expires WHERE siwe_nonce.expires <= $3
         RETURNING '0x' || encode(key, 'hex') AS key`,
        [keys, [...nonces.values()], now - NONCE_MARGIN_MS],
      );
      return new Set(inserted.map(({ key }) => key));
    },
    close: () => database.close(),
  };
}
