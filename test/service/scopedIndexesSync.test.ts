// Building the index of a collection on a public chain: in the background, paused, resumed, after a restart and a reorg.
import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Progress } from '../../src/api/workerProtocol.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { createStoreOpener } from '../../src/service/indexer/openStore.ts';
import { createTaskRegistry } from '../../src/service/taskRegistry.ts';
import { apesAbi, encodeData } from '../support/chain/contractAbis.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { type ServiceOptions, type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { fetchPage, fetchSyncedPage, lower } from '../support/nftPages.ts';
import { readChain } from '../support/nftWitness.ts';
import { type PublicChain, type PublicNodeOptions, startPublicChain, startPublicNode } from '../support/publicNode.ts';
import { readUntil } from '../support/readUntil.ts';
import type { ScriptedCall, ScriptedReply } from '../support/scriptedRpcNode.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { createTestClock } from '../support/testClock.ts';

const HEIGHT = 600;
let world: PublicChain;
let apes: Hex;
beforeAll(async () => {
  world = await startPublicChain(HEIGHT);
  apes = lower(world.chain.contracts.apes);
});
afterAll(() => world?.anvil.stop());

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function front(node: PublicNodeOptions) {
  const started = await startPublicNode(world.anvil.url, node);
  stops.push(() => started.stop());
  return started;
}

function serve(url: string, options: ServiceOptions = {}): ServiceUnderTest {
  const service = startService({ eth: url }, options);
  stops.push(() => service.stop());
  return service;
}

const transfers = (service: ServiceUnderTest) => fetchSyncedPage(service, 'contractNftTransfers', { address: apes });

const whole = async (service: ServiceUnderTest) =>
  (
    await readUntil(
      () => transfers(service),
      page => page.index_complete === true,
    )
  ).result;

const ofApes = async () =>
  (await readChain(world.anvil, new Map([[apes, { name: 'HexLens Test Apes', symbol: 'APE' }]]))).transfers
    .filter(entry => entry.token_address === apes)
    .slice(0, 100);

interface Range {
  readonly fromBlock: Hex;
  readonly toBlock: Hex;
}
const rangesOf = (calls: readonly ScriptedCall[]) =>
  calls.filter(call => call.method === 'eth_getLogs').map(call => call.params[0] as Range);

const mint = (id: bigint) =>
  mineBlock(world.anvil, [
    {
      from: world.chain.accounts.deployer,
      to: world.chain.contracts.apes,
      data: encodeData(apesAbi.mint, [world.chain.accounts.alice, id]),
    },
  ]);

/** Answers for blocks above `above` wait until they are let go; ranges that are too wide are refused at once. */
function gate(above: number) {
  const opened = Promise.withResolvers<void>();
  return {
    open: () => opened.resolve(),
    override({ method, params }: ScriptedCall, honest: () => Promise<ScriptedReply>) {
      if (method !== 'eth_getLogs') return undefined;
      const { fromBlock, toBlock } = params[0] as Range;
      const late = Number(toBlock) > above && Number(toBlock) - Number(fromBlock) < RANGES.blocks;
      return late ? opened.promise.then(honest) : undefined;
    },
  };
}
const RANGES = { blocks: 20, message: (blocks: number) => `Max range: ${blocks}` };

describe('a list of the whole chain that is scanned', () => {
  it('fills its first page although the node takes few blocks per call', async () => {
    const node = await front({ range: { blocks: 3, message: blocks => `block range exceeds ${blocks}` } });
    const service = serve(node.url, { clock: createTestClock() }); // its time is never up, however slow this machine is
    const { page } = await fetchPage(service, 'erc20Mints', {});
    expect(page.result.length).toBeGreaterThan(10);
    expect(page.cursor).toBeNull();
  });

  it('says how far it has come when its time is up before there is a record, and why there is no total', async () => {
    let now = 0;
    const clock = { now: () => (now += 5_000), sleep: async () => {} };
    const service = serve(
      (await front({ range: { blocks: 3, message: blocks => `block range exceeds ${blocks}` } })).url,
      { clock },
    );
    const { body, headers } = await service.send('erc20Mints', { disableTotal: false });
    expect(headers['x-hexlens-scan']).toMatch(/^partial; searched down to block \d+$/);
    expect(headers['x-hexlens-total']).toBe('unavailable; the chain is scanned');
    expect(body).toMatchObject({ result: [], cursor: expect.any(String), total: null });
  });

  it.each([
    ['asc', ['5', '6', '7', undefined]],
    ['desc', ['8', '7', '6', undefined]],
  ] as const)('gets further with each page over a slow node that takes one block per call, %s', async (order, ends) => {
    let now = 0;
    const clock = { now: () => (now += 9_000), sleep: async () => {} };
    const { url } = await front({ range: { blocks: 1, message: blocks => `block range exceeds ${blocks}` } });
    const service = serve(url, { clock });
    const input = { order, fromBlock: 5, toBlock: 8 };
    await service.send('nftTransfers', input); // learns the limit
    const reached: (string | undefined)[] = [];
    for (let cursor: string | undefined; reached.length < ends.length; ) {
      const { body, headers } = await service.send('nftTransfers', { ...input, cursor });
      reached.push(/block (\d+)$/.exec(headers['x-hexlens-scan'] ?? '')?.[1]);
      cursor = (body as { readonly cursor: string | null }).cursor ?? undefined;
    }
    expect(reached).toEqual(ends);
  });

  it('begins at the newest block, although the one before has just been requested', async () => {
    const snapshot = await world.anvil.rpc('evm_snapshot');
    stops.push(() => world.anvil.rpc('evm_revert', [snapshot]));
    const service = serve((await front({})).url, { clock: createTestClock() }); // what it knows never grows old
    await fetchPage(service, 'nftTransfers', { limit: 1 });
    const { number } = await mint(700_001n);
    const { page } = await fetchPage(service, 'nftTransfers', { limit: 1 });
    expect(page.result).toMatchObject([{ token_id: '700001', block_number: String(number) }]);
  });
});

