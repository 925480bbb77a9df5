// One chain behind two real nodes: one that stops, one that is behind, one of another chain.
import { afterAll, afterEach, expect, it } from 'vitest';
import { defaultProxyConfiguration } from '../../src/api/configuration.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { createCancelledFault } from '../../src/base/errors.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { createEvmNodes } from '../../src/service/evm/evmNodes.ts';
import { type Anvil, type AnvilOptions, startAnvil } from '../support/chain/anvil.ts';
import { fillChain } from '../support/chain/fillChain.ts';
import { startService } from '../support/filledChain.ts';
import { NODE_TIMEOUT_MS } from '../support/indexFixture.ts';
import { fetchSyncedPage } from '../support/nftPages.ts';
import { createTestLog } from '../support/testClock.ts';

const http = createUndiciHttp(defaultProxyConfiguration);
const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.stop();
});
afterAll(() => http.stop());

async function start(options: AnvilOptions = {}): Promise<Anvil> {
  const anvil = await startAnvil({ chainId: 1, timestamp: 1_700_000_000, ...options });
  running.push(anvil);
  return anvil;
}

/** Nothing takes long enough for a second node to be asked beside the first: a busy machine must not seem slow. */
const clock: Clock = {
  ...systemClock,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (ms < 1_500) resolve();
      if (signal?.aborted === true) reject(createCancelledFault());
      signal?.addEventListener('abort', () => reject(createCancelledFault()));
    }),
};

async function findNode(urls: readonly string[]) {
  const log = createTestLog();
  const nodes = createEvmNodes({ nodes: { eth: urls }, http, clock, log, timeoutMs: NODE_TIMEOUT_MS });
  return { node: await nodes.find('eth'), log };
}

it('lists continue on the second node when the first one stops', async () => {
  const [one, two] = await Promise.all([start(), start()]);
  const [chain] = await Promise.all([fillChain(one, { blocks: 24 }), fillChain(two, { blocks: 24 })]);
  const service = startService({ eth: [one.url, two.url] });
  running.push(service);
  const address = chain.contracts.apes;
  const before = await fetchSyncedPage(service, 'contractNftTransfers', { address });
  expect(before.result.length).toBeGreaterThan(0);
  await one.stop();
  await two.rpc('anvil_mine', ['0x3']);
  const after = await fetchSyncedPage(service, 'contractNftTransfers', { address });
  expect(after.result).toEqual(before.result);
  const height = Number(await two.rpc('eth_blockNumber'));
  expect(await service.get('block', { block: height })).toMatchObject({ number: height });
});

it('the head is that of the node that is ahead, and does not go back when it stops', async () => {
  const [behind, ahead] = await Promise.all([start(), start()]);
  await Promise.all([behind.rpc('anvil_mine', ['0x5']), ahead.rpc('anvil_mine', ['0x14'])]);
  const { node, log } = await findNode([behind.url, ahead.url]);
  expect((await node.fetchState()).headNumber).toBe(20);
  expect(log.of('warn').join()).toContain(
    `(${new URL(behind.url).host}) is behind another node of its chain (blocks: 15)`,
  );
  await ahead.stop();
  await expect(node.fetchState()).rejects.toMatchObject({ code: 'node-unreachable' });
  await behind.rpc('anvil_mine', ['0x10']);
  const heads: number[] = [];
  await expect
    .poll(async () => {
      heads.push(
        await node.fetchState().then(
          ({ headNumber }) => headNumber,
          () => 0,
        ),
      );
      return heads.at(-1);
    })
    .toBe(21);
  expect(new Set(heads)).toEqual(new Set([...(heads.includes(0) ? [0] : []), 21]));
});

it('a node of another chain is refused by name, whether its id or its first block differs', async () => {
  const [one, other, fork] = await Promise.all([start(), start({ chainId: 5 }), start({ timestamp: 1_600_000_000 })]);
  const { node, log } = await findNode([other.url, fork.url, one.url]);
  expect(await node.fetchState()).toMatchObject({ chain: { id: 1 } });
  expect(node.rpc.host, 'the first node of the right id decides which chain it is').toBe(new URL(fork.url).host);
  expect(log.of('warn').join()).toContain(`(${new URL(other.url).host}) is chain 5`);
  expect(log.of('warn').join()).toContain(`(${new URL(one.url).host}) has another first block`);
});
