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
    worker: { transport: { send: async () => reply } },
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
