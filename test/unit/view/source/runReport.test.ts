// The page that says what the transactions of some blocks did together.
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import type { AccountChanges, StorageChange } from '../../../../src/api/stateChanges.ts';
import { toDisplayAddress } from '../../../../src/base/displayAddress.ts';
import { setTranslations, type Translations } from '../../../../src/base/localize.ts';
import type { RunDiff } from '../../../../src/decode/source/runDiff.ts';
import { formatRunReport, type RunReportNames } from '../../../../src/view/source/runReport.ts';

const german = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Translations;
afterEach(() => setTranslations(undefined));

const vault = `0x${'aa'.repeat(20)}` as const;
const owner = `0x${'bb'.repeat(20)}` as const;
const hash = `0x${'cc'.repeat(32)}` as const;

const NO_NAMES: RunReportNames = { getName: () => null, getUnit: () => null, saved: [] };

const diff: RunDiff = {
  from: 4,
  to: 9,
  chain: { name: 'local', id: 31337, title: 'Local dev chain', coin: 'ETH', decimals: 18, explorer: null },
  transactions: 3,
  hasMore: false,
  methods: [{ to: vault, contract: 'Vault', method: 'deposit(uint256)', outcome: 'success', count: 2, created: [] }],
  contracts: { [vault]: 'Vault' },
  failures: [{ hash, text: 'Failed: a ``` b\n    at Vault.withdraw (src/Vault.sol:8:3)' }],
  created: [{ address: vault, creator: owner, hash }],
  state: {
    kind: 'stateChanges',
    accounts: [
      {
        ...{ address: vault, contract: 'Vault', balance: null, nonce: null, codeSize: null },
        storage: [
          {
            path: [{ kind: 'name', name: 'label' }],
            ...{
              type: 'string',
              slots: [0n],
              oldValue: '',
              newValue: 'a|[b](c)',
              step: 1,
              location: null,
              isInferred: false,
              unnamed: null,
            },
          },
        ],
      },
    ],
    omitted: 0,
    withoutLayout: [],
  },
  unread: [],
};

test('lists methods, failures, new contracts and what is different, with saved names', () => {
  const lines = formatRunReport(diff, { ...NO_NAMES, getName: address => (address === owner ? 'Owner' : null) }).split(
    '\n',
  );
  expect(lines.slice(0, 6)).toEqual([
    '# Blocks 5 to 9',
    '',
    '3 transactions, 1 failed.',
    '',
    '| Transactions | Outcome | Function | Contract |',
    '|---|---|---|---|',
  ]);
  const [vaultText, ownerText] = [vault, owner].map(toDisplayAddress);
  expect(lines).toContain(`| 2 | Success | \`deposit(uint256)\` | \`Vault\` \`${vaultText}\` |`);
  expect(lines).toContain(`| \`Vault\` \`${vaultText}\` | \`Owner\` \`${ownerText}\` | \`${hash}\` |`);
});

test.each([
  [
    'the only contract by its saved name',
    [owner],
    `New contract \`My vault\` \`Vault\` \`${toDisplayAddress(owner)}\``,
  ],
  ['several by what their build is called', [owner, vault], 'New contract `Vault`'],
  ['one whose creation failed too', [], 'New contract `Vault`'],
])('says what was created: %s', (_, created, expected) => {
  const methods = [
    { to: null, contract: 'Vault', method: 'constructor', outcome: 'success', count: 1, created },
  ] as const;
  const getName = (address: string) => (address === owner ? 'My vault' : null);
  const page = formatRunReport({ ...diff, methods }, { ...NO_NAMES, getName });
  expect(page).toContain(`| 1 | Success | \`constructor\` | ${expected} |`);
});

test('says that builds were not read where the workspace is not trusted', () => {
  expect(formatRunReport(diff, NO_NAMES, false)).toContain('builds and sources of this workspace are not read');
  expect(formatRunReport(diff, NO_NAMES)).not.toContain('Restricted Mode');
});

