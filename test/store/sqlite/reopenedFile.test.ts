// The contents of an index file after it is opened again, by this version or a newer one.
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { packHex } from '../../../src/service/store/encoding.ts';
import { migrations } from '../../../src/service/store/sqlite/schema.ts';
import { address } from '../generatedChain.ts';
import { expectHistory, history, info, useIndexFile } from './indexFileFixture.ts';

const fixture = useIndexFile();
const key = { tokenAddress: address('c', 1), tokenId: 7n };

it.skipIf(process.platform === 'win32')('creates folders and files that only this user can read', async () => {
  const folder = join(fixture.folder, 'new', 'index');
  const store = await fixture.open(info, folder);
  await store.applyBatch(history);
  const modes = readdirSync(folder).map(name => [name, statSync(join(folder, name)).mode & 0o777] as const);
  expect(modes.map(([name]) => name)).toEqual(
    expect.arrayContaining([expect.stringMatching(/\.db$/), expect.stringMatching(/\.db-wal$/)]),
  );
  expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
  for (const path of [folder, join(folder, '..')]) expect(statSync(path).mode & 0o777).toBe(0o700);
});

it('keeps the times of metadata reads', async () => {
  const first = await fixture.open();
  await first.writeMetadataSyncs([{ ...key, tokenUriSyncedAt: 1_700_000_000_123, metadataSyncedAt: null }]);
  await first.close();
  const second = await fixture.open();
  await second.writeMetadataSyncs([{ ...key, tokenUriSyncedAt: null, metadataSyncedAt: 1_700_000_000_456 }]);
  await second.close();
  const third = await fixture.open();
  expect(await third.readMetadataSyncs([key])).toEqual([
    { ...key, tokenUriSyncedAt: 1_700_000_000_123, metadataSyncedAt: 1_700_000_000_456 },
  ]);
});

it('empties a file of version 3, which lacks ERC-20 transfers, so that its chain is read again', async () => {
  const { chainId, genesisHash } = info;
  const database = new DatabaseSync(fixture.path);
  for (const sql of migrations.slice(0, 3)) database.exec(sql);
  database.exec('PRAGMA user_version = 3; CREATE INDEX transfer_token ON transfer (token)');
  database.prepare('INSERT INTO chain VALUES (1, ?, ?)').run(chainId, packHex(genesisHash, 32));
  database
    .prepare('INSERT INTO block VALUES (0, ?, ?, 1700000000, 1, 1, 1)')
    .run(packHex(genesisHash, 32), packHex(genesisHash, 32));
  database.prepare('INSERT INTO address VALUES (?, ?)').run(2, packHex(key.tokenAddress, 20));
  database.exec("INSERT INTO metadata_sync VALUES (2, x'0107', 1, 2)");
  database.close();

  const store = await fixture.open();
  expect(await store.readHead()).toBeNull();
  await store.applyBatch(history);
  await expectHistory(store);
  expect(await store.readMetadataSyncs([key])).toEqual([{ ...key, tokenUriSyncedAt: 1, metadataSyncedAt: 2 }]);
  await store.close();
  const version = new DatabaseSync(fixture.path);
  expect(version.prepare('PRAGMA user_version').get()).toEqual({ user_version: migrations.length });
  version.close();
  expect(fixture.log.of('warn')).toEqual([]);
});

it('empties a file of version 5, which may lack logs of one index, and says so', async () => {
  const database = new DatabaseSync(fixture.path);
  for (const sql of migrations.slice(0, 5)) database.exec(sql);
  database.exec('PRAGMA user_version = 5');
  database.prepare('INSERT INTO chain VALUES (1, ?, ?)').run(info.chainId, packHex(info.genesisHash, 32));
  const hash = packHex(info.genesisHash, 32);
  database.prepare('INSERT INTO block VALUES (0, ?, ?, 1700000000, 1, 1, 1, 1)').run(hash, hash);
  database.prepare("INSERT INTO transfer VALUES (1, 0, 0, 0, ?, 0, 1, x'0107', 0, 1, 1, '1', NULL, NULL)").run(hash);
  database.close();

  const store = await fixture.open();
  expect(await store.readHead()).toBeNull();
  expect(await store.countTransfers({})).toBe(0);
  await store.applyBatch(history);
  await expectHistory(store);
  await store.close();
  expect(fixture.log.of('info').join()).toContain('version 5: it is emptied, and its chain is read again');
});

it('empties a file of version 6, whose transfers repeat their transactions, and keeps the times of metadata reads', async () => {
  const database = new DatabaseSync(fixture.path);
  for (const sql of migrations.slice(0, 6)) database.exec(sql);
  database.exec('PRAGMA user_version = 6; CREATE INDEX owner_token ON owner (token, changed) WHERE holder <> 1');
  database.prepare('INSERT INTO chain VALUES (1, ?, ?)').run(info.chainId, packHex(info.genesisHash, 32));
  const hash = packHex(info.genesisHash, 32);
  database.prepare('INSERT INTO block VALUES (0, ?, ?, 1700000000, 1, 1, 1, 1)').run(hash, hash);
  database.prepare("INSERT INTO transfer VALUES (1, 0, 0, 0, ?, 0, 1, x'0107', 0, 1, 1, '1', NULL, NULL)").run(hash);
  database.exec("INSERT INTO owner VALUES (1, x'0107', 0, 0, 2, '1', 1, 0)");
  database.prepare('INSERT INTO address VALUES (?, ?)').run(2, packHex(key.tokenAddress, 20));
  database.exec("INSERT INTO metadata_sync VALUES (2, x'0107', 1, 2)");
  database.close();

  const store = await fixture.open();
  expect(await store.readHead()).toBeNull();
  expect(await store.countOwners({})).toBe(0);
  await store.applyBatch(history);
  await expectHistory(store);
  expect(await store.readMetadataSyncs([key])).toEqual([{ ...key, tokenUriSyncedAt: 1, metadataSyncedAt: 2 }]);
  await store.close();
  expect(fixture.log.of('info').join()).toContain('version 6: it is emptied, and its chain is read again');
});

it('never changes the migrations of a released version', () => {
  const digests = migrations.map(sql => createHash('sha256').update(sql.replace(/\s+/g, ' ').trim()).digest('hex'));
  expect(digests.map(digest => digest.slice(0, 16))).toEqual([
    '077f844a477c2069',
    'd56babfe266dd4c4',
    '403d62979d46a350',
    '1ea41cbbccf77ac9',
    '8900c9da832c1983',
    '35ae9893aeaac0d3',
    '7f5e3a556bc164b6',
  ]);
});
