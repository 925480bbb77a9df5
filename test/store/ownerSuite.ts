// The part of the store's suite about who owns what: ERC-721 and ERC-1155, mints, burns, and blocks taken back.
import { describe, expect, it } from 'vitest';
import { ZERO_ADDRESS } from '../../src/base/hex.ts';
import type { TransferRow } from '../../src/service/store/rows.ts';
import { allOwners, allTransfers } from './compareStores.ts';
import { address, genesis } from './generatedChain.ts';
import type { StoreFixture } from './storeSuite.ts';

const [alice, bob, carol] = [address('a', 1), address('a', 2), address('a', 3)];
const token = address('c', 1);
const NOBODY = ZERO_ADDRESS;

const at = (blockNumber: number, logIndex = 0, batchIndex = 0) => ({ blockNumber, logIndex, batchIndex });

export function describeOwners({ store, block }: StoreFixture): void {
  const owners = async () =>
    (await allOwners(store())).map(({ owner, amount, changedAt: changed, mintedBlock }) => [
      owner,
      amount,
      changed,
      mintedBlock,
    ]);

  describe('ERC-721', () => {
    it('belongs to whom it went last, since then', async () => {
      await block({ to: alice });
      await block({ from: alice, to: bob }, { from: bob, to: carol });
      expect(await owners()).toEqual([[carol, 1n, at(1, 1), 0]]);
    });

    it('does not change hands when it goes to its owner', async () => {
      await block({ to: alice });
      await block({ from: alice, to: alice });
      expect(await owners()).toEqual([[alice, 1n, at(0), 0]]);
      expect(await store().countTransfers({ wallet: alice })).toBe(2);
    });

    it('belongs to nobody when burnt, and keeps its first mint when it comes back', async () => {
      await block({ to: alice });
      await block({ from: alice, to: NOBODY });
      expect(await owners()).toEqual([]);
      await block({ to: bob });
      await block({ from: bob, to: NOBODY }, { to: carol });
      expect(await owners()).toEqual([[carol, 1n, at(3, 1), 0]]);
      await store().rollBackTo(1);
      expect(await owners()).toEqual([]);
      await store().rollBackTo(0);
      expect(await owners()).toEqual([[alice, 1n, at(0), 0]]);
    });

    it('has no first mint when it was never seen to be minted, and has one from then on', async () => {
      await block({ from: alice, to: bob });
      expect(await owners()).toEqual([[bob, 1n, at(0), null]]);
      await block({ to: bob });
      expect(await owners()).toEqual([[bob, 1n, at(0), 1]]);
    });
  });

  describe('ERC-1155', () => {
    const move = (row: Partial<TransferRow>): Partial<TransferRow> => ({ standard: 'ERC1155', ...row });

    it('adds up exactly, and drops who has nothing left', async () => {
      const most = 2n ** 256n - 1n;
      await block(move({ to: alice, amount: most }), move({ to: bob, amount: 5n }));
      await block(move({ from: alice, to: bob, amount: most - 1n }), move({ from: bob, to: carol, amount: 4n }));
      expect(await owners()).toEqual([
        [bob, most, at(1, 1), 0],
        [carol, 4n, at(1, 1), 0],
        [alice, 1n, at(1, 0), 0],
      ]);
      await block(move({ from: alice, to: NOBODY, amount: 1n }));
      expect((await owners()).map(([owner]) => owner)).toEqual([bob, carol]);
    });

    it('is not changed by nothing, nor by a transfer to oneself', async () => {
      await block(move({ to: alice, amount: 5n }));
      await block(
        move({ from: alice, to: alice, amount: 5n }),
        move({ from: alice, to: bob, amount: 0n }),
        move({ to: carol, amount: 0n }),
      );
      expect(await owners()).toEqual([[alice, 5n, at(0), 0]]);
      expect(await store().countTransfers({})).toBe(4);
    });

    it('tells the ids of one batch apart', async () => {
      const ids = [3n, 1n, 2n];
      await block(
        ...ids.map((tokenId, batchIndex) => move({ to: alice, amount: 2n, tokenId, logIndex: 7, batchIndex })),
      );
      const rows = await allOwners(store(), { owner: alice }, 1);
      expect(rows.map(row => [row.tokenId, row.changedAt])).toEqual([
        [2n, at(0, 7, 2)],
        [1n, at(0, 7, 1)],
        [3n, at(0, 7, 0)],
      ]);
      expect((await allTransfers(store(), {}, 1)).map(row => row.tokenId)).toEqual([2n, 1n, 3n]);
    });

    it('never falls below zero, whatever the contract says', async () => {
      await block(move({ from: alice, to: bob, amount: 5n }));
      await block(move({ from: carol, to: alice, amount: 3n }));
      expect(await owners()).toEqual([
        [alice, 3n, at(1), null],
        [bob, 5n, at(0), null],
      ]);
    });

    it('keeps the first mint of an id for owners who come later', async () => {
      await block(move({ to: alice, amount: 5n }));
      await block(move({ to: bob, amount: 5n }), move({ from: alice, to: carol, amount: 1n }));
      expect((await owners()).map(([owner, , , minted]) => [owner, minted])).toEqual([
        [alice, 0],
        [carol, 0],
        [bob, 0],
      ]);
    });
  });

  it('keeps both kinds of owners when a contract speaks two standards about one id', async () => {
    await block({ standard: 'ERC1155', to: alice, amount: 5n });
    await block({ standard: 'ERC721', from: alice, to: bob });
    await block({ standard: 'ERC1155', to: carol, amount: 2n });
    const rows = await allOwners(store(), { tokens: [token], tokenId: 1n }, 1);
    expect(rows.map(row => [row.owner, row.standard, row.amount, row.mintedBlock])).toEqual([
      [carol, 'ERC1155', 2n, 0],
      [bob, 'ERC721', 1n, 0],
      [alice, 'ERC1155', 5n, 0],
    ]);
  });

  it('takes blocks back, the owners with them, and goes on from there', async () => {
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
    expect((await allOwners(store(), { tokens: [token], tokenId: 1n })).map(row => row.owner)).toEqual([carol]);
    await store().rollBackTo(-1);
    expect(await store().readHead()).toBeNull();
    expect(await allOwners(store())).toEqual([]);
    await block({ to: bob });
    expect(await owners()).toEqual([[bob, 1n, at(0), 0]]);
  });
}
