// What a command waits for: an index that goes on, and none that stands still.
import { expect, test } from 'vitest';
import type { WireReply } from '../../../src/api/wire/request.ts';
import { waitForIndex } from '../../../src/cli/waitForIndex.ts';

const behind = (block: number): WireReply => ({
  status: 200,
  headers: { 'x-hexlens-index': `syncing; block ${block} of 99` },
  body: block,
});
const whole: WireReply = { status: 404, headers: {}, body: 'whole' };

/** Each question takes 1.5 seconds. */
async function through(replyTo: (asked: number) => WireReply) {
  let asked = 0;
  const said: string[] = [];
  const reply = await waitForIndex(
    async () => replyTo(++asked),
    sentence => said.push(sentence),
    () => asked * 1_500,
  );
  return { body: reply.body, asked, said };
}

test('an answer over a whole index is the first', async () => {
  expect(await through(() => whole)).toEqual({ body: 'whole', asked: 1, said: [] });
});

test('an index that goes on is waited for, and said so now and then', async () => {
  const { body, asked, said } = await through(number => (number <= 60 ? behind(number) : whole));
  expect([body, asked]).toEqual(['whole', 61]);
  expect(said).toHaveLength(15);
  expect(said[0]).toBe('Waiting for the index of the chain (syncing; block 4 of 99).');
});

test('one that stands still is not', async () => {
  const { body, asked, said } = await through(number => behind(Math.min(number, 7)));
  expect([body, asked]).toEqual([7, 28]);
  expect(said.at(-1)).toBe('The index of the chain stands still (syncing; block 7 of 99): this is what it holds.');
});
