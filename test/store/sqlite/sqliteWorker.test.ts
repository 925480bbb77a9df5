// Large batches are stored by a thread of their own: the same rows, in the same order, while everybody else has their turn.
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ASIDE_ROWS } from '../../../src/service/store/sqlite/sqliteStore.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { expectSame } from '../compareStores.ts';
import { address, batchOf, blockBehind, blocksBehind, blockWith, genesis, transferRow } from '../generatedChain.ts';
import { createModel } from '../modelStore.ts';
import { info, turnsDuring, useFile } from './indexFileFixture.ts';

const rig = useFile();
const large = batchOf(blocksBehind(null, 450));
const manyOf = (count: number) =>
  Array.from({ length: count }, (_, logIndex) =>
    transferRow({ blockNumber: 1, logIndex, tokenId: BigInt(logIndex), to: address('a', 1) }),
  );

/** What stands in one state of the file: nobody owns what was never transferred, and nothing is lost. */
async function consistent(store: Store): Promise<number> {
  const head = await store.head();
  const [transfers, owners] = [await store.countTransfers({}), await store.countOwners({})];
  if ((await store.head())?.number === head?.number) expect(owners).toBe(transfers);
  return transfers;
}

it('is as it would have been here, whatever is in it', { timeout: 240_000 }, async () => {
  expect(large.transfers.length + large.mints.length).toBeGreaterThan(ASIDE_ROWS);
  const store = await rig.open();
  const model = createModel(info);
  expect(await turnsDuring(store.apply(large)), 'others have their turn meanwhile').toBeGreaterThan(5);
  await model.apply(large);
  const more = batchOf(blocksBehind(large.blocks.at(-1) ?? null, 5));
  for (const each of [store, model]) await each.apply(more); // here, over what the thread wrote
  await expectSame(store, model, 7, 100);
  expect(rig.log.of('warn')).toEqual([]);
});

it('is in the file wholly or not at all, for those who read meanwhile', async () => {
  const store = await rig.open();
  await store.apply(blockWith(null, {}));
  const seen = new Set<number>();
  let done = false;
  const stored = store.apply(blockWith(genesis, { transfers: manyOf(20_000) })).finally(() => {
    done = true;
  });
  for (; !done; await setImmediate()) seen.add(await consistent(store));
  await stored;
  seen.add(await consistent(store));
  expect([...seen]).toEqual([0, 20_000]);
});

it('is refused as it would have been here, and nothing of it is kept', async () => {
  const store = await rig.open();
  await store.apply(blockWith(null, {}));
  const other = blockBehind(blockBehind(genesis), 'fork');
  const wrong = { ...blockWith(other, { transfers: manyOf(3_000) }), blocks: [{ ...other, number: 1 }] };
  await expect(store.apply(wrong)).rejects.toMatchObject({ name: 'HexLensError', code: 'internal' });
  const twice = blockWith(genesis, { transfers: [...manyOf(3_000), ...manyOf(1)] });
  await expect(store.apply(twice)).rejects.toThrow('two transfers are at log 0 of block 1');
  expect(await store.head()).toEqual(genesis);
  expect(await store.countTransfers({})).toBe(0);
  await store.apply(blockWith(genesis, { transfers: manyOf(3_000) }));
  expect(await consistent(store)).toBe(3_000);
});

it('is stored to its end by a store that is closed meanwhile, and by others one after the other', async () => {
  const store = await rig.open();
  await store.apply(blockWith(null, {}));
  const stored = store.apply(blockWith(genesis, { transfers: manyOf(5_000) }));
  const noted = store.noteMetadataSyncs([{ token: address('c', 1), tokenId: 1n, tokenUri: 1, metadata: 2 }]);
  const again = store.apply(blockWith(genesis, { transfers: manyOf(5_000) }));
  await expect(again).rejects.toMatchObject({ code: 'internal' });
  await Promise.all([stored, noted]);
  const head = await store.head();
  const last = store.apply(blockWith(head, { transfers: manyOf(5_000).map(row => ({ ...row, blockNumber: 2 })) }));
  last.catch(() => {});
  await setImmediate();
  await store.close();
  const kept = await last.then(
    () => 10_000,
    () => 5_000,
  );
  const second = await rig.open();
  expect(await second.countTransfers({})).toBe(kept);
  expect(await second.metadataSyncs([{ token: address('c', 1), tokenId: 1n }])).toHaveLength(1);
});
