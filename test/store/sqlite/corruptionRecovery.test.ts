// Corrupt and foreign index files: quarantined with one warning, and replaced by an empty index.
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Hex } from '../../../src/base/hex.ts';
import type { StoreInfo } from '../../../src/service/store/store.ts';
import { createDice, genesis } from '../generatedChain.ts';
import { expectHistory, history, INDEX_FILE_NAME, info, useIndexFile } from './indexFileFixture.ts';

const fixture = useIndexFile();

/** Expects the index to open empty, with one warning, and to be usable. */
async function expectRecovery(reason: RegExp): Promise<void> {
  const store = await fixture.open();
  expect(await store.readHead()).toBeNull();
  expect(fixture.log.of('warn')).toEqual([expect.stringMatching(reason)]);
  expect(await fixture.quarantined()).toHaveLength(1);
  await store.applyBatch(history);
  await expectHistory(store);
  await store.close();
  await expectHistory(await fixture.open());
  expect(fixture.log.of('warn')).toHaveLength(1);
}

it('uses one file per chain id and genesis hash, with no -wal file after it was closed', async () => {
  await fixture.fill();
  expect(await readdir(fixture.folder)).toEqual([INDEX_FILE_NAME]);
  await expectHistory(await fixture.open());
  const other: StoreInfo = { chainId: 31_337, genesisHash: `0x${'ab'.repeat(32)}` };
  expect(await (await fixture.open(other)).readHead()).toBeNull();
  expect(await readdir(fixture.folder)).toContain('31337-abababababababab.db');
  expect(fixture.log.of('warn')).toEqual([]);
});

it('creates its folder', async () => {
  const deep = join(fixture.folder, 'deep', 'down');
  await (await fixture.open(info, deep)).close();
  expect(await readdir(deep)).toEqual([INDEX_FILE_NAME]);
});

describe('quarantines and replaces a file that', () => {
  it('is cut in half', async () => {
    await fixture.fill();
    await truncate(fixture.path, (await readFile(fixture.path)).length >> 1);
    await expectRecovery(/because it is corrupt\.$/);
  });

  it('is cut within its header', async () => {
    await fixture.fill();
    await truncate(fixture.path, 60);
    await expectRecovery(/because it is corrupt\.$/);
  });

  it('is no database', async () => {
    await writeFile(fixture.path, 'not a database at all, but long enough to be read as one'.repeat(100));
    await expectRecovery(/because it is corrupt\.$/);
  });

  it('is overwritten in the middle', async () => {
    await fixture.fill();
    const bytes = await readFile(fixture.path);
    bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 20_000);
    await writeFile(fixture.path, bytes);
    await expectRecovery(/because it is corrupt\.$/);
  });

  it('was written by a newer version', async () => {
    await fixture.fill();
    const database = new DatabaseSync(fixture.path);
    database.exec('PRAGMA user_version = 999');
    database.close();
    await expectRecovery(/because a newer version of HexLens wrote it\.$/);
  });

  it('is a database of another program', async () => {
    const database = new DatabaseSync(fixture.path);
    database.exec('CREATE TABLE block (number)');
    database.close();
    await expectRecovery(/because it is not an index of HexLens\.$/);
  });

  it('has the index of another chain', async () => {
    await fixture.fill();
    const database = new DatabaseSync(fixture.path);
    database.exec("UPDATE chain SET genesis = x'00'");
    database.close();
    await expectRecovery(/because it is of another chain\.$/);
  });

  it('is a folder', async () => {
    await mkdir(fixture.path);
    await writeFile(join(fixture.path, 'file'), '');
    await expectRecovery(/because it is not a file\.$/);
  });
});

it('uses an empty file without a warning', async () => {
  await writeFile(fixture.path, '');
  await (await fixture.open()).applyBatch(history);
  expect(fixture.log.of('warn')).toEqual([]);
});

it('keeps only the last quarantined file', async () => {
  for (let time = 0; time < 3; time++) {
    await writeFile(fixture.path, 'damaged');
    await (await fixture.open()).close();
    fixture.clock.advance(1_000);
  }
  expect(await fixture.quarantined()).toEqual([`${INDEX_FILE_NAME}.damaged-${fixture.clock.now() - 1_000}`]);
});

it('opens a file with any bits flipped, and recovers', async () => {
  await fixture.fill();
  const good = await readFile(fixture.path);
  const dice = createDice(99);
  for (let round = 0; round < 25; round++) {
    const bytes = Buffer.from(good);
    for (let flip = 0; flip <= round; flip++) bytes[dice(bytes.length)]! ^= 1 << dice(8);
    await writeFile(fixture.path, bytes);
    const store = await fixture.open();
    // Corruption that the check missed is found by reads: one call is rejected, later ones see an empty index.
    const useStore = async () => {
      await store.rollBackTo(-1);
      await store.applyBatch(history);
      await store.readLowestTrade({ contract: genesis.hash.slice(0, 42) as Hex, fromTime: 0 });
    };
    await useStore()
      .catch(error => expect(error).toMatchObject({ name: 'HexLensError', code: 'internal' }))
      .then(useStore);
    expect((await store.readHead())?.number).toBe(199);
    await store.close();
    await rm(fixture.path);
  }
});

it('recovers from corruption while it is open, after rejecting one call', async () => {
  await fixture.fill();
  const store = await fixture.open();
  // Another process writes, so that this one reads from the disk again.
  const other = new DatabaseSync(fixture.path);
  other.exec("UPDATE token SET name = 'other'; PRAGMA wal_checkpoint(TRUNCATE)");
  other.close();
  const bytes = await readFile(fixture.path);
  bytes.fill(0xff, 16_384);
  await writeFile(fixture.path, bytes);
  await expect(store.readTransfers({}, { limit: 9 })).rejects.toMatchObject({
    name: 'HexLensError',
    code: 'internal',
    message: 'The index of the chain is corrupt.',
    fix: 'Try again: it will be rebuilt.',
  });
  expect(await store.readHead()).toBeNull();
  await store.applyBatch(history);
  await expectHistory(store);
  expect(fixture.log.of('warn')).toHaveLength(1);
  expect(fixture.log.of('error')).toEqual([]);
});
