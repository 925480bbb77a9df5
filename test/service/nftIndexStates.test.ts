// Operations over an index that is behind, after a reset or reorg of the chain, and on chains that are not indexed whole.
import { readdir, rm } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { MAX_WHOLE_CHAIN_HEIGHT } from '../../src/service/indexer/indexes.ts';
import { createStoreOpener } from '../../src/service/indexer/openStore.ts';
import type { OpenStore } from '../../src/service/store/store.ts';
import { startAnvil } from '../support/chain/anvil.ts';
import { type FilledChain, isBehind, startFilledChain, startService } from '../support/filledChain.ts';
import {
  allPages,
  fetchPage,
  fetchSyncedPage,
  lower,
  mineTransactions,
  mintApeTransaction,
  toRecords,
  withSnapshot,
} from '../support/nftPages.ts';
import { readUntil } from '../support/readUntil.ts';
import { forwardTo, startScriptedRpcNode } from '../support/scriptedRpcNode.ts';
import { createSyntheticChain, type SyntheticOptions } from '../support/syntheticChain.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { createTestLog } from '../support/testClock.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});
const filled = async (): Promise<FilledChain> => {
  const world = await startFilledChain();
  stops.push(() => world.stop());
  return world;
};
const serviceOver = (url: string, options: Parameters<typeof startService>[1] = {}) => {
  const service = startService({ local: url }, options);
  stops.push(() => service.stop());
  return service;
};

/** In memory; batches wait while the gate is closed. */
function gatedStore() {
  let gate: PromiseWithResolvers<void> | null = null;
  const open = createStoreOpener({ folder: null }, silentLog);
  const gated: OpenStore = async info => {
    const store = await open(info);
    return {
      ...store,
      async applyBatch(batch) {
        await gate?.promise;
        await store.applyBatch(batch);
      },
    };
  };
  return {
    open: gated,
    shut() {
      gate = Promise.withResolvers();
    },
    release() {
      gate?.resolve();
      gate = null;
    },
  };
}

describe('while the index is behind', () => {
  it('responses are incomplete and say so; later they are complete', async () => {
    const world = await filled();
    const { apes } = world.chain.contracts;
    const { alice } = world.chain.accounts;
    const store = gatedStore();
    const service = serviceOver(world.anvil.url, { openStore: store.open });
    await fetchSyncedPage(service, 'walletNfts', { address: alice }); // waits for the head
    const before = await readUntil(
      () => service.send('walletNfts', { address: alice }),
      ({ headers }) => !isBehind(headers),
    );
    expect(before).toMatchObject({ body: { status: 'SYNCED' }, freshness: { validity: 'untilNextHead' } });
    const { head } = world.chain;

    store.shut();
    stops.push(async () => store.release());
    await mineTransactions(world, [mintApeTransaction(world, alice, 930_000n)]);
    // On a busy machine the first answers do not know of the new block.
    const behind = await readUntil(
      () => service.send('walletNfts', { address: alice }),
      ({ headers }) => headers['x-hexlens-index']?.endsWith(` of ${head.number + 1}`) === true,
    );
    expect(behind.body).toEqual({ ...(before.body as object), status: 'SYNCING' });
    expect(behind.headers['x-hexlens-index']).toBe(`syncing; block ${head.number} of ${head.number + 1}`);
    expect(behind.freshness, 'an incomplete response is not cached').toBeUndefined();
    const [transfers, early, collections, none] = await Promise.all([
      fetchPage(service, 'contractNftTransfers', { address: apes }),
      fetchPage(service, 'contractNftTransfers', { address: apes, toBlock: head.number }),
      fetchPage(service, 'walletNftCollections', { address: alice }),
      service.send('nftLowestPrice', { address: alice }),
    ]);
    expect(transfers.page).toMatchObject({ block_exists: true, index_complete: false });
    expect(early.page).toMatchObject({ block_exists: true, index_complete: true });
    expect(collections.page).toMatchObject({ status: 'SYNCING' });
    expect(none.headers['x-hexlens-index'], 'a refusal too').toBe(behind.headers['x-hexlens-index']);
    expect((none.body as { message: string }).message).toBe(
      `No trade of this collection in the native coin found so far: the index is at block ${head.number} of ${head.number + 1}. Try again in a moment.`,
    );

    store.release();
    const after = await fetchSyncedPage(service, 'walletNfts', { address: alice, limit: 1 });
    expect(after).toMatchObject({ status: 'SYNCED', result: [{ token_id: '930000' }] });
  });
});

