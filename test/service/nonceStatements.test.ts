// Nonces of sign-in messages that are consumed at the same time, in the databases that processes share.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createMemoryNonceStore } from '../../src/service/siwe/memoryNonceStore.ts';
import type { NonceStore } from '../../src/service/siwe/nonceStore.ts';
import { openNonceStore } from '../../src/service/siwe/openNonceStore.ts';
import { NONCE_CLEANUP_INTERVAL_MS, NONCE_MARGIN_MS } from '../../src/service/store/nonces.ts';
import { connectToSchema } from '../store/postgres/schemaClient.ts';
import { sharePostgres } from '../support/postgresServer.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { createTestClock, createTestLog } from '../support/testClock.ts';

const postgres = await sharePostgres();
const url = postgres?.createSchemaUrl() ?? '';
const folder = createTemporaryFolder('hexlens-nonces-');
const clock = createTestClock();
const log = createTestLog();
const memory = createMemoryNonceStore({ clock });

const consume = (store: NonceStore, nonce: string, expiresInMs?: number) =>
  store.consume(
    {
      domain: 'example.com',
      nonce,
      issuedAt: { text: '', time: clock.now() },
      expirationTime: expiresInMs === undefined ? null : { text: '', time: clock.now() + expiresInMs },
    },
    keccak_256,
  );
const consumeAll = (store: NonceStore, nonces: readonly string[]) =>
  Promise.all(nonces.map(nonce => consume(store, nonce)));
const name = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const accepted = (count: number) => Array(count).fill('accepted');

