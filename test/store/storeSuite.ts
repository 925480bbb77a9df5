// What every store must do, whatever database is under it: run once per implementation.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hex, ZERO_ADDRESS } from '../../src/base/hex.ts';
import { idKey } from '../../src/service/store/ownershipState.ts';
import type { BlockRow, TransferRow } from '../../src/service/store/rows.ts';
import type { OpenStore, Store, StoreInfo } from '../../src/service/store/store.ts';
import { allOwners, allTransfers, expectSame } from './compareStores.ts';
import {
  address,
  batchOf,
  blockBehind,
  blocksBehind,
  blockWith,
  genesis,
  hashOf,
  timeOf,
  transferRow,
} from './generatedChain.ts';
import { createModel } from './modelStore.ts';
import { describeHoldings } from './ownerSuite.ts';
import { describeReads } from './readSuite.ts';
import { describeSparse } from './sparseSuite.ts';

export const info: StoreInfo = { chainId: 31_337, genesisHash: genesis.hash };

const MOST = 2n ** 256n - 1n;

export interface Rig {
  /** A new store of the test chain for this test. */
  readonly store: () => Store;
  /** One more block with these transfers, in the order of their logs. */
  readonly block: (...transfers: readonly Partial<TransferRow>[]) => Promise<BlockRow>;
}

