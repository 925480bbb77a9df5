// The rows of an operation over several replies: further pages, rows of new blocks, refreshes, failed pages.

// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { resolveChain } from '../../../src/api/chains.ts';
import type { WireReply, WireRequest } from '../../../src/api/wire/request.ts';
import { PARTIAL_HEADER } from '../../../src/api/wire/responseHeaders.ts';
import type { Hex } from '../../../src/base/hex.ts';
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

const openLogs = (
  reply: ConnectedPanelOptions['reply'],
  getHead = () => 100,
  parameters = {},
  { getGenesis, ...options }: Partial<ConnectedPanelOptions> & { readonly getGenesis?: () => string } = {},
) =>
  open({
    ...options,
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
      id === 'chainStatus'
        ? {
            selector: 'local',
            head: getHead(),
            chain: resolveChain('local', 31337),
            genesisHash: getGenesis?.(),
            problem: null,
          }
        : undefined,
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
const toggleLive = async () => {
  const toggle = await eventually(() => {
    const found = find(document, 'button[title="Follow new blocks"]');
    expect(found).toBeTruthy();
    return found;
  });
  toggle?.click();
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

const HASH: Hex = `0x${'1'.repeat(64)}`;

describe('rows of new blocks', () => {
  /** A chain whose newest block has the only log of each block from 100 on. */
  const openGrowing = async (options: Partial<ConnectedPanelOptions> = {}, parameters = {}) => {
    const chain = { head: 100, requests: 0, genesisHash: word(1) };
    await openLogs(
      request => {
        chain.requests++;
        const blocks = Array.from({ length: chain.head - 99 }, (_, index) => chain.head - index);
        return getQuery(request)['cursor'] === undefined ? toPage(blocks, 'older') : toPage([50]);
      },
      () => chain.head,
      parameters,
      { ...options, getGenesis: () => chain.genesisHash },
    );
    await showsBlocks([100]);
    return chain;
  };

  test.each([{ toBlock: '100' }, { toDate: '2023-11-14' }, { cursor: 'second' }])(
    'are not followed in a list that has an end: %o',
    async parameters => {
      let newest = 100;
      await openLogs(
        () => toPage([newest]),
        () => newest,
        parameters,
      );
      await showsBlocks([100]);
      expect(find(document, 'button[title="Follow new blocks"]')).toBeNull();
      newest = 101;
      refresh();
      await showsBlocks([101]); // the page was rendered again, with all that it had received
      expect(textOf(document.body)).not.toContain('newer block');
    },
  );

  test('are shown on a chain of this machine as soon as there are some', async () => {
    const chain = await openGrowing();
    chain.head = 102;
    await showsBlocks([102, 101, 100]);
    expect(textOf(document.body)).not.toContain('newer block');
  });

  test('are counted, and read on request, on a chain of another machine', async () => {
    const chain = await openGrowing({ isRemote: true });
    chain.head = 101;
    await shows('1 newer block');
    chain.head = 103;
    await shows('3 newer blocks');
    expect(getBlocks()).toEqual([100]);
    find(document, 'p.news button')?.click();
    await showsBlocks([103, 102, 101, 100]);
    await eventually(() => expect(textOf(document.body)).not.toContain('newer block'));
    expect(chain.requests).toBe(2);
  });

  test('are followed on a chain of another machine when the user asks for that', async () => {
    const chain = await openGrowing({ isRemote: true });
    await toggleLive();
    chain.head = 101;
    await showsBlocks([101, 100]);
  });

  test('are only counted once the user has stopped to follow them', async () => {
    const chain = await openGrowing();
    await toggleLive();
    chain.head = 101;
    await shows('1 newer block');
    expect(getBlocks()).toEqual([100]);
  });

  test('do not take away further pages that the user has loaded', async () => {
    const chain = await openGrowing();
    await press('Load more');
    await showsBlocks([100, 50]);
    chain.head = 101;
    await shows('1 newer block');
    expect(getBlocks()).toEqual([100, 50]);
  });

  test('are read when the first rows are older than the first block that the chain reports', async () => {
    let requests = 0;
    await openLogs(
      () => {
        const readAt = requests++ === 0 ? 90 : 100;
        const state = { genesisHash: HASH, headHash: HASH, headNumber: readAt };
        return { ...toPage([readAt]), freshness: { validity: 'untilNextHead', chain: 'local', state } };
      },
      () => 100,
    );
    await showsBlocks([100]);
    refresh();
    await eventually(() => expect(requests).toBe(3)); // once by itself
  });

  test('are read with the names of contracts that have come late, unless that takes away further pages', async () => {
    const chain = { requests: 0 };
    const { connected } = await openLogs(request => {
      chain.requests++;
      return getQuery(request)['cursor'] !== undefined ? toPage([50]) : toPage([100], 'older');
    });
    await showsBlocks([100]);
    connected.session.handleLateNames('eth');
    connected.session.handleLateNames('local');
    await eventually(() => expect(chain.requests).toBe(2));
    await press('Load more');
    await showsBlocks([100, 50]);
    connected.session.handleLateNames('local');
    expect(chain.requests).toBe(3);
  });

  test('that cannot be read are reported, with the rows that were', async () => {
    let head = 100;
    await openLogs(
      () => (head === 100 ? toPage([100]) : failed),
      () => head,
    );
    await showsBlocks([100]);
    head = 101;
    await shows('The page cannot be read');
    await showsBlocks([100]);
  });

  test('are those of the new chain after the node was replaced', async () => {
    const chain = await openGrowing({ isRemote: true });
    [chain.head, chain.genesisHash] = [101, word(2)];
    await shows('Local dev chain is another chain now: this page was read again.');
    await showsBlocks([101, 100]);
  });

  test('say that the chain was reset while its genesis block stayed the same', async () => {
    const chain = await openGrowing({ isRemote: true });
    chain.head = 99;
    await shows('The chain was reset since this page was read.');
  });
});

test('addresses in a line of values are links to their pages, and copies of the row have plain text', async () => {
  const { connected } = await openLogs(() =>
    ok({ result: [createLog(9), createLog(8, APPROVAL)], cursor: null, page: 0, page_size: 100 }),
  );
  await showsBlocks([9, 8]);
  const links = await eventually(() => {
    const found = [...(find(document, 'hl-grid')?.shadowRoot?.querySelectorAll<HTMLElement>('a[data-address]') ?? [])];
    expect(found.map(link => link.dataset['address'])).toEqual([11, 22, 11, 22].map(addressOf));
    return found;
  });
  const row = links[0]?.closest('[role=row]');
  expect(textOf(row as HTMLElement)).toMatch(/0x1111…1111\s*→\s*0x2222…2222\s*· 9/);
  links[1]?.click();
  await eventually(() => expect(connected.session.target()).toMatchObject({ kind: 'address', address: addressOf(22) }));
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

describe('a list whose calls are still being read', () => {
  const note = (block: number) =>
    `The calls inside the transactions of block ${block} and earlier ones are still being read: request the page again, or the next one.`;
  const reply = (blocks: readonly number[], pendingFrom: number | null): WireReply => ({
    ...toPage(blocks, pendingFrom === null ? null : 'next'),
    ...(pendingFrom !== null && { headers: { [PARTIAL_HEADER]: note(pendingFrom) } }),
  });

  test('is requested again until all are there, on a chain of this machine', async () => {
    let requests = 0;
    const replies = [reply([], 90), reply([70], 60), reply([70, 5], null)];
    await openLogs(() => replies[Math.min(requests++, 2)] ?? failed);
    await showsBlocks([70, 5]);
    expect(requests).toBe(3);
  });

  test('is not requested again while nothing more was read', async () => {
    let requests = 0;
    await openLogs(() => {
      requests++;
      return reply([70], 60);
    });
    await showsBlocks([70]);
    await shows('block 60 and earlier ones are still being read.');
    expect(requests).toBe(2);
  });
});
