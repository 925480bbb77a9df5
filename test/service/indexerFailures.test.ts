// Failures while an index is built: a node that hangs or breaks off, a full disk, no folder, values at their limits.
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { createStoreOpener } from '../../src/service/indexer/openStore.ts';
import { bundleProgram } from '../support/bundle.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { emitLogs } from '../support/chain/chainLoad.ts';
import { topics } from '../support/chain/contractAbis.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { startService } from '../support/filledChain.ts';
import {
  createIndexFixture,
  lower,
  NODE_TIMEOUT_MS,
  readStoreContent,
  type StoreContent,
  waitUntilRecovered,
  waitUntilSynced,
} from '../support/indexFixture.ts';
import { allPages, fetchSyncedPage, toRecords } from '../support/nftPages.ts';
import {
  forwardTo,
  type ScriptedCall,
  type ScriptedExchange,
  type ScriptedReply,
  startScriptedRpcNode,
} from '../support/scriptedRpcNode.ts';
import { startProcess } from '../support/startProcess.ts';
import { createTestLog } from '../support/testClock.ts';

const stage = createIndexFixture();
const CHILD = 'test/service/indexerChild.ts';

interface Harm {
  readonly exchange?: (exchange: ScriptedExchange) => boolean | Promise<boolean>;
  readonly answer?: (
    call: ScriptedCall,
    honest: () => Promise<ScriptedReply>,
  ) => Promise<ScriptedReply> | ScriptedReply;
}

async function before(anvil: Anvil, { exchange, answer }: Harm) {
  const forward = forwardTo(anvil.url);
  const node = await startScriptedRpcNode({
    answer: call => answer?.(call, () => forward(call)) ?? forward(call),
    ...(exchange === undefined ? {} : { exchange }),
  });
  stage.atEnd(() => node.stop());
  return node;
}

async function storyChain(): Promise<Anvil> {
  const { anvil } = await stage.filledAnvil({ blocks: 20 });
  return anvil;
}

/** Whether it asks for the logs of blocks from `from` on. */
const isBeyond =
  (from: number) =>
  ({ method, params }: ScriptedCall) =>
    method === 'eth_getLogs' && Number((params[0] as { fromBlock?: Hex }).fromBlock ?? 0) >= from;

describe('a node that fails during the first sync', () => {
  let busy: Anvil;
  let fresh: StoreContent;
  beforeAll(async () => {
    busy = await startAnvil();
    await emitLogs(busy, 8_000);
    fresh = await stage.readFreshContent(busy.url);
  });
  afterAll(() => busy?.stop());

  it.each([
    ['hangs', (exchange: ScriptedExchange) => exchange.hang(), 'node-timeout'],
    [
      'breaks off its answer',
      (exchange: ScriptedExchange) => exchange.sendHalf('{"jsonrpc":"2.0","id":1,"result":[{"addr'),
      null,
    ],
    [
      'answers with a page',
      (exchange: ScriptedExchange) => exchange.sendText('<html>Bad gateway</html>', 200),
      'node-answer',
    ],
  ] as const)('%s: stored blocks stay, and the next request continues', async (_name, harm, code) => {
    let down = true;
    /** The first block whose logs the node did not give. */
    let missing = Number.POSITIVE_INFINITY;
    const isHarmed = (calls: readonly ScriptedCall[]) => {
      const harmed = down ? calls.filter(isBeyond(8)) : [];
      missing = Math.min(missing, ...harmed.map(({ params }) => Number((params[0] as { fromBlock: Hex }).fromBlock)));
      return harmed.length > 0;
    };
    const node = await before(busy, {
      exchange(exchange) {
        if (!isHarmed(exchange.calls)) return false;
        harm(exchange);
        return true;
      },
    });
    // A busy node takes its time: only requests that never get an answer are given up soon, maybe before they reach it.
    const isHung = (body: string) =>
      isHarmed(([JSON.parse(body)] as ScriptedCall[][]).flat()) && code === 'node-timeout';
    const index = await stage.index(node.url, { getTimeoutMs: body => (isHung(body) ? 100 : NODE_TIMEOUT_MS) });
    const fault = await waitUntilSynced(index).then(
      () => null,
      error => error as { code: string; message: string },
    );
    expect(fault?.code).toMatch(/^node-/);
    if (code !== null) expect(fault?.code).toBe(code);
    expect(fault?.message).toContain(node.host);
    // On a busy machine the fault of a run is reported while the next one is under way.
    await expect.poll(() => index.progress().isRunning).toBe(false);
    expect(index.progress().indexedBlock).toBe(missing - 1);
    down = false;
    expect(await readStoreContent(await waitUntilRecovered(index))).toEqual(fresh);
  });

  type Block = { readonly hash: Hex; readonly transactions: readonly unknown[] } | null;
  it.each<[string, (block: Block) => unknown]>([
    ['gives another block than the one of this hash', block => ({ ...block, hash: `0x${'12'.repeat(32)}` })],
    ['gives a block of no shape', () => 'block'],
    ['gives hashes instead of transactions', block => ({ ...block, transactions: [`0x${'12'.repeat(32)}`] })],
  ])('%s: rejects the response and stores nothing of it', async (_name, lie) => {
    const anvil = await storyChain();
    let lying = true;
    const node = await before(anvil, {
      async answer({ method }, honest) {
        // Without traces, transactions are read with their blocks.
        if (method === 'trace_block') return { error: { code: -32601, message: 'Method not found' } };
        const answer = await honest();
        if (!lying || method !== 'eth_getBlockByHash' || !('result' in answer)) return answer;
        return { result: lie(answer.result as Block) };
      },
    });
    const index = await stage.index(node.url);
    await expect(waitUntilSynced(index)).rejects.toMatchObject({ code: 'node-answer' });
    lying = false;
    expect(await readStoreContent(await waitUntilRecovered(index))).toEqual(await stage.readFreshContent(node.url));
  });

  it('lacks a block that it named and its receipts: reports that, and requests it again', async () => {
    const anvil = await storyChain();
    let lying = true;
    const node = await before(anvil, {
      answer({ method }, honest) {
        if (!lying) return honest();
        if (method === 'eth_getLogs') return { error: { code: -32005, message: 'query returned more than 0 results' } };
        return /Receipt/.test(method) ? { result: null } : honest();
      },
    });
    const index = await stage.index(node.url);
    await expect(waitUntilSynced(index)).rejects.toMatchObject({ code: expect.stringMatching(/^node-/) });
    lying = false;
    expect(await readStoreContent(await waitUntilRecovered(index))).toEqual(await stage.readFreshContent(anvil.url));
  });
});

