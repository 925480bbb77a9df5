// The address page: what people read of an address.

// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { AddressSummary } from '../../../src/api/lookups.ts';
import { ok } from './connectedPanel.ts';
import { find, textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();

const alice = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const logic = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

const summaryOf = (change: Partial<AddressSummary> = {}): AddressSummary => ({
  kind: 'address',
  chain: { name: 'local', id: 31337, title: 'Local dev chain', coin: 'ETH', decimals: 18, explorer: null },
  address: alice,
  balance: 10n ** 18n,
  nonce: 3,
  codeSize: 0,
  delegate: null,
  proxy: null,
  token: null,
  blockNumber: 7,
  ...change,
});

const openAddress = (summary: AddressSummary) =>
  open({
    target: { kind: 'address', chain: 'local', address: alice },
    reply: () => ok({ result: [], cursor: null }),
    lookup: id => (id === 'addressSummary' ? summary : undefined),
  });

test('shows and copies addresses with their checksums', async () => {
  const proxy = { kind: 'ERC-1967' as const, implementations: [logic] as const, beacon: null };
  const { connected, page } = await openAddress(summaryOf({ codeSize: 50, proxy }));
  await shows('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
  await shows('0x5FbD…0aa3');
  expect(textOf(page)).not.toContain(alice);
  find(document, '[aria-label="Copy the address"]')?.click();
  await eventually(() => expect(connected.copied).toEqual(['0x70997970C51812dc3A010C7d01b50e0d17dc79C8']));
  expect(connected.posted).toContainEqual(
    expect.objectContaining({
      method: 'state',
      params: expect.objectContaining({ history: [expect.objectContaining({ title: 'Address 0x7099…79C8' })] }),
    }),
  );
});
