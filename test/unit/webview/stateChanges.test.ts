// The tab State changes of a transaction: variables by name, with saved names of addresses and units of tokens.

// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { StateChanges, StorageChange } from '../../../src/api/stateChanges.ts';
import { ok } from './connectedPanel.ts';
import { find, textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();
const hash = `0x${'12'.repeat(32)}`;
const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
/** Its name is markup and has a character that turns the text around. */
const burn = '0x000000000000000000000000000000000000dead';
const location = {
  ...{ source: 'src/Token.sol', file: '0/src/Token.sol', isChanged: false },
  ...{ start: { line: 40, character: 8 }, end: { line: 40, character: 20 } },
};

const change = (fields: Partial<StorageChange>): StorageChange => ({
  ...{
    path: [],
    type: 'uint256',
    oldValue: '0',
    newValue: '0',
    slots: [1n],
    step: 1,
    location: null,
    isInferred: false,
    unnamed: null,
  },
  ...fields,
});
const state: StateChanges = {
  kind: 'stateChanges',
  accounts: [
    {
      ...{ address: burn, contract: null, codeSize: null, storage: [] },
      balance: { before: 10n ** 18n, after: 5n * 10n ** 17n },
      nonce: { before: 3n, after: 4n },
    },
    {
      ...{ address: token, contract: 'Token', balance: null, nonce: null, codeSize: { before: 0, after: 1_200 } },
      storage: [
        change({
          path: [
            { kind: 'name', name: '_balances' },
            { kind: 'key', key: burn, type: 'address' },
          ],
          oldValue: '5000000',
          newValue: '7500000',
          location,
        }),
        change({ path: [{ kind: 'name', name: 'title' }], type: 'string', oldValue: '', newValue: 'a "b"' }),
        change({
          type: 'bytes32',
          slots: [0xabcn],
          oldValue: `0x${'00'.repeat(32)}`,
          newValue: `0x${'11'.repeat(32)}`,
          unnamed: 'noBuild',
        }),
      ],
    },
  ],
  omitted: 7,
  withoutLayout: [],
};

const openState = (fetchState: () => Promise<StateChanges>) =>
  open({
    target: { kind: 'transaction', chain: 'local', hash },
    reply: () =>
      ok({ hash, receipt_status: '1', receipt_gas_used: '90000', logs: [], input: '0x', from_address: burn }),
    lookup: id => (id === 'tokenUnit' ? { kind: 'token', standard: 'ERC20', symbol: 'MFT', decimals: 6 } : undefined),
    fetchState,
  });

const openTab = async () => {
  await eventually(() => expect(find(document, '[data-tab=state]')).not.toBeNull());
  find(document, '[data-tab=state]')?.click();
};

test('variables have names, units and their line; balances the coin of the chain', async () => {
  const { connected } = await openState(async () => state);
  await openTab();
  await shows('7 further changes of storage are left out.');
  const rows = await eventually(() => {
    const found = [...(find(document, 'hl-state-changes')?.shadowRoot?.querySelectorAll('tbody tr[title]') ?? [])];
    expect(found).toHaveLength(6);
    return found.map(row => [...row.querySelectorAll('td')].map(cell => textOf(cell).replace(/\s+/g, ' ').trim()));
  });
  expect(rows).toEqual([
    ['Balance No one has its key: what it receives cannot be spent.', '1 ETH', '0.5 ETH', ''],
    ['Nonce', '3', '4', ''],
    ['Code', '0 bytes', '1,200 bytes', ''],
    ['_balances[<b>Burn</b>·]', '5 MFT', '7.5 MFT', 'src/Token.sol:41'],
    ['title', '""', '"a \\"b\\""', ''],
    ['slot 0xabc No build with a source map is known for this code', '0x0', `0x${'11'.repeat(32)}`, ''],
  ]);
  find(document, 'hl-state-changes button.place')?.click();
  await eventually(() => expect(connected.opened).toEqual([location]));
});

test('is run only when its tab is opened, and says why nothing is known', async () => {
  let runs = 0;
  await openState(async () => {
    runs++;
    return { kind: 'noStateChanges', reason: 'The transaction is not in a block yet.' } as never;
  });
  await eventually(() => expect(find(document, '[data-tab=state]')).not.toBeNull());
  expect(runs).toBe(0);
  await openTab();
  await shows('The transaction is not in a block yet.');
});

test('offers to build the project once more where its build has no names', async () => {
  const { connected } = await openState(async () => ({ ...state, withoutLayout: ['Token'] }));
  await openTab();
  await shows('Names of variables need build information: Build');
  find(document, 'hl-state-changes p button')?.click();
  await eventually(() => expect(connected.requested).toEqual(['buildDebugInformation']));
});
