// A folder for the file of a SQLite store, new for every test, and a history to keep in it.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';
import { createSqliteStoreOpener } from '../../../src/service/store/sqlite/sqliteStore.ts';
import type { Store, StoreInfo } from '../../../src/service/store/store.ts';
import { createTestClock, createTestLog } from '../../support/testClock.ts';
import { expectSameResults } from '../compareStores.ts';
import { createBatch, createNextBlocks, genesis } from '../generatedChain.ts';
import { createModelStore } from '../modelStore.ts';

export const info: StoreInfo = { chainId: 31_337, genesisHash: genesis.hash };
export const INDEX_FILE_NAME = `31337-${genesis.hash.slice(2, 18)}.db`;
/** For `bundleProgram`. */
export const STORE_CHILD = 'test/store/sqlite/storeChild.ts';
export const history = createBatch(createNextBlocks(null, 200));

export interface IndexFileFixture {
  readonly folder: string;
  readonly path: string;
  readonly log: ReturnType<typeof createTestLog>;
  readonly clock: ReturnType<typeof createTestClock>;
  /** Opens a store that is closed after the test; `folder` defaults to that of the fixture. */
  open(of?: StoreInfo, folder?: string): Promise<Store>;
  /** Creates a file with the whole history, and closes it. */
  fill(): Promise<void>;
  /** Names of quarantined files, without their -wal and -shm files. */
  quarantined(): Promise<readonly string[]>;
}

export async function expectHistory(store: Store): Promise<void> {
  const model = createModelStore(info);
  await model.applyBatch(history);
  await expectSameResults(store, model, 3, 2);
}

/** How many turns of the event loop passed until the work was done. */
export async function countTurnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, done] = [0, false];
  const ended = work.finally(() => {
    done = true;
  });
  for (; !done; turns++) await setImmediate();
  await ended;
  return turns;
}

/** A new folder for each test; the fixture is for use within tests only. */
export function useIndexFile(): IndexFileFixture {
  let folder = '';
  let log = createTestLog();
  let clock = createTestClock();
  const stores: Store[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hexlens-store-'));
    log = createTestLog();
    clock = createTestClock();
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await rm(folder, { recursive: true });
  });
  return {
    get folder() {
      return folder;
    },
    get path() {
      return join(folder, INDEX_FILE_NAME);
    },
    get log() {
      return log;
    },
    get clock() {
      return clock;
    },
    async open(of = info, where = folder) {
      const store = await createSqliteStoreOpener({ folder: where, log, clock })(of);
      stores.push(store);
      return store;
    },
    async fill() {
      const store = await createSqliteStoreOpener({ folder, log, clock })(info);
      await store.applyBatch(history);
      await store.countTransfers({});
      await store.close();
    },
    quarantined: async () => (await readdir(folder)).filter(name => /\.damaged-\d+$/.test(name)),
  };
}