describe('a chain that changes between two pages', () => {
  it('rejects cursors from before a reset', async () => {
    const world = await filled();
    const { apes } = world.chain.contracts;
    const { anvil } = world;
    const service = serviceOver(anvil.url);
    const transfers = await fetchSyncedPage(service, 'contractNftTransfers', { address: apes, limit: 2 });
    const { bob } = world.chain.accounts;
    const nfts = await fetchSyncedPage(service, 'walletNfts', { address: bob, limit: 2 });
    await anvil.stop();
    const second = await startAnvil({ port: anvil.port, timestamp: 1_650_000_000 });
    stops.push(() => second.stop());
    for (const refusal of [
      await service.getFault('contractNftTransfers', { address: apes, limit: 2, cursor: transfers.cursor ?? '' }),
      await service.getFault('walletNfts', { address: bob, limit: 2, cursor: nfts.cursor ?? '' }),
    ])
      expect(refusal).toEqual({
        status: 400,
        code: 'bad-input',
        message: 'cursor belongs to the chain as it was before it was reset: start without a cursor',
      });
    expect(await fetchSyncedPage(service, 'contractNftTransfers', { address: apes })).toMatchObject({ result: [] });
    expect(await fetchSyncedPage(service, 'walletNfts', { address: bob })).toMatchObject({
      result: [],
      status: 'SYNCED',
    });
  });

  it('returns the pages of the new chain after a reorg, each record once', async () => {
    const world = await filled();
    const { alice } = world.chain.accounts;
    await withSnapshot(world, async () => {
      await mineTransactions(world, [mintApeTransaction(world, alice, 940_001n)]);
      await mineTransactions(world, [mintApeTransaction(world, alice, 940_002n)]);
      const pages = await allPages(world.service, 'walletNfts', { address: alice, limit: 3 }, async () => {
        await world.anvil.rpc('anvil_reorg', [2, []]);
      });
      const whole = toRecords(await allPages(world.service, 'walletNfts', { address: alice }));
      const [second, first, ...rest] = toRecords(pages);
      expect([second?.['token_id'], first?.['token_id']], 'what the first page saw').toEqual(['940002', '940001']);
      expect(rest).toEqual(whole);
      const { result } = await fetchSyncedPage(world.service, 'nftOwners', {
        address: world.chain.contracts.apes,
        tokenId: 940_001n,
      });
      expect(result, 'the reorg dropped the mint').toEqual([]);
    });
  });

  it('rejects a cursor whose block was reorganized', async () => {
    const world = await filled();
    const { alice } = world.chain.accounts;
    const { apes } = world.chain.contracts;
    await withSnapshot(world, async () => {
      await mineTransactions(world, [mintApeTransaction(world, alice, 940_001n)]);
      await mineTransactions(world, [mintApeTransaction(world, alice, 940_002n)]);
      const lists = { contractNftTransfers: { address: apes }, walletNfts: { address: alice } } as const;
      const cursors = new Map<string, string>();
      for (const [id, input] of Object.entries(lists) as [keyof typeof lists, { address: Hex }][])
        cursors.set(id, (await fetchSyncedPage(world.service, id, { ...input, limit: 1 })).cursor ?? '');
      await world.anvil.rpc('anvil_setCoinbase', [`0x${'79'.repeat(20)}`]);
      await world.anvil.rpc('anvil_reorg', [2, []]);
      for (const [id, input] of Object.entries(lists) as [keyof typeof lists, { address: Hex }][])
        expect(await world.service.getFault(id, { ...input, limit: 1, cursor: cursors.get(id) ?? '' })).toMatchObject({
          status: 409,
          code: 'chain-changed',
          message: expect.stringContaining('without a cursor'),
        });
    });
  });

  it('returns a 502 that names a node that is down, until it is back', async () => {
    const world = await filled();
    let broken = false;
    const forward = forwardTo(world.anvil.url);
    const node = await startScriptedRpcNode({
      answer: forward,
      exchange: exchange => {
        if (broken) exchange.sendText('', 500);
        return broken;
      },
    });
    stops.push(() => node.stop());
    const service = serviceOver(node.url);
    const { apes } = world.chain.contracts;
    const whole = await fetchSyncedPage(service, 'contractNftTransfers', { address: apes });
    broken = true;
    const refusal = await service.getFault('contractNftTransfers', { address: apes });
    expect(refusal.status).toBe(502);
    expect(refusal.message).toContain(node.host);
    broken = false;
    await expect.poll(() => fetchSyncedPage(service, 'contractNftTransfers', { address: apes })).toEqual(whole);
  });
});

