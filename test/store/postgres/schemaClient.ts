// Statements in the schema that the URL of a store names, and empty stores in it.
import { Client } from 'pg';
import { afterAll } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { createPostgresStoreOpener } from '../../../src/service/store/postgres/postgresStore.ts';
import { parsePostgresUrl } from '../../../src/service/store/postgres/postgresUrl.ts';
import type { OpenStore } from '../../../src/service/store/store.ts';
import type { PostgresServer } from '../../support/postgresServer.ts';

/** A connection of its own, whose tables are those of the store; the caller ends it. */
export async function connectToSchema(url: string): Promise<Client> {
  const {
    urls: [plain],
    schema,
  } = parsePostgresUrl(url);
  const client = new Client({ connectionString: plain, options: `-c search_path=${schema},public` });
  await client.connect();
  return client;
}

/** Runs one or several statements. */
export async function runSql(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = await connectToSchema(url);
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Gives an opener whose stores are empty, all in one schema and over the same connections: tables and connections of its own
 * for each test would take most of its time. The chains of before stay in the tables, under ids that no test uses, so that
 * each test also finds foreign rows beside its own.
 */
export function createEmptyOpeners(
  server: PostgresServer | null,
  connectThrough = (url: string) => url,
): () => Promise<OpenStore> {
  const url = server?.createSchemaUrl() ?? '';
  let opener: OpenStore | undefined;
  let client: Client | undefined;
  afterAll(async () => {
    await opener?.close?.();
    await client?.end();
  });
  return async () => {
    if (opener === undefined) {
      opener = createPostgresStoreOpener({ url: connectThrough(url), log: silentLog });
      await opener.check?.(); // connects, and stays connected
      client = await connectToSchema(url);
    } else await client?.query('UPDATE chain SET chain_id = -id');
    return opener;
  };
}
