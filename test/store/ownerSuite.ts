// The part of the store suite about NFT owners: ERC-721 and ERC-1155, mints, burns, and rollbacks.
import { describe, expect, it } from 'vitest';
import { ZERO_ADDRESS } from '../../src/base/hex.ts';
import type { TransferRow } from '../../src/service/store/rows.ts';
import { allOwners, allTransfers } from './compareStores.ts';
import { address, genesis } from './generatedChain.ts';
import type { StoreFixture } from './storeSuite.ts';

const [alice, bob, carol] = [address('a', 1), address('a', 2), address('a', 3)];
const token = address('c', 1);

const at = (blockNumber: number, place = 0, batchIndex = 0) => ({
  blockNumber,
  transactionIndex: 0,
  place,
  batchIndex,
});

export function describeOwners({ store, block }: StoreFixture): void {
  const owners = async () =>
    (await allOwners(store())).map(({ owner, amount, changedAt, mintedBlock }) => [
      owner,
      amount,
      changedAt,
      mintedBlock,
    ]);

  describe('ERC-721', () => {
    it('is owned by the last recipient, since that transfer', async () => {
      await block({ to: alice });
      await block({ from: alice, to: bob }, { from: bob, to: carol });
      expect(await owners()).toEqual([[carol, 1n, at(1, 1), 0]]);
    });

    it('is unchanged by a transfer to its owner', async () => {
      await block({ to: alice });
      await block({ from: alice, to: alice });
      expect(await owners()).toEqual([[alice, 1n, at(0), 0]]);
      expect(await store().countTransfers({ wallet: alice })).toBe(2);
    });

    it('has no owner when burned, and keeps its first mint when it is minted again', async () => {
      await block({ to: alice });
      await block({ from: alice, to: ZERO_ADDRESS });
      expect(await owners()).toEqual([]);
      await block({ to: bob });
      await block({ from: bob, to: ZERO_ADDRESS }, { to: carol });
      expect(await owners()).toEqual([[carol, 1n, at(3, 1), 0]]);
      await store().rollBackTo(1);
      expect(await owners()).toEqual([]);
      await store().rollBackTo(0);
      expect(await owners()).toEqual([[alice, 1n, at(0), 0]]);
    });

    it('has no first mint until the index has one', async () => {
      await block({ from: alice, to: bob });
      expect(await owners()).toEqual([[bob, 1n, at(0), null]]);
      await block({ to: bob });
      expect(await owners()).toEqual([[bob, 1n, at(0), 1]]);
    });
  });

  describe('ERC-1155', () => {
    const move = (row: Partial<TransferRow>): Partial<TransferRow> => ({ standard: 'ERC1155', ...row });

    it('adds up balances exactly, and removes empty ones', async () => {
      const most = 2n ** 256n - 1n;
      await block(move({ to: alice, amount: most }), move({ to: bob, amount: 5n }));
      await block(move({ from: alice, to: bob, amount: most - 1n }), move({ from: bob, to: carol, amount: 4n }));
      expect(await owners()).toEqual([
        [bob, most, at(1, 1), 0],
        [carol, 4n, at(1, 1), 0],
        [alice, 1n, at(1, 0), 0],
      ]);
      await block(move({ from: alice, to: ZERO_ADDRESS, amount: 1n }));
      expect((await owners()).map(([owner]) => owner)).toEqual([bob, carol]);
    });

    it('is unchanged by transfers of zero and to oneself', async () => {
      await block(move({ to: alice, amount: 5n }));
      await block(
        move({ from: alice, to: alice, amount: 5n }),
        move({ from: alice, to: bob, amount: 0n }),
        move({ to: carol, amount: 0n }),
      );
      expect(await owners()).toEqual([[alice, 5n, at(0), 0]]);
      expect(await store().countTransfers({})).toBe(4);
    });

    it('distinguishes the ids of one batch transfer', async () => {
      const ids = [3n, 1n, 2n];
      await block(...ids.map((tokenId, batchIndex) => move({ to: alice, amount: 2n, tokenId, place: 7, batchIndex })));
      const rows = await allOwners(store(), { owner: alice }, 1);
      expect(rows.map(row => [row.tokenId, row.changedAt])).toEqual([
        [2n, at(0, 7, 2)],
        [1n, at(0, 7, 1)],
        [3n, at(0, 7, 0)],
      ]);
      expect((await allTransfers(store(), {}, 1)).map(row => row.tokenId)).toEqual([2n, 1n, 3n]);
    });

    it('never has a negative balance', async () => {
      await block(move({ from: alice, to: bob, amount: 5n }));
      await block(move({ from: carol, to: alice, amount: 3n }));
      expect(await owners()).toEqual([
        [alice, 3n, at(1), null],
        [bob, 5n, at(0), null],
      ]);
    });

    it('keeps the first mint of an id for later owners', async () => {
      await block(move({ to: alice, amount: 5n }));
      await block(move({ to: bob, amount: 5n }), move({ from: alice, to: carol, amount: 1n }));
      expect((await owners()).map(([owner, , , minted]) => [owner, minted])).toEqual([
        [alice, 0],
        [carol, 0],
        [bob, 0],
      ]);
    });
  });

  it('stores both kinds of owners when a contract uses two standards for one id', async () => {
    await block({ standard: 'ERC1155', to: alice, amount: 5n });
    await block({ standard: 'ERC721', from: alice, to: bob });
    await block({ standard: 'ERC1155', to: carol, amount: 2n });
    const rows = await allOwners(store(), { contracts: [token], tokenId: 1n }, 1);
    expect(rows.map(row => [row.owner, row.standard, row.amount, row.mintedBlock])).toEqual([
      [carol, 'ERC1155', 2n, 0],
      [bob, 'ERC721', 1n, 0],
      [alice, 'ERC1155', 5n, 0],
    ]);
  });

  it('restores the owners in a rollback, and accepts new blocks after it', async () => {
    await block({ to: alice }, { to: alice, tokenId: 2n });
    await block({ from: alice, to: bob });
    await block({ from: bob, to: carol }, { to: carol, tokenId: 3n });
    await store().rollBackTo(5);
    expect((await store().readHead())?.number).toBe(2);
    await store().rollBackTo(0);
    expect(await store().readHead()).toEqual(genesis);
    expect((await allOwners(store())).map(row => [row.owner, row.tokenId])).toEqual([
      [alice, 2n],
      [alice, 1n],
    ]);
    expect(await store().countTransfers({ wallet: carol })).toBe(0);
    await block({ from: alice, to: carol });
    expect((await allOwners(store(), { contracts: [token], tokenId: 1n })).map(row => row.owner)).toEqual([carol]);
    await store().rollBackTo(-1);
    expect(await store().readHead()).toBeNull();
    expect(await allOwners(store())).toEqual([]);
    await block({ to: bob });
    expect(await owners()).toEqual([[bob, 1n, at(0), 0]]);
  });
}
