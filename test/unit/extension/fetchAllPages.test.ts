// Exports of lists longer than a page: every page once, one header, one array, and an end even of lists without one.
import { describe, expect, test } from 'vitest';
import { createExportWriter } from '../../../src/extension/inspector/exportedTable.ts';
import { fetchAllPages } from '../../../src/extension/inspector/fetchAllPages.ts';
import type { InspectorTarget } from '../../../src/protocol/inspectorTarget.ts';

const target: InspectorTarget = {
  kind: 'operation',
  operation: 'walletNfts',
  parameters: { address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', chain: 'local' },
};

const nft = (id: string) => ({
  token_address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  token_id: id,
  amount: '1',
  owner_of: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  contract_type: 'ERC721',
  name: '=cmd()',
  symbol: 'A,"B"',
});

interface Page {
  readonly ids: readonly string[];
  readonly cursor: string | null;
  readonly status?: 'SYNCING';
}

/** A host with the pages, by the cursor that leads to each. */
function host(pages: Readonly<Record<string, Page>>) {
  const asked: string[] = [];
  return {
    asked,
    async send(request: { readonly query: readonly (readonly [string, string])[] }) {
      const cursor = request.query.find(([name]) => name === 'cursor')?.[1] ?? '';
      asked.push(cursor);
      const page = pages[cursor];
      const { ids = [], cursor: next = null, status = 'SYNCED' } = page ?? {};
      const body = { status, result: ids.map(nft), cursor: next, page: 1, page_size: 2 };
      return { status: 200, headers: {}, body };
    },
  };
}

async function exported(format: 'csv' | 'json', transport: ReturnType<typeof host>): Promise<string> {
  const writer = createExportWriter(format);
  let text = '';
  for await (const { table } of fetchAllPages(target, transport as never, new AbortController().signal))
    text += writer.formatPage(table);
  return text + writer.formatEnd();
}

const THREE = {
  '': { ids: ['1', '2'], cursor: 'b' },
  b: { ids: ['3'], cursor: 'c' },
  c: { ids: ['115792089237316195423570985008687907853269984665640564039457584007913129639935'], cursor: null },
};

describe('all pages', () => {
  test('come in their order, as one JSON array, exact to the last digit', async () => {
    const rows = JSON.parse(await exported('json', host(THREE))) as { tokenId: string }[];
    expect(rows.map(({ tokenId }) => tokenId)).toEqual(['1', '2', '3', THREE.c.ids[0]]);
  });

  test('come as one CSV with one header, and no formula in it', async () => {
    const lines = (await exported('csv', host(THREE))).split('\r\n');
    expect(lines).toHaveLength(1 + 4 + 1);
    expect(lines.filter(line => line.includes('tokenId'))).toHaveLength(1);
    expect(lines[1]).toContain(`'=cmd()`);
    expect(lines[1]).toContain(`"A,""B"""`);
  });

  test('of nothing are an empty array', async () => {
    expect(await exported('json', host({ '': { ids: [], cursor: null } }))).toBe('[]\n');
  });

  test('say which of them come from an index that is not complete', async () => {
    const transport = host({ ...THREE, b: { ...THREE.b, status: 'SYNCING' } });
    const growing: boolean[] = [];
    for await (const page of fetchAllPages(target, transport as never, new AbortController().signal))
      growing.push(page.isIncomplete);
    expect(growing).toEqual([false, true, false]);
  });

  test('end where a cursor leads in a circle', async () => {
    const transport = host({ '': { ids: ['1'], cursor: 'b' }, b: { ids: ['2'], cursor: 'b' } });
    await exported('json', transport);
    expect(transport.asked).toEqual(['', 'b']);
  });

  test('stop when nobody wants them any more', async () => {
    const controller = new AbortController();
    const transport = host(THREE);
    const read = async () => {
      for await (const _ of fetchAllPages(target, transport as never, controller.signal)) controller.abort();
    };
    await expect(read()).rejects.toThrow();
    expect(transport.asked).toEqual(['']);
  });
});
