// A folder for the file of a SQLite store, new for every test, and a history to keep in it.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';
import { openSqliteStore } from '../../../src/service/store/sqlite/sqliteStore.ts';
import type { Store, StoreInfo } from '../../../src/service/store/store.ts';
import { createTestClock, createTestLog } from '../../support/testClock.ts';
import { expectSame } from '../compareStores.ts';
import { batchOf, blocksBehind, genesis } from '../generatedChain.ts';
import { createModel } from '../modelStore.ts';

export const info: StoreInfo = { chainId: 31_337, genesisHash: genesis.hash };
export const NAME = `31337-${genesis.hash.slice(2, 18)}.db`;
export const history = batchOf(blocksBehind(null, 200));

export interface FileRig {
  readonly folder: string;
  readonly path: string;
  readonly log: ReturnType<typeof createTestLog>;
  readonly clock: ReturnType<typeof createTestClock>;
  /** Closed after the test; in another folder when there is one. */
  open(of?: StoreInfo, folder?: string): Promise<Store>;
  /** Makes a file with the whole history, closed. */
  fill(): Promise<void>;
  /** Files that were moved aside, without what belongs to them. */
  aside(): Promise<readonly string[]>;
}

export async function expectHistory(store: Store): Promise<void> {
  const model = createModel(info);
  await model.apply(history);
  await expectSame(store, model, 3, 2);
}

/** How often others had their turn before the work was done. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, done] = [0, false];
  const ended = work.finally(() => {
    done = true;
  });
  for (; !done; turns++) await setImmediate();
  await ended;
  return turns;
}

/** What it returns is for use within tests only. */
export function useFile(): FileRig {
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
      return join(folder, NAME);
    },
    get log() {
      return log;
    },
    get clock() {
      return clock;
    },
    async open(of = info, where = folder) {
      const store = await openSqliteStore({ folder: where, log, clock })(of);
      stores.push(store);
      return store;
    },
    async fill() {
      const store = await openSqliteStore({ folder, log, clock })(info);
      await store.apply(history);
      await store.countTransfers({});
      await store.close();
    },
    aside: async () => (await readdir(folder)).filter(name => /\.damaged-\d+$/.test(name)),
  };
}
