// Files that are no store any more: whatever happened to them, they are moved aside, said once, and begun anew.
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Hex } from '../../../src/base/hex.ts';
import type { StoreInfo } from '../../../src/service/store/store.ts';
import { createDice, genesis } from '../generatedChain.ts';
import { expectHistory, history, INDEX_FILE_NAME, info, useIndexFile } from './indexFileFixture.ts';

const rig = useIndexFile();

/** Opened anew and empty, said once, and usable from then on. */
async function expectAnew(reason: RegExp): Promise<void> {
  const store = await rig.open();
  expect(await store.readHead()).toBeNull();
  expect(rig.log.of('warn')).toEqual([expect.stringMatching(reason)]);
  expect(await rig.quarantined()).toHaveLength(1);
  await store.applyBatch(history);
  await expectHistory(store);
  await store.close();
  await expectHistory(await rig.open());
  expect(rig.log.of('warn')).toHaveLength(1);
}

it('is one file per chain and beginning, whole after it was closed', async () => {
  await rig.fill();
  expect(await readdir(rig.folder)).toEqual([INDEX_FILE_NAME]);
  await expectHistory(await rig.open());
  const other: StoreInfo = { chainId: 31_337, genesisHash: `0x${'ab'.repeat(32)}` };
  expect(await (await rig.open(other)).readHead()).toBeNull();
  expect(await readdir(rig.folder)).toContain('31337-abababababababab.db');
  expect(rig.log.of('warn')).toEqual([]);
});

it('makes its folder', async () => {
  const deep = join(rig.folder, 'deep', 'down');
  await (await rig.open(info, deep)).close();
  expect(await readdir(deep)).toEqual([INDEX_FILE_NAME]);
});

describe('is moved aside and begun anew when it', () => {
  it('is cut in half', async () => {
    await rig.fill();
    await truncate(rig.path, (await readFile(rig.path)).length >> 1);
    await expectAnew(/because it is damaged\.$/);
  });

  it('is cut within its header', async () => {
    await rig.fill();
    await truncate(rig.path, 60);
    await expectAnew(/because it is damaged\.$/);
  });

  it('holds something else', async () => {
    await writeFile(rig.path, 'not a database at all, but long enough to be read as one'.repeat(100));
    await expectAnew(/because it is damaged\.$/);
  });

  it('is overwritten in the middle', async () => {
    await rig.fill();
    const bytes = await readFile(rig.path);
    bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 20_000);
    await writeFile(rig.path, bytes);
    await expectAnew(/because it is damaged\.$/);
  });

  it('was written by a newer version', async () => {
    await rig.fill();
    const database = new DatabaseSync(rig.path);
    database.exec('PRAGMA user_version = 999');
    database.close();
    await expectAnew(/because a newer version of HexLens wrote it\.$/);
  });

  it('is a database of somebody else', async () => {
    const database = new DatabaseSync(rig.path);
    database.exec('CREATE TABLE block (number)');
    database.close();
    await expectAnew(/because it is not an index of HexLens\.$/);
  });

  it('is of another chain inside', async () => {
    await rig.fill();
    const database = new DatabaseSync(rig.path);
    database.exec("UPDATE chain SET genesis = x'00'");
    database.close();
    await expectAnew(/because it is of another chain\.$/);
  });

  it('is a folder', async () => {
    await mkdir(rig.path);
    await writeFile(join(rig.path, 'file'), '');
    await expectAnew(/because it is not a file\.$/);
  });
});

it('begins in an empty file without a word', async () => {
  await writeFile(rig.path, '');
  await (await rig.open()).applyBatch(history);
  expect(rig.log.of('warn')).toEqual([]);
});

it('keeps only the last file that was moved aside', async () => {
  for (let time = 0; time < 3; time++) {
    await writeFile(rig.path, 'damaged');
    await (await rig.open()).close();
    rig.clock.advance(1_000);
  }
  expect(await rig.quarantined()).toEqual([`${INDEX_FILE_NAME}.damaged-${rig.clock.now() - 1_000}`]);
});

it('opens whatever bytes are flipped, and then works', { timeout: 60_000 }, async () => {
  await rig.fill();
  const good = await readFile(rig.path);
  const roll = createDice(99);
  for (let round = 0; round < 25; round++) {
    const bytes = Buffer.from(good);
    for (let flip = 0; flip <= round; flip++) bytes[roll(bytes.length)]! ^= 1 << roll(8);
    await writeFile(rig.path, bytes);
    const store = await rig.open();
    // What the check could not see is found by the reads: one call is refused, the next ones find an empty index.
    const used = async () => {
      await store.rollBackTo(-1);
      await store.applyBatch(history);
      await store.queryLowestTrade({ token: genesis.hash.slice(0, 42) as Hex, fromTime: 0 });
    };
    await used()
      .catch(error => expect(error).toMatchObject({ name: 'HexLensError', code: 'internal' }))
      .then(used);
    expect((await store.readHead())?.number).toBe(199);
    await store.close();
    await rm(rig.path);
  }
});

it('begins anew when it is damaged while it is open, after refusing one call', async () => {
  await rig.fill();
  const store = await rig.open();
  // Another process writes, so that this one reads from the disk again.
  const other = new DatabaseSync(rig.path);
  other.exec("UPDATE token SET name = 'other'; PRAGMA wal_checkpoint(TRUNCATE)");
  other.close();
  const bytes = await readFile(rig.path);
  bytes.fill(0xff, 16_384);
  await writeFile(rig.path, bytes);
  await expect(store.queryTransfers({}, { limit: 9 })).rejects.toMatchObject({
    name: 'HexLensError',
    code: 'internal',
    message: 'The index of the chain is corrupt.',
    fix: 'Try again: it will be rebuilt.',
  });
  expect(await store.readHead()).toBeNull();
  await store.applyBatch(history);
  await expectHistory(store);
  expect(rig.log.of('warn')).toHaveLength(1);
  expect(rig.log.of('error')).toEqual([]);
});
