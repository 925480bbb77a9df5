// A long log scan reports its progress, and ends when its request is aborted.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Progress } from '../../src/api/workerProtocol.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createTaskRegistry } from '../../src/service/taskRegistry.ts';
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
  const reports: Progress[] = [];
  const node = await startPublicNode(world.anvil.url, {
    range,
    override({ method }) {
      if (method !== 'eth_getLogs') return undefined;
      now += RANGE_MS;
      stop(++ranges);
      return undefined;
    },
  });
  const clock = { now: () => now, sleep: systemClock.sleep };
  const tasks = createTaskRegistry({ clock, report: progress => reports.push(progress) });
  const service = startService({ eth: node.url }, { clock, tasks });
  return {
    reports,
    service,
    ranges: () => ranges,
    async end() {
      await service.stop();
      await node.stop();
    },
  };
}
const input = () => ({ address: lower(world.chain.contracts.apes), disableTotal: false });

it('reports how many blocks were scanned, and the end', async () => {
  const { reports, service, end } = await stage();
  try {
    expect((await service.send('contractLogs', input())).status).toBe(200);
    expect(reports.length).toBeGreaterThan(3);
    const [first] = reports;
    for (const { kind, chain, address, task, total } of reports)
      expect({ kind, chain, address, task, total }).toEqual({
        kind: 'logs',
        chain: 'eth',
        address: input().address,
        task: first?.task,
        total: HEIGHT + 1,
      });
    expect(reports.map(({ done }) => done)).toEqual(reports.map(({ done }) => done).toSorted((a, b) => a - b));
    expect(reports.map(({ isRunning }) => isRunning).indexOf(false)).toBe(reports.length - 1);
    expect(reports.at(-1)).toMatchObject({ done: HEIGHT + 1, isRunning: false });
  } finally {
    await end();
  }
});

it('reports the end when the request is aborted', async () => {
  const controller = new AbortController();
  const { reports, service, ranges, end } = await stage(asked => asked === 6 && controller.abort());
  try {
    await expect(service.send('contractLogs', input(), controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(reports.at(-1)).toMatchObject({ isRunning: false });
    expect(reports.at(-1)?.done).toBeLessThan(HEIGHT);
    expect(ranges()).toBeLessThan(10);
  } finally {
    await end();
  }
});
