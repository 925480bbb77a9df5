// Secondary indexes of a file that is too large to make them in passing: in a thread, by need, through ends of any kind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { MAX_INLINE_BUILD_BYTES } from '../../../src/service/store/sqlite/recoveringDatabase.ts';
import { secondaryIndexes } from '../../../src/service/store/sqlite/schema.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { address, createBlockBatch, createTransferRow, WALLETS } from '../generatedChain.ts';
import { countTurnsDuring, useIndexFile } from './indexFileFixture.ts';

const rig = useIndexFile();
const ALL = Object.keys(secondaryIndexes).sort();
const PER_BLOCK = 4_000;
const BLOCKS = 16;
const [token, wallet] = [address('c', 1), address('a', 1)];

/** More than is indexed in passing: each wallet gets its share of one collection. */
async function load(store: Store): Promise<void> {
  for (let number = 0; number < BLOCKS; number++) {
    const transfers = Array.from({ length: PER_BLOCK }, (_, logIndex) =>
      createTransferRow({
        blockNumber: number,
        logIndex,
        token,
        tokenId: BigInt(number * PER_BLOCK + logIndex),
        to: WALLETS[logIndex % WALLETS.length] ?? wallet,
      }),
    );
    await store.applyBatch(createBlockBatch(await store.readHead(), { transfers }));
  }
}
beforeEach(async () => {
  const store = await rig.open();
  await load(store);
  await store.close();
  expect(statSync(rig.path).size).toBeGreaterThan(MAX_INLINE_BUILD_BYTES);
});

function indexesInFile(): readonly string[] {
  const database = new DatabaseSync(rig.path);
  try {
    expect(database.prepare('PRAGMA quick_check').get()).toEqual({ quick_check: 'ok' });
    const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index'").all();
    return rows
      .map(row => String(row['name']))
      .filter(name => ALL.includes(name))
      .sort();
  } finally {
    database.close();
  }
}

const share = (PER_BLOCK / WALLETS.length) * BLOCKS;

async function expectAll(store: Store): Promise<void> {
  expect(await store.countTransfers({ wallet })).toBe(share);
  expect(await store.countOwners({ owner: wallet })).toBe(share);
  expect(await store.queryCollections(wallet, { limit: 5 })).toMatchObject([{ token }]);
  expect(await store.queryOwners({ tokens: [token], tokenId: 0n }, { limit: 5 })).toMatchObject([
    { owner: WALLETS[0] },
  ]);
}

it('are made by need, and what needs none is answered without', async () => {
  const store = await rig.open();
  expect(await store.countTransfers({})).toBe(PER_BLOCK * BLOCKS);
  expect(await store.queryTransfers({}, { limit: 3 })).toHaveLength(3);
  expect(indexesInFile()).toEqual([]);
  const asked = store.countTransfers({ wallet });
  expect(await countTurnsDuring(asked), 'others have their turn meanwhile').toBeGreaterThan(5);
  expect(await asked).toBe(share);
  expect(indexesInFile()).toEqual(['transfer_recipient', 'transfer_sender']);
  await store.prepareReads?.();
  expect(indexesInFile()).toEqual(ALL);
  await expectAll(store);
});

it('are made while blocks come and go, and everybody asks', async () => {
  const store = await rig.open();
  const made = store.prepareReads?.();
  const write = async () => {
    for (let round = 0; round < 8; round++) {
      const head = await store.readHead();
      await store.applyBatch(createBlockBatch(head, {}));
      await setImmediate();
    }
    await store.rollBackTo(BLOCKS - 1);
  };
  await Promise.all([made, write(), expectAll(store), expectAll(store)]);
  expect((await store.readHead())?.number).toBe(BLOCKS - 1);
  await expectAll(store);
  expect(indexesInFile()).toEqual(ALL);
});

it('are gone on with after the store was closed in the middle', async () => {
  const first = await rig.open();
  const made = first.prepareReads?.();
  await countTurnsDuring(first.countTransfers({ wallet }));
  await first.close();
  await made;
  const there = indexesInFile();
  expect(there).toContain('transfer_sender');
  expect(there.length).toBeLessThan(ALL.length);
  const second = await rig.open();
  await second.prepareReads?.();
  expect(indexesInFile()).toEqual(ALL);
  await expectAll(second);
  expect(rig.log.of('warn')).toEqual([]);
});

it('keep a process until the store is closed', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'storeChild.ts'), 'leave', rig.folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  expect(lines).toEqual(['closed']);
  expect(await ended).toEqual([0, null]);
});

it('are gone on with after the process was killed over any of them', { timeout: 240_000 }, async () => {
  for (let kill = 0; kill < 6; kill++) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'storeChild.ts'), 'index', rig.folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    let made = -1; // it says first that it begins
    for await (const line of createInterface({ input: child.stdout })) {
      expect(line).toMatch(/^begins$|^Built the index /);
      if (++made === kill % 3) break;
    }
    child.kill('SIGKILL'); // over the next one: there are more of them
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(indexesInFile().length).toBeGreaterThanOrEqual(made);
    const store = await rig.open();
    expect(await store.countTransfers({})).toBe(PER_BLOCK * BLOCKS);
    await store.close();
  }
  expect(indexesInFile().length).toBeGreaterThanOrEqual(2 * (1 + 2));
  const store = await rig.open();
  await store.prepareReads?.();
  expect(indexesInFile()).toEqual(ALL);
  await expectAll(store);
  expect(rig.log.of('warn')).toEqual([]);
});
