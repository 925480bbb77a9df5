// Texts of the status bar for chains and Aptos networks.
import { expect, test } from 'vitest';
import type { AptosStatus } from '../../../src/api/lookups.ts';
import { formatAptosStatus, formatStatusBar } from '../../../src/extension/status/statusText.ts';

const aptos: AptosStatus = {
  network: 'local',
  chainId: 4,
  ledgerVersion: 1_234n,
  blockHeight: 99n,
  ledgerTime: null,
  index: null,
  problem: null,
};

test.each<[Partial<AptosStatus>, string]>([
  [{}, 'Aptos local: version 1,234'],
  [{ ledgerVersion: null }, 'Aptos local: version unknown'],
  [{ index: { version: 1_000n, head: 1_234n, running: true } }, 'Aptos local: version 1,234, index at 1,000'],
  [{ index: { version: 1_234n, head: 1_234n, running: false } }, 'Aptos local: version 1,234, index up to date'],
  [{ index: { version: 5n, head: null, running: false } }, 'Aptos local: version 1,234, index at 5'],
  [{ problem: 'It cannot be reached.' }, 'Aptos local: It cannot be reached.'],
])('formats the status %o as %s', (facts, line) => {
  expect(formatAptosStatus({ ...aptos, ...facts })).toBe(line);
});

test('lists Aptos networks after the chains and shows only chains in the status bar text', () => {
  const local = {
    selector: 'local',
    chain: null,
    source: 'node',
    head: 7,
    headTime: null,
    client: null,
    problem: null,
  } as const;
  expect(formatStatusBar([local], [aptos])).toEqual({
    text: '$(symbol-numeric) Local dev chain 7',
    tooltip: ['Local dev chain: block 7', 'Aptos local: version 1,234'],
    hasProblem: false,
  });
  expect(formatStatusBar([], [aptos]).tooltip).toEqual(['No chain is configured.', 'Aptos local: version 1,234']);
});