/** Every store that `fresh` makes room for is empty at first. */
export function describeStore(name: string, fresh: () => Promise<OpenStore>): void {
  describe(name, () => {
    let store: Store;
    beforeEach(async () => {
      store = await (await fresh())(info);
    });
    afterEach(() => store.close());

    const rig: Rig = {
      store: () => store,
      async block(...transfers) {
        const block = blockBehind(await store.head());
        const rows = transfers.map((row, logIndex) =>
          transferRow({ to: ZERO_ADDRESS, logIndex, ...row, blockNumber: block.number }),
        );
        await store.apply({ blocks: [block], transfers: rows, mints: [], trades: [], tokens: [] });
        return block;
      },
    };

    it('is empty at first, and answers so', async () => {
      const wallet = address('a', 1);
      expect(store.info).toEqual(info);
      expect(await store.head()).toBeNull();
      expect(await store.block(0)).toBeNull();
      expect(await store.blocksDown(9, 9)).toEqual([]);
      expect(await store.firstBlockAt(0)).toBeNull();
      expect(await store.transfers({ wallet, token: wallet }, { limit: 9 })).toEqual([]);
      expect(await store.countTransfers({})).toBe(0);
      expect(await store.owners({ owner: wallet, tokens: [wallet] }, { limit: 9 })).toEqual([]);
      expect(await store.countOwners({})).toBe(0);
      expect(await store.collections(wallet, { limit: 9 })).toEqual([]);
      expect(await store.countCollections(wallet)).toBe(0);
      expect(await store.mints({ tokens: [wallet] }, { limit: 9 })).toEqual([]);
      expect(await store.countMints({})).toBe(0);
      expect(await store.lowestTrade({ token: wallet, since: 0 })).toBeNull();
      expect(await store.tokens([wallet])).toEqual(new Map());
      await store.rollback(-1);
      expect(await store.head()).toBeNull();
    });

    it('keeps blocks: the head, one by number, some downwards, the first at a time', async () => {
      const blocks = blocksBehind(null, 6);
      await store.apply(batchOf(blocks.slice(0, 4)));
      await store.apply(batchOf(blocks.slice(4)));
      expect(await store.head()).toEqual(blocks[5]);
      expect(await store.block(3)).toEqual(blocks[3]);
      expect(await store.block(6)).toBeNull();
      expect(await store.blocksDown(4, 3)).toEqual([blocks[4], blocks[3], blocks[2]]);
      expect(await store.blocksDown(99, 2)).toEqual([blocks[5], blocks[4]]);
      expect(await store.firstBlockAt(0)).toEqual(blocks[0]);
      // Blocks 2 and 3 are of the same second.
      expect(await store.firstBlockAt(timeOf(3))).toEqual(blocks[2]);
      expect(await store.firstBlockAt(timeOf(3) + 1)).toEqual(blocks[4]);
      expect(await store.firstBlockAt(timeOf(5) + 1)).toBeNull();
    });

    it('may begin above block 0', async () => {
      const blocks = blocksBehind(null, 8);
      await store.apply(batchOf(blocks.slice(5)));
      expect(await store.block(4)).toBeNull();
      expect(await store.firstBlockAt(0)).toEqual(blocks[5]);
      await store.rollback(4);
      expect(await store.head()).toBeNull();
    });

    describe('refuses, changing nothing,', () => {
      const blocks = blocksBehind(null, 4);
      const row = transferRow({ blockNumber: 2, to: address('a', 1) });
      const good = { ...batchOf([]), blocks: blocks.slice(2), transfers: [row] };
      const bad = {
        'a gap before the run': { ...good, blocks: blocks.slice(3), transfers: [] },
        'a gap within the run': { ...good, blocks: [blocks[2], { ...blocks[3], number: 4 }] as BlockRow[] },
        'blocks that are there already': { ...good, blocks: blocks.slice(1) },
        'another parent': { ...good, blocks: [blockBehind(blockBehind(genesis, 'other'))] },
        'a broken chain within the run': {
          ...good,
          blocks: [blocks[2], blockBehind(blocks[2] ?? null, 'x'), blocks[3]] as BlockRow[],
        },
        'rows below the run': { ...good, transfers: [row, { ...row, blockNumber: 1 }] },
        'rows above the run': { ...good, mints: [{ ...row, blockNumber: 4 }] },
        'two transfers at one place': { ...good, transfers: [row, row] },
        'a hash that is too short': { ...good, transfers: [{ ...row, transactionHash: '0x12' as Hex }] },
        'an address that is none': { ...good, transfers: [{ ...row, to: `0x${'g'.repeat(40)}` as Hex }] },
        'an amount below zero': { ...good, transfers: [{ ...row, tokenId: -1n }] },
      };
      for (const [what, batch] of Object.entries(bad))
        it(what, async () => {
          await store.apply(batchOf(blocks.slice(0, 2)));
          const model = createModel(info);
          await model.apply(batchOf(blocks.slice(0, 2)));
          await expect(store.apply(batch)).rejects.toMatchObject({ name: 'HexLensError', code: 'internal' });
          await expectSame(store, model, 1);
          await store.apply(good);
          expect(await store.head()).toEqual(blocks[3]);
        });

      it('the beginning of another chain', async () => {
        const other = { ...genesis, hash: address('a', 1).padEnd(66, '0') as Hex };
        await expect(store.apply({ ...batchOf([]), blocks: [other] })).rejects.toMatchObject({ code: 'internal' });
        expect(await store.head()).toBeNull();
      });
    });

    it('does not take an address for another one after a run that was refused half way', async () => {
      const [lost, kept] = [address('a', 71), address('a', 72)];
      const bad = { ...transferRow({ blockNumber: 0, to: lost }), transactionHash: '0x12' as Hex };
      const transfers = [transferRow({ blockNumber: 0, to: lost })];
      await expect(store.apply(blockWith(null, { transfers, mints: [bad] }))).rejects.toMatchObject({
        code: 'internal',
      });
      expect(await allTransfers(store, { wallet: lost })).toEqual([]);
      await rig.block({ to: kept });
      await rig.block({ from: kept, to: lost });
      expect((await allTransfers(store)).map(row => row.to)).toEqual([lost, kept]);
      expect((await allOwners(store)).map(row => row.owner)).toEqual([lost]);
    });

    it('takes rows in any order', async () => {
      const batch = batchOf(blocksBehind(null, 12));
      await store.apply({
        ...batch,
        transfers: batch.transfers.toReversed(),
        mints: batch.mints.toReversed(),
        trades: batch.trades.toReversed(),
      });
      const model = createModel(info);
      await model.apply(batch);
      await expectSame(store, model, 2, 12);
    });

    it('keeps amounts, ids and values of 256 bits', async () => {
      const [token, wallet] = [address('c', 1), address('a', 1)];
      const block = await rig.block({
        to: wallet,
        tokenId: MOST,
        amount: MOST,
        standard: 'ERC1155',
        operator: wallet,
        value: MOST,
      });
      const mint = {
        blockNumber: 1,
        logIndex: 0,
        transactionHash: block.hash,
        transactionIndex: 3,
        token,
        to: wallet,
        amount: MOST,
      };
      await store.apply(blockWith(block, { mints: [mint] }));
      expect(await allTransfers(store, { token, tokenId: MOST })).toMatchObject([
        { tokenId: MOST, amount: MOST, value: MOST, operator: wallet },
      ]);
      expect(await allTransfers(store, { token, tokenId: MOST - 1n })).toEqual([]);
      expect(await allOwners(store, { tokens: [token], tokenId: MOST })).toMatchObject([
        { amount: MOST, mintedBlock: 0 },
      ]);
      expect(await store.mints({}, { limit: 1 })).toEqual([mint]);
    });

    it('keeps descriptions of tokens as they are, takes newer ones, and drops those of blocks taken back', async () => {
      const [token, later] = [address('c', 1), address('c', 2)];
      const name = `\u0000"'; DROP TABLE token; --\u202e<b>💥`;
      const row = { token, standard: 'ERC721', name, symbol: null, decimals: null } as const;
      const first = blockWith(null, { transfers: [transferRow({ blockNumber: 0, to: token })], tokens: [row] });
      await store.apply(first);
      expect(await store.tokens([token, later])).toEqual(new Map([[token, row]]));
      const coin = { ...row, token: later, standard: 'ERC20', name: '', decimals: 255 } as const;
      await store.apply(blockWith(genesis, { tokens: [{ ...row, symbol: 'S' }, coin] }));
      expect((await store.tokens([token])).get(token)?.symbol).toBe('S');
      expect((await store.tokens([later])).get(later)).toEqual(coin);
      await store.rollback(0);
      expect([...(await store.tokens([token, later])).keys()]).toEqual([token]);
    });

    describeHoldings(rig);
    describeReads(rig);
    describeSparse(info, fresh);

    it('keeps when metadata was read, each time on its own, through blocks that are taken back', async () => {
      const [token, other] = [address('c', 1), address('c', 2)];
      await rig.block({ to: address('a', 1), token });
      const keys = [
        { token, tokenId: MOST },
        { token, tokenId: 0n },
        { token: other, tokenId: 0n },
      ];
      const all = async () => new Map((await store.metadataSyncs(keys)).map(sync => [idKey(sync), sync]));
      expect(await all()).toEqual(new Map());
      const first = { token, tokenId: MOST, tokenUri: 1_700_000_000_123, metadata: null };
      const second = { token: other, tokenId: 0n, tokenUri: 5, metadata: 6 };
      await store.noteMetadataSyncs([first, second]);
      expect(await all()).toEqual(new Map([first, second].map(sync => [idKey(sync), sync])));
      await store.noteMetadataSyncs([{ ...first, tokenUri: null, metadata: 9 }]);
      await store.noteMetadataSyncs([{ ...second, tokenUri: 7, metadata: null }]);
      await store.rollback(-1);
      await store.noteMetadataSyncs([]);
      const later = [
        { ...first, metadata: 9 },
        { ...second, tokenUri: 7 },
      ];
      expect(await all()).toEqual(new Map(later.map(sync => [idKey(sync), sync])));
      expect(await store.metadataSyncs([])).toEqual([]);
    });

    it('takes values of transactions later, where it has none', async () => {
      const [early, late] = [hashOf('early'), hashOf('late')];
      const to = address('a', 1);
      const first = await rig.block(
        { to, transactionHash: early, value: null, tokenId: 1n },
        { to, transactionHash: late, value: null, tokenId: 2n },
        { to, transactionHash: early, value: null, tokenId: 3n },
      );
      const second = await rig.block(
        { to, transactionHash: late, value: 7n, tokenId: 4n },
        { to, transactionHash: early, value: null, tokenId: 5n },
      );
      const values = async () => (await store.transfers({}, { limit: 9 })).map(row => row.value).reverse();
      await store.noteValues([]);
      await store.noteValues([
        { blockNumber: first.number, transactionHash: early, value: MOST },
        { blockNumber: second.number, transactionHash: late, value: 8n },
        { blockNumber: 99, transactionHash: early, value: 9n },
      ]);
      expect(await values()).toEqual([MOST, null, MOST, 7n, null]);
      await store.noteValues([{ blockNumber: second.number, transactionHash: early, value: 0n }]);
      expect(await values()).toEqual([MOST, null, MOST, 7n, 0n]);
    });

    it('answers nothing any more when it was closed', async () => {
      await store.apply(batchOf(blocksBehind(null, 3)));
      await store.close();
      await store.close();
      await expect(store.head()).rejects.toMatchObject({ name: 'HexLensError', code: 'backend-stopped' });
      await expect(store.apply(batchOf([]))).rejects.toMatchObject({ code: 'backend-stopped' });
    });

    it('answers like the plain model through any history of blocks and reorgs', { timeout: 240_000 }, async () => {
      const step = fc.oneof(
        { weight: 4, arbitrary: fc.record({ apply: fc.integer({ min: 1, max: 6 }), fork: fc.nat({ max: 99 }) }) },
        { weight: 2, arbitrary: fc.record({ back: fc.integer({ min: 1, max: 5 }) }) },
        { weight: 1, arbitrary: fc.record({ back: fc.constant(1_000) }) },
        { weight: 2, arbitrary: fc.record({ ask: fc.nat() }) },
      );
      const history = fc.array(step, { minLength: 1, maxLength: 14, size: 'max' });
      await fc.assert(
        fc.asyncProperty(history, fc.nat(), async (steps, seed) => {
          await store.rollback(-1);
          const model = createModel(info);
          for (const step of steps) {
            const head = await model.head();
            if ('apply' in step) {
              const batch = batchOf(blocksBehind(head, step.apply, `${step.fork}`));
              await store.apply(batch);
              await model.apply(batch);
            } else if ('back' in step) {
              const block = Math.max(-1, (head?.number ?? -1) - step.back);
              await store.rollback(block);
              await model.rollback(block);
            } else await expectSame(store, model, step.ask, 2);
          }
          await expectSame(store, model, seed, 8);
        }),
        { seed: 20_230_904, numRuns: 80 },
      );
    });
  });
}
