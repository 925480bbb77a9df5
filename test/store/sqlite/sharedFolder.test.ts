// One file of an index and several processes: who leads, who waits for whom, and who moves a damaged file aside.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { createSqliteStoreOpener } from '../../../src/service/store/sqlite/sqliteStore.ts';
import { createBatch, createNextBlocks } from '../generatedChain.ts';
import { history, INDEX_FILE_NAME, info, useIndexFile } from './indexFileFixture.ts';

const rig = useIndexFile();
const LEAD = join(import.meta.dirname, '../../../src/service/store/sqlite/leaderLock.ts');

it('only one leads until it leaves; the file of its lock is gone then', async () => {
  const [first, second] = [await rig.open(), await rig.open()];
  const leave = await first.leaderLock?.tryAcquire();
  expect(leave).toBeTypeOf('function');
  expect((await readdir(rig.folder)).filter(name => name.includes('.lead'))).toEqual([`${INDEX_FILE_NAME}.lead`]);
  expect(await first.leaderLock?.tryAcquire()).toBeNull();
  expect(await second.leaderLock?.tryAcquire()).toBeNull();
  await leave?.();
  await leave?.();
  expect(existsSync(`${rig.path}.lead`)).toBe(false);
  const again = await second.leaderLock?.tryAcquire();
  expect(await first.leaderLock?.tryAcquire()).toBeNull();
  await again?.();
});

it('a process that is killed leads no more', async () => {
  const store = await rig.open();
  const script = `import { takeLead } from ${JSON.stringify(LEAD)};
    if (takeLead(process.argv[1]) !== null) { console.log('leads'); setInterval(() => {}, 1e9); }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, `${rig.path}.lead`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(await store.leaderLock?.tryAcquire()).toBeNull();
  child.kill('SIGKILL');
  await once(child, 'close');
  const leave = await store.leaderLock?.tryAcquire();
  expect(leave).toBeTypeOf('function');
  await leave?.();
});

it('what somebody left in the place of the lock is made anew, and the index stays', async () => {
  await rig.fill();
  await writeFile(`${rig.path}.lead`, 'something else'.repeat(400));
  const store = await rig.open();
  expect(await store.leaderLock?.tryAcquire()).toBeNull();
  const leave = await store.leaderLock?.tryAcquire();
  expect(leave).toBeTypeOf('function');
  await leave?.();
  expect((await store.readHead())?.number).toBe(history.blocks.at(-1)?.number);
  expect(await rig.quarantined()).toEqual([]);
});

it('a write waits for that of another process, and reads are answered meanwhile', async () => {
  const store = await createSqliteStoreOpener({ folder: rig.folder, log: silentLog })(info); // by the real clock
  const other = new DatabaseSync(rig.path);
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

it('a damaged file that another process has moved aside is not moved twice', async () => {
  await rig.fill();
  const [first, second] = [await rig.open(), await rig.open()];
  await truncate(rig.path, 3 * 16_384);
  const fault = { message: 'The index of the chain was damaged.' };
  await expect(first.queryTransfers({}, { limit: 100 })).rejects.toMatchObject(fault);
  await first.applyBatch(history);
  await expect(second.queryTransfers({}, { limit: 100 })).rejects.toMatchObject(fault);
  expect(await rig.quarantined()).toHaveLength(1);
  expect(await second.queryTransfers({}, { limit: 9 })).toEqual(await first.queryTransfers({}, { limit: 9 }));
  expect((await second.readHead())?.number).toBe(history.blocks.at(-1)?.number);
});