describe.skipIf(process.platform === 'win32')('a disk that is full in the middle of a first sync', () => {
  it('ends the index with a fault that says what to do, and the next process continues from there', async () => {
    const anvil = await stage.anvil();
    await emitLogs(anvil, 20_000);
    const folder = await stage.folder();
    // The largest file it may write, in blocks of 512 bytes.
    const script = 'trap "" XFSZ; ulimit -f 1200; exec "$0" "$@"';
    const program = [process.execPath, await bundleProgram(CHILD), anvil.url, folder];
    const child = await startProcess('sh', ['-c', script, ...program]);
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(1);
    expect(complaint).toMatch(/The index of the chain could not be (read or )?written/);
    expect(complaint).toContain(folder);
    const log = createTestLog();
    const index = await stage.index(anvil.url, { folder, log });
    expect(await readStoreContent(await waitUntilSynced(index))).toEqual(await stage.readFreshContent(anvil.url));
    expect(log.of('warn')).toEqual([]);
  });
});

it('reports a folder that cannot be created with every request of the index, and serves all other requests', async () => {
  const anvil = await storyChain();
  const log = createTestLog();
  const openStore = createStoreOpener({ folder: '/dev/null/nowhere' }, log);
  const service = startService({ local: anvil.url }, { openStore });
  stage.atEnd(() => service.stop());
  for (let again = 0; again < 2; again++) {
    const refusal = await service.getFault('nftTransfers', {});
    expect(refusal).toMatchObject({ status: 500, code: 'internal' });
    expect(refusal.message).toContain('The index of the chain could not be opened');
  }
  expect((await service.send('block', { block: 3 })).status).toBe(200);
});

describe('ids and amounts at the limits of their range', () => {
  const MOST = 2n ** 256n - 1n;
  const word = (value: bigint) => value.toString(16).padStart(64, '0');
  const push = (value: bigint) => `7f${word(value)}`;
  const topic = (hash: Hex) => push(BigInt(hash));
  const place = (value: bigint, offset: number) => `${push(value)}60${offset.toString(16).padStart(2, '0')}52`; // MSTORE
  /** EVM code that logs `data` under `given`, LOGn taking the last topic from the bottom. */
  const logs = (given: readonly string[], data: readonly bigint[]) =>
    `${data.map((value, index) => place(value, index * 32)).join('')}${given.toReversed().join('')}` +
    `60${(data.length * 32).toString(16).padStart(2, '0')}5f${(0xa0 + given.length).toString(16)}`;

  it('are exact through chain, index and wire format, in both id formats, sums beyond 256 bits included', async () => {
    const anvil = await stage.anvil();
    const [from = '0x' as Hex] = await anvil.rpc<Hex[]>('eth_accounts');
    const me = push(BigInt(from));
    const none = push(0n);
    const erc721 = logs([topic(topics.transfer), none, me, push(MOST)], []);
    const single = logs([topic(topics.transferSingle), me, none, me], [MOST, MOST]);
    const erc20 = logs([topic(topics.transfer), none, me], [MOST]);
    const stop = '00';
    const block = await mineBlock(anvil, [
      { from, data: `0x${erc721}${stop}` },
      { from, data: `0x${single}${single}${stop}` },
      { from, data: `0x${erc20}${stop}` },
    ]);
    const [ape, item, coin] = block.receipts.map(receipt => lower(receipt.contractAddress ?? '0x'));
    const service = startService({ local: anvil.url });
    stage.atEnd(() => service.stop());
    const transfers = toRecords(await allPages(service, 'nftTransfers', { limit: 1 }));
    expect(transfers.map(row => [row['token_address'], row['token_id'], row['amount']])).toEqual([
      [item, MOST.toString(), MOST.toString()],
      [item, MOST.toString(), MOST.toString()],
      [ape, MOST.toString(), '1'],
    ]);
    const owned = toRecords(await allPages(service, 'walletNfts', { address: from, format: 'hex' }));
    expect(owned.map(row => [row['token_address'], row['token_id'], row['amount']])).toEqual([
      [item, `0x${'f'.repeat(64)}`, (2n * MOST).toString()],
      [ape, `0x${'f'.repeat(64)}`, '1'],
    ]);
    const { result } = await fetchSyncedPage(service, 'nftOwners', { address: ape ?? from, tokenId: MOST });
    expect(result).toHaveLength(1);
    const mints = toRecords(await allPages(service, 'erc20Mints', {}));
    expect(mints.map(row => [row['contract_address'], row['value']])).toEqual([[coin, MOST.toString()]]);
  });
});
