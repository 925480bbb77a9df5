// Brings the tables of the PostgreSQL index to this program's version, one process at a time; who may only read looks.
import type { PoolClient } from 'pg';
import { HexLensError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import { LOCK_SPACE } from './advisoryLocks.ts';
import { migrations } from './schema.ts';

const MIGRATING = 0;

/** The version that the tables are at; 0 when there are none, or none that this user may see. */
async function versionOf(client: PoolClient): Promise<number> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('migration') IS NOT NULL AS there",
  );
  if (tables[0]?.there !== true) return 0;
  const { rows } = await client.query<{ version: number | null }>('SELECT max(version) AS version FROM migration');
  const version = rows[0]?.version ?? 0;
  if (version > migrations.length) {
    throw new HexLensError('internal', `The index in PostgreSQL was made by a newer HexLens (version ${version}).`, {
      fix: 'Update this HexLens, or give it a schema of its own with ?schema=NAME at the end of --store.',
    });
  }
  return version;
}

/** Whoever has all rights but that of making schemas may use one that is there. */
async function makeSchema(client: PoolClient, schema: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rowCount === 0) await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
}

export async function migrate(client: PoolClient, schema: string, log: Log): Promise<void> {
  if ((await versionOf(client)) === migrations.length) return;
  await client.query('SELECT pg_advisory_lock($1, $2)', [LOCK_SPACE, MIGRATING]);
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL statement_timeout = 0');
    await makeSchema(client, schema);
    await client.query('CREATE TABLE IF NOT EXISTS migration (version integer PRIMARY KEY)');
    const version = await versionOf(client);
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue;
      await client.query(sql);
      await client.query('INSERT INTO migration VALUES ($1)', [index + 1]);
      log.info(`The index in PostgreSQL is at version ${index + 1}.`);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    await client.query('SELECT pg_advisory_unlock($1, $2)', [LOCK_SPACE, MIGRATING]).catch(() => {});
  }
}

/** Why this user can not write: words for the log; `null` when it can. A replica can not be written either. */
export async function getReadOnlyReason(client: PoolClient): Promise<string | null> {
  const { rows } = await client.query<{ frozen: boolean; allowed: boolean; name: string }>(
    `SELECT current_setting('transaction_read_only') = 'on' AS frozen, current_user AS name,
       has_table_privilege('chain', 'UPDATE') AND has_table_privilege('transfer', 'INSERT') AS allowed`,
  );
  const [found] = rows;
  if (found?.frozen === true) return 'the database takes no writes (a replica, or default_transaction_read_only)';
  return found?.allowed === false ? `the user ${found.name} may only read` : null;
}
