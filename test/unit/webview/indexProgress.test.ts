// Pages whose rows come from an index that is still being built.

// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import type { Progress } from '../../../src/api/workerProtocol.ts';
import { ok } from './connectedPanel.ts';
import { find, textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const fixture = createPageFixture();

const apes = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const step = (done: number, change: Partial<Progress> = {}): Progress => ({
  task: 'index local apes',
  kind: 'index',
  chain: 'local',
  address: apes,
  done,
  total: 400,
  isRunning: true,
  ...change,
});
const pageOf = (rows: number, status: 'SYNCED' | 'SYNCING', cursor: string | null = null) =>
  ok({
    status,
    cursor,
    page: 1,
    page_size: 100,
    result: Array.from({ length: rows }, (_, at) => ({ token_address: apes, token_id: String(at), amount: '1' })),
  });

/** `reply` gets the number of the request, beginning with 1. */
async function open(reply: (request: number) => ReturnType<typeof ok> | Promise<ReturnType<typeof ok>>) {
  let requestCount = 0;
  const { connected } = await fixture.open({
    target: { kind: 'operation', operation: 'walletNfts', parameters: { address: apes, chain: 'local' } },
    reply: () => reply(++requestCount),
  });
  return { connected, requestCount: () => requestCount };
}

const shown = () => textOf(document.body).replace(/\s+/g, ' ');
const press = (name: string) => {
  const button = [...(find(document, 'hl-operation')?.shadowRoot?.querySelectorAll('button') ?? [])].find(
    ({ textContent }) => textContent?.trim() === name,
  );
  if (button === undefined) throw new Error(`There is no ${name} in: ${shown()}`);
  button.click();
};

/** With the first item of the export menu. */
async function exportRows(): Promise<void> {
  find(document, '.export')?.click();
  await eventually(() => expect(find(document, '[role=menuitem]')).not.toBeNull());
  find(document, '[role=menuitem]')?.click();
}

describe('a running operation', () => {
  test('shows the progress of the index; cancelling pauses it too, and the operation can be run again', async () => {
    const reply = Promise.withResolvers<ReturnType<typeof ok>>();
    const { connected } = await open(request => (request === 1 ? reply.promise : pageOf(3, 'SYNCED')));
    await shows('Running…');
    connected.progress(step(100, { address: '0x12', task: 'other' }));
    connected.progress(step(120));
    await shows('Running… 120 of 400 blocks (30%)');
    press('Cancel');
    await shows('Cancelled.');
    expect(connected.paused).toEqual(['index local apes']);
    reply.resolve(pageOf(1, 'SYNCED'));
    press('Run again');
    await shows('3 rows');
  });
});

describe('a reply from an incomplete index', () => {
  test('shows the progress, pauses, resumes, and is replaced by the complete reply', async () => {
    const replies = [pageOf(2, 'SYNCING'), pageOf(3, 'SYNCING'), pageOf(7, 'SYNCED')];
    const { connected, requestCount } = await open(request => replies[request - 1] ?? ok({}));
    await shows('2 rows');
    await shows('The index is still being built: rows may be missing.');
    connected.progress(step(200));
    await shows('The index is still being built: 200 of 400 blocks (50%). Rows may be missing.');
    press('Pause');
    await eventually(() => expect(connected.paused).toEqual(['index local apes']));
    connected.progress(step(220, { isRunning: false }));
    await shows('The index has stopped: 220 of 400 blocks (55%)');
    await exportRows();
    await eventually(() =>
      expect(connected.saved[0]).toMatchObject({ format: 'csv', incompleteIndex: { percent: 55 } }),
    );
    expect(requestCount()).toBe(1);
    press('Resume');
    await shows('3 rows');
    connected.progress(step(300));
    connected.progress(step(400, { isRunning: false }));
    await shows('7 rows');
    expect(shown()).not.toContain('The index');
    expect(requestCount()).toBe(3);
    await exportRows();
    await eventually(() => expect(connected.saved[1]).toMatchObject({ incompleteIndex: null }));
  });

  test('is requested again when the index was completed before it arrived', async () => {
    const reply = Promise.withResolvers<ReturnType<typeof ok>>();
    const { connected, requestCount } = await open(request => (request === 1 ? reply.promise : pageOf(7, 'SYNCED')));
    await shows('Running…');
    connected.progress(step(400, { isRunning: false }));
    reply.resolve(pageOf(2, 'SYNCING'));
    await shows('7 rows');
    expect(requestCount()).toBe(2);
  });

  test('stays after the user has loaded more pages, until the user runs it again', async () => {
    const replies = [pageOf(2, 'SYNCING', 'more'), pageOf(2, 'SYNCING'), pageOf(7, 'SYNCED')];
    const { connected, requestCount } = await open(request => replies[request - 1] ?? ok({}));
    await shows('2 rows');
    press('Load more');
    await shows('4 rows');
    connected.progress(step(400, { isRunning: false }));
    await shows('The index is complete now.');
    expect(requestCount()).toBe(2);
    press('Show all rows');
    await shows('7 rows');
  });
});
