// Large batches are stored by a thread of their own: the same rows, in the same order, while everybody else has their turn.
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

const rig = useIndexFile();
const large = createBatch(createNextBlocks(null, 450));
const manyOf = (count: number) =>
  Array.from({ length: count }, (_, logIndex) =>
    createTransferRow({ blockNumber: 1, logIndex, tokenId: BigInt(logIndex), to: address('a', 1) }),
  );

/** What stands in one state of the file: nobody owns what was never transferred, and nothing is lost. */
async function consistent(store: Store): Promise<number> {
  const head = await store.readHead();
  const [transfers, owners] = [await store.countTransfers({}), await store.countOwners({})];
  if ((await store.readHead())?.number === head?.number) expect(owners).toBe(transfers);
  return transfers;
}

it('is as it would have been here, whatever is in it', { timeout: 240_000 }, async () => {
  expect(large.transfers.length + large.mints.length).toBeGreaterThan(MIN_WORKER_ROWS);
  const store = await rig.open();
  const model = createModelStore(info);
  expect(await countTurnsDuring(store.applyBatch(large)), 'others have their turn meanwhile').toBeGreaterThan(5);
  await model.applyBatch(large);
  const more = createBatch(createNextBlocks(large.blocks.at(-1) ?? null, 5));
  for (const each of [store, model]) await each.applyBatch(more); // here, over what the thread wrote
  await expectSameResults(store, model, 7, 100);
  expect(rig.log.of('warn')).toEqual([]);
});

it('is in the file wholly or not at all, for those who read meanwhile', async () => {
  const store = await rig.open();
  await store.applyBatch(createBlockBatch(null, {}));
  const seen = new Set<number>();
  let done = false;
  const stored = store.applyBatch(createBlockBatch(genesis, { transfers: manyOf(20_000) })).finally(() => {
    done = true;
  });
  for (; !done; await setImmediate()) seen.add(await consistent(store));
  await stored;
  seen.add(await consistent(store));
  expect([...seen]).toEqual([0, 20_000]);
});

it('is refused as it would have been here, and nothing of it is kept', async () => {
  const store = await rig.open();
  await store.applyBatch(createBlockBatch(null, {}));
  const other = createNextBlock(createNextBlock(genesis), 'fork');
  const wrong = { ...createBlockBatch(other, { transfers: manyOf(3_000) }), blocks: [{ ...other, number: 1 }] };
  await expect(store.applyBatch(wrong)).rejects.toMatchObject({ name: 'HexLensError', code: 'internal' });
  const twice = createBlockBatch(genesis, { transfers: [...manyOf(3_000), ...manyOf(1)] });
  await expect(store.applyBatch(twice)).rejects.toThrow('two transfers are at log 0 of block 1');
  expect(await store.readHead()).toEqual(genesis);
  expect(await store.countTransfers({})).toBe(0);
  await store.applyBatch(createBlockBatch(genesis, { transfers: manyOf(3_000) }));
  expect(await consistent(store)).toBe(3_000);
});

it('is stored to its end by a store that is closed meanwhile, and by others one after the other', async () => {
  const store = await rig.open();
  await store.applyBatch(createBlockBatch(null, {}));
  const stored = store.applyBatch(createBlockBatch(genesis, { transfers: manyOf(5_000) }));
  const noted = store.writeMetadataSyncs([
    { token: address('c', 1), tokenId: 1n, tokenUriSyncedAt: 1, metadataSyncedAt: 2 },
  ]);
  const again = store.applyBatch(createBlockBatch(genesis, { transfers: manyOf(5_000) }));
  await expect(again).rejects.toMatchObject({ code: 'internal' });
  await Promise.all([stored, noted]);
  const head = await store.readHead();
  const last = store.applyBatch(
    createBlockBatch(head, { transfers: manyOf(5_000).map(row => ({ ...row, blockNumber: 2 })) }),
  );
  last.catch(() => {});
  await setImmediate();
  await store.close();
  const kept = await last.then(
    () => 10_000,
    () => 5_000,
  );
  const second = await rig.open();
  expect(await second.countTransfers({})).toBe(kept);
  expect(await second.readMetadataSyncs([{ token: address('c', 1), tokenId: 1n }])).toHaveLength(1);
});
