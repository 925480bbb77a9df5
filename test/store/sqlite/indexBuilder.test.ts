// Secondary indexes of a large file: built in the worker thread, when needed, and across closes and kills.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { MAX_INLINE_BUILD_BYTES } from '../../../src/service/store/sqlite/recoveringDatabase.ts';
import { secondaryIndexes } from '../../../src/service/store/sqlite/schema.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { bundleProgram } from '../../support/bundle.ts';
import { readUntil } from '../../support/readUntil.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';
import { address, createBlockBatch, createTransferRow, WALLETS } from '../generatedChain.ts';
import { countTurnsDuring, STORE_CHILD, useIndexFile } from './indexFileFixture.ts';

const fixture = useIndexFile();
const ALL_INDEXES = Object.keys(secondaryIndexes).sort();
const PER_BLOCK = 4_000;
const BLOCKS = 24;
const [token, wallet] = [address('c', 1), address('a', 1)];

/** A file above MAX_INLINE_BUILD_BYTES; each wallet gets an equal part of one collection. */
async function load(store: Store): Promise<void> {
  for (let number = 0; number < BLOCKS; number++) {
    const transfers = Array.from({ length: PER_BLOCK }, (_, place) =>
      createTransferRow({
        blockNumber: number,
        place,
        tokenAddress: token,
        tokenId: BigInt(number * PER_BLOCK + place),
        to: WALLETS[place % WALLETS.length] ?? wallet,
      }),
    );
    await store.applyBatch(createBlockBatch(await store.readHead(), { transfers }));
  }
}
/** A copy of the file as it was loaded first. */
let loaded: string | undefined;
beforeEach(async () => {
  if (loaded === undefined) {
    const store = await fixture.open();
    await load(store);
    await store.close();
    loaded = join(createTemporaryFolder('hexlens-loaded-'), 'index.db');
    await copyFile(fixture.path, loaded);
  } else await copyFile(loaded, fixture.path);
  expect(statSync(fixture.path).size).toBeGreaterThan(MAX_INLINE_BUILD_BYTES);
});

function readIndexNames(): readonly string[] {
  const database = new DatabaseSync(fixture.path);
  try {
    expect(database.prepare('PRAGMA quick_check').get()).toEqual({ quick_check: 'ok' });
    const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index'").all();
    return rows
      .map(row => String(row['name']))
      .filter(name => ALL_INDEXES.includes(name))
      .sort();
  } finally {
    database.close();
  }
}

const TRANSFERS_PER_WALLET = (PER_BLOCK / WALLETS.length) * BLOCKS;

async function expectAllQueries(store: Store): Promise<void> {
  expect(await store.countTransfers({ wallet })).toBe(TRANSFERS_PER_WALLET);
  expect(await store.countOwners({ owner: wallet })).toBe(TRANSFERS_PER_WALLET);
  expect(await store.readCollections(wallet, { limit: 5 })).toMatchObject([{ tokenAddress: token }]);
  expect(await store.readOwners({ contracts: [token], tokenId: 0n }, { limit: 5 })).toMatchObject([
    { owner: WALLETS[0] },
  ]);
}

it('builds indexes when they are needed, and only those', async () => {
  const store = await fixture.open();
  expect(await store.countTransfers({})).toBe(PER_BLOCK * BLOCKS);
  expect(await store.readTransfers({}, { limit: 3 })).toHaveLength(3);
  expect(readIndexNames()).toEqual([]);
  const count = store.countTransfers({ wallet });
  expect(await countTurnsDuring(count), 'other tasks run meanwhile').toBeGreaterThan(5);
  expect(await count).toBe(TRANSFERS_PER_WALLET);
  expect(readIndexNames()).toEqual(['transfer_recipient', 'transfer_sender']);
  await store.prepareReads?.();
  expect(readIndexNames()).toEqual(ALL_INDEXES);
  await expectAllQueries(store);
});

it('builds indexes during writes, rollbacks and reads', async () => {
  const store = await fixture.open();
  const building = store.prepareReads?.();
  const write = async () => {
    for (let round = 0; round < 8; round++) {
      const head = await store.readHead();
      await store.applyBatch(createBlockBatch(head, {}));
      await setImmediate();
    }
    await store.rollBackTo(BLOCKS - 1);
  };
  await Promise.all([building, write(), expectAllQueries(store), expectAllQueries(store)]);
  expect((await store.readHead())?.number).toBe(BLOCKS - 1);
  await expectAllQueries(store);
  expect(readIndexNames()).toEqual(ALL_INDEXES);
});

it('continues building after the store was closed in between', async () => {
  const buildAndClose = async () => {
    await copyFile(loaded ?? '', fixture.path);
    const first = await fixture.open();
    const building = first.prepareReads?.();
    await countTurnsDuring(first.countTransfers({ wallet }));
    await first.close();
    await building;
    return readIndexNames();
  };
  // The worker may be ready before this thread has its turn.
  const existing = await readUntil(buildAndClose, names => names.length < ALL_INDEXES.length);
  expect(existing).toContain('transfer_sender');
  const second = await fixture.open();
  await second.prepareReads?.();
  expect(readIndexNames()).toEqual(ALL_INDEXES);
  await expectAllQueries(second);
  expect(fixture.log.of('warn')).toEqual([]);
});

it('keeps the process alive until the store is closed', async () => {
  const child = spawn(process.execPath, [await bundleProgram(STORE_CHILD), 'close', fixture.folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  expect(lines).toEqual(['closed']);
  expect(await ended).toEqual([0, null]);
});

it('continues building after the process was killed during any of them', async () => {
  for (let kill = 0; kill < 6; kill++) {
    const child = spawn(process.execPath, [await bundleProgram(STORE_CHILD), 'index', fixture.folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    let built = -1; // the first line only announces the start
    for await (const line of createInterface({ input: child.stdout })) {
      expect(line).toMatch(/^started$|^Built the index |^done$/);
      // The child may be ready before this process has its turn.
      if (line === 'done' || ++built === kill % 3) break;
    }
    child.kill('SIGKILL'); // during the next one: there are more of them
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(readIndexNames().length).toBeGreaterThanOrEqual(built);
    const store = await fixture.open();
    expect(await store.countTransfers({})).toBe(PER_BLOCK * BLOCKS);
    await store.close();
  }
  expect(readIndexNames().length).toBeGreaterThanOrEqual(2 * (1 + 2));
  const store = await fixture.open();
  await store.prepareReads?.();
  expect(readIndexNames()).toEqual(ALL_INDEXES);
  await expectAllQueries(store);
  expect(fixture.log.of('warn')).toEqual([]);
});
