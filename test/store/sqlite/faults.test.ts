// Faults of the SQLite index: another writer, a read-only folder, a full disk.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { toSqliteFault } from '../../../src/service/store/sqlite/faults.ts';
import { bundleProgram } from '../../support/bundle.ts';
import { expectSameResults } from '../compareStores.ts';
import { createBatch } from '../generatedChain.ts';
import { createModelStore } from '../modelStore.ts';
import { expectHistory, history, info, STORE_CHILD, useIndexFile } from './indexFileFixture.ts';

const fixture = useIndexFile();

describe('two stores of one file', () => {
  it('see what the other writes, and reject batches that do not follow it', async () => {
    const [one, two] = [await fixture.open(), await fixture.open()];
    await one.applyBatch(createBatch(history.blocks.slice(0, 50)));
    await two.applyBatch(createBatch(history.blocks.slice(50, 120)));
    await expect(one.applyBatch(createBatch(history.blocks.slice(50, 60)))).rejects.toMatchObject({ code: 'internal' });
    await one.applyBatch(createBatch(history.blocks.slice(120)));
    await expectHistory(one);
    await expectHistory(two);
    await two.rollBackTo(20);
    expect((await one.readHead())?.number).toBe(20);
    await one.applyBatch(createBatch(history.blocks.slice(21)));
    await expectHistory(two);
  });

  it('wait for each other, and reject after a timeout', async () => {
    const store = await fixture.open();
    const other = new DatabaseSync(fixture.path);
    other.exec('BEGIN IMMEDIATE');
    await expect(store.applyBatch(history)).rejects.toMatchObject({
      code: 'internal',
      message: 'The index of the chain is being written by another window.',
      fix: 'Try again in a moment.',
    });
    expect(await store.readHead()).toBeNull();
    other.exec('ROLLBACK');
    other.close();
    await store.applyBatch(history);
    await expectHistory(store);
  });
});

/** The output of `storeChild.ts try`. `limit`: the largest file it may write, in blocks of 512 bytes. */
async function writeInChild(where: string, limit = 'unlimited'): Promise<unknown> {
  // Root may write everywhere: the child runs as an unprivileged user.
  const root = process.getuid?.() === 0;
  const script = `trap '' XFSZ; ulimit -f ${limit}; exec "$0" "$@"`;
  const child = spawn('sh', ['-c', script, process.execPath, await bundleProgram(STORE_CHILD), 'try', where], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(root ? { uid: 65_534, gid: 65_534 } : {}),
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', chunk => {
    text += chunk;
  });
  await once(child, 'close');
  return JSON.parse(text);
}

describe.skipIf(process.platform === 'win32')('has a message and a fix when', () => {
  it('the folder is read-only', async () => {
    await chmod(fixture.folder, 0o555);
    expect(await writeInChild(fixture.folder)).toMatchObject({
      code: 'internal',
      fix: expect.stringContaining(fixture.folder),
    });
    expect(await writeInChild(join(fixture.folder, 'new'))).toMatchObject({
      code: 'internal',
      message: 'The index of the chain could not be written: its folder is read-only.',
      fix: `Make ${join(fixture.folder, 'new')} and the files in it writable for you.`,
    });
    await chmod(fixture.folder, 0o755);
  });

  it('the file is read-only', async () => {
    await fixture.fill();
    await chmod(fixture.path, 0o444);
    await chmod(fixture.folder, 0o777);
    expect(await writeInChild(fixture.folder)).toMatchObject({
      code: 'internal',
      message: 'The index of the chain could not be written: its folder is read-only.',
    });
    expect(await fixture.quarantined()).toEqual([]);
  });

  it('the disk is full, and keeps what was stored', async () => {
    await chmod(fixture.folder, 0o777);
    expect(await writeInChild(fixture.folder, '900')).toMatchObject({
      code: 'internal',
      message: 'The index of the chain could not be read or written.',
      fix: `Check that the disk of ${fixture.folder} works and has space left.`,
    });
    const store = await fixture.open();
    const head = await store.readHead();
    expect(((head?.number ?? 0) + 1) % 10).toBe(0);
    const model = createModelStore(info);
    await model.applyBatch(createBatch((await store.readBlocksDownFrom(9_999, 9_999)).toReversed()));
    await expectSameResults(store, model, 5, 2);
    expect(fixture.log.of('warn')).toEqual([]);
  });

  it('the folder is a file', async () => {
    await writeFile(fixture.path, '');
    await expect(fixture.open(info, fixture.path)).rejects.toMatchObject({
      code: 'internal',
      message: 'The index of the chain could not be opened.',
      fix: `Check that ${fixture.path} is a folder and that you may write in it.`,
    });
  });

  it.runIf(process.platform === 'linux')('the folder can not be created', async () => {
    await expect(fixture.open(info, '/proc/hexlens/index')).rejects.toMatchObject({
      code: 'internal',
      message: 'The index of the chain could not be opened.',
    });
  });

  it('creates the folder with its parents', async () => {
    const store = await fixture.open(info, join(fixture.folder, 'a/b/c'));
    expect(await store.readHead()).toBeNull();
  });
});

it('has a message and a fix for SQLITE_FULL', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('PRAGMA max_page_count = 2; CREATE TABLE t (x)');
  let fault: unknown;
  try {
    database.exec('INSERT INTO t VALUES (zeroblob(100000))');
  } catch (error) {
    fault = toSqliteFault(error, '/cache');
  }
  expect(fault).toMatchObject({
    code: 'internal',
    message: 'The index of the chain could not be written: the disk is full.',
    fix: 'Free some space on the disk of /cache, or delete that folder: it is only a cache.',
  });
});
