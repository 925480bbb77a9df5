// A search for logs that takes long says how far it is, and ends when nobody waits for it any more.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Progress } from '../../src/api/workerProtocol.ts';
import { systemClock } from '../../src/base/clock.ts';
import { startService } from '../support/filledChain.ts';
import { lower } from '../support/nftPages.ts';
import { type PublicChain, startPublicChain, startPublicNode } from '../support/publicNode.ts';

const HEIGHT = 400;
const range = { blocks: 20, message: (blocks: number) => `Max range: ${blocks}` };
/** Milliseconds of the test's clock that the node takes for each range: less than all of them may take. */
const RANGE_MS = 300;

let world: PublicChain;
beforeAll(async () => {
  world = await startPublicChain(HEIGHT);
});
afterAll(() => world?.anvil.stop());

async function stage(stop: (ranges: number) => void = () => {}) {
  let now = Date.now();
  let ranges = 0;
  const said: Progress[] = [];
  const node = await startPublicNode(world.anvil.url, {
    range,
    override({ method }) {
      if (method !== 'eth_getLogs') return undefined;
      now += RANGE_MS;
      stop(++ranges);
      return undefined;
    },
  });
  const service = startService(
    { eth: node.url },
    { clock: { now: () => now, sleep: systemClock.sleep }, onProgress: progress => said.push(progress) },
  );
  return {
    said,
    service,
    ranges: () => ranges,
    async end() {
      await service.stop();
      await node.stop();
    },
  };
}
const input = () => ({ address: lower(world.chain.contracts.apes), disableTotal: false });

it('says how many of its blocks were searched, and its end', async () => {
  const { said, service, end } = await stage();
  try {
    expect((await service.send('contractLogs', input())).status).toBe(200);
    expect(said.length).toBeGreaterThan(3);
    const [first] = said;
    for (const { kind, chain, address, task, total } of said)
      expect({ kind, chain, address, task, total }).toEqual({
        kind: 'logs',
        chain: 'eth',
        address: input().address,
        task: first?.task,
        total: HEIGHT + 1,
      });
    expect(said.map(({ done }) => done)).toEqual(said.map(({ done }) => done).toSorted((a, b) => a - b));
    expect(said.map(({ isRunning }) => isRunning).indexOf(false)).toBe(said.length - 1);
    expect(said.at(-1)).toMatchObject({ done: HEIGHT + 1, isRunning: false });
  } finally {
    await end();
  }
});

it('ends with the request', async () => {
  const controller = new AbortController();
  const { said, service, ranges, end } = await stage(asked => asked === 6 && controller.abort());
  try {
    await expect(service.send('contractLogs', input(), controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(said.at(-1)).toMatchObject({ isRunning: false });
    expect(said.at(-1)?.done).toBeLessThan(HEIGHT);
    expect(ranges()).toBeLessThan(10);
  } finally {
    await end();
  }
});
