// The toolbar: its chain, its look-up, its commands; and what the session polls.

// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import type { ChannelMessage } from '../../../src/base/callChannel.ts';
import type { InspectorTarget } from '../../../src/protocol/inspectorTarget.ts';
import type { ChainEvent, InspectorState } from '../../../src/protocol/messages.ts';
import { createSyntheticBlock } from '../../support/chain/syntheticBlock.ts';
import { type ConnectedPanelOptions, ok } from './connectedPanel.ts';
import { find, textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();
const block: InspectorTarget = { kind: 'block', chain: 'local', block: '18000000' };
const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

const openPanel = (target: InspectorTarget = block, options: Partial<ConnectedPanelOptions> = {}) =>
  open({
    target,
    reply: ({ operation }) =>
      operation === 'block'
        ? ok(createSyntheticBlock({ transactions: 1, logs: 0 }))
        : ok({ result: [], cursor: null, page: 0, page_size: 25 }),
    ...options,
  });
const back = () => find(document, 'button[aria-label=Back]')?.click();
const shownText = () => textOf(document.body).replace(/\s+/g, ' ');

async function lookUp(text: string): Promise<void> {
  const form = await eventually(() => {
    const found = find(document, 'form[role=search]');
    expect(found).not.toBeNull();
    return found as HTMLFormElement;
  });
  const input = form.querySelector('input');
  if (input !== null) input.value = text;
  form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
}

test('the chain is that of the page, also after Back', async () => {
  const { connected } = await openPanel(block, { chains: ['local', 'eth'] });
  await shows('1 row');
  const select = find(document, 'select[aria-label=Chain]') as HTMLSelectElement;
  expect(select.value).toBe('local');
  select.value = 'eth';
  select.dispatchEvent(new Event('change'));
  await eventually(() => expect(connected.session.target()).toMatchObject({ chain: 'eth' }));
  await eventually(() => expect(find(document, 'button[aria-label=Back]')?.ariaDisabled).toBeFalsy());
  back();
  await eventually(() => expect(connected.session.target()).toMatchObject({ chain: 'local' }));
  await eventually(() => expect(select.value).toBe('local'));
});

describe('a look-up', () => {
  test('takes calldata, and answers for text that is too long', async () => {
    await openPanel();
    await lookUp(`0xa9059cbb${'00'.repeat(12)}${'ab'.repeat(20)}${'00'.repeat(31)}05${'00'.repeat(100)}`);
    await shows('transfer');
    await lookUp('x'.repeat(700_000));
    await shows('This input is invalid or too long.');
  });

  test('has no answer on the next page', async () => {
    const { connected } = await openPanel();
    await lookUp('0xa9059cbb');
    await shows('transfer(address,uint256)');
    connected.session.open({
      kind: 'operation',
      operation: 'contractLogs',
      parameters: { address: token, chain: 'local' },
    });
    await shows('No rows.');
    expect(shownText()).not.toContain('transfer(address,uint256)');
  });
});

const isState = (message: ChannelMessage) => message.type === 'notify' && message.method === 'state';
const logsOf = (parameters: object): InspectorTarget => ({
  ...{ kind: 'operation', operation: 'contractLogs' },
  parameters: { address: token, chain: 'local', ...parameters },
});

test.each<[InspectorTarget, readonly string[]]>([
  [block, ['cast', 'curl']],
  [{ ...block, block: 'latest' }, ['cast']],
  [{ kind: 'address', chain: 'local', address: token }, ['cast']],
  [logsOf({}), ['cast', 'curl']],
  [logsOf({ fromDate: '2026-11-21' }), ['curl']],
  [logsOf({ limit: 'many' }), ['cast']],
])('%j can be copied as %j', async (target, commands) => {
  const { connected } = await openPanel(target);
  const state = await eventually(() => {
    const found = connected.posted.find(isState);
    expect(found).toBeDefined();
    return found as { readonly params: InspectorState };
  });
  expect(state.params.commands).toEqual(commands);
  connected.session.receive({ type: 'notify', method: 'copyCommand', params: { form: 'curl', target } });
  expect(connected.copied).toHaveLength(commands.includes('curl') ? 1 : 0);
});

test('a chain is polled until its lost node is back, and not longer', async () => {
  let head: number | null = null;
  let pollCount = 0;
  const { connected } = await openPanel(
    { kind: 'transaction', chain: 'local', hash: `0x${'12'.repeat(32)}` },
    {
      following: true,
      isRemote: true,
      reply: () => ({ status: 502, headers: { 'x-hexlens-fault': 'node-unreachable' }, body: { message: 'Lost' } }),
      lookup(id) {
        if (id !== 'chainStatus') return undefined;
        pollCount++;
        return { selector: 'local', chain: null, head, problem: head === null ? 'No node listens' : null };
      },
    },
  );
  await eventually(() => expect(pollCount).toBeGreaterThan(3));
  // The page is not asked again: its faults would be new reasons to poll.
  connected.connect(() => {});
  head = 7;
  const isBack = (message: ChannelMessage) =>
    message.type === 'notify' && message.method === 'chainEvent' && (message.params as ChainEvent).head === 7;
  await eventually(() => expect(connected.posted.some(isBack)).toBe(true));
  const countAfter = pollCount;
  for (let round = 0; round < 50; round++) await new Promise(resolve => setImmediate(resolve));
  expect(pollCount).toBe(countAfter);
});

test('the formats of times and numbers are in the menu, which says what each does', async () => {
  await openPanel();
  await shows('1 row');
  const getItems = async () => {
    find(document, 'button[aria-label=More]')?.click();
    return eventually(() => {
      const found = [...(find(document, 'hl-popup-menu')?.shadowRoot?.querySelectorAll('button') ?? [])];
      expect(found.length).toBeGreaterThan(3);
      return found;
    });
  };
  const getFormats = (items: readonly HTMLElement[]) =>
    items.map(item => textOf(item).trim()).filter(text => text.startsWith('Show '));
  const items = await getItems();
  expect(getFormats(items)).toEqual(['Show local times', 'Show times in UTC', 'Show numbers in hex']);
  items.find(item => textOf(item).includes('numbers in hex'))?.click();
  await eventually(() => expect(find(document, 'hl-popup-menu')).toBeNull());
  expect(getFormats(await getItems())).toEqual(['Show local times', 'Show times in UTC', 'Show numbers in decimal']);
});
