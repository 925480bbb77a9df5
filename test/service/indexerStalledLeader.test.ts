// An index whose leader lock is held by a process that writes nothing: what requests get meanwhile, and what is logged.
import { expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import type { ChainIndex } from '../../src/service/indexer/chainIndex.ts';
import { createSqliteStoreOpener } from '../../src/service/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/service/store/store.ts';
import { hastyClock as clock } from '../support/fakeClock.ts';
import { createIndexFixture } from '../support/indexFixture.ts';
import { createTestLog } from '../support/testClock.ts';

const stage = createIndexFixture();

/** An index over a chain of six blocks, and another store over its file. */
async function shared(): Promise<{ index: ChainIndex; other: Store; log: ReturnType<typeof createTestLog> }> {
  const anvil = await stage.anvil();
  await anvil.rpc('anvil_mine', ['0x5']);
  const folder = await stage.folder();
  const log = createTestLog();
  const index = await stage.index(anvil.url, { folder, log, clock });
  const genesis = await anvil.rpc<{ hash: `0x${string}` }>('eth_getBlockByNumber', ['0x0', false]);
  const other = await createSqliteStoreOpener({ folder, log: silentLog })({
    chainId: 31_337,
    genesisHash: genesis.hash,
  });
  stage.atEnd(() => other.close());
  return { index, other, log };
}

it('rejects requests while the index is empty, and takes over when the lock is released', async () => {
  const { index, other, log } = await shared();
  const leave = await other.leaderLock?.tryAcquire();
  await expect(index.current()).rejects.toMatchObject({
    code: 'internal',
    message: 'Another process makes the index of this chain, and is stuck.',
  });
  expect(log.of('warn')).toEqual([expect.stringContaining('makes no progress')]);
  await leave?.();
  await expect.poll(() => index.current()).toMatchObject({ head: { number: 5 }, isSynced: true });
});

it('answers from what the other process stored, marked as behind, until there is progress', async () => {
  const { index, other, log } = await shared();
  const leave = await other.leaderLock?.tryAcquire();
  const { number, hash } = { number: 0, hash: other.info.genesisHash };
  const parentHash = `0x${'0'.repeat(64)}` as const;
  const blocks = [{ number, hash, parentHash, timestamp: 1_700_000_000 }];
  await other.applyBatch({ blocks, transactions: [], transfers: [], erc20Transfers: [], trades: [], tokens: [] });
  expect(await index.current()).toMatchObject({ head: { number: 0 }, isSynced: false });
  await expect.poll(() => log.of('warn')).toEqual([expect.stringContaining('makes no progress')]);
  await leave?.();
  await expect.poll(async () => (await index.current()).isSynced).toBe(true);
});
