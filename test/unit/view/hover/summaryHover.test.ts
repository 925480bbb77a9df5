// What hovers say of addresses, transactions and blocks: the whole Markdown, as a reader gets it.
import { describe, expect, test } from 'vitest';
import { resolveChain } from '../../../../src/api/chains.ts';
import type { AddressSummary, BlockSummary, TransactionSummary } from '../../../../src/api/lookups.ts';
import { checksumAddress } from '../../../../src/base/checksumAddress.ts';
import { shortenHex } from '../../../../src/base/displayText.ts';
import type { Hex } from '../../../../src/base/hex.ts';
import { setTranslations } from '../../../../src/base/localize.ts';
import { getWellKnownAddress } from '../../../../src/detect/wellKnownAddresses.ts';
import type { FailureText } from '../../../../src/view/failureText.ts';
import { formatBlockAge, formatRelativeTime } from '../../../../src/view/formatTime.ts';
import { getAptosExplorerUrl, getExplorerUrl } from '../../../../src/view/hover/hoverLinks.ts';
import {
  formatNotFound,
  getInnerEffects,
  NO_CALLS,
  renderAddressSummary,
  renderBlockSummary,
  renderTransactionSummary,
  type SummaryHoverContext,
} from '../../../../src/view/hover/summaryHover.ts';
import { allHoverParts } from '../../../support/hoverParts.ts';

const hex = (digit: string, bytes: number) => `0x${digit.repeat(bytes * 2)}` as Hex;
/** As a hover shows it. */
const short = (digit: string) => shortenHex(checksumAddress(hex(digit, 20)));
const now = Date.UTC(2023, 10, 14, 23, 13, 20);
const context: SummaryHoverContext = {
  parts: { ...allHoverParts, actions: false },
  now,
  getName: address => (address === hex('a', 20) ? 'Treasury' : null),
  chain: 'local',
  getCallText: input => (input.startsWith('0xa9059cbb') ? 'transfer(to: Bob, amount: 5 MFT)' : null),
  getToken: token => (token === hex('e', 20) ? { kind: 'token', standard: 'ERC20', symbol: 'MFT', decimals: 6 } : null),
  getEventText: topic => (topic === hex('d', 32) ? 'Transfer(address,address,uint256)' : null),
};
const local = resolveChain('local', 31337);
const eth = resolveChain('eth', 1);

const account: AddressSummary = {
  kind: 'address',
  chain: local,
  address: hex('b', 20),
  balance: 1_500_000_000_000_000_000n,
  nonce: 3,
  codeSize: 0,
  codeHash: null,
  delegate: null,
  proxy: null,
  token: null,
  blockNumber: 61,
};

const sent: TransactionSummary = {
  kind: 'transaction',
  chain: local,
  hash: hex('1', 32),
  status: 'success',
  from: hex('a', 20),
  to: hex('b', 20),
  created: null,
  value: 0n,
  selector: '0xa9059cbb',
  inputSize: 68,
  input: `0xa9059cbb${'00'.repeat(64)}`,
  nonce: 4n,
  gasUsed: 51_234n,
  gasLimit: 100_000n,
  gasPrice: 2_000_000_000n,
  fee: { amount: 102_468_000_000_000n, isMinimum: false, token: null },
  blockNumber: 12,
  blockHash: hex('2', 32),
  time: new Date(now - 3_600_000),
  transactionIndex: 0,
  logs: 1,
  topics: [hex('d', 32)],
  transfers: [],
};

test('a block of a chain whose clock is ahead is not yet to come', () => {
  const ages = [-3_600, 3, 120, 30 * 86_400].map(seconds => formatBlockAge(new Date(now + seconds * 1_000), now));
  expect(ages).toEqual(['1 hour ago', 'just now', '2 minutes ahead of your clock', '30 days ahead of your clock']);
});

test('a hash that no chain has, after one of them was reset', () => {
  const other = resolveChain('0x539', 1337);
  const unknown = [
    { chain: local, resetAt: null },
    { chain: other, resetAt: now - 300_000 },
  ];
  expect(formatNotFound(unknown, now)).toBe(
    'Not found on Local dev chain, Chain 1337\\.  \nChain 1337 was reset 5 minutes ago: what it had before is gone.'.replace(
      '\\',
      '',
    ),
  );
});

