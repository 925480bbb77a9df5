// The rows of an operation over several replies: further pages, rows of new blocks, refreshes, failed pages.

// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import type { WireReply, WireRequest } from '../../../src/api/wire/request.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { createDecoder } from '../../../src/extension/inspector/decoder.ts';
import type { TableCell } from '../../../src/protocol/table.ts';
import type { Grid } from '../../../src/webview/inspector/grid/grid.ts';
import { type ConnectedPanelOptions, ok } from './connectedPanel.ts';
import { find, textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();

const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
const word = (value: bigint | number) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const addressOf = (seed: number) => `0x${String(seed).padStart(2, '0').repeat(20)}`;
const registry = createAbiRegistry();

const createLog = (block: number, topic0 = TRANSFER) => ({
  transaction_hash: word(block),
  block_hash: word(block),
  block_timestamp: '2023-11-14T22:13:20.000Z',
  block_number: String(block),
  log_index: '0',
  address: token,
  data: word(block),
  topic0,
  topic1: word(BigInt(addressOf(11))),
  topic2: word(BigInt(addressOf(22))),
  topic3: null,
});
const toPage = (blocks: readonly number[], cursor: string | null = null, topic0 = TRANSFER) =>
  ok({ result: blocks.map(block => createLog(block, topic0)), cursor, page: 0, page_size: 100 });
const failed: WireReply = { status: 500, headers: {}, body: { message: 'The page cannot be read' } };

const getQuery = ({ query }: WireRequest) => Object.fromEntries(query) as Readonly<Record<string, string | undefined>>;

const openLogs = (reply: ConnectedPanelOptions['reply'], getHead = () => 100, parameters = {}) =>
  open({
    target: {
      kind: 'operation',
      operation: 'contractLogs',
      parameters: { address: token, chain: 'local', ...parameters },
    },
    following: true,
    describer: createDecoder({
      current: () => registry,
      load: async () => registry,
      getName: () => null,
      identify: async () => null,
    }),
    reply,
    lookup: id =>
      id === 'chainStatus' ? { selector: 'local', head: getHead(), chain: null, problem: null } : undefined,
  });

/** The rows of the grid, as they are below its headers. */
function getRecords(): readonly Readonly<Record<string, TableCell>>[] {
  const grid = find(document, 'hl-grid') as Grid | null;
  if (grid === null) return [];
  return grid.rows.map(row => Object.fromEntries(grid.allColumns.map(({ key }, index) => [key, row[index] ?? null])));
}
const getBlocks = () => getRecords().map(({ blockNumber }) => blockNumber);
const showsBlocks = (blocks: readonly number[]) => eventually(() => expect(getBlocks()).toEqual(blocks));

const press = async (name: string) => {
  const button = await eventually(() => {
    const buttons = [...(find(document, 'hl-operation')?.shadowRoot?.querySelectorAll('button') ?? [])];
    const found = buttons.find(({ textContent, ariaDisabled }) => textContent?.trim() === name && !ariaDisabled);
    expect(found, `${name} in ${textOf(document.body)}`).toBeDefined();
    return found;
  });
  button?.click();
};
const refresh = () => find(document, 'button[title=Refresh]')?.click();
const goLive = async () => {
  const box = await eventually(() => {
    const found = find(document, 'hl-operation')?.shadowRoot?.querySelector<HTMLInputElement>('label input');
    expect(found).toBeTruthy();
    return found as HTMLInputElement;
  });
  box.checked = true;
  box.dispatchEvent(new Event('change'));
};

describe('further pages', () => {
  test('of another event have their values below their own headers', async () => {
    await openLogs(request =>
      getQuery(request)['cursor'] === undefined ? toPage([9, 8], 'second') : toPage([7], null, APPROVAL),
    );
    await showsBlocks([9, 8]);
    await press('Load more');
    await showsBlocks([9, 8, 7]);
    const [first, , last] = getRecords();
    expect(first).toMatchObject({ topic0: TRANSFER, from: addressOf(11), to: addressOf(22), value: '9' });
    expect(last).toMatchObject({
      topic0: APPROVAL,
      owner: addressOf(11),
      spender: addressOf(22),
      value: '7',
      from: null,
    });
  });

  test('follow the first page again after a refresh', async () => {
    const cursors: (string | undefined)[] = [];
    await openLogs(request => {
      const { cursor } = getQuery(request);
      cursors.push(cursor);
      return cursor === undefined ? toPage([9], 'second') : cursor === 'second' ? toPage([8], 'third') : toPage([7]);
    });
    await showsBlocks([9]);
    await press('Load more');
    await showsBlocks([9, 8]);
    refresh();
    await showsBlocks([9]);
    await press('Load more');
    await showsBlocks([9, 8]);
    await press('Load more');
    await showsBlocks([9, 8, 7]);
    expect(cursors).toEqual([undefined, 'second', undefined, 'second', 'third']);
  });

  test('can be loaded after one has failed, and keep those before it', async () => {
    let isFailing = true;
    let failureCount = 0;
    await openLogs(request => {
      const { cursor } = getQuery(request);
      if (cursor === 'third' && isFailing) {
        failureCount++;
        return failed;
      }
      return cursor === undefined ? toPage([9], 'second') : cursor === 'second' ? toPage([8], 'third') : toPage([7]);
    });
    await showsBlocks([9]);
    await press('Load more');
    await showsBlocks([9, 8]);
    await press('Load more');
    await shows('The page cannot be read');
    find(document, '.box button.action')?.click();
    await eventually(() => expect(failureCount).toBe(2));
    expect(getBlocks()).toEqual([9, 8]);
    isFailing = false;
    await press('Load more');
    await showsBlocks([9, 8, 7]);
    expect(find(document, '.box')).toBeNull();
  });
});

test('further pages are loaded again when the user returns to the page', async () => {
  const { connected } = await openLogs(request => {
    if (request.operation !== 'contractLogs') return failed;
    const { cursor } = getQuery(request);
    return cursor === undefined ? toPage([9], 'second') : cursor === 'second' ? toPage([8], 'third') : toPage([7]);
  });
  await showsBlocks([9]);
  await press('Load more');
  await showsBlocks([9, 8]);
  connected.session.open({ kind: 'block', chain: 'local', block: '1' });
  await shows('The page cannot be read');
  find(document, 'button[aria-label=Back]')?.click();
  await showsBlocks([9, 8]);
  expect(textOf(document.body)).toContain('Load more');
});

test('only the first page is loaded when the user returns to a page that was refreshed', async () => {
  const cursors: (string | undefined)[] = [];
  const { connected } = await openLogs(request => {
    if (request.operation !== 'contractLogs') return failed;
    const { cursor } = getQuery(request);
    cursors.push(cursor);
    return cursor === undefined ? toPage([9], 'second') : toPage([8], 'third');
  });
  await showsBlocks([9]);
  await press('Load more');
  await showsBlocks([9, 8]);
  refresh();
  await showsBlocks([9]);
  connected.session.open({ kind: 'block', chain: 'local', block: '1' });
  await shows('The page cannot be read');
  find(document, 'button[aria-label=Back]')?.click();
  await showsBlocks([9]);
  connected.session.open({ kind: 'block', chain: 'local', block: '2' });
  await shows('The page cannot be read');
  expect(cursors.filter(cursor => cursor !== undefined)).toEqual(['second']);
});

describe('rows of new blocks', () => {
  test.each([{ toBlock: '100' }, { toDate: '2023-11-14' }, { cursor: 'second' }])(
    'are not offered for a list that has an end: %o',
    async parameters => {
      let newest = 100;
      await openLogs(
        () => toPage([newest]),
        () => newest,
        parameters,
      );
      await showsBlocks([100]);
      expect(textOf(document.body)).not.toContain('Live');
      newest = 101;
      refresh();
      await showsBlocks([101]); // the page was rendered again, with all that it had received
      expect(textOf(document.body)).not.toContain('Live');
    },
  );

  test('are below their own headers where the list was empty', async () => {
    let head = 100;
    await openLogs(
      request => (getQuery(request)['from_block'] === undefined ? toPage([]) : toPage([101])),
      () => head,
    );
    await shows('No rows.');
    await goLive();
    head = 101;
    await showsBlocks([101]);
    expect(getRecords()[0]).toMatchObject({ from: addressOf(11), to: addressOf(22), value: '101' });
  });

  test('are shown once after a refresh', async () => {
    let head = 100;
    const blocks = [100];
    const asked: string[] = [];
    await openLogs(
      request => {
        const from = getQuery(request)['from_block'];
        asked.push(from ?? 'first');
        return toPage(blocks.filter(block => block >= Number(from ?? 0)));
      },
      () => head,
    );
    await showsBlocks([100]);
    await goLive();
    blocks.unshift(101);
    head = 101;
    await showsBlocks([101, 100]);
    refresh();
    await eventually(() => expect(asked.filter(from => from === 'first')).toHaveLength(2));
    blocks.unshift(102);
    head = 102;
    await eventually(() => expect(getBlocks()[0]).toBe(102));
    await showsBlocks([102, 101, 100]);
  });

  test('that are more than one page replace the list, so that none is missing', async () => {
    let head = 100;
    let newest = [100];
    await openLogs(
      request => (getQuery(request)['from_block'] === undefined ? toPage(newest, 'older') : toPage(newest, 'gap')),
      () => head,
    );
    await showsBlocks([100]);
    await goLive();
    newest = [109, 108];
    head = 109;
    await showsBlocks([109, 108]);
    await shows('Load more');
  });

  test('that cannot be read are reported', async () => {
    let head = 100;
    await openLogs(
      request => (getQuery(request)['from_block'] === undefined ? toPage([100]) : failed),
      () => head,
    );
    await showsBlocks([100]);
    await goLive();
    head = 101;
    await shows('The page cannot be read');
    await showsBlocks([100]);
  });
});

test('a target that is opened again while it loads is shown', async () => {
  const reply = Promise.withResolvers<WireReply>();
  const { connected } = await openLogs(() => reply.promise);
  await shows('Running…');
  connected.session.open(connected.session.target());
  reply.resolve(toPage([9]));
  await showsBlocks([9]);
});

test('says what the service could not see', async () => {
  const partial = 'Only what the address sent: this node has no index of incoming transactions.';
  await open({
    target: { kind: 'operation', operation: 'walletTransactions', parameters: { address: token, chain: 'local' } },
    reply: () => ({
      status: 200,
      headers: { 'x-hexlens-partial': partial },
      body: { result: [], cursor: null, page: 0, page_size: 100 },
    }),
  });
  await shows(partial);
});
