// Which transactions the gas of blocks is read of.
import { expect, test } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import { listNewestTransactions } from '../../../../src/view/source/newestTransactions.ts';

/** By block. */
const blocks: readonly (readonly Hex[])[] = [['0xa0'], ['0xb0', '0xb1'], [], ['0xd0']];
const listBlock = async (block: number): Promise<readonly Hex[]> => blocks[block] ?? [];

test.each([
  ['all', { after: -1, limit: 9 }, ['0xa0', '0xb0', '0xb1', '0xd0'], false],
  ['exactly as many as it may read', { after: -1, limit: 4 }, ['0xa0', '0xb0', '0xb1', '0xd0'], false],
  ['the newest, and that an older block has more', { after: -1, limit: 3 }, ['0xb0', '0xb1', '0xd0'], true],
  ['the newest, and that the same block has more', { after: 0, limit: 2 }, ['0xb1', '0xd0'], true],
  ['none of the blocks before', { after: 1, limit: 9 }, ['0xd0'], false],
])('lists %s', async (_, { after, limit }, hashes, hasMore) => {
  expect(await listNewestTransactions(listBlock, { newest: 3, after }, limit)).toEqual({ hashes, hasMore });
});
