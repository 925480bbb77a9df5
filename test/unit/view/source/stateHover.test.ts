// The line of a hover about what a transaction changed.
import { expect, test } from 'vitest';
import type { AccountChanges, StateChanges, StorageChange } from '../../../../src/api/stateChanges.ts';
import type { Hex } from '../../../../src/base/hex.ts';
import { listStateAddresses } from '../../../../src/decode/source/formatStateChanges.ts';
import { renderStateHover } from '../../../../src/view/source/stateHover.ts';
import { toStateAccount } from '../../../../src/view/source/stateTable.ts';

const alice: Hex = `0x${'a1'.repeat(20)}`;
const bob: Hex = `0x${'c3'.repeat(20)}`;
const vault: Hex = `0x${'b2'.repeat(20)}`;
const target = { chain: 'local', hash: `0x${'12'.repeat(32)}` as Hex };
const format = {
  ...{ coin: { symbol: 'ETH', decimals: 18 }, unit: null },
  getName: (address: Hex) => (address === alice ? 'Alice' : null),
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
const account = (address: Hex, fields: Partial<AccountChanges>): AccountChanges => ({
  ...{ address, contract: null, balance: null, nonce: null, codeSize: null, storage: [] },
  ...fields,
});
const state = (accounts: readonly AccountChanges[], omitted = 0): StateChanges => ({
  ...{ kind: 'stateChanges', accounts, omitted, withoutLayout: [] },
});
const balance = { before: 2n, after: 1n };
const amount = change({
  path: [
    { kind: 'name', name: 'positions' },
    { kind: 'key', key: alice, type: 'address' },
    { kind: 'name', name: 'amount' },
  ],
  oldValue: '100',
  newValue: '77',
});
/** Its name would end a code span. */
const hostile = change({ path: [{ kind: 'name', name: 'a`b' }], type: 'string', newValue: '`](command:x)' });

test('says of the balance of the zero address that no one has its key', () => {
  const notes = ([`0x${'0'.repeat(40)}`, alice] as const).map(address =>
    toStateAccount(account(address, { balance }), format).rows.map(({ label, note }) => [label, note]),
  );
  const unowned = 'No one has its key: what it receives, such as fees of a development chain, cannot be spent.';
  expect(notes).toEqual([[['Balance', unowned]], [['Balance', null]]]);
});

test.each([
  ['nothing for a payment', state([account(alice, { balance })]), null],
  [
    'the only change',
    state([account(vault, { storage: [amount] })]),
    /1 state change\]\(.*\): `positions\[Alice\]\.amount: 100 → 77`$/,
  ],
  ['the first of several', state([account(vault, { storage: [amount, amount, amount] })]), /3 state changes\]\(.*, …$/],
  [
    'no names where none is known',
    state([account(vault, { storage: [change({})] })], 4),
    /5 state changes\]\([^`]*\)$/,
  ],
  ['code that was set', state([account(vault, { codeSize: { before: 0, after: 9 } })]), /1 state change\]/],
  ['hostile text in a code span', state([account(vault, { storage: [hostile] })]), /: ``+ ?a`b: .*`+$/],
])('says what a transaction changed: %s', (_title, changes, expected) => {
  const text = renderStateHover(changes, target, format);
  if (expected === null) expect(text).toBeNull();
  else expect(text).toMatch(expected);
});

test('leads to the tab State changes', () => {
  const text = decodeURIComponent(
    renderStateHover(state([account(vault, { storage: [amount] })]), target, format) ?? '',
  );
  expect(text).toContain('"tab":"state"');
});

test('lists the addresses that the changes name, for their names by the build', () => {
  const owner = change({ path: [{ kind: 'name', name: 'owner' }], type: 'address', oldValue: alice, newValue: bob });
  const changes = [amount, owner, change({ type: 'bytes20', newValue: `0x${'d4'.repeat(20)}` })];
  expect([...listStateAddresses([account(vault, { storage: changes })])]).toEqual([vault, alice, bob]);
});

test.each([
  ['Vault (build)', null],
  ['Vault', null],
  ['Vaults', 'Vault'],
  [null, 'Vault'],
])('the contract of %s is named once', (name, contract) => {
  const named = toStateAccount(account(vault, { contract: 'Vault' }), { ...format, getName: () => name });
  expect(named.contract).toBe(contract);
});
