// Large batches are written by the worker thread: the same rows in the same order, while other tasks run.
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MIN_WORKER_ROWS } from '../../../src/service/store/sqlite/sqliteStore.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { expectSameResults } from '../compareStores.ts';
import {
  address,
  createBatch,
  createBlockBatch,
  createNextBlock,
  createNextBlocks,
  createTransferRow,
  genesis,
} from '../generatedChain.ts';
import { createModelStore } from '../modelStore.ts';
import { countTurnsDuring, info, useIndexFile } from './indexFileFixture.ts';

const fixture = useIndexFile();
const large = createBatch(createNextBlocks(null, 450));
const createTransfers = (count: number) =>
  Array.from({ length: count }, (_, place) =>
    createTransferRow({ blockNumber: 1, place, tokenId: BigInt(place), to: address('a', 1) }),
  );

/** Expects owners and transfers to match, and returns the number of transfers. */
async function expectConsistent(store: Store): Promise<number> {
  const head = await store.readHead();
  const [transfers, owners] = [await store.countTransfers({}), await store.countOwners({})];
  if ((await store.readHead())?.number === head?.number) expect(owners).toBe(transfers);
  return transfers;
}

it('stores a batch as this thread would', async () => {
  expect(large.transfers.length + large.erc20Transfers.length).toBeGreaterThan(MIN_WORKER_ROWS);
  const store = await fixture.open();
  const model = createModelStore(info);
  expect(await countTurnsDuring(store.applyBatch(large)), 'other tasks run meanwhile').toBeGreaterThan(5);
  await model.applyBatch(large);
  const more = createBatch(createNextBlocks(large.blocks.at(-1) ?? null, 5));
  for (const each of [store, model]) await each.applyBatch(more); // in this thread, on top of what the worker wrote
  await expectSameResults(store, model, 7, 40);
  expect(fixture.log.of('warn')).toEqual([]);
});

it('shows a batch to readers in full or not at all', async () => {
  const store = await fixture.open();
  await store.applyBatch(createBlockBatch(null, {}));
  const seen = new Set<number>();
  let done = false;
  const stored = store.applyBatch(createBlockBatch(genesis, { transfers: createTransfers(20_000) })).finally(() => {
    done = true;
  });
  for (; !done; await setImmediate()) seen.add(await expectConsistent(store));
  await stored;
  seen.add(await expectConsistent(store));
  expect([...seen]).toEqual([0, 20_000]);
});

it('rejects a batch as this thread would, changing nothing', async () => {
  const store = await fixture.open();
  await store.applyBatch(createBlockBatch(null, {}));
  const other = createNextBlock(createNextBlock(genesis), 'fork');
  const wrong = {
    ...createBlockBatch(other, { transfers: createTransfers(3_000) }),
    blocks: [{ ...other, number: 1 }],
  };
  await expect(store.applyBatch(wrong)).rejects.toMatchObject({ name: 'HexLensError', code: 'internal' });
  const twice = createBlockBatch(genesis, { transfers: [...createTransfers(3_000), ...createTransfers(1)] });
  await expect(store.applyBatch(twice)).rejects.toThrow('two transfers are at log 0 of transaction 0 of block 1');
  expect(await store.readHead()).toEqual(genesis);
  expect(await store.countTransfers({})).toBe(0);
  await store.applyBatch(createBlockBatch(genesis, { transfers: createTransfers(3_000) }));
  expect(await expectConsistent(store)).toBe(3_000);
});

it('finishes a batch when the store is closed meanwhile, and runs writes one after the other', async () => {
  const store = await fixture.open();
  await store.applyBatch(createBlockBatch(null, {}));
  const stored = store.applyBatch(createBlockBatch(genesis, { transfers: createTransfers(5_000) }));
  const syncsWritten = store.writeMetadataSyncs([
    { tokenAddress: address('c', 1), tokenId: 1n, tokenUriSyncedAt: 1, metadataSyncedAt: 2 },
  ]);
  const again = store.applyBatch(createBlockBatch(genesis, { transfers: createTransfers(5_000) }));
  await expect(again).rejects.toMatchObject({ code: 'internal' });
  await Promise.all([stored, syncsWritten]);
  const head = await store.readHead();
  const last = store.applyBatch(
    createBlockBatch(head, { transfers: createTransfers(5_000).map(row => ({ ...row, blockNumber: 2 })) }),
  );
  last.catch(() => {});
  await setImmediate();
  await store.close();
  const expectedCount = await last.then(
    () => 10_000,
    () => 5_000,
  );
  const second = await fixture.open();
  expect(await second.countTransfers({})).toBe(expectedCount);
  expect(await second.readMetadataSyncs([{ tokenAddress: address('c', 1), tokenId: 1n }])).toHaveLength(1);
});