interface Shared {
  readonly table: string;
  run(sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Runs `work`, and counts the statements or transactions that insert nonces. */
  countInserts(work: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

async function connectToPostgres(): Promise<Shared> {
  const client = await connectToSchema(url);
  const run = async (sql: string) => (await client.query(sql)).rows;
  await run(`CREATE SEQUENCE inserts MINVALUE 0; SELECT nextval('inserts');
    CREATE FUNCTION count_insert() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN PERFORM nextval('inserts'); RETURN NULL; END $$;
    CREATE TRIGGER count_insert BEFORE INSERT ON siwe_nonce FOR EACH STATEMENT EXECUTE FUNCTION count_insert()`);
  const readCount = async () => Number((await run('SELECT last_value FROM inserts'))[0]?.['last_value']);
  return {
    table: 'siwe_nonce',
    run,
    async countInserts(work) {
      const before = await readCount();
      await work();
      return (await readCount()) - before;
    },
    close: () => client.end(),
  };
}

async function connectToSqlite(): Promise<Shared> {
  const database = new DatabaseSync(join(folder, 'sign-in-nonces.db'));
  return {
    table: 'nonce',
    run: async sql => database.prepare(sql).all(),
    async countInserts(work) {
      const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
      await work();
      const count = exec.mock.calls.filter(([sql]) => sql === 'COMMIT').length;
      exec.mockRestore();
      return count;
    },
    close: async () => database.close(),
  };
}

describe.each([
  ['PostgreSQL', { folder: null, url }, connectToPostgres],
  ['SQLite', { folder, url: null }, connectToSqlite],
] as const)('nonces in %s', (kind, location, connect) => {
  const isMissing = kind === 'PostgreSQL' && postgres === null;
  const open = () => openNonceStore(location, { clock, log, memory });
  const store = open();
  let shared: Shared;
  beforeAll(async () => {
    if (isMissing) return;
    await consume(store, 'first'); // creates the table
    shared = await connect();
  });
  afterAll(async () => {
    await store.close?.();
    await shared?.close();
  });
  const test = it.skipIf(isMissing);

  test('are inserted together when they come together, else one by one', async () => {
    const together = () => consumeAll(store, name('together', 40));
    expect(await shared.countInserts(together)).toBe(1);
    const inTurn = async () => {
      for (const nonce of name('turn', 10)) expect(await consume(store, nonce)).toBe('accepted');
    };
    expect(await shared.countInserts(inTurn)).toBe(10);
    expect(new Set(await consumeAll(store, [...name('together', 40), ...name('turn', 10)]))).toEqual(new Set(['used']));
  });

  test('are accepted once, in one statement and in the next', async () => {
    expect(await consumeAll(store, ['twice', 'twice', 'thrice'])).toEqual(['accepted', 'used', 'accepted']);
    expect(await consumeAll(store, ['once', 'thrice', 'twice'])).toEqual(['accepted', 'used', 'used']);
  });

  test('are not consumed when the statement fails', async () => {
    await shared.run(`ALTER TABLE ${shared.table} RENAME TO renamed`);
    const results = await Promise.allSettled(['a', 'b', 'a'].map(nonce => consume(store, nonce)));
    const fault = expect.objectContaining({ code: 'internal', fix: expect.any(String) });
    expect(results).toEqual(Array(3).fill({ status: 'rejected', reason: fault }));
    await shared.run(`ALTER TABLE renamed RENAME TO ${shared.table}`);
    expect(await consumeAll(store, ['a', 'b', 'a'])).toEqual(['accepted', 'accepted', 'used']);
  });

  test('are deleted when they have expired and the clocks of all machines have passed', async () => {
    const find = () => shared.run(`SELECT expires FROM ${shared.table} WHERE expires IS NOT NULL`);
    clock.advance(NONCE_CLEANUP_INTERVAL_MS);
    expect(await consume(store, 'lasting')).toBe('accepted'); // deletes the expired ones
    expect(await consume(store, 'short', 1_000 - NONCE_MARGIN_MS)).toBe('accepted');
    expect(await consume(store, 'short')).toBe('used');
    clock.advance(1_000);
    expect(await consume(store, 'short', 2_000 - NONCE_MARGIN_MS)).toBe('accepted');
    expect(await find()).toHaveLength(1);
    clock.advance(NONCE_CLEANUP_INTERVAL_MS);
    expect(await consume(store, 'lasting')).toBe('used');
    expect(await find()).toEqual([]);
  });

  test('are accepted by one of two stores', async () => {
    const others = open();
    const nonces = name('shared', 200);
    const [forward, backward] = await Promise.all([
      consumeAll(store, nonces),
      consumeAll(others, nonces.toReversed()).then(results => results.toReversed()),
    ]);
    for (const [index, result] of forward.entries())
      expect([result, backward[index]].toSorted()).toEqual(['accepted', 'used']);
    await others.close?.();
  });

  test('that wait when the store is closed are inserted', async () => {
    const closing = open();
    await consume(closing, 'opened');
    const results = consumeAll(closing, name('closing', 3));
    await Promise.resolve();
    await closing.close?.();
    expect(await results).toEqual(accepted(3));
    expect(await consumeAll(store, name('closing', 3))).toEqual(Array(3).fill('used'));
    await expect(consume(closing, 'late')).rejects.toThrow();
  });

  if (kind === 'SQLite') return; // its statements run on this thread, one after the other

  test('wait for the statement that is under way', async () => {
    await shared.run('BEGIN; LOCK TABLE siwe_nonce');
    const blocked =
      "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'siwe_nonce'::regclass AND mode = 'RowExclusiveLock'";
    const hasBlocked = expect.poll(async () => (await shared.run(blocked)).length);
    const work = async () => {
      const early = consume(store, 'early');
      await hasBlocked.toBe(1);
      const late = consumeAll(store, ['early', ...name('late', 40)]);
      await shared.run('COMMIT');
      expect(await Promise.all([early, late])).toEqual(['accepted', ['used', ...accepted(40)]]);
    };
    expect(await shared.countInserts(work)).toBe(2);
  });

  test('are deleted without waiting for a process that uses one of them again', async () => {
    const expired = 'SELECT 1 FROM siwe_nonce WHERE expires < 5';
    await shared.run(
      "INSERT INTO siwe_nonce SELECT decode(byte || repeat('00', 31), 'hex'), 1 FROM unnest('{02,01,03}'::text[]) byte",
    );
    const other = await connectToSchema(url);
    await other.query('BEGIN; UPDATE siwe_nonce SET expires = 2 WHERE get_byte(key, 0) = 1 AND expires = 1');
    clock.advance(NONCE_CLEANUP_INTERVAL_MS);
    expect(await consume(store, 'during a reuse')).toBe('accepted');
    expect(await shared.run(expired)).toHaveLength(1);
    await other.query('UPDATE siwe_nonce SET expires = 2 WHERE get_byte(key, 0) IN (2, 3) AND expires = 1; COMMIT');
    await other.end();
    clock.advance(NONCE_CLEANUP_INTERVAL_MS);
    expect(await consume(store, 'after a reuse')).toBe('accepted');
    expect(await shared.run(expired)).toEqual([]);
    expect(log.of('debug')).toEqual([]);
  });

  test('of two stores do not wait for each other', async () => {
    // Slow inserts, so that both statements run at the same time.
    await shared.run(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(0.002); RETURN NEW; END $$;
      CREATE TRIGGER wait BEFORE INSERT ON siwe_nonce FOR EACH ROW EXECUTE FUNCTION wait()`);
    const others = open();
    const nonces = name('slow', 100);
    await consume(others, 'connected');
    const results = await Promise.all([consumeAll(store, nonces), consumeAll(others, nonces.toReversed())]);
    expect(results.flat().filter(result => result === 'accepted')).toHaveLength(100);
    expect(log.of('debug')).toEqual([]); // no deadlock that the server had to end
    await shared.run('DROP TRIGGER wait ON siwe_nonce');
    await others.close?.();
  });
});
