// Time from a mined block to the answer with its transfer, on a chain with a block every 12 s behind a remote gateway that lags.
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { defaultConfiguration } from '../../src/api/configuration.ts';
import { encodeRequest } from '../../src/api/wire/request.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import type { StoppableHttp } from '../../src/worker/components.ts';
import { createNodeBackend } from '../../src/worker/nodeBackend.ts';
import { startAnvil } from '../support/chain/anvil.ts';
import { apesAbi, encodeData } from '../support/chain/contractAbis.ts';
import { fillChain } from '../support/chain/fillChain.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { createFakeClock } from '../support/fakeClock.ts';
import { startFaultyNode, stopAt } from '../support/faultyNode.ts';
import { createTestLog } from '../support/testClock.ts';

const BLOCKS = 4;
const BLOCK_TIME_MS = 12_000;
/** Each request to the gateway takes so long. */
const ROUND_TRIP_MS = 150;
/** One of the two nodes behind the load balancer gets each block so late. */
const LAG_MS = 500;
/** A client sends its request again so long after an answer without the block. */
const POLL_MS = 250;
/** Nothing is sent in so many rounds of so long: what is under way waits for the clock. */
const QUIET_ROUNDS = 4;
const QUIET_MS = 20;

/** Its time passes only while all that is under way sleeps, so that no machine is too slow for it. */
function createSimulation() {
  const clock = createFakeClock('manual');
  let sending = 0;
  let sent = 0;
  return {
    clock,
    /** Runs `send` after a round trip. */
    async send<T>(send: () => Promise<T>): Promise<T> {
      await clock.sleep(ROUND_TRIP_MS);
      sending++;
      sent++;
      return send().finally(() => sending--);
    },
    /** Lets time pass until the work is done. */
    async run<T>(work: Promise<T>): Promise<T> {
      let isDone = false;
      const done = work.finally(() => {
        isDone = true;
      });
      done.catch(() => {}); // returned below
      let quietRounds = 0;
      for (let before = -1; !isDone; before = sent) {
        await Promise.race([done.catch(() => {}), setTimeout(QUIET_MS)]);
        const next = clock.getNextWake();
        quietRounds = sending > 0 || sent !== before || next === null ? 0 : quietRounds + 1;
        if (isDone || next === null || quietRounds < QUIET_ROUNDS) continue;
        quietRounds = 0;
        clock.advance(Math.max(0, next - clock.now()));
      }
      return done;
    },
  };
}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

it('is below 2 s for the median, and below 10 s for all', async () => {
  const anvil = await startAnvil({ chainId: 1 });
  ends.push(() => anvil.stop());
  const { accounts, contracts } = await fillChain(anvil, { blocks: 24 });
  const simulation = createSimulation();
  const { clock } = simulation;
  let head = Number(await anvil.rpc('eth_blockNumber'));
  let minedAt = Number.NEGATIVE_INFINITY;
  let calls = 0;
  const gateway = await startFaultyNode(anvil.url, {
    fault: (call, honest, count) =>
      clock.now() - minedAt < LAG_MS && calls++ % 2 === 0 ? stopAt(head - 1)(call, honest, count) : undefined,
  });
  ends.push(() => gateway.stop());
  const createHttp = (...options: Parameters<typeof createUndiciHttp>): StoppableHttp => {
    const http = createUndiciHttp(...options);
    return {
      send: request => simulation.send(() => http.send({ ...request, url: gateway.url })),
      stop: () => http.stop(),
    };
  };
  const backend = createNodeBackend({
    log: createTestLog(),
    clock,
    createHttp: (proxy, timeoutMs) => createHttp(proxy, { timeoutMs }),
  });
  ends.push(() => backend.stop());
  backend.configure({ ...defaultConfiguration, nodes: { eth: 'https://node.example' } });
  const request = encodeRequest('contractNftTransfers', { chain: 'eth', address: contracts.apes, limit: 1 });
  const readNewest = async (): Promise<number> => {
    const { status, body } = await simulation.run(backend.call(request, { forProgram: true }));
    const { result } = body as { readonly result?: readonly { readonly block_number: string }[] };
    return status === 200 ? Number(result?.[0]?.block_number ?? -1) : -1;
  };
  while ((await readNewest()) < 0) simulation.clock.advance(POLL_MS);
  const latencies: number[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    simulation.clock.advance(BLOCK_TIME_MS);
    const data = encodeData(apesAbi.mint, [accounts.alice, 700_000n + BigInt(block)]);
    head = (await mineBlock(anvil, [{ from: accounts.deployer, to: contracts.apes, data }])).number;
    minedAt = clock.now();
    while ((await readNewest()) < head) simulation.clock.advance(POLL_MS);
    latencies.push(clock.now() - minedAt);
  }
  latencies.sort((a, b) => a - b);
  expect(latencies[BLOCKS / 2]).toBeLessThan(2_000);
  expect(latencies.at(-1)).toBeLessThan(10_000);
});
