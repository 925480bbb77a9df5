// Histograms of rows per block and over time: summary, table, and the rows of one bar.

// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import { type ConnectedPanelOptions, ok } from './connectedPanel.ts';
import { find } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();

const address = `0x${'11'.repeat(20)}`;
const hash = (seed: number) => `0x${seed.toString(16).padStart(64, '0')}`;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Logs of blocks 100 to 104: one, two, none, none, three. */
const BLOCKS = [104, 104, 104, 101, 101, 100];
const timeOf = (block: number) => new Date(Date.UTC(2023, 10, 14, 22, block - 100)).toISOString();

const place = (block: number, index: number) => ({
  block_timestamp: timeOf(block),
  block_number: String(block),
  block_hash: hash(block),
  transaction_hash: hash(1_000 + index),
});

const logs = (cursor: string | null): ConnectedPanelOptions => ({
  target: { kind: 'operation', operation: 'contractLogs', parameters: { address, chain: 'local' } },
  reply: () =>
    ok({
      total: null,
      page: 1,
      page_size: 100,
      cursor,
      result: BLOCKS.map((block, index) => ({
        ...place(block, index),
        address,
        data: '0x',
        topic0: index === 0 ? hash(7) : TRANSFER,
        topic1: null,
        topic2: null,
        topic3: null,
        transaction_index: 0,
        log_index: index,
      })),
    }),
});

async function openChart(options: ConnectedPanelOptions): Promise<void> {
  await open(options);
  await shows(/\d rows/);
  find(document, '[data-tab=chart]')?.click();
  await eventually(() =>
    expect(find(document, 'hl-histogram')?.shadowRoot?.querySelector('hl-bar-chart')).toBeInstanceOf(HTMLElement),
  );
}

const table = () =>
  [...(find(document, 'hl-histogram')?.shadowRoot?.querySelectorAll('tbody tr') ?? [])].map(row =>
    [...row.children].map(cell => cell.textContent).join(' '),
  );

describe('logs per block', () => {
  test('have a summary and a table, which say what is not counted', async () => {
    await openChart(logs('next'));
    await shows('Logs per block');
    await shows('Counted: the 6 rows loaded so far; there are more. Blocks 100 to 104; the most rows (3) in 104.');
    expect(table()).toEqual(['100 1', '101 2', '104 3']);
  });

  test('open the rows of one bar, and respect the filter', async () => {
    const { connected } = await open(logs(null));
    await shows('6 rows');
    find(document, '[data-tab=chart]')?.click();
    await shows('Counted: all 6 rows.');
    [...(find(document, 'hl-histogram')?.shadowRoot?.querySelectorAll('a') ?? [])].at(-1)?.click();
    await shows('3 of 6 rows');
    await eventually(() => expect(JSON.stringify(connected.state)).toContain('block:104..104'));
    find(document, '[data-tab=chart]')?.click();
    await shows('Counted: 3 of 6 rows that match the filter.');
    expect(table()).toEqual(['104 3']);
  });

  test('are counted over time when the user selects it', async () => {
    await openChart(logs(null));
    const select = find(find(document, 'hl-histogram')?.shadowRoot ?? document, 'select') as HTMLSelectElement;
    select.value = 'time';
    select.dispatchEvent(new Event('change'));
    await shows('Logs over time');
    await eventually(() => expect(table()).toHaveLength(3));
    expect(table()[0]).toBe('2023-11-14 22:00:00 UTC 1');
  });
});

describe('by keyboard', () => {
  test('announces each bar, and Enter shows its rows', async () => {
    await openChart(logs(null));
    const slider = await eventually(() => {
      const found = find(document, '[role=slider]');
      expect(found).not.toBeNull();
      return found;
    });
    const press = (key: string) => slider?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    press('ArrowRight');
    press('ArrowRight');
    await eventually(() => expect(slider?.getAttribute('aria-valuetext')).toBe('101: 2'));
    press('End');
    await eventually(() => expect(slider?.getAttribute('aria-valuetext')).toBe('104: 3'));
    press('Enter');
    await shows('3 of 6 rows');
  });
});

test('transfers are counted over time', async () => {
  await openChart({
    target: { kind: 'operation', operation: 'contractNftTransfers', parameters: { address, chain: 'local' } },
    reply: () =>
      ok({
        cursor: null,
        result: BLOCKS.map((block, index) => ({
          ...place(block, index),
          token_address: address,
          token_id: String(index),
        })),
      }),
  });
  await shows('Transfers over time');
  expect(table()).toHaveLength(3);
});

test('a chart whose library cannot be loaded says so and gives the summary', async () => {
  vi.doMock('uplot', () => {
    throw new Error('The file is damaged.');
  });
  const getContext = vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({} as never);
  try {
    await openChart(logs(null));
    await eventually(() => expect(find(document, 'hl-bar-chart hl-fault-message, hl-fault-message')).not.toBeNull());
    await shows('the most rows (3) in 104.');
  } finally {
    getContext.mockRestore();
    vi.doUnmock('uplot');
  }
});
