// Waiting for an index: as long as it makes progress.
import { expect, test } from 'vitest';
import type { WireReply } from '../../../src/api/wire/request.ts';
import { waitForIndex } from '../../../src/cli/callCommand.ts';

const behind = (block: number): WireReply => ({
  status: 200,
  headers: { 'x-hexlens-index': `syncing; block ${block} of 99` },
  body: block,
});
const synced: WireReply = { status: 404, headers: {}, body: 'synced' };

/** Each request takes 1.5 seconds. */
async function runWith(replyTo: (attempt: number) => WireReply) {
  let attempts = 0;
  const reports: string[] = [];
  const reply = await waitForIndex(
    async () => replyTo(++attempts),
    sentence => reports.push(sentence),
    () => attempts * 1_500,
  );
  return { body: reply.body, attempts, reports };
}

test('a reply of a synced index is returned at once', async () => {
  expect(await runWith(() => synced)).toEqual({ body: 'synced', attempts: 1, reports: [] });
});

test('an index with progress is waited for, and its progress is reported now and then', async () => {
  const { body, attempts, reports } = await runWith(number => (number <= 60 ? behind(number) : synced));
  expect([body, attempts]).toEqual(['synced', 61]);
  expect(reports).toHaveLength(15);
  expect(reports[0]).toBe('Waiting for the index of the chain (syncing; block 4 of 99).');
});

test('an index without progress is not waited for', async () => {
  const { body, attempts, reports } = await runWith(number => behind(Math.min(number, 7)));
  expect([body, attempts]).toEqual([7, 28]);
  expect(reports.at(-1)).toBe(
    'The index of the chain makes no progress (syncing; block 7 of 99): this is what it holds.',
  );
});