describe('a collection that is being indexed', () => {
  it('answers incompletely and says so, reports progress, pauses, and continues where it stopped', async () => {
    const held = gate(120);
    stops.push(async () => held.open());
    const node = await front({ range: RANGES, override: held.override });
    const reports: Progress[] = [];
    const tasks = createTaskRegistry({ clock: systemClock, report: progress => reports.push(progress) });
    const service = serve(node.url, { tasks });
    const early = await service.send('contractNftTransfers', { address: apes });
    expect(early.body).toMatchObject({ index_complete: false });
    expect(early.headers['x-hexlens-index']).toMatch(/^syncing; block \d+ of 600$/);
    expect(early.freshness, 'an incomplete response is not cached').toBeUndefined();
    const { page: owners } = await fetchPage(service, 'nftOwners', { address: apes, tokenId: 1n });
    expect(owners.status).toBe('SYNCING');

    const task = `index eth contract-${apes}`;
    tasks.pause(task);
    held.open();
    await expect.poll(() => reports.at(-1)).toMatchObject({ task, chain: 'eth', address: apes, isRunning: false });
    const paused = reports.at(-1);
    expect(paused?.done).toBeLessThan(paused?.total ?? 0);
    const before = node.calls.length;
    expect(rangesOf(node.calls).some(range => Number(range.toBlock) === HEIGHT)).toBe(false);

    expect(await whole(service)).toEqual(await ofApes());
    const resumed = Math.min(...rangesOf(node.calls.slice(before)).map(range => Number(range.fromBlock)));
    expect(resumed, 'nothing is read twice').toBe((paused?.done ?? 0) + HEIGHT + 1 - (paused?.total ?? 0));
    expect(node.calls.slice(before).filter(call => call.method === 'eth_getCode')).toEqual([]);
  });

  it('paused at its first step answers from it, and resumes without a request', async () => {
    const held = gate(0);
    stops.push(async () => held.open());
    const node = await front({ range: RANGES, override: held.override });
    const reports: Progress[] = [];
    const tasks = createTaskRegistry({ clock: systemClock, report: progress => reports.push(progress) });
    const service = serve(node.url, { tasks });
    const asked = service.send('contractNftTransfers', { address: apes });
    await expect.poll(() => rangesOf(node.calls).length).toBeGreaterThan(1);
    const task = `index eth contract-${apes}`;
    tasks.pause(task);
    held.open();
    expect((await asked).body, 'no request waits for a paused index').toMatchObject({ index_complete: false });
    await expect.poll(() => reports.at(-1)?.isRunning ?? false).toBe(false);
    tasks.resume(task);
    await expect.poll(() => rangesOf(node.calls).some(range => Number(range.toBlock) === HEIGHT)).toBe(true);
    expect(await whole(service)).toEqual(await ofApes());
  });

  it('of a wallet lists only holdings that the contracts confirm', async () => {
    const { anvil, chain } = world;
    const { owners } = await readChain(anvil, new Map());
    const owned = new Map(owners.map(owner => [`${owner.token_address} ${owner.token_id} ${owner.owner_of}`, owner]));
    let left = 0;
    for (const account of [chain.accounts.alice, chain.accounts.bob]) {
      const held = gate(40);
      const node = await front({ range: { ...RANGES, blocks: 4 }, override: held.override });
      stops.push(async () => held.open());
      const service = serve(node.url);
      const { page } = await fetchPage(service, 'walletNfts', { address: account });
      expect(page.status).toBe('SYNCING');
      for (const record of page.result) {
        const { token_address, token_id, owner_of, amount } = record as Record<string, string>;
        expect(owned.get(`${token_address} ${token_id} ${owner_of}`)?.['amount']).toBe(amount);
      }
      const named = page.result.length;
      left += named;
      held.open();
    }
    expect(left).toBeGreaterThan(3);
  });

  it('survives a node that rejects requests for a while', async () => {
    let refusals = 0;
    /** The range that is never answered the first time: only this request is given up soon. */
    let hung: string | null = null;
    const node = await front({
      range: RANGES,
      override({ params }, _honest) {
        if (refusals >= 1 || hung === null || JSON.stringify(params) !== hung) return undefined;
        refusals++;
        return new Promise(() => {});
      },
    });
    const getTimeoutMs = (body: string) => {
      const calls = [JSON.parse(body) as ScriptedCall | ScriptedCall[]].flat();
      const call = calls.find(
        ({ method, params }) => method === 'eth_getLogs' && Number((params[0] as Range).toBlock) >= 200,
      );
      if (hung !== null || call === undefined) return 60_000;
      hung = JSON.stringify(call.params);
      return 1_000;
    };
    const service = serve(node.url, { getTimeoutMs });
    const rows = await whole(service);
    expect(refusals).toBe(1);
    expect(rows).toEqual(await ofApes());
  });

  it('survives a restart in a file of its own, without being read again', async () => {
    const folder = createTemporaryFolder('hexlens-public-');
    const openStore = createStoreOpener({ folder }, silentLog);
    const node = await front({ range: RANGES });
    const first = startService({ eth: node.url }, { openStore });
    const rows = await whole(first);
    await first.stop();
    expect(await readdir(folder)).toEqual([
      expect.stringMatching(new RegExp(`^1-[0-9a-f]{16}-contract-${apes}\\.db$`)),
    ]);
    const before = node.calls.length;
    const second = serve(node.url, { openStore });
    const page = await transfers(second);
    expect(page).toMatchObject({ index_complete: true, result: rows });
    expect(rangesOf(node.calls.slice(before))).toEqual([]);
  });
});