describe('chains that are not indexed whole', () => {
  const synthetic = async (options: SyntheticOptions) => {
    const chain = createSyntheticChain(options);
    const node = await startScriptedRpcNode({ answer: call => chain.answer(call) });
    stops.push(() => node.stop());
    return node;
  };
  it('a fork as high as a public chain is indexed like one', async () => {
    const node = await synthetic({ head: MAX_WHOLE_CHAIN_HEIGHT + 1, chainId: 31337, client: 'anvil/v1.7.1' });
    const service = serviceOver(node.url);
    const page = await fetchSyncedPage(service, 'nftTransfers', { fromBlock: MAX_WHOLE_CHAIN_HEIGHT - 5 });
    expect(page).toMatchObject({ result: [], cursor: null });
    const ranges = node.calls.filter(call => call.method === 'eth_getLogs').map(call => call.params[0]);
    expect(ranges).toEqual([expect.objectContaining({ toBlock: `0x${(MAX_WHOLE_CHAIN_HEIGHT + 1).toString(16)}` })]);
  });

  it('a chain with the id of a public chain on a local development node is a development chain', async () => {
    const node = await startAnvil({ chainId: 1 });
    stops.push(() => node.stop());
    const service = startService({ eth: node.url });
    stops.push(() => service.stop());
    expect(await fetchSyncedPage(service, 'nftTransfers', {})).toMatchObject({ result: [], index_complete: true });
  });
});

describe('an index in a folder', () => {
  it('survives a restart, serves two processes at once, and is built again when it was deleted', async () => {
    const folder = createTemporaryFolder('hexlens-index-');
    const world = await filled();
    const log = createTestLog();
    const openStore = createStoreOpener({ folder }, log);
    const first = serviceOver(world.anvil.url, { openStore });
    const whole = toRecords(await allPages(first, 'nftTransfers', {}));
    const ape = { address: world.chain.contracts.apes, tokenId: 1n };
    const [read] = (await fetchSyncedPage(first, 'nftOwners', { ...ape, normalizeMetadata: true })).result;
    await first.stop();
    expect(await readdir(folder)).not.toEqual([]);

    const forward = forwardTo(world.anvil.url);
    const node = await startScriptedRpcNode({ answer: forward });
    stops.push(() => node.stop());
    const second = serviceOver(node.url, { openStore });
    expect(toRecords(await allPages(second, 'nftTransfers', {}))).toEqual(whole);
    expect(node.countCalls('eth_getLogs'), 'nothing is read again').toBe(0);
    const { last_token_uri_sync, last_metadata_sync } = read ?? {};
    expect([last_token_uri_sync, last_metadata_sync], 'metadata was read').not.toContain(null);
    expect((await fetchSyncedPage(second, 'nftOwners', ape)).result).toMatchObject([
      { last_token_uri_sync, last_metadata_sync },
    ]);

    const third = serviceOver(world.anvil.url, { openStore });
    const { alice } = world.chain.accounts;
    for (let id = 950_000n; id < 950_005n; id++) {
      await mineTransactions(world, [mintApeTransaction(world, alice, id)]);
      const [one, other] = await Promise.all([second, third].map(service => allPages(service, 'nftTransfers', {})));
      expect(toRecords(one ?? [])).toEqual(toRecords(other ?? []));
      expect(toRecords(one ?? [])[0]).toMatchObject({ token_id: String(id), to_address: lower(alice) });
    }
    await second.stop();
    await third.stop();

    await rm(folder, { recursive: true });
    const fourth = serviceOver(world.anvil.url, { openStore });
    expect(toRecords(await allPages(fourth, 'nftTransfers', {})).slice(5)).toEqual(whole);
    expect([...log.of('warn'), ...log.of('error')]).toEqual([]);
  });
});
