// The part of the store suite about sparse stores: blocks with gaps, and coverage.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlockBatch, BlockRow } from '../../src/service/store/rows.ts';
import type { OpenStore, Store, StoreInfo } from '../../src/service/store/store.ts';
import { allTransfers, expectSameResults } from './compareStores.ts';
import { address, createBatch, createDice, createNextBlocks, getBlockTime } from './generatedChain.ts';
import { createModelStore } from './modelStore.ts';

const scope = { kind: 'contract', address: address('c', 1) } as const;

/** The chain that sparse stores know parts of. */
const chain = createNextBlocks(null, 200);
const getBlocks = (...numbers: readonly number[]): readonly BlockRow[] =>
  chain.filter(block => numbers.includes(block.number));
const createSparseBatch = (coveredFrom: number, ...numbers: readonly number[]): BlockBatch => ({
  ...createBatch(getBlocks(...numbers)),
  coveredFrom,
});

export function describeSparse(whole: StoreInfo, createOpener: () => Promise<OpenStore>, histories: number): void {
  const info: StoreInfo = { ...whole, scope };

  describe('a sparse store', () => {
    let open: OpenStore;
    let store: Store;
    beforeEach(async () => {
      open = await createOpener();
      store = await open(info);
    });
    afterEach(() => store.close());

    it('covers the blocks from the first coveredFrom to its newest block', async () => {
      expect(store.info).toEqual(info);
      expect(await store.readCoverage()).toBeNull();
      await store.applyBatch(createSparseBatch(40, 47, 90));
      expect(await store.readCoverage()).toEqual({ fromBlock: 40, head: chain[90] });
      await store.applyBatch(createSparseBatch(91, 120));
      expect(await store.readCoverage()).toEqual({ fromBlock: 40, head: chain[120] });
      expect((await store.readBlocksDownFrom(199, 9)).map(block => block.number)).toEqual([120, 90, 47]);
      expect(await store.readBlock(48)).toBeNull();
    });

    it('finds blocks by time across gaps', async () => {
      await store.applyBatch(createSparseBatch(40, 48, 90, 120));
      const found = async (time: number) => (await store.readFirstBlockAt(time))?.number ?? null;
      expect(await found(0)).toBe(48);
      expect(await found(getBlockTime(48))).toBe(48);
      expect(await found(getBlockTime(48) + 1)).toBe(90);
      expect(await found(getBlockTime(91) + 1)).toBe(120);
      expect(await found(getBlockTime(120) + 1)).toBeNull();
    });

    it('shrinks its coverage in a rollback, and starts at any block when it is empty', async () => {
      await store.applyBatch(createSparseBatch(40, 47, 90, 120));
      await store.rollBackTo(100);
      expect(await store.readCoverage()).toEqual({ fromBlock: 40, head: chain[90] });
      await store.applyBatch(createSparseBatch(91, 130));
      expect(await store.readCoverage()).toEqual({ fromBlock: 40, head: chain[130] });
      await store.rollBackTo(-1);
      expect(await store.readCoverage()).toBeNull();
      expect(await allTransfers(store)).toEqual([]);
      await store.applyBatch(createSparseBatch(3, 5));
      expect(await store.readCoverage()).toEqual({ fromBlock: 3, head: chain[5] });
    });

    it('rejects batches that would leave a gap in its coverage, changing nothing', async () => {
      await store.applyBatch(createSparseBatch(40, 47, 90));
      const model = createModelStore(info);
      await model.applyBatch(createSparseBatch(40, 47, 90));
      const bad: Readonly<Record<string, BlockBatch>> = {
        'a gap': createSparseBatch(92, 95),
        'a block that is covered already': createSparseBatch(90, 95),
        'a block below coveredFrom': createSparseBatch(91, 89, 95),
        'no coveredFrom': createBatch(getBlocks(91, 95)),
        'blocks in another order': { ...createSparseBatch(91), blocks: getBlocks(92, 95).toReversed() },
        'rows above the last block': { ...createSparseBatch(91, 95), blocks: getBlocks(93) },
      };
      for (const [title, batch] of Object.entries(bad)) {
        await expect(store.applyBatch(batch), title).rejects.toMatchObject({ name: 'HexLensError', code: 'internal' });
        expect(await store.readCoverage(), title).toEqual({ fromBlock: 40, head: chain[90] });
      }
      await expectSameResults(store, model, 3);
    });

    it('is separate from the whole chain and from other scopes', async () => {
      const others = await Promise.all([
        open(whole),
        open({ ...info, scope: { ...scope, kind: 'wallet' } }),
        open({ ...info, scope: { ...scope, address: address('c', 2) } }),
      ]);
      await store.applyBatch(createSparseBatch(40, 47, 90));
      for (const other of others) {
        expect(await other.readHead()).toBeNull();
        expect(await other.countTransfers({})).toBe(0);
      }
      const [dense] = others;
      await expect(dense?.applyBatch({ ...createBatch(chain.slice(0, 2)), coveredFrom: 0 })).rejects.toMatchObject({
        code: 'internal',
      });
      await dense?.applyBatch(createBatch(chain.slice(0, 4)));
      expect(await dense?.readCoverage()).toEqual({ fromBlock: 0, head: chain[3] });
      expect(await store.readCoverage()).toEqual({ fromBlock: 40, head: chain[90] });
      await Promise.all(others.map(other => other.close()));
    });

    it('gives the results of the model store after any sequence of sparse batches and rollbacks', async () => {
      const step = fc.oneof(
        { weight: 4, arbitrary: fc.record({ seed: fc.nat(), span: fc.integer({ min: 1, max: 30 }) }) },
        { weight: 1, arbitrary: fc.record({ rollBack: fc.integer({ min: 1, max: 40 }) }) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), fc.nat(), async (steps, seed) => {
          await store.rollBackTo(-1);
          const model = createModelStore(info);
          for (const step of steps) {
            const head = (await model.readHead())?.number ?? 9;
            if ('rollBack' in step) {
              await store.rollBackTo(head - step.rollBack);
              await model.rollBackTo(head - step.rollBack);
            } else {
              const roll = createDice(step.seed);
              const last = Math.min(head + step.span, 199);
              const between = chain.map(block => block.number).filter(n => n > head && n < last && roll(4) === 0);
              if (last <= head) continue;
              const batch = createSparseBatch(head + 1, ...between, last);
              await store.applyBatch(batch);
              await model.applyBatch(batch);
            }
            expect(await store.readCoverage()).toEqual(await model.readCoverage());
          }
          await expectSameResults(store, model, seed, 6);
        }),
        { seed: 20_230_905, numRuns: histories },
      );
    });
  });
}