describe('a reorg near the head', () => {
  it('is rolled back to the common ancestor, and only later blocks are read again', async () => {
    const { anvil } = world;
    const outer = await anvil.rpc('evm_snapshot');
    stops.push(() => anvil.rpc('evm_revert', [outer]));
    const node = await front({ range: RANGES });
    const service = serve(node.url);
    await mint(800_001n);
    const fork = await anvil.rpc('evm_snapshot');
    await mint(800_002n);
    await mint(800_003n);
    expect(await whole(service)).toEqual(await ofApes());
    await anvil.rpc('evm_revert', [fork]);
    await mint(800_004n);
    await mint(800_005n);
    await mint(800_006n);
    const before = node.calls.length;
    await expect.poll(async () => ((await whole(service))[0] as { token_id: string }).token_id).toBe('800006');
    expect(await whole(service)).toEqual(await ofApes());
    const lowest = Math.min(...rangesOf(node.calls.slice(before)).map(range => Number(range.fromBlock)));
    expect(lowest, 'what is final stays').toBeGreaterThan(HEIGHT - 64);
    for (const [id, status] of [
      [800_002n, 0],
      [800_004n, 1],
    ] as const)
      expect((await fetchSyncedPage(service, 'nftOwners', { address: apes, tokenId: id })).result).toHaveLength(status);
  });
});

describe('a node with invalid responses', () => {
  const lies: Readonly<Record<string, (logs: readonly Readonly<Record<string, unknown>>[]) => unknown>> = {
    'a log of another contract': logs => logs.map(log => ({ ...log, address: `0x${'ab'.repeat(20)}` })),
    'a log outside the range': logs => logs.map(log => ({ ...log, blockNumber: '0xfffff' })),
    'no list': () => ({}),
  };
  for (const [what, lie] of Object.entries(lies))
    it(`${what}: a 502 that says so, and nothing of it is stored`, async () => {
      let lying = true;
      const node = await front({
        override({ method }, honest) {
          if (method !== 'eth_getLogs' || !lying) return undefined;
          return honest().then(reply => ('result' in reply ? { result: lie(reply.result as []) } : reply));
        },
      });
      const service = serve(node.url);
      const reply = await service.send('contractNftTransfers', { address: apes });
      expect(reply).toMatchObject({ status: 502, headers: { 'x-hexlens-fault': 'node-answer' } });
      lying = false;
      const wanted = await ofApes();
      // On a busy machine the next reply may be the fault of the run before.
      await expect.poll(() => whole(service)).toEqual(wanted);
    });
});
