// What a file of the SQLite index still knows when it is opened again, by this version or by the next one.
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { migrations } from '../../../src/service/store/sqlite/schema.ts';
import { address } from '../generatedChain.ts';
import { expectHistory, history, useIndexFile } from './indexFileFixture.ts';

const rig = useIndexFile();
const key = { token: address('c', 1), tokenId: 7n };

it('keeps when metadata was read', async () => {
  const first = await rig.open();
  await first.writeMetadataSyncs([{ ...key, tokenUriSyncedAt: 1_700_000_000_123, metadataSyncedAt: null }]);
  await first.close();
  const second = await rig.open();
  await second.writeMetadataSyncs([{ ...key, tokenUriSyncedAt: null, metadataSyncedAt: 1_700_000_000_456 }]);
  await second.close();
  const third = await rig.open();
  expect(await third.readMetadataSyncs([key])).toEqual([
    { ...key, tokenUri: 1_700_000_000_123, metadata: 1_700_000_000_456 },
  ]);
});

it('keeps everything of a file from before times of metadata were kept', async () => {
  const before = await rig.open();
  await before.applyBatch(history);
  await before.close();
  const database = new DatabaseSync(rig.path);
  database.exec('DROP TABLE metadata_sync; PRAGMA user_version = 2;');
  database.close();

  const store = await rig.open();
  await expectHistory(store);
  expect(await store.readMetadataSyncs([key])).toEqual([]);
  await store.writeMetadataSyncs([{ ...key, tokenUriSyncedAt: 1, metadataSyncedAt: 2 }]);
  expect(await store.readMetadataSyncs([key])).toEqual([{ ...key, tokenUri: 1, metadata: 2 }]);
  await store.close();
  const version = new DatabaseSync(rig.path);
  expect(version.prepare('PRAGMA user_version').get()).toEqual({ user_version: migrations.length });
  version.close();
  expect(rig.log.of('warn')).toEqual([]);
});
