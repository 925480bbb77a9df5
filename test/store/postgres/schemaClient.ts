// Statements in the schema that the URL of a store names.
import { Client } from 'pg';
import { parsePostgresUrl } from '../../../src/service/store/postgres/postgresUrl.ts';

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