test('names an address in storage by its saved name, else by its contract and the short address', () => {
  const current: StorageChange = {
    path: [{ kind: 'name', name: 'current' }],
    ...{ type: 'address', slots: [1n], oldValue: owner, newValue: vault, step: 1, location: null },
    ...{ isInferred: false, unnamed: null },
  };
  const account = { ...(diff.state.accounts[0] as AccountChanges), storage: [current] };
  const getName = (address: string) => (address === owner ? 'My vault' : null);
  const page = formatRunReport({ ...diff, state: { ...diff.state, accounts: [account] } }, { ...NO_NAMES, getName });
  expect(page).toContain('| `current` | `My vault` | `Vault 0xaAaA…aaAa` |  |');
});

test.each([
  [undefined, 1, '1 transaction, 1 failed.'],
  [undefined, 0, '0 transactions, 1 failed.'],
  [german, 1, '1 Transaktion, 1 fehlgeschlagen.'],
  [german, 2, '2 Transaktionen, 1 fehlgeschlagen.'],
])('counts transactions in the plural or singular of the language', (translations, transactions, expected) => {
  setTranslations(translations);
  expect(formatRunReport({ ...diff, transactions }, NO_NAMES).split('\n')[2]).toBe(expected);
});

test('names accounts in failures, saved ones and contracts of the build', () => {
  const text = `Failed: Denied(caller: ${owner}, vault: ${vault}, other: 0x${'dd'.repeat(20)})`;
  const page = formatRunReport(
    { ...diff, failures: [{ hash, text }] },
    { ...NO_NAMES, getName: address => (address === owner ? 'Owner' : null) },
  );
  expect(page).toContain(
    `Failed: Denied(caller: Owner (0xbBbB…BBbB), vault: Vault (0xaAaA…aaAa), other: 0x${'dd'.repeat(20)})`,
  );
});

test('shows text of the chain as text only', () => {
  const page = formatRunReport(diff, NO_NAMES);
  expect(page).toContain('| `label` | `""` | `"a\\|[b](c)"` |  |');
  expect(page).toContain('````\nFailed: a ``` b\n    at Vault.withdraw (src/Vault.sol:8:3)\n````\n');
});

test.each([
  ['noBuild', 'No build with a source map is known for this code\n\n| Variable', '| `slot 0x5` | `0x0` | `0x7` |  |'],
  ['unknownSlot', '### `Vault`', '| `slot 0x5: No variable is known there` | `0x0` | `0x7` |  |'],
] as const)('says why a slot has no name: %s', (unnamed, heading, row) => {
  const word = { path: [], type: 'bytes32', slots: [5n], oldValue: '0x0', newValue: '0x7' } as const;
  const storage = [{ ...word, step: 1, location: null, isInferred: false, unnamed }];
  const account = { ...(diff.state.accounts[0] as AccountChanges), storage };
  const page = formatRunReport({ ...diff, state: { ...diff.state, accounts: [account] } }, NO_NAMES);
  expect(page).toContain(heading);
  expect(page).toContain(row);
});

test('begins with saved contracts that changed, in the unit of a token, and names those that did not', () => {
  const amount: StorageChange = {
    path: [
      { kind: 'name', name: 'balances' },
      { kind: 'key', key: vault, type: 'address' },
    ],
    ...{
      type: 'uint256',
      slots: [1n],
      oldValue: '0',
      newValue: '1500000',
      step: 1,
      location: null,
      isInferred: false,
      unnamed: null,
    },
  };
  const token: AccountChanges = {
    ...(diff.state.accounts[0] as AccountChanges),
    address: owner,
    contract: 'Token',
    storage: [amount],
  };
  const state = { ...diff.state, accounts: [...diff.state.accounts, token] };
  const page = formatRunReport(
    { ...diff, state },
    {
      getName: address => (address === owner ? 'My token' : null),
      getUnit: address => (address === owner ? { symbol: 'MT', decimals: 6 } : null),
      saved: [
        { address: owner, name: 'My token' },
        { address: hash.slice(0, 42), name: 'My vault' },
      ],
    },
  );
  expect(page.match(/### .*/g)).toEqual([expect.stringContaining('My token'), expect.stringContaining('`Vault`')]);
  expect(page).toMatch(/\| `0` MT|`1\.5 MT`/);
  expect(page).toContain('Saved contracts that did not change: `My vault`');
});
