// The behavior that all stores share: run once per database.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hex, ZERO_ADDRESS } from '../../src/base/hex.ts';
import type { BlockRow, TransactionRow, TransferRow } from '../../src/service/store/rows.ts';
import { serializeNftKey } from '../../src/service/store/rows.ts';
import type { OpenStore, Store, StoreInfo } from '../../src/service/store/store.ts';
import { scaleRounds } from '../support/rounds.ts';
import { allOwners, allTransfers, expectSameResults } from './compareStores.ts';
import {
  address,
  createBatch,
  createBlockBatch,
  createNextBlock,
  createNextBlocks,
  createTransferRow,
  genesis,
  getBlockTime,
  hashText,
} from './generatedChain.ts';
import { createModelStore } from './modelStore.ts';
import { describeOwners } from './ownerSuite.ts';
import { describeReads } from './readSuite.ts';
import { describeSparse } from './sparseSuite.ts';

export const info: StoreInfo = { chainId: 31_337, genesisHash: genesis.hash };

const MAX_UINT256 = 2n ** 256n - 1n;

export interface StoreFixture {
  /** An empty store for this test. */
  readonly store: () => Store;
  /** Appends a block with these transfers, in the order of their logs. */
  readonly block: (...transfers: readonly Partial<TransferRow>[]) => Promise<BlockRow>;
}

/**
 * `createOpener` gives an opener whose stores are empty. `histories`: how many sequences of batches and rollbacks are
 * compared with the model store, of each kind.
 */
