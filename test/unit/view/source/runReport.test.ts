// The page that says what the transactions of some blocks did together.
import { expect, test } from 'vitest';
import type { RunDiff } from '../../../../src/decode/source/runDiff.ts';
import { formatRunReport } from '../../../../src/view/source/runReport.ts';

const vault = `0x${'aa'.repeat(20)}` as const;
const owner = `0x${'bb'.repeat(20)}` as const;
const hash = `0x${'cc'.repeat(32)}` as const;

const diff: RunDiff = {
  from: 4,
  to: 9,
  chain: { name: 'local', id: 31337, title: 'Local dev chain', coin: 'ETH', decimals: 18, explorer: null },
  transactions: 3,
  hasMore: false,
  methods: [{ to: vault, contract: 'Vault', method: 'deposit(uint256)', outcome: 'success', count: 2 }],
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
  const lines = formatRunReport(diff, address => (address === owner ? 'Owner' : null)).split('\n');
  expect(lines.slice(0, 6)).toEqual([
    '# Blocks 5 to 9',
    '',
    '3 transactions, 1 failed.',
    '',
    '| Transactions | Outcome | Function | Contract |',
    '|---|---|---|---|',
  ]);
  expect(lines).toContain(`| 2 | Success | \`deposit(uint256)\` | \`${vault}\` \`Vault\` |`);
  expect(lines).toContain(`| \`${vault}\` | \`Owner\` \`${owner}\` | \`${hash}\` |`);
});

test('shows text of the chain as text only', () => {
  const page = formatRunReport(diff, () => null);
  expect(page).toContain('| `label` | `""` | `"a\\|[b](c)"` |  |');
  expect(page).toContain('````\nFailed: a ``` b\n    at Vault.withdraw (src/Vault.sol:8:3)\n````\n');
});