const stale: FailureText = {
  reason: 'StalePrice(age: 99)',
  isHalt: false,
  isUnknownError: false,
  place: 'Oracle.read',
  caller: null,
};

describe('address', () => {
  test('shows an account', () => {
    expect(renderAddressSummary(account, context)).toBe(
      '**Account** on Local dev chain  \nBalance **1.5 ETH** · 3 transactions sent',
    );
  });

  test('an account with an ENS name', () => {
    expect(renderAddressSummary(account, { ...context, ensName: 'alice.eth' })).toContain(
      '**Account** on Local dev chain · `alice.eth`',
    );
  });

  test('an unused address', () => {
    expect(renderAddressSummary({ ...account, balance: 0n, nonce: 0 }, context)).toBe(
      '**Address** · Nothing on Local dev chain: no code, balance or transactions',
    );
  });

  test('a token contract whose name looks like a link', () => {
    const token = {
      standard: 'ERC20',
      name: '[free](https://evil.example)',
      symbol: 'FREE',
      decimals: 18,
      totalSupply: 10n ** 24n,
    } as const;
    expect(renderAddressSummary({ ...account, codeSize: 2_345, nonce: 1, balance: 0n, token }, context)).toBe(
      '**Contract** on Local dev chain  \nBalance **0 ETH** · 2,345 bytes of code  \n**ERC-20** `[free](https://evil.example)` `FREE` · supply 1,000,000 · 18 decimals',
    );
  });

  test('the supply of a token that claims too many decimals is a raw number', () => {
    const token = { standard: 'ERC20', name: 'Odd', symbol: 'ODD', decimals: 255, totalSupply: 1_000n } as const;
    expect(renderAddressSummary({ ...account, codeSize: 2_345, nonce: 1, token }, context)).toContain(
      'supply 1,000 · 255 decimals',
    );
  });

  test('values of a contract that the settings name, whatever their text looks like', () => {
    const values = [
      { name: 'owner', text: 'Alice' },
      { name: 'motto', text: '[free](command:evil)`' },
    ];
    expect(renderAddressSummary({ ...account, codeSize: 2_345, nonce: 1, balance: 0n }, { ...context, values })).toBe(
      '**Contract** on Local dev chain  \nBalance **0 ETH** · 2,345 bytes of code  \nowner `Alice` · motto `` [free](command:evil)` ``',
    );
  });

  test('a contract of the workspace, and what is behind a proxy, have links to their sources', () => {
    const proxy = { kind: 'ERC-1967', implementations: [hex('a', 20)], beacon: null } as const;
    const vault = {
      name: 'Vault',
      source: 'src/Vault.sol',
      ids: ['file:///p/out/Vault.sol/Vault.json'],
      difference: null,
      copy: null,
    };
    const old = { ...vault, name: '`[x](y)', source: null, difference: { bytes: 1, size: 100, builtSize: 100 } };
    const contract = {
      address: hex('b', 20),
      build: old,
      proxy,
      implementations: [{ address: hex('a', 20), build: vault }],
      abiIds: [],
    };
    const summary = { ...account, codeSize: 45, nonce: 1, proxy };
    const text = renderAddressSummary(summary, { ...context, parts: allHoverParts, contract });
    expect(text).toContain(
      '$(verified) `Vault` (`src/Vault.sol`), your build · [Go to source](command:hexlens.openSource?',
    );
    expect(text).toContain(encodeURIComponent(JSON.stringify(['local', hex('a', 20)])));
    expect(text).toContain('$(warning) `` `[x](y) ``, differs from your build in 1 byte');
    const resized = { ...old, difference: { bytes: null, size: 1_204, builtSize: 1_310 } };
    expect(renderAddressSummary(summary, { ...context, contract: { ...contract, build: resized } })).toContain(
      'not your build\\: 1,204 bytes of code here, 1,310 in your build',
    );
  });

  test.each([
    [
      { tool: 'Ignition', path: '', deployedAt: Date.UTC(2026, 10, 25, 9), ownIds: ['Vault.json'] },
      /^\$\(warning\) `Vault`, as deployed by Ignition on 2026\\-11\\-25; your build differs$/m,
    ],
    [{ tool: 'Ignition', path: '', deployedAt: null, ownIds: [] }, /^\$\(info\) `Vault`, as deployed by Ignition$/m],
    [
      { tool: null, path: 'out-[old]/Vault.sol/Vault.json', deployedAt: null, ownIds: ['Vault.json'] },
      /^\$\(warning\) `Vault`, as in out\\-\\\[old\\\]\\\/Vault\\\.sol\\\/Vault\\\.json; your build differs$/m,
    ],
  ] as const)('code that only the copy %j has is never called the build', (copy, line) => {
    const build = { name: 'Vault', source: null, ids: ['file:///p/x.json'], difference: null, copy };
    const contract = { address: hex('b', 20), build, proxy: null, implementations: [], abiIds: [] };
    const text = renderAddressSummary(
      { ...account, codeSize: 45, nonce: 1 },
      { ...context, parts: { ...allHoverParts, actions: false }, contract },
    );
    expect(text.replaceAll('  \n', '\n')).toMatch(line);
  });

  test('a proxy names its implementation, a delegated account its delegate', () => {
    expect(
      renderAddressSummary(
        {
          ...account,
          codeSize: 45,
          nonce: 1,
          proxy: { kind: 'ERC-1967', implementations: [hex('a', 20)], beacon: null },
        },
        context,
      ),
    ).toContain(`Proxy of \`Treasury\` \`${short('a')}\``);
    expect(renderAddressSummary({ ...account, codeSize: 23, delegate: hex('c', 20) }, context)).toContain(
      `Delegates to \`${short('c')}\``,
    );
    expect(renderAddressSummary({ ...account, codeSize: 23, delegate: hex('c', 20) }, context)).not.toContain('sent');
    const proxy = { kind: 'ERC-1967', implementations: [hex('a', 20)], beacon: null } as const;
    expect(renderAddressSummary({ ...account, codeSize: 23, delegate: hex('c', 20), proxy }, context)).toContain(
      `Delegates to \`${short('c')}\` (EIP\\-7702) · Proxy of \`Treasury\` \`${short('a')}\` (ERC\\-1967)`,
    );
  });

  test('omits parts that are switched off', () => {
    const parts = { ...allHoverParts, balance: false, activity: false, actions: false };
    expect(renderAddressSummary(account, { ...context, parts })).toBe('**Account** on Local dev chain');
  });

  test('what no explorer has gets no link to that of the chain', () => {
    const on = (explorer: string | null) =>
      renderAddressSummary({ ...account, chain: eth }, { ...context, parts: allHoverParts, explorer });
    expect(on(null)).not.toContain('openExternal');
    expect(on('http://127.0.0.1:5100')).toContain('[Open in 127.0.0.1](');
  });

  test('a public chain has a link to its explorer, with data as arguments', () => {
    const text = renderAddressSummary({ ...account, chain: eth }, { ...context, parts: allHoverParts });
    expect(text).toContain('[Open in etherscan.io](command:hexlens.openExternal?');
    const encoded = /openExternal\?(\S+) /.exec(text)?.[1] ?? '';
    expect(JSON.parse(decodeURIComponent(encoded))).toMatchObject([
      { chainId: 1, kind: 'address', value: account.address },
    ]);
  });
});

