// One index file and several processes: the leader lock, waiting for writers, and quarantine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { createSqliteStoreOpener } from '../../../src/service/store/sqlite/sqliteStore.ts';
import { createBatch, createNextBlocks } from '../generatedChain.ts';
import { history, INDEX_FILE_NAME, info, useIndexFile } from './indexFileFixture.ts';

const fixture = useIndexFile();
const LEADER_LOCK = join(import.meta.dirname, '../../../src/service/store/sqlite/leaderLock.ts');

it('grants the leader lock to one store until it is released, and deletes its file', async () => {
  const [first, second] = [await fixture.open(), await fixture.open()];
  const release = await first.leaderLock?.tryAcquire();
  expect(release).toBeTypeOf('function');
  expect((await readdir(fixture.folder)).filter(name => name.includes('.lead'))).toEqual([`${INDEX_FILE_NAME}.lead`]);
  expect(await first.leaderLock?.tryAcquire()).toBeNull();
  expect(await second.leaderLock?.tryAcquire()).toBeNull();
  await release?.();
  await release?.();
  expect(existsSync(`${fixture.path}.lead`)).toBe(false);
  const again = await second.leaderLock?.tryAcquire();
  expect(await first.leaderLock?.tryAcquire()).toBeNull();
  await again?.();
});

it('releases the leader lock of a killed process', async () => {
  const store = await fixture.open();
  // A lock to which nothing refers would end with its garbage-collected database.
  const script = `import { tryAcquireLockFile } from ${JSON.stringify(LEADER_LOCK)};
    globalThis.release = tryAcquireLockFile(process.argv[1]);
    if (globalThis.release !== null) { console.log('acquired'); setInterval(() => {}, 1e9); }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, `${fixture.path}.lead`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  expect(await store.leaderLock?.tryAcquire()).toBeNull();
  child.kill('SIGKILL');
  await once(child, 'close');
  const release = await store.leaderLock?.tryAcquire();
  expect(release).toBeTypeOf('function');
  await release?.();
});

it('replaces a lock file that is no database, without touching the index', async () => {
  await fixture.fill();
  await writeFile(`${fixture.path}.lead`, 'something else'.repeat(400));
  const store = await fixture.open();
  expect(await store.leaderLock?.tryAcquire()).toBeNull();
  const release = await store.leaderLock?.tryAcquire();
  expect(release).toBeTypeOf('function');
  await release?.();
  expect((await store.readHead())?.number).toBe(history.blocks.at(-1)?.number);
  expect(await fixture.quarantined()).toEqual([]);
});

it('waits with a write for that of another process, and serves reads meanwhile', async () => {
  const store = await createSqliteStoreOpener({ folder: fixture.folder, log: silentLog })(info); // with the real clock
  const other = new DatabaseSync(fixture.path);
  other.exec('BEGIN IMMEDIATE');
  let done = false;
  const applied = store.applyBatch(createBatch(createNextBlocks(null, 5))).then(() => {
    done = true;
  });
  for (let read = 0; read < 5; read++) expect(await store.readHead()).toBeNull();
  expect(done).toBe(false);
  other.exec('ROLLBACK');
  other.close();
  await applied;
  expect((await store.readHead())?.number).toBe(4);
  await store.close();
});

it('does not quarantine a file again that another process has replaced', async () => {
  await fixture.fill();
  const [first, second] = [await fixture.open(), await fixture.open()];
  await truncate(fixture.path, 3 * 16_384);
  const fault = { message: 'The index of the chain is corrupt.' };
  await expect(first.readTransfers({}, { limit: 100 })).rejects.toMatchObject(fault);
  await first.applyBatch(history);
  await expect(second.readTransfers({}, { limit: 100 })).rejects.toMatchObject(fault);
  expect(await fixture.quarantined()).toHaveLength(1);
  expect(await second.readTransfers({}, { limit: 9 })).toEqual(await first.readTransfers({}, { limit: 9 }));
  expect((await second.readHead())?.number).toBe(history.blocks.at(-1)?.number);
});

it('lets several processes create the same new file at the same moment', async () => {
  const connection = join(import.meta.dirname, '../../../src/service/store/sqlite/connection.ts');
  const script = `import { openConnection } from ${JSON.stringify(connection)};
    process.stdin.on('data', line => {
      try { openConnection(String(line).trim(), {}).close(); console.log('opened'); }
      catch (error) { console.log(error.message); }
    });
    console.log('ready');`;
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'ignore'] }),
  );
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  const readLines = () => Promise.all(children.map(async ({ stdout }) => String(await once(stdout, 'data')).trim()));
  await readLines();
  for (let file = 0; file < 60; file++) {
    const lines = readLines();
    for (const { stdin } of children) stdin.write(`${join(fixture.folder, `new-${file}.db`)}\n`);
    expect(await lines).toEqual(['opened', 'opened', 'opened']);
  }
});
