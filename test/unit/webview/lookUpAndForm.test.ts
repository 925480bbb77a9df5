// What the inspector's look-up box and the form of an operation accept in place of hex digits.

// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import type { SavedEntry } from '../../../src/addressBook/entry.ts';
import { createBadInputFault } from '../../../src/base/errors.ts';
import type { InspectorTarget } from '../../../src/protocol/inspectorTarget.ts';
import { createSyntheticBlock } from '../../support/chain/syntheticBlock.ts';
import { type ConnectedPanel, type ConnectedPanelOptions, ok } from './connectedPanel.ts';
import { find, textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();
const alice = `0x${'a1'.repeat(20)}`;
const alicia = `0x${'a2'.repeat(20)}`;
const vault = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const createEntry = (name: string, address: string): SavedEntry => ({
  ...{ id: name, name, address, kind: 'wallet', chains: ['local'], folder: '', tags: [], notes: '' },
  ...{ color: null, trust: null, storage: { kind: 'personal' } },
});
const entries = [createEntry('Alice', alice), createEntry('Alicia', alicia)];
const block = createSyntheticBlock({ transactions: 3, logs: 0 });
const logs: InspectorTarget = {
  ...{ kind: 'operation', operation: 'contractLogs' },
  parameters: { address: vault, chain: 'local' },
};
const newest: InspectorTarget = { kind: 'block', chain: 'local', block: '18000000' };

const openPanel = async (target: InspectorTarget, options: Partial<ConnectedPanelOptions> = {}) =>
  (
    await open({
      target,
      entries,
      reply: ({ operation }) =>
        ok(operation === 'block' ? block : { result: [], cursor: null, page: 0, page_size: 25 }),
      ...options,
    })
  ).connected;

/** Types into an element of the page and submits its form. */
async function submit(selector: string, values: Readonly<Record<string, string>>): Promise<void> {
  const form = await eventually(() => {
    const found = find(document, selector);
    expect(found).not.toBeNull();
    return found as HTMLFormElement;
  });
  for (const [name, value] of Object.entries(values)) {
    const input = form.querySelector<HTMLInputElement>(`input[name='${name}'], input:not([name])`);
    if (input === null) throw new Error(`There is no ${name}`);
    input.value = value;
  }
  form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
}
const lookUp = (text: string) => submit('form[role=search]', { text });
const opens = (connected: ConnectedPanel, target: unknown) =>
  eventually(() => expect(connected.session.target()).toMatchObject(target as object));
const countShown = (text: string) => textOf(document.body).split(text).length - 1;

describe('the form', () => {
  test('takes the name of an event, and a saved name or an address for a topic', async () => {
    const connected = await openPanel(logs);
    await submit('details.form form', { topic0: 'transfer', topic1: 'alice', topic2: alicia });
    await opens(connected, { parameters: { topic0: TRANSFER, topic1: alice, topic2: alicia } });
  });

  test('says once what is wrong, keeps it in the form, and opens nothing', async () => {
    const connected = await openPanel(logs);
    await submit('details.form form', { topic0: 'Withdrawn', topic1: '0x12' });
    await shows('Topic 1 must be 0x and 64 digits, or an address, not "0x12"');
    await shows('Topic 0 must be an event such as');
    expect(countShown('or an address, not')).toBe(1);
    expect(connected.session.target()).toEqual(logs);
    expect(find(document, 'hl-fault-message')).toBeNull();
    expect((find(document, "input[name='topic0']") as HTMLInputElement).value).toBe('Withdrawn');
  });
});

test('names fields by their labels in the faults of the service', async () => {
  const issue = { field: 'from_block', message: 'from_block 9 is greater than to_block 5' };
  await openPanel(logs, {
    reply: () => {
      throw createBadInputFault([issue]);
    },
  });
  await shows('From block 9 is greater than To block 5');
  expect(textOf(document.body)).not.toContain('_block');
});

test('a fault about a parameter that the form does not have is shown above it', async () => {
  const parameters = { address: vault, chain: 'local', cursor: 'x'.repeat(5_000) };
  await openPanel({ ...logs, parameters } as InspectorTarget);
  await shows('is longer than 4,096 characters');
  expect(find(document, 'hl-fault-message')).not.toBeNull();
});

describe('the look-up box', () => {
  test.each<[string, object]>([
    ['latest', { kind: 'block', chain: 'local', block: 'latest' }],
    ['1,234', { kind: 'block', block: '1234' }],
    ['Alice', { kind: 'address', chain: 'local', address: alice }],
    [alicia, { kind: 'address', address: alicia }],
    [`${alice.slice(0, 8)}…${alice.slice(-4)}`, { kind: 'address', address: alice }],
  ])('opens %s', async (text, target) => {
    const connected = await openPanel(newest);
    await lookUp(text);
    await opens(connected, target);
  });

  test('completes a shortened hash from the newest blocks', async () => {
    const hash = String((block['transactions'] as { hash: string }[])[1]?.hash);
    const chain = { coin: 'ETH', decimals: 18 };
    const facts = { from: alice, to: alicia, value: 0n, status: 'success', blockNumber: 1, time: null };
    const transaction = { kind: 'transaction', chain, ...facts };
    const lookup: ConnectedPanelOptions['lookup'] = id =>
      id === 'hashSummary'
        ? { ...transaction, hash }
        : id === 'chainStatus'
          ? { selector: 'local', head: 18_000_000, problem: null, chain: null }
          : undefined;
    const connected = await openPanel(newest, { lookup });
    await lookUp(`${hash.slice(0, 10)}…${hash.slice(-4)}`);
    await opens(connected, { kind: 'transaction', chain: 'local', hash });
  });

  test.each([
    ['0xa9059cbb', 'transfer(address,uint256)'],
    [TRANSFER, 'Transfer(address,address,uint256)'],
    ['Ali', 'Several addresses match: Alice, Alicia.'],
    ['someone else', 'No saved address has this name'],
  ])('says what %s means, and opens nothing', async (text, answer) => {
    const connected = await openPanel(newest);
    await lookUp(text);
    await shows(answer);
    expect(connected.session.target()).toEqual(newest);
  });
});
