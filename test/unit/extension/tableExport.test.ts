// Exports of lists with several pages.
import { describe, expect, test } from 'vitest';
import { resolveChain } from '../../../src/api/chains.ts';
import { findChain } from '../../../src/api/chainTable.ts';
import type { Transport } from '../../../src/client/transport.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { createDecoder } from '../../../src/extension/inspector/decoder.ts';
import type { DataPorts } from '../../../src/extension/inspector/inspectorPorts.ts';
import { createExportWriter, fetchAllPages } from '../../../src/extension/inspector/tableExport.ts';
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

/** A transport with the pages by their cursors; records the requested cursors. */
function createPagedTransport(pages: Readonly<Record<string, Page>>) {
  const requestedCursors: string[] = [];
  return {
    requestedCursors,
    async send(request: { readonly query: readonly (readonly [string, string])[] }) {
      const cursor = request.query.find(([name]) => name === 'cursor')?.[1] ?? '';
      requestedCursors.push(cursor);
      const page = pages[cursor];
      const { ids = [], cursor: next = null, status = 'SYNCED' } = page ?? {};
      const body = { status, result: ids.map(nft), cursor: next, page: 1, page_size: 2 };
      return { status: 200, headers: {}, body };
    },
  };
}

const decoder = createDecoder({
  current: () => null,
  load: async () => createAbiRegistry(),
  getName: () => null,
  identify: async () => null,
});
/** A node on `local` whose chain has another coin than Ethereum. */
const lookup = (async (id: string) => {
  if (id !== 'chainStatus') throw new Error(`unexpected lookup ${id}`);
  return { chain: resolveChain('local', 100, findChain(100)) };
}) as DataPorts['lookup'];
const toPorts = (transport: object) => ({ transport: transport as Transport, decoder, getName: () => null, lookup });

async function exportAll(format: 'csv' | 'json', transport: ReturnType<typeof createPagedTransport>): Promise<string> {
  const writer = createExportWriter(format);
  let text = '';
  for await (const { table } of fetchAllPages(target, toPorts(transport), new AbortController().signal))
    text += writer.formatPage(table);
  return text + writer.formatEnd();
}

const THREE_PAGES = {
  '': { ids: ['1', '2'], cursor: 'b' },
  b: { ids: ['3'], cursor: 'c' },
  c: { ids: ['115792089237316195423570985008687907853269984665640564039457584007913129639935'], cursor: null },
};

describe('fetchAllPages', () => {
  test('exports all pages in order as one JSON array with exact numbers', async () => {
    const rows = JSON.parse(await exportAll('json', createPagedTransport(THREE_PAGES))) as { tokenId: string }[];
    expect(rows.map(({ tokenId }) => tokenId)).toEqual(['1', '2', '3', THREE_PAGES.c.ids[0]]);
  });

  test('exports all pages as one CSV with one header and without formulas', async () => {
    const lines = (await exportAll('csv', createPagedTransport(THREE_PAGES))).split('\r\n');
    expect(lines).toHaveLength(1 + 4 + 1);
    expect(lines.filter(line => line.includes('tokenId'))).toHaveLength(1);
    expect(lines[1]).toContain(`'=cmd()`);
    expect(lines[1]).toContain(`"A,""B"""`);
  });

  test('exports an empty list as an empty array', async () => {
    expect(await exportAll('json', createPagedTransport({ '': { ids: [], cursor: null } }))).toBe('[]\n');
  });

  test('marks pages of an incomplete index', async () => {
    const transport = createPagedTransport({ ...THREE_PAGES, b: { ...THREE_PAGES.b, status: 'SYNCING' } });
    const incomplete: boolean[] = [];
    for await (const page of fetchAllPages(target, toPorts(transport), new AbortController().signal))
      incomplete.push(page.isIncomplete);
    expect(incomplete).toEqual([false, true, false]);
  });

  test('stops at a repeated cursor', async () => {
    const transport = createPagedTransport({ '': { ids: ['1'], cursor: 'b' }, b: { ids: ['2'], cursor: 'b' } });
    await exportAll('json', transport);
    expect(transport.requestedCursors).toEqual(['', 'b']);
  });

  test('has amounts in the coin of the chain that a local node reports', async () => {
    const wallet: InspectorTarget = {
      kind: 'operation',
      operation: 'walletTransactions',
      parameters: { address: `0x${'a1'.repeat(20)}`, chain: 'local' },
    };
    const transport = { send: async () => ({ status: 200, headers: {}, body: { result: [], cursor: null } }) };
    const { value: page } = await fetchAllPages(wallet, toPorts(transport), new AbortController().signal).next();
    const column = page?.table.columns.find(({ key }: { readonly key: string }) => key === 'value');
    expect(column).toMatchObject({ unit: 'XDAI', decimals: 18 });
  });

  test('has the arguments of logs in full, in columns where the list is of one event', async () => {
    const topic0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
    const word = (digit: string) => `0x${'0'.repeat(24)}${digit.repeat(40)}`;
    const log = {
      ...{ address: `0x${'7a'.repeat(20)}`, topic0, topic1: word('1'), topic2: word('2'), block_number: '1' },
      data: `0x${(1_000_019).toString(16).padStart(64, '0')}`,
    };
    const transport = { send: async () => ({ status: 200, headers: {}, body: { result: [log], cursor: null } }) };
    const read = async (parameters: Record<string, string>) => {
      const logs: InspectorTarget = {
        kind: 'operation',
        operation: 'contractLogs',
        parameters: { address: log.address, chain: 'local', ...parameters },
      };
      const writer = createExportWriter('json');
      const { value } = await fetchAllPages(logs, toPorts(transport), new AbortController().signal).next();
      return JSON.parse(writer.formatPage(value?.table ?? { columns: [], rows: [] }) + writer.formatEnd())[0];
    };
    const values = { from: `0x${'1'.repeat(40)}`, to: `0x${'2'.repeat(40)}`, value: '1000019' };
    expect(await read({ topic0 })).toMatchObject({ ...values, arguments: values, topic0Name: expect.anything() });
    const ofAll = await read({});
    expect(ofAll).toMatchObject({ arguments: values });
    expect(ofAll).not.toHaveProperty('from');
  });

  test('stops when it is cancelled', async () => {
    const controller = new AbortController();
    const transport = createPagedTransport(THREE_PAGES);
    const read = async () => {
      for await (const _ of fetchAllPages(target, toPorts(transport), controller.signal)) controller.abort();
    };
    await expect(read()).rejects.toThrow();
    expect(transport.requestedCursors).toEqual(['']);
  });
});
