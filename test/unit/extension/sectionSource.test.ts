// Pages of the lists in the sidebar.
import { expect, test } from 'vitest';
import { resolveChain } from '../../../src/api/chains.ts';
import { PARTIAL_HEADER, SCAN_HEADER } from '../../../src/api/wire/responseHeaders.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { EntryNode } from '../../../src/extension/sidebar/addressTreeNodes.ts';
import { createSectionSource, type SectionSourceDeps } from '../../../src/extension/sidebar/sectionSource.ts';
import type { TreeSection } from '../../../src/view/tree/treeRow.ts';

const address = `0x${'ab'.repeat(20)}`;
const section: TreeSection = {
  key: 'transactions',
  title: 'Transactions',
  icon: '',
  request: { operation: 'walletTransactions', parameters: { address, chain: 'eth' } },
  rows: 'transaction',
  omittedIfEmpty: false,
};
const node = { entry: { kind: 'wallet', address, chains: [] } } as unknown as EntryNode;

function createSource(reply: object) {
  return createSectionSource({
    worker: { transport: { send: async () => reply }, chains: () => [] },
    chainMonitor: { fetchChain: async () => resolveChain('eth', 1) },
    book: { getName: () => null },
    abis: { load: () => Promise.reject(new Error('no ABIs')) },
    settings: {},
    log: silentLog,
  } as unknown as SectionSourceDeps);
}

test('a page has what its rows lack and how far the scan of the chain got', async () => {
  const headers = {
    [PARTIAL_HEADER]: 'Only what it sent.',
    [SCAN_HEADER]: 'partial; searched down to block 12345',
    'x-hexlens-source': 'index',
  };
  const source = createSource({ status: 200, headers, body: { result: [], cursor: 'next' } });
  const page = await source.fetchPage(section, node, 'eth', null, AbortSignal.any([]));
  expect(page).toMatchObject({ rows: [], cursor: 'next' });
  expect(Object.values(page.notes)).toEqual([
    'Only what it sent.',
    'Searched down to block 12345; load more to continue.',
  ]);
});

test('a page of a host that fails has no rows', async () => {
  const source = createSource({ status: 500, headers: {}, body: { message: 'broken' } });
  await expect(source.fetchPage(section, node, 'eth', null, AbortSignal.any([]))).rejects.toMatchObject({
    code: 'host-error',
  });
});

test('rows name contracts by the build, on a chain of this machine', async () => {
  const vault = `0x${'0a'.repeat(20)}`;
  const build = { name: 'HarborVault', source: 'src/HarborVault.sol', ids: [], difference: null, copy: null };
  const transaction = {
    ...{ hash: `0x${'1'.repeat(64)}`, from_address: address, to_address: vault, value: '0', input: '0x' },
    ...{ block_number: '5', block_timestamp: '2026-01-01T00:00:00.000Z', receipt_status: '1' },
  };
  const createLabel = async (isLocal: boolean) => {
    const source = createSectionSource({
      worker: {
        transport: { send: async () => ({ status: 200, headers: {}, body: { result: [transaction] } }) },
        chains: () => [{ selector: 'local', isLocal }],
        lookup: async (_: string, input: { readonly address: string }) => ({
          ...{ code: input.address === vault ? '0x6001' : '0x', proxy: null, delegate: null },
        }),
      },
      chainMonitor: { fetchChain: async () => resolveChain('local', 31_337) },
      book: { getName: () => null },
      abis: {
        load: async () => ({ size: 1, idsOf: () => [], functions: () => ({ workspace: [], bundled: [] }) }),
        builds: async () => ({ find: async (code: string) => (code === '0x6001' ? build : null) }),
      },
      settings: {},
      log: silentLog,
    } as unknown as SectionSourceDeps);
    const { rows } = await source.fetchPage(section, node, 'local', null, AbortSignal.any([]));
    return JSON.stringify(rows);
  };
  expect(await createLabel(true)).toContain('HarborVault (build)');
  expect(await createLabel(false)).not.toContain('HarborVault');
});

test('rows of failed transactions have their place in the source, on a chain of this machine', async () => {
  const failed = {
    ...{ hash: `0x${'2'.repeat(64)}`, from_address: address, to_address: address, value: '0', input: '0x' },
    ...{ block_number: '5', block_timestamp: '2026-01-01T00:00:00.000Z', receipt_status: '0' },
  };
  const successful = { ...failed, hash: `0x${'3'.repeat(64)}`, receipt_status: '1' };
  const describeRows = async (isLocal: boolean, findFailurePlace: (chain: string, hash: string) => Promise<string>) => {
    const source = createSectionSource({
      worker: {
        transport: { send: async () => ({ status: 200, headers: {}, body: { result: [failed, successful] } }) },
        chains: () => [{ selector: 'local', isLocal }],
      },
      chainMonitor: { fetchChain: async () => resolveChain('local', 31_337) },
      book: { getName: () => 'Ann' },
      abis: {
        load: () => Promise.reject(new Error('no ABIs')),
        builds: () => Promise.reject(new Error('no builds')),
        sources: async () => ({ findFailurePlace }),
      },
      settings: {},
      log: silentLog,
    } as unknown as SectionSourceDeps);
    const { rows } = await source.fetchPage(section, node, 'local', null, AbortSignal.any([]));
    return rows.map(({ description }) => description?.split(' · ').slice(0, 2).join(' · '));
  };
  const place = 'src/Vault.sol:41';
  expect((await describeRows(true, async () => place)).join()).toMatch(/^failed · src\/Vault\.sol:41,(?!.*Vault)/);
  expect((await describeRows(false, async () => place)).join()).not.toContain('Vault');
  // A place that takes long does not delay the page.
  expect((await describeRows(true, () => new Promise<string>(() => {}))).join()).toMatch(/^failed(?!.*Vault)/);
});