export function describeStore(name: string, createOpener: () => Promise<OpenStore>, histories = scaleRounds(10)): void {
  describe(name, () => {
    let store: Store;
    beforeEach(async () => {
      store = await (await createOpener())(info);
    });
    afterEach(() => store.close());

    const fixture: StoreFixture = {
      store: () => store,
      async block(...transfers) {
        const block = createNextBlock(await store.readHead());
        const rows = transfers.map((row, place) =>
          createTransferRow({ to: ZERO_ADDRESS, place, ...row, blockNumber: block.number }),
        );
        await store.applyBatch({
          blocks: [block],
          transactions: [],
          transfers: rows,
          erc20Transfers: [],
          trades: [],
          tokens: [],
        });
        return block;
      },
    };

    it('is empty when it was created', async () => {
      const wallet = address('a', 1);
      expect(store.info).toEqual(info);
      expect(await store.readHead()).toBeNull();
      expect(await store.readBlock(0)).toBeNull();
      expect(await store.readBlocksDownFrom(9, 9)).toEqual([]);
      expect(await store.readFirstBlockAt(0)).toBeNull();
      expect(await store.readTransfers({ wallet, contract: wallet }, { limit: 9 })).toEqual([]);
      expect(await store.countTransfers({})).toBe(0);
      expect(await store.readOwners({ owner: wallet, contracts: [wallet] }, { limit: 9 })).toEqual([]);
      expect(await store.countOwners({})).toBe(0);
      expect(await store.readCollections(wallet, { limit: 9 })).toEqual([]);
      expect(await store.countCollections(wallet)).toBe(0);
      expect(await store.readMints({ contracts: [wallet] }, { limit: 9 })).toEqual([]);
      expect(await store.countMints({})).toBe(0);
      expect(await store.readLowestTrade({ contract: wallet, fromTime: 0 })).toBeNull();
      expect(await store.readTokens([wallet])).toEqual(new Map());
      await store.rollBackTo(-1);
      expect(await store.readHead()).toBeNull();
    });

    it('reads blocks: the head, by number, downwards from a number, and the first at a time', async () => {
      const blocks = createNextBlocks(null, 6);
      await store.applyBatch(createBatch(blocks.slice(0, 4)));
      await store.applyBatch(createBatch(blocks.slice(4)));
      expect(await store.readHead()).toEqual(blocks[5]);
      expect(await store.readBlock(3)).toEqual(blocks[3]);
      expect(await store.readBlock(6)).toBeNull();
      expect(await store.readBlocksDownFrom(4, 3)).toEqual([blocks[4], blocks[3], blocks[2]]);
      expect(await store.readBlocksDownFrom(99, 2)).toEqual([blocks[5], blocks[4]]);
      expect(await store.readFirstBlockAt(0)).toEqual(blocks[0]);
      // Blocks 2 and 3 are of the same second.
      expect(await store.readFirstBlockAt(getBlockTime(3))).toEqual(blocks[2]);
      expect(await store.readFirstBlockAt(getBlockTime(3) + 1)).toEqual(blocks[4]);
      expect(await store.readFirstBlockAt(getBlockTime(5) + 1)).toBeNull();
    });

    it('accepts a first batch above block 0', async () => {
      const blocks = createNextBlocks(null, 8);
      await store.applyBatch(createBatch(blocks.slice(5)));
      expect(await store.readBlock(4)).toBeNull();
      expect(await store.readFirstBlockAt(0)).toEqual(blocks[5]);
      await store.rollBackTo(4);
      expect(await store.readHead()).toBeNull();
    });

    it('accepts that the chain has no block of a number, when the next block names the one before it', async () => {
      const [first, second] = createNextBlocks(null, 2) as [BlockRow, BlockRow];
      const third = { ...createNextBlock(second), number: 4 };
      await store.applyBatch(createBatch([first, second, third]));
      expect(await store.readHead()).toEqual(third);
      expect(await store.readBlock(3)).toBeNull();
      await store.applyBatch(createBatch([{ ...createNextBlock(third), number: 7 }]));
      expect(await store.readBlocksDownFrom(6, 2)).toEqual([third, second]);
      await store.rollBackTo(5);
      expect(await store.readHead()).toEqual(third);
    });

    describe('rejects, changing nothing,', () => {
      const blocks = createNextBlocks(null, 4);
      const row = createTransferRow({ blockNumber: 2, to: address('a', 1) });
      const sent: TransactionRow = {
        ...{ blockNumber: 2, transactionIndex: 0, transactionHash: hashText('sent') },
        ...{ from: address('a', 1), to: null, internalRecipients: null },
      };
      const good = { ...createBatch([]), blocks: blocks.slice(2), transfers: [row] };
      const bad = {
        'a gap before the batch': { ...good, blocks: blocks.slice(3), transfers: [] },
        'a gap within the batch': {
          ...good,
          blocks: [blocks[2], createNextBlock(blocks[3] ?? null)] as BlockRow[],
        },
        'blocks that are stored already': { ...good, blocks: blocks.slice(1) },
        'a different parent': { ...good, blocks: [createNextBlock(createNextBlock(genesis, 'other'))] },
        'a broken parent chain within the batch': {
          ...good,
          blocks: [blocks[2], createNextBlock(blocks[2] ?? null, 'x'), blocks[3]] as BlockRow[],
        },
        'rows below the batch': { ...good, transfers: [row, { ...row, blockNumber: 1 }] },
        'rows above the batch': { ...good, erc20Transfers: [{ ...row, blockNumber: 4 }] },
        'two transfers at one log position': { ...good, transfers: [row, row] },
        'transactions above the batch': { ...good, transactions: [{ ...sent, blockNumber: 4 }] },
        'two transactions at one place': { ...good, transactions: [sent, sent] },
        'a hash that is too short': { ...good, transfers: [{ ...row, transactionHash: '0x12' as Hex }] },
        'an address that is not hex': { ...good, transfers: [{ ...row, to: `0x${'g'.repeat(40)}` as Hex }] },
        'a negative token id': { ...good, transfers: [{ ...row, tokenId: -1n }] },
      };
      for (const [title, batch] of Object.entries(bad))
        it(title, async () => {
          await store.applyBatch(createBatch(blocks.slice(0, 2)));
          const model = createModelStore(info);
          await model.applyBatch(createBatch(blocks.slice(0, 2)));
          await expect(store.applyBatch(batch)).rejects.toMatchObject({ name: 'HexLensError', code: 'internal' });
          await expectSameResults(store, model, 1);
          await store.applyBatch(good);
          expect(await store.readHead()).toEqual(blocks[3]);
        });

      it('the genesis block of another chain', async () => {
        const other = { ...genesis, hash: address('a', 1).padEnd(66, '0') as Hex };
        await expect(store.applyBatch({ ...createBatch([]), blocks: [other] })).rejects.toMatchObject({
          code: 'internal',
        });
        expect(await store.readHead()).toBeNull();
      });
    });

    it('resolves addresses correctly after a batch that was rolled back half way', async () => {
      const [rolledBack, stored] = [address('a', 71), address('a', 72)];
      const bad = { ...createTransferRow({ blockNumber: 0, to: rolledBack }), transactionHash: '0x12' as Hex };
      const transfers = [createTransferRow({ blockNumber: 0, to: rolledBack })];
      await expect(
        store.applyBatch(createBlockBatch(null, { transfers, erc20Transfers: [bad] })),
      ).rejects.toMatchObject({
        code: 'internal',
      });
      expect(await allTransfers(store, { wallet: rolledBack })).toEqual([]);
      await fixture.block({ to: stored });
      await fixture.block({ from: stored, to: rolledBack });
      expect((await allTransfers(store)).map(row => row.to)).toEqual([rolledBack, stored]);
      expect((await allOwners(store)).map(row => row.owner)).toEqual([rolledBack]);
    });

    it('accepts rows in any order', async () => {
      const batch = createBatch(createNextBlocks(null, 12));
      await store.applyBatch({
        ...batch,
        transfers: batch.transfers.toReversed(),
        erc20Transfers: batch.erc20Transfers.toReversed(),
        trades: batch.trades.toReversed(),
        transactions: batch.transactions.toReversed(),
      });
      const model = createModelStore(info);
      await model.applyBatch(batch);
      await expectSameResults(store, model, 2, 12);
    });

    it('keeps transfers where their logs are, though the node lists their transaction at another index', async () => {
      const [first, second] = [hashText('first'), hashText('second')];
      const [wallet, other] = [address('a', 1), address('a', 2)];
      const listed = (transactionHash: Hex, transactionIndex: number): TransactionRow => ({
        ...{ blockNumber: 0, transactionIndex, transactionHash, from: wallet, to: other, internalRecipients: [] },
      });
      const at = (transactionHash: Hex, transactionIndex: number, tokenId: bigint) =>
        createTransferRow({ blockNumber: 0, transactionHash, transactionIndex, tokenId, to: wallet });
      const transfers = [at(first, 0, 1n), { ...at(second, 0, 2n), place: 1 }, at(first, 3, 3n)];
      await store.applyBatch(
        createBlockBatch(null, { transactions: [listed(first, 0), listed(second, 1)], transfers }),
      );
      expect(await store.readTransfers({}, { limit: 9 })).toEqual(transfers.toReversed());
      const after = { blockNumber: 0, transactionIndex: 0, place: 1, batchIndex: 0 };
      expect(await store.readTransfers({}, { limit: 9, after })).toEqual(transfers.slice(0, 1));
      const transactions = await store.readTransactions({ wallet }, { limit: 9 });
      expect(transactions.map(({ transactionHash, transactionIndex }) => [transactionHash, transactionIndex])).toEqual([
        [second, 1],
        [first, 0],
      ]);
    });

    it('stores amounts, ids and values of 256 bits', async () => {
      const [token, wallet] = [address('c', 1), address('a', 1)];
      const block = await fixture.block({
        to: wallet,
        tokenId: MAX_UINT256,
        amount: MAX_UINT256,
        standard: 'ERC1155',
        operator: wallet,
        value: MAX_UINT256,
      });
      const mint = {
        blockNumber: 1,
        place: 0,
        transactionHash: block.hash,
        transactionIndex: 3,
        tokenAddress: token,
        from: ZERO_ADDRESS,
        to: wallet,
        amount: MAX_UINT256,
      };
      await store.applyBatch(createBlockBatch(block, { erc20Transfers: [mint] }));
      expect(await allTransfers(store, { contract: token, tokenId: MAX_UINT256 })).toMatchObject([
        { tokenId: MAX_UINT256, amount: MAX_UINT256, value: MAX_UINT256, operator: wallet },
      ]);
      expect(await allTransfers(store, { contract: token, tokenId: MAX_UINT256 - 1n })).toEqual([]);
      expect(await allOwners(store, { contracts: [token], tokenId: MAX_UINT256 })).toMatchObject([
        { amount: MAX_UINT256, mintedBlock: 0 },
      ]);
      expect(await store.readMints({}, { limit: 1 })).toEqual([mint]);
    });

    it('stores token descriptions unchanged, updates them, and removes those of blocks that are rolled back', async () => {
      const [token, later] = [address('c', 1), address('c', 2)];
      const name = `\u0000"'; DROP TABLE token; --\u202e<b>💥`;
      const row = { tokenAddress: token, standard: 'ERC721', name, symbol: null, decimals: null } as const;
      const first = createBlockBatch(null, {
        transfers: [createTransferRow({ blockNumber: 0, to: token })],
        tokens: [row],
      });
      await store.applyBatch(first);
      expect(await store.readTokens([token, later])).toEqual(new Map([[token, row]]));
      const coin = { ...row, tokenAddress: later, standard: 'ERC20', name: '', decimals: 255 } as const;
      await store.applyBatch(createBlockBatch(genesis, { tokens: [{ ...row, symbol: 'S' }, coin] }));
      expect((await store.readTokens([token])).get(token)?.symbol).toBe('S');
      expect((await store.readTokens([later])).get(later)).toEqual(coin);
      const nameless = { ...row, tokenAddress: address('c', 3), name: null };
      const [second] = (await store.readBlocksDownFrom(9, 1)) as [BlockRow];
      await store.applyBatch(createBlockBatch(second, { tokens: [nameless] }));
      expect((await store.readNamedTokens(9)).map(({ tokenAddress }) => tokenAddress).toSorted()).toEqual([
        token,
        later,
      ]);
      expect(await store.readNamedTokens(1)).toHaveLength(1);
      await store.rollBackTo(0);
      expect([...(await store.readTokens([token, later])).keys()]).toEqual([token]);
      expect(await store.readNamedTokens(9)).toEqual([{ ...row, symbol: 'S' }]);
    });

    describeOwners(fixture);
    describeReads(fixture);
    describeSparse(info, createOpener, Math.ceil((3 / 4) * histories));

    it('updates the times of metadata reads separately, and keeps them when blocks are rolled back', async () => {
      const [token, other] = [address('c', 1), address('c', 2)];
      await fixture.block({ to: address('a', 1), tokenAddress: token });
      const keys = [
        { tokenAddress: token, tokenId: MAX_UINT256 },
        { tokenAddress: token, tokenId: 0n },
        { tokenAddress: other, tokenId: 0n },
      ];
      const all = async () => new Map((await store.readMetadataSyncs(keys)).map(sync => [serializeNftKey(sync), sync]));
      expect(await all()).toEqual(new Map());
      const first = {
        tokenAddress: token,
        tokenId: MAX_UINT256,
        tokenUriSyncedAt: 1_700_000_000_123,
        metadataSyncedAt: null,
      };
      const second = { tokenAddress: other, tokenId: 0n, tokenUriSyncedAt: 5, metadataSyncedAt: 6 };
      await store.writeMetadataSyncs([first, second]);
      expect(await all()).toEqual(new Map([first, second].map(sync => [serializeNftKey(sync), sync])));
      await store.writeMetadataSyncs([{ ...first, tokenUriSyncedAt: null, metadataSyncedAt: 9 }]);
      await store.writeMetadataSyncs([{ ...second, tokenUriSyncedAt: 7, metadataSyncedAt: null }]);
      await store.rollBackTo(-1);
      await store.writeMetadataSyncs([]);
      const later = [
        { ...first, metadataSyncedAt: 9 },
        { ...second, tokenUriSyncedAt: 7 },
      ];
      expect(await all()).toEqual(new Map(later.map(sync => [serializeNftKey(sync), sync])));
      expect(await store.readMetadataSyncs([])).toEqual([]);
    });

    it('fills in missing transaction values only', async () => {
      const [early, late] = [hashText('early'), hashText('late')];
      const to = address('a', 1);
      const first = await fixture.block(
        { to, transactionHash: early, value: null, tokenId: 1n },
        { to, transactionHash: late, value: null, tokenId: 2n },
        { to, transactionHash: early, value: null, tokenId: 3n },
      );
      const second = await fixture.block(
        { to, transactionHash: late, value: 7n, tokenId: 4n },
        { to, transactionHash: early, value: null, tokenId: 5n },
      );
      const values = async () => (await store.readTransfers({}, { limit: 9 })).map(row => row.value).reverse();
      await store.writeTransactionValues([]);
      await store.writeTransactionValues([
        { blockNumber: first.number, transactionHash: early, value: MAX_UINT256 },
        { blockNumber: second.number, transactionHash: late, value: 8n },
        { blockNumber: 99, transactionHash: early, value: 9n },
      ]);
      expect(await values()).toEqual([MAX_UINT256, null, MAX_UINT256, 7n, null]);
      await store.writeTransactionValues([{ blockNumber: second.number, transactionHash: early, value: 0n }]);
      expect(await values()).toEqual([MAX_UINT256, null, MAX_UINT256, 7n, 0n]);
    });

    it('fills in the internal recipients of transactions that were stored without', async () => {
      const [sender, paid, other] = [address('a', 1), address('a', 2), address('a', 3)];
      const createTransaction = (transactionIndex: number): TransactionRow => ({
        ...{ blockNumber: 0, transactionIndex, transactionHash: hashText(`sent ${transactionIndex}`) },
        ...{ from: sender, to: transactionIndex === 1 ? null : sender, internalRecipients: null },
      });
      const rows = [0, 1, 2].map(createTransaction);
      await store.applyBatch(createBlockBatch(null, { transactions: rows }));
      const list = async (wallet: Hex) =>
        (await store.readTransactions({ wallet }, { limit: 9 })).map(row => row.transactionIndex);
      const untraced = async () =>
        (await store.readUntracedTransactions({}, { limit: 9 })).map(row => row.transactionIndex);
      expect([await list(sender), await list(paid), await untraced()]).toEqual([[2, 1, 0], [], [2, 1, 0]]);
      await store.writeInternalRecipients([]);
      const place = (transactionIndex: number, internalRecipients: readonly Hex[]) => ({
        ...createTransaction(transactionIndex),
        internalRecipients,
      });
      await store.writeInternalRecipients([
        place(0, [paid, other]),
        place(2, []),
        { ...place(1, [paid]), transactionHash: hashText('of another fork') },
        { ...place(1, [paid]), blockNumber: 7 },
        place(9, [paid]),
      ]);
      expect([await list(paid), await list(other), await untraced()]).toEqual([[0], [0], [1]]);
      await store.writeInternalRecipients([place(0, []), place(2, [other]), place(1, [paid])]);
      expect([await list(paid), await list(other), await untraced()]).toEqual([[1, 0], [0], []]);
      await store.rollBackTo(-1);
      expect([await list(sender), await list(paid)]).toEqual([[], []]);
      await store.applyBatch(createBlockBatch(null, { transactions: rows }));
      expect([await list(sender), await list(paid), await untraced()]).toEqual([[2, 1, 0], [], [2, 1, 0]]);
    });

    it('rejects all calls after it was closed', async () => {
      await store.applyBatch(createBatch(createNextBlocks(null, 3)));
      await store.close();
      await store.close();
      await expect(store.readHead()).rejects.toMatchObject({ name: 'HexLensError', code: 'backend-stopped' });
      await expect(store.applyBatch(createBatch([]))).rejects.toMatchObject({ code: 'backend-stopped' });
    });

    it('gives the results of the model store after any sequence of batches and rollbacks', async () => {
      const step = fc.oneof(
        { weight: 4, arbitrary: fc.record({ apply: fc.integer({ min: 1, max: 6 }), fork: fc.nat({ max: 99 }) }) },
        { weight: 2, arbitrary: fc.record({ rollBack: fc.integer({ min: 1, max: 5 }) }) },
        { weight: 1, arbitrary: fc.record({ rollBack: fc.constant(1_000) }) },
        { weight: 2, arbitrary: fc.record({ compare: fc.nat() }) },
        { weight: 1, arbitrary: fc.record({ trace: fc.nat({ max: 5 }) }) },
      );
      const history = fc.array(step, { minLength: 1, maxLength: 14, size: 'max' });
      await fc.assert(
        fc.asyncProperty(history, fc.nat(), async (steps, seed) => {
          await store.rollBackTo(-1);
          const model = createModelStore(info);
          for (const step of steps) {
            const head = await model.readHead();
            if ('apply' in step) {
              const batch = createBatch(createNextBlocks(head, step.apply, `${step.fork}`));
              await store.applyBatch(batch);
              await model.applyBatch(batch);
            } else if ('rollBack' in step) {
              const block = Math.max(-1, (head?.number ?? -1) - step.rollBack);
              await store.rollBackTo(block);
              await model.rollBackTo(block);
            } else if ('trace' in step) {
              const untraced = await model.readUntracedTransactions({}, { limit: step.trace });
              const traced = untraced.map(row => ({ ...row, internalRecipients: [address('b', step.trace)] }));
              await store.writeInternalRecipients(traced);
              await model.writeInternalRecipients(traced);
            } else await expectSameResults(store, model, step.compare, 2);
          }
          await expectSameResults(store, model, seed, 8);
        }),
        { seed: 20_230_904, numRuns: histories },
      );
    });
  });
}