describe('transaction', () => {
  test('offers to explain a failure by a click where the node is not on this machine', () => {
    const remote = { ...context, parts: allHoverParts, isExplainedOnClick: true };
    const failed = { ...sent, status: 'failed' } as const;
    expect(renderTransactionSummary(failed, remote)).toMatch(
      /\[Explain by Replay…\]\(command:hexlens\.inspect\?\S*calls/,
    );
    expect(renderTransactionSummary(sent, remote)).not.toContain('Explain');
    expect(renderTransactionSummary(failed, { ...remote, isExplainedOnClick: false })).not.toContain('Explain');
  });

  test('says of a failure that builds are not read while the workspace is not trusted', () => {
    const failed = { ...sent, status: 'failed' } as const;
    const [, line] = renderTransactionSummary(failed, { ...context, isRestricted: true }).split('  \n');
    expect(line).toContain('Restricted Mode: builds and sources of this workspace are not read until you trust it');
    expect(renderTransactionSummary(failed, context)).not.toContain('Restricted Mode');
    expect(renderTransactionSummary(sent, { ...context, isRestricted: true })).not.toContain('Restricted Mode');
  });

  test('shows a small share of the gas limit with a decimal', () => {
    expect(renderTransactionSummary({ ...sent, gasUsed: 25_291n, gasLimit: 6_000_000n }, context)).toContain(
      'Gas 25,291 (0.4% of the limit)',
    );
  });

  test('shows a token transfer', () => {
    expect(renderTransactionSummary(sent, context)).toBe(
      [
        '**Transaction** on Local dev chain · $(pass) Success',
        `\`Treasury\` \`${short('a')}\` → \`${short('b')}\``,
        'Value **0 ETH** · calls `transfer(to: Bob, amount: 5 MFT)`',
        '1 log: `Transfer` · Gas 51,234 (51% of the limit) · fee 0.000102468 ETH',
        'Block 12, index 0 · 1 hour ago (2023-11-14 22:13:20 UTC)',
      ].join('  \n'),
    );
  });

  test.each([
    ['with its L1 fee', { amount: 10_000_021_000_000_000n, isMinimum: false, token: null }, '· fee 0.010000021 ETH'],
    [
      'of which a part is not known',
      { amount: 5n * 10n ** 15n, isMinimum: true, token: null },
      '· fee at least 0.005 ETH',
    ],
    [
      'in a token',
      { amount: 5_000n, isMinimum: false, token: hex('c', 20) },
      `· fee 5,000 in the smallest unit of \`${short('c')}\``,
    ],
  ])('shows a fee %s', (_title, fee, text) => {
    expect(renderTransactionSummary({ ...sent, fee }, context)).toContain(text);
  });

  test('the amount of an ERC-20 that indexes it, as an ERC-721 does its ids', () => {
    const transfer = {
      tokenAddress: hex('e', 20),
      from: hex('a', 20),
      to: hex('b', 20),
      amount: null,
      tokenId: 5_000n,
    };
    const unit = { kind: 'token', symbol: 'BKT', decimals: 3 } as const;
    const render = (standard: 'ERC20' | 'ERC721') =>
      renderTransactionSummary(
        { ...sent, transfers: [transfer] },
        { ...context, getToken: () => ({ ...unit, standard }) },
      );
    expect(render('ERC20')).toContain('−**5 `BKT`** →');
    expect(render('ERC721')).toContain('−**`BKT` #5000** →');
  });

  test('what moved, as the sender sees it', () => {
    const transfer = {
      tokenAddress: hex('e', 20),
      from: hex('a', 20),
      to: hex('b', 20),
      amount: 250_000_000n,
      tokenId: null,
    };
    const nft = { tokenAddress: hex('c', 20), from: hex('0', 20), to: hex('a', 20), amount: null, tokenId: 2n };
    const other = { ...transfer, from: hex('b', 20), to: hex('f', 20), amount: 1n };
    const text = renderTransactionSummary({ ...sent, transfers: [transfer, nft, other, other, other] }, context);
    expect(text.split('  \n').slice(3, 8)).toEqual([
      `−**250 \`MFT\`** → \`${short('b')}\``,
      `+**\`${short('c')}\` #2** ← zero address`,
      `**0.000001 \`MFT\`**: \`${short('b')}\` → \`${short('f')}\``,
      `**0.000001 \`MFT\`**: \`${short('b')}\` → \`${short('f')}\``,
      '1 more transfer',
    ]);
  });

  test('what contracts paid and created, without what a failed call did', () => {
    const [sender, called, child] = [hex('a', 20), hex('b', 20), hex('c', 20)];
    const call = { type: 'CALL', from: called, to: sender, value: 10n ** 18n, error: null, gas: null, gasUsed: null };
    const own = { from: sender, to: called, value: 0n, gas: null };
    const inner = getInnerEffects(own, [
      call,
      { ...call, type: 'CREATE2', to: child, value: 0n },
      { ...call, type: 'CREATE', to: hex('d', 20), value: 5n, error: 'execution reverted' },
      { ...call, type: 'DELEGATECALL', to: child },
    ]);
    const text = renderTransactionSummary(sent, context, { ...NO_CALLS, inner });
    expect(text.split('  \n').slice(3, 6)).toEqual([
      `Created contract \`${short('c')}\``,
      `+**1 ETH** ← \`${short('b')}\``,
      expect.stringContaining('1 log'),
    ]);
  });

  test('why it failed, and no contract that a failed creation did not create', () => {
    const failure = { ...stale, reason: 'Locked(until: 9) [x](https://evil.example)', place: null };
    const creation: TransactionSummary = { ...sent, status: 'failed', to: null, logs: 0 };
    const text = renderTransactionSummary(creation, context, { ...NO_CALLS, failure });
    expect(text).toContain('Reverted: `Locked(until: 9) [x](https://evil.example)`');
    expect(text).toContain('→ a new contract');
  });

  test('which call inside it threw', () => {
    const failure = { ...stale, reason: 'Out of gas', isHalt: true, place: '[x](y).burn', caller: 'Proxy' };
    const text = renderTransactionSummary({ ...sent, status: 'failed', logs: 0 }, context, { ...NO_CALLS, failure });
    expect(text.split('  \n')[1]).toBe('`Out of gas` in `[x](y).burn` (called by `Proxy`)');
  });

  test('calls that failed inside a transaction that did not', () => {
    const render = (...swallowed: readonly Partial<FailureText>[]) =>
      renderTransactionSummary(sent, context, {
        ...NO_CALLS,
        swallowed: swallowed.map(one => ({ ...stale, ...one })),
      }).split('  \n')[1];
    expect(render(stale)).toBe('$(warning) 1 inner call failed: `StalePrice(age: 99)`');
    expect(render(stale, stale, { reason: null })).toBe(
      '$(warning) 3 inner calls failed: `StalePrice(age: 99)`, reverted without a reason',
    );
  });

  test('that calls inside it are still being read, since one of them may have failed', () => {
    const text = renderTransactionSummary(sent, context, { ...NO_CALLS, isLate: true });
    expect(text.split('  \n')[1]).toBe('$(clock) The calls inside it are still being read: hover again to see them');
  });

  test('opens in the inspector on the chain that was asked', () => {
    const text = renderTransactionSummary(sent, { ...context, parts: allHoverParts });
    const targets = [...text.matchAll(/\[([^\]]*)\]\(command:hexlens\.inspect\?(\S+) /g)].map(
      ([, label, encoded = '']) => [label, ...JSON.parse(decodeURIComponent(encoded))],
    );
    const target = { kind: 'transaction', chain: 'local', hash: sent.hash };
    expect(targets).toEqual([
      ['1 log', { ...target, tab: 'logs' }],
      ['Inspect', target],
    ]);
  });

  test('a contract creation, a failed and a pending transaction', () => {
    expect(renderTransactionSummary({ ...sent, to: null, created: hex('c', 20) }, context)).toContain(
      `→ new contract \`${short('c')}\``,
    );
    expect(renderTransactionSummary({ ...sent, status: 'failed', logs: 0 }, context)).toContain('$(error) Failed');
    const pending = renderTransactionSummary(
      { ...sent, status: 'pending', blockNumber: null, time: null, gasUsed: null, logs: null },
      context,
    );
    expect(pending).toContain('$(clock) Pending');
    expect(pending).not.toContain('Block');
  });
});

test('a block shows its gas, its base fee and who made it', () => {
  const block: BlockSummary = {
    kind: 'block',
    chain: local,
    number: 1_234,
    hash: hex('2', 32),
    time: new Date(now),
    transactions: 1,
    gasUsed: 15_000_000n,
    gasLimit: 30_000_000n,
    baseFee: 1_000_000_007n,
    miner: hex('a', 20),
  };
  expect(renderBlockSummary(block, context)).toBe(
    `**Block 1,234** on Local dev chain  \n1 transaction · gas 15,000,000 (50% full) · base fee 1 gwei  \njust now (2023-11-14 23:13:20 UTC) · by \`Treasury\` \`${short('a')}\``,
  );
});

test.each([
  [0, 'just now'],
  [-1_000, '1 second ago'],
  [-90_000, '1 minute ago'],
  [86_400_000 * 3, 'in 3 days'],
  [-86_400_000 * 800, '2 years ago'],
])('formatRelativeTime of %d ms is %s', (offset, text) => {
  expect(formatRelativeTime(new Date(now + offset), now)).toBe(text);
});

test('formatRelativeTime uses the language of the texts', () => {
  setTranslations({ en: 'de', 'just now': 'gerade eben' });
  try {
    const at = (offset: number) => formatRelativeTime(new Date(now + offset), now);
    expect([at(0), at(-1_000), at(-7_200_000), at(86_400_000), at(86_400_000 * 70)]).toEqual([
      'gerade eben',
      'vor 1 Sekunde',
      'vor 2 Stunden',
      'in 1 Tag',
      'in 2 Monaten',
    ]);
  } finally {
    setTranslations(undefined);
  }
});

test('URLs of explorers contain only validated values', () => {
  expect(getExplorerUrl('https://etherscan.io', { chainId: 1, kind: 'tx', value: hex('1', 32) })).toBe(
    `https://etherscan.io/tx/${hex('1', 32)}`,
  );
  expect(getExplorerUrl('https://etherscan.io', { chainId: 1, kind: 'block', value: '12/../x' })).toBeNull();
  const foreign = { chainId: 1, network: 'mainnet', kind: 'constructor', value: hex('1', 32) } as never;
  expect(getExplorerUrl('https://etherscan.io', foreign)).toBeNull();
  expect(getAptosExplorerUrl(foreign)).toBeNull();
});

test('warns of a saved contract without code', () => {
  const saved = { ...context, isSavedContract: (address: Hex) => address === account.address };
  expect(renderAddressSummary(account, saved)).toContain('Saved as a contract, no code here: redeployed?');
  const unused = { ...account, balance: 0n, nonce: 0 };
  expect(renderAddressSummary(unused, saved)).toContain('redeployed?');
  expect(renderAddressSummary({ ...account, codeSize: 12 }, saved)).not.toContain('redeployed');
  expect(renderAddressSummary({ ...account, codeSize: null }, saved)).not.toContain('redeployed');
  expect(renderAddressSummary(account, context)).not.toContain('redeployed');
});

test('a well-known contract does not say how many it created: on a development chain its nonce started at 0', () => {
  const factory = { ...account, codeSize: 69, nonce: 3 };
  expect(renderAddressSummary(factory, context)).toContain('created 2 contracts');
  const deployer = { ...factory, address: '0x4e59b44847b379578588920ca78fbf26c0b4956c' as const };
  expect(renderAddressSummary(deployer, context)).not.toContain('created');
});

test('an address says where its code is that of a well-known contract, or not', () => {
  const deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
  const codeHash = getWellKnownAddress(deployer.slice(2))?.codeHash ?? null;
  const contract = { ...account, codeSize: 69, codeHash };
  expect(renderAddressSummary(contract, context)).toContain('Same code as CREATE2 deployer');
  expect(renderAddressSummary({ ...contract, address: deployer }, context)).not.toContain('code as');
  expect(renderAddressSummary({ ...contract, address: deployer, codeHash: hex('1', 32) }, context)).toContain(
    '$(warning) Not the known CREATE2 deployer\\: other code here',
  );
});

test('a call of an address without code is marked, since it succeeds without doing anything', () => {
  const calls = { ...NO_CALLS, isReceiverEmpty: true };
  expect(renderTransactionSummary(sent, context, calls)).toContain('The receiver has no code: nothing was executed');
  expect(renderTransactionSummary(sent, context)).not.toContain('no code');
});

test('a transfer of coins can be debugged where it ran code of the receiver', () => {
  const transfer = { ...sent, selector: null, inputSize: 0, input: '0x' as const };
  const debuggable = { ...context, parts: allHoverParts };
  expect(renderTransactionSummary({ ...transfer, gasUsed: 21_167n }, debuggable)).toContain('Debug');
  expect(renderTransactionSummary({ ...transfer, gasUsed: 21_000n }, debuggable)).not.toContain('Debug');
});
