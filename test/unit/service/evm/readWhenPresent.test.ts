// Blocks that a node lacks: those close to the head are read again, older ones are a fault at once.
import { expect, test } from 'vitest';
import type { EvmNode } from '../../../../src/service/evm/evmNode.ts';
import { type MissingBlock, readWhenPresent } from '../../../../src/service/evm/readWhenPresent.ts';
import { createTestClock } from '../../../support/testClock.ts';

const node = {
  getState: async () => ({ headNumber: 1_000 }),
  rpc: {
    invalidResponse: (method: string, problem: string, { fix }: { fix: string }) =>
      new Error(`${method}: ${problem}. ${fix}`),
  },
} as unknown as EvmNode; // all that it reads

async function read(...replies: readonly (MissingBlock | { readonly logs: number })[]) {
  const clock = createTestClock();
  let next = 0;
  const reply = await readWhenPresent(
    async () => replies[Math.min(next++, replies.length - 1)] ?? { missing: 0 },
    { node, method: 'eth_getLogs', clock },
    undefined,
  ).catch((error: Error) => error.message);
  return { reply, sleeps: clock.sleeps };
}

test('a block close to the head is read again until it is there', async () => {
  expect(await read({ missing: 999 }, { missing: 998 }, { logs: 1 })).toEqual({
    reply: { logs: 1 },
    sleeps: [250, 500],
  });
  const { reply, sleeps } = await read({ missing: 998 });
  expect(reply).toBe(
    'eth_getLogs: it does not have block 998, which is not above its head. It may be behind: try again in a moment.',
  );
  expect(sleeps).toEqual([250, 500, 750, 1_000]);
});

test('for a block far below the head there is no wait', async () => {
  const { reply, sleeps } = await read({ missing: 5 }, { logs: 1 });
  expect(reply).toMatch(/^eth_getLogs: block 5 is missing below the head 1000\. It may have thrown old blocks away/);
  expect(sleeps).toEqual([]);
});
