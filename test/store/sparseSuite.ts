// The part of the store's suite about sparse stores: blocks with gaps, what is covered, and histories of both against the model.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlockBatch, BlockRow } from '../../src/service/store/rows.ts';
import type { OpenStore, Store, StoreInfo } from '../../src/service/store/store.ts';
import { allTransfers, expectSameResults } from './compareStores.ts';
import { address, createBatch, createDice, createNextBlocks, getBlockTime } from './generatedChain.ts';
import { createModelStore } from './modelStore.ts';

const subject = { kind: 'contract', address: address('c', 1) } as const;

/** The chain that sparse stores know parts of. */
const chain = createNextBlocks(null, 200);
const at = (...numbers: readonly number[]): readonly BlockRow[] =>
  chain.filter(block => numbers.includes(block.number));
const sparse = (coveredFrom: number, ...numbers: readonly number[]): BlockBatch => ({
  ...createBatch(at(...numbers)),
  coveredFrom,
});

export function describeSparse(whole: StoreInfo, fresh: () => Promise<OpenStore>): void {
  const info: StoreInfo = { ...whole, scope: subject };

  describe('a sparse store', () => {
    let open: OpenStore;
    let store: Store;
    beforeEach(async () => {
      open = await fresh();
      store = await open(info);
    });
    afterEach(() => store.close());

    it('covers nothing at first, then from where it began to its newest block', async () => {
      expect(store.info).toEqual(info);
      expect(await store.readCoverage()).toBeNull();
      await store.applyBatch(sparse(40, 47, 90));
      expect(await store.readCoverage()).toEqual({ from: 40, to: chain[90] });
      await store.applyBatch(sparse(91, 120));
      expect(await store.readCoverage()).toEqual({ from: 40, to: chain[120] });
      expect((await store.readBlocksDownFrom(199, 9)).map(block => block.number)).toEqual([120, 90, 47]);
      expect(await store.readBlock(48)).toBeNull();
    });

    it('finds blocks by time across gaps', async () => {
      await store.applyBatch(sparse(40, 48, 90, 120));
      const found = async (time: number) => (await store.readFirstBlockAt(time))?.number ?? null;
      expect(await found(0)).toBe(48);
      expect(await found(getBlockTime(48))).toBe(48);
      expect(await found(getBlockTime(48) + 1)).toBe(90);
      expect(await found(getBlockTime(91) + 1)).toBe(120);
      expect(await found(getBlockTime(120) + 1)).toBeNull();
    });

    it('goes back with what it covers, and may begin elsewhere once it is empty', async () => {
      await store.applyBatch(sparse(40, 47, 90, 120));
      await store.rollBackTo(100);
      expect(await store.readCoverage()).toEqual({ from: 40, to: chain[90] });
      await store.applyBatch(sparse(91, 130));
      expect(await store.readCoverage()).toEqual({ from: 40, to: chain[130] });
      await store.rollBackTo(-1);
      expect(await store.readCoverage()).toBeNull();
      expect(await allTransfers(store)).toEqual([]);
      await store.applyBatch(sparse(3, 5));
      expect(await store.readCoverage()).toEqual({ from: 3, to: chain[5] });
    });

    it('refuses what would leave a hole in what is covered, changing nothing', async () => {
      await store.applyBatch(sparse(40, 47, 90));
      const model = createModelStore(info);
      await model.applyBatch(sparse(40, 47, 90));
      const bad: Readonly<Record<string, BlockBatch>> = {
        'a hole': sparse(92, 95),
        'what is covered already': sparse(90, 95),
        'a block below the run': sparse(91, 89, 95),
        'no word of where it begins': createBatch(at(91, 95)),
        'blocks in another order': { ...sparse(91), blocks: at(92, 95).toReversed() },
        'rows behind the last block': { ...sparse(91, 95), blocks: at(93) },
      };
      for (const [what, batch] of Object.entries(bad)) {
        await expect(store.applyBatch(batch), what).rejects.toMatchObject({ name: 'HexLensError', code: 'internal' });
        expect(await store.readCoverage(), what).toEqual({ from: 40, to: chain[90] });
      }
      await expectSameResults(store, model, 3);
    });

    it('is apart from the whole chain and from other subjects', async () => {
      const others = await Promise.all([
        open(whole),
        open({ ...info, scope: { ...subject, kind: 'wallet' } }),
        open({ ...info, scope: { ...subject, address: address('c', 2) } }),
      ]);
      await store.applyBatch(sparse(40, 47, 90));
      for (const other of others) {
        expect(await other.readHead()).toBeNull();
        expect(await other.countTransfers({})).toBe(0);
      }
      const [dense] = others;
      await expect(dense?.applyBatch({ ...createBatch(chain.slice(0, 2)), coveredFrom: 0 })).rejects.toMatchObject({
        code: 'internal',
      });
      await dense?.applyBatch(createBatch(chain.slice(0, 4)));
      expect(await dense?.readCoverage()).toEqual({ from: 0, to: chain[3] });
      expect(await store.readCoverage()).toEqual({ from: 40, to: chain[90] });
      await Promise.all(others.map(other => other.close()));
    });

    it('answers like the plain model through any history of gaps and reorgs', { timeout: 240_000 }, async () => {
      const step = fc.oneof(
        { weight: 4, arbitrary: fc.record({ seed: fc.nat(), span: fc.integer({ min: 1, max: 30 }) }) },
        { weight: 1, arbitrary: fc.record({ back: fc.integer({ min: 1, max: 40 }) }) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), fc.nat(), async (steps, seed) => {
          await store.rollBackTo(-1);
          const model = createModelStore(info);
          for (const step of steps) {
            const head = (await model.readHead())?.number ?? 9;
            if ('back' in step) {
              await store.rollBackTo(head - step.back);
              await model.rollBackTo(head - step.back);
            } else {
              const roll = createDice(step.seed);
              const last = Math.min(head + step.span, 199);
              const between = chain.map(block => block.number).filter(n => n > head && n < last && roll(4) === 0);
              if (last <= head) continue;
              const batch = sparse(head + 1, ...between, last);
              await store.applyBatch(batch);
              await model.applyBatch(batch);
            }
            expect(await store.readCoverage()).toEqual(await model.readCoverage());
          }
          await expectSameResults(store, model, seed, 6);
        }),
        { seed: 20_230_905, numRuns: 30 },
      );
    });
  });
}
