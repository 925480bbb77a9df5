// The inspector's page in a DOM: what it shows of blocks, of hostile data, and of faults.

// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import type { ChannelMessage } from '../../../src/base/callChannel.ts';
import { isObject } from '../../../src/base/isObject.ts';
import { createSyntheticBlock } from '../../support/chain/syntheticBlock.ts';
import { type ConnectedPanelOptions, ok } from './connectedPanel.ts';
import { find, textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();

const block = { kind: 'block', chain: 'local', block: '18000000' } as const;

/** The method of a notification, the kind of a part, else the type. */
const getKind = (message: ChannelMessage): string => {
  if (message.type === 'notify') return message.method;
  return message.type === 'part' && isObject(message.part) && 'kind' in message.part
    ? String(message.part['kind'])
    : message.type;
};

const oneBlock = (transactions: number, logs: number): ConnectedPanelOptions => ({
  target: block,
  reply: () => ok(createSyntheticBlock({ transactions, logs })),
});

describe('a block', () => {
  test('shows its first rows at once and the rest in chunks', async () => {
    const { connected } = await open(oneBlock(300, 5_000));
    await shows('Block 18,000,000');
    await shows('300 rows');
    await eventually(() => expect(connected.posted.map(getKind)).toContain('done'));
    const kinds = connected.posted.map(getKind).filter(kind => kind !== 'chainEvent');
    expect(kinds.slice(0, 2)).toEqual(['state', 'tables']);
    expect(kinds.filter(type => type === 'rows')).toHaveLength(4); // transactions once, logs three times
    expect(kinds.at(-1)).toBe('done');
  });

  test('renders only the visible rows', async () => {
    await open(oneBlock(1_500, 10));
    await shows('1,500 rows');
    const grid = find(document, '[role=grid]');
    expect(grid?.getAttribute('aria-rowcount')).toBe('1501');
    expect(grid?.querySelectorAll('[role=row]').length).toBeLessThan(60);
  });

  test('filters by conditions and exports exactly the rows shown', async () => {
    const { connected } = await open(oneBlock(100, 10));
    await shows('100 rows');
    const input = find(document, '.search input') as HTMLInputElement;
    input.value = 'status:failed';
    input.dispatchEvent(new Event('input'));
    await shows('4 of 100 rows');
    [...(find(document, '.bar')?.querySelectorAll('button') ?? [])].at(-1)?.click();
    const entry = await eventually(() => {
      const found = find(document, '[role=menuitem]');
      expect(found).not.toBeNull();
      return found;
    });
    entry?.click();
    await eventually(() => expect(connected.saved).toHaveLength(1));
    expect((await connected.saved[0]?.table)?.rows).toHaveLength(4);
    expect(connected.saved[0]?.format).toBe('csv');
  });

  test('opens a transaction and goes back by keyboard', async () => {
    const { connected } = await open(oneBlock(3, 0));
    await shows('3 rows');
    const grid = find(document, '[role=grid]');
    const press = (key: string) => grid?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    press('ArrowDown');
    press('ArrowRight');
    press('ArrowRight');
    press('Enter');
    await eventually(() => expect(connected.session.target().kind).toBe('transaction'));
    await shows(/Block 18,000,000 .*Transaction 0x/);
    find(document, 'button[aria-label=Back]')?.click();
    await eventually(() => expect(connected.session.target()).toEqual(block));
  });

  test('keeps the focus on the button for the next block when the page changes', async () => {
    const focused = () => {
      let found = document.activeElement;
      while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
      return found;
    };
    const { connected } = await open(oneBlock(1, 0));
    await shows('1 row');
    const next = find(document, '[data-focus-key=chevron-right]');
    next?.focus();
    expect(focused()).toBe(next);
    next?.click();
    await eventually(() => expect(connected.session.target()).toEqual({ ...block, block: '18000001' }));
    await eventually(() => {
      expect(next?.isConnected).toBe(false);
      expect(focused()?.getAttribute('data-focus-key')).toBe('chevron-right');
    });
  });

  test('persists history and tab for a reloaded window', async () => {
    const { connected } = await open(oneBlock(2, 2));
    await shows('2 rows');
    find(document, '[data-tab=logs]')?.click();
    await eventually(() => expect(JSON.stringify(connected.state)).toContain('logs'));
    expect(connected.state).toMatchObject({ stops: [{ id: 1, target: block }], at: 0, pinned: false });
  });
});

describe('hostile data', () => {
  const hostile = '<img src=x onerror=alert(1)>\u202egnp.exe\u200b';

  test('is shown as text, with invisible characters made visible', async () => {
    const { page } = await open({
      target: {
        kind: 'operation',
        operation: 'walletNfts',
        parameters: { address: `0x${'11'.repeat(20)}`, chain: 'local' },
      },
      reply: () =>
        ok({
          status: 'SYNCED',
          cursor: null,
          result: [
            {
              token_address: `0x${'22'.repeat(18)}dead`,
              token_id: '1',
              name: hostile,
              symbol: '__proto__',
              token_uri: 'javascript:alert(1)',
              metadata: JSON.stringify({ name: hostile, image: 'data:text/html,<script>alert(1)</script>' }),
            },
          ],
        }),
    });
    await shows('<img src=x onerror=alert(1)>·gnp.exe·');
    await shows('<b>Burn</b>·');
    expect(find(document, 'img')).toBeNull();
    find(document, '[data-tab=pictures]')?.click();
    await eventually(() => expect(find(document, 'hl-image-gallery')).not.toBeNull());
    await page.updateComplete;
    expect(find(document, 'img')).toBeNull();
    expect(textOf(page)).not.toContain('\u202e');
  });

  test('of a megabyte is shortened until the user expands it', async () => {
    const { page } = await open({
      target: { kind: 'operation', operation: 'nftLowestPrice', parameters: { address: `0x${'11'.repeat(20)}` } },
      reply: () => ok({ transaction_hash: `0x${'aa'.repeat(32)}`, token_ids: Array(300_000).fill('7'), price: '1' }),
    });
    await shows(/Show all [\d,]+ characters/);
    expect(textOf(page).length).toBeLessThan(20_000);
  });
});

describe('faults', () => {
  const unreachable = {
    status: 502,
    headers: { 'x-hexlens-fault': 'node-unreachable' },
    body: { message: 'The node cannot be reached' },
  };
  const status = (head: number | null) => ({
    selector: 'local',
    chain: null,
    source: 'node',
    head,
    headTime: null,
    client: null,
    problem: head === null ? 'No node listens' : null,
  });

  test('of a lost node are shown once, with what the user can do', async () => {
    const { connected } = await open({ target: block, reply: () => unreachable, lookup: () => status(null) });
    await shows('The node cannot be reached');
    await eventually(() =>
      expect(connected.posted).toContainEqual(
        expect.objectContaining({ method: 'chainEvent', params: expect.objectContaining({ head: null }) }),
      ),
    );
    await eventually(() => expect(textOf(document.body)).not.toContain('No node listens'));
    expect(document.querySelectorAll('hl-inspector')).toHaveLength(1);
    expect(find(document, '[role=alert].box')).not.toBeNull();
  });

  test('of a lost node are in the banner when the page shows a reply', async () => {
    let head: number | null = 18_000_000;
    await open({
      ...oneBlock(1, 0),
      following: true,
      lookup: id => (id === 'chainStatus' ? status(head) : undefined),
    });
    await shows('1 row');
    head = null;
    await shows('No node listens');
  });

  test('of a lost node keep what was read on the page, with its age and a retry', async () => {
    let isLost = false;
    await open({
      target: block,
      reply: () => (isLost ? unreachable : ok(createSyntheticBlock({ transactions: 1, logs: 0 }))),
    });
    await shows('1 row');
    isLost = true;
    find(document, 'button[title="Refresh"]')?.click();
    await shows(/Shown as read (just now|\d+ (?:second|minute)s? ago)\. Try again/); // on a slow machine it is not just now any more
    await shows('1 row');
    expect(find(document, '[role=alert].box')).toBeNull();
    isLost = false;
    find(document, 'p.warning button')?.click();
    await eventually(() => expect(textOf(document.body)).not.toContain('Shown as read'));
    await shows('1 row');
  });

  test('of a node that is back before the first poll cause one refresh', async () => {
    let requestCount = 0;
    await open({
      target: block,
      following: true,
      reply: () => (++requestCount === 1 ? unreachable : ok(createSyntheticBlock({ transactions: 1, logs: 0 }))),
    });
    await shows('1 row');
    expect(requestCount).toBe(2);
  });

  test('that persist do not cause further refreshes', async () => {
    let requestCount = 0;
    let looked = 0;
    await open({
      target: block,
      following: true,
      reply: () => {
        requestCount++;
        looked = 0;
        return unreachable;
      },
      lookup: id => {
        if (id === 'chainStatus') looked++;
        return id === 'chainStatus' ? status(18_000_000) : undefined;
      },
    });
    await eventually(() => expect(requestCount).toBe(2));
    await eventually(() => expect(looked).toBeGreaterThan(20));
    expect(requestCount).toBe(2);
  });

  test('say what the user can do, and Try again repeats the request', async () => {
    let requestCount = 0;
    await open({
      target: block,
      reply: () => {
        requestCount++;
        return requestCount === 1
          ? { status: 404, headers: { 'x-hexlens-fault': 'not-found' }, body: { message: 'Block not found' } }
          : ok(createSyntheticBlock({ transactions: 1, logs: 0 }));
      },
    });
    await shows('Block not found on Local dev chain');
    await shows('No other chain is configured.');
    find(document, 'hl-fault-message button')?.click();
    const retry = find(document, '.box button.action');
    retry?.click();
    await shows('1 row');
  });

  test('name the chain that has no transaction or block, its newest block, and that others were not queried', async () => {
    const missing = { status: 404, headers: { 'x-hexlens-fault': 'not-found' }, body: { message: 'not found' } };
    const lookup = (id: string) => (id === 'chainStatus' ? status(18_000_000) : undefined);
    await open({ target: block, chains: ['local', 'eth'], reply: () => missing, lookup });
    await shows('Block not found on Local dev chain');
    await shows('Its newest block is 18,000,000. Other chains were not queried: choose one in the toolbar.');
    await open({
      target: { kind: 'transaction', chain: 'eth', hash: `0x${'4d'.repeat(32)}` },
      chains: ['local', 'eth'],
      reply: () => missing,
    });
    await shows('Transaction not found on Ethereum');
  });

  test('of a chain that was reset say so, and where to look instead', async () => {
    await open({
      target: { kind: 'transaction', chain: 'local', hash: `0x${'4d'.repeat(32)}` },
      wasReset: true,
      reply: () => ({
        status: 404,
        headers: { 'x-hexlens-fault': 'not-found' },
        body: { message: 'Transaction not found' },
      }),
    });
    await shows('Local dev chain was reset: what it had before is gone.');
    await shows('what it sends now is under the latest blocks');
  });
});
