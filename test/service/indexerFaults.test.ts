// The index over nodes that are slow, down, wrong or reorganized while they are read, and with hostile contracts.
import { describe, expect, it } from 'vitest';
import { TRANSFER } from '../../src/api/eventTopics.ts';
import { createCancelledFault } from '../../src/base/errors.ts';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { INDEXED_TOPICS } from '../../src/service/indexer/logFilters.ts';
import { createSqliteStoreOpener } from '../../src/service/store/sqlite/sqliteStore.ts';
import type { Anvil } from '../support/chain/anvil.ts';
import { emitLogs } from '../support/chain/chainLoad.ts';
import { fillChain } from '../support/chain/fillChain.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import {
  createIndexFixture,
  lower,
  readStoreContent,
  waitUntilRecovered,
  waitUntilSynced,
} from '../support/indexFixture.ts';
import {
  forwardTo,
  type ScriptedCall,
  type ScriptedReply,
  type ScriptedRpcNode,
  startScriptedRpcNode,
} from '../support/scriptedRpcNode.ts';
import { createTestClock, createTestLog } from '../support/testClock.ts';

const stage = createIndexFixture();

type Lie = (
  call: ScriptedCall,
  honest: () => Promise<ScriptedReply>,
  number: number,
) => Promise<ScriptedReply> | ScriptedReply;

/** A node in front of the real one that may return something else; `number` counts the calls of each method. */
async function before(anvil: Anvil, lie: Lie): Promise<ScriptedRpcNode> {
  const forward = forwardTo(anvil.url);
  const counts = new Map<string, number>();
  const node = await startScriptedRpcNode({
    answer(call) {
      const number = (counts.get(call.method) ?? 0) + 1;
      counts.set(call.method, number);
      return lie(call, () => forward(call), number);
    },
  });
  stage.atEnd(() => node.stop());
  return node;
}

const storyChain = async (): Promise<Anvil> => (await stage.filledAnvil({ blocks: 24 })).anvil;

/** For reorgs of its blocks: Anvil replaces only those that it mined itself. */
async function minedStoryChain(): Promise<Anvil> {
  const anvil = await stage.anvil();
  await fillChain(anvil, { blocks: 24 });
  return anvil;
}

/** What resolves when `change` is done, which happens once: ranges are read side by side, and none is to be read before it. */
function once(change: () => Promise<unknown>): () => Promise<unknown> {
  let changed: Promise<unknown> | undefined;
  return () => (changed ??= change());
}

/** A promise and what resolves it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { open, opened };
}

const isLogs = ({ method }: ScriptedCall) => method === 'eth_getLogs';
const rangeOf = ({ params }: ScriptedCall) => params[0] as { readonly fromBlock: Hex; readonly toBlock: Hex };
const anotherMiner = (anvil: Anvil, byte: string) => anvil.rpc('anvil_setCoinbase', [`0x${byte.repeat(20)}`]);
/** The lowest of the nine blocks that the reorgs below replace. */
const readBlock16 = async (anvil: Anvil): Promise<Hex | undefined> =>
  (await anvil.rpc<{ hash: Hex } | null>('eth_getBlockByNumber', ['0x10', false]))?.hash;
const sameAsFresh = async (url: string, anvil: Anvil) => {
  const index = await stage.index(url);
  expect(await readStoreContent(await waitUntilSynced(index))).toEqual(await stage.readFreshContent(anvil.url));
  return index;
};

/** Also that the block with this hash, which a reorg removes, was never written, not even until the next read. */
async function sameAsFreshWithout(removed: Hex | undefined, url: string, anvil: Anvil) {
  const openStore = createSqliteStoreOpener({ folder: null, log: silentLog });
  const written = new Set<Hex>();
  const index = await stage.index(url, {
    async open(info) {
      const store = await openStore(info);
      return {
        ...store,
        applyBatch(batch) {
          for (const { hash } of batch.blocks) written.add(hash);
          return store.applyBatch(batch);
        },
      };
    },
  });
  expect(await readStoreContent(await waitUntilSynced(index))).toEqual(await stage.readFreshContent(anvil.url));
  expect(written.size).toBeGreaterThan(0);
  expect(written).not.toContain(removed);
}

describe('a chain that is reorganized while it is read', () => {
  it('is not mixed from two forks: a reorg between headers and logs', async () => {
    const anvil = await minedStoryChain();
    const oldHash = await readBlock16(anvil);
    const reorg = once(async () => {
      await anotherMiner(anvil, '77');
      await anvil.rpc('anvil_reorg', [9, []]);
    });
    const node = await before(anvil, async (call, honest) => {
      if (isLogs(call)) await reorg();
      return honest();
    });
    await sameAsFreshWithout(oldHash, node.url, anvil);
    expect(await readBlock16(anvil)).not.toBe(oldHash);
  });

  it('is not mixed from two forks: the same transaction in two blocks of one height', async () => {
    const anvil = await minedStoryChain();
    const [from = '0x' as Hex] = await anvil.rpc<Hex[]>('eth_accounts');
    const nonce = Number(await anvil.rpc<Hex>('eth_getTransactionCount', [from, 'latest']));
    const mint = () => mineBlock(anvil, [{ from, nonce, data: emitter([transferLog(9n, from)], '00') }]);
    const snapshot = await anvil.rpc('evm_snapshot');
    const first = await mint();
    let second = first;
    const reorg = once(async () => {
      await anvil.rpc('evm_revert', [snapshot]);
      await anotherMiner(anvil, '78');
      second = await mint();
    });
    const node = await before(anvil, async (call, honest) => {
      if (isLogs(call)) await reorg();
      return honest();
    });
    await sameAsFreshWithout(first.hash, node.url, anvil);
    expect(second.hash).not.toBe(first.hash);
    expect(second.receipts[0]?.transactionHash).toBe(first.receipts[0]?.transactionHash);
  });

  it('is not mixed from two forks: a fork without the logs of the other', async () => {
    const anvil = await minedStoryChain();
    const [from = '0x', to] = await anvil.rpc<Hex[]>('eth_accounts');
    const empty = await anvil
      .rpc<ScriptedReply>('eth_getLogs', [{ fromBlock: '0x19', toBlock: '0x19' }])
      .catch(() => []);
    expect(empty).toEqual([]);
    await mineBlock(anvil, [{ from, data: emitter([transferLog(9n, to ?? from)], '00') }]);
    let lied = false;
    const node = await before(anvil, async (call, honest) => {
      if (!isLogs(call) || lied || Number(rangeOf(call).toBlock) < 25) return honest();
      lied = true;
      const { result } = (await honest()) as { result: { blockNumber: Hex }[] };
      return { result: result.filter(log => Number(log.blockNumber) !== 25) };
    });
    await sameAsFresh(node.url, anvil);
    expect(lied).toBe(true);
    const byHash = node.calls.filter(call => isLogs(call) && 'blockHash' in (call.params[0] as object));
    expect(byHash.length).toBeGreaterThan(0);
  });

  it('is followed when the reorg comes during the first sync', async () => {
    const anvil = await stage.anvil();
    await emitLogs(anvil, 12_000);
    const reorgs = [2, 3, 5];
    let last: Promise<unknown> = Promise.resolve(); // two at once are too much for Anvil
    const node = await before(anvil, async (call, honest, number) => {
      if (isLogs(call) && reorgs[0] === number) {
        reorgs.shift();
        last = last.then(async () => {
          await anotherMiner(anvil, `7${number}`);
          await anvil.rpc('anvil_reorg', [20 * number, []]);
          await anvil.rpc('anvil_rollback', [5]);
        });
        await last;
      }
      return honest();
    });
    const index = await stage.index(node.url);
    // The first answer may be of the chain that was there when it was asked for, wholly.
    await waitUntilSynced(index);
    expect(reorgs).toEqual([]);
    expect(await readStoreContent(await waitUntilSynced(index))).toEqual(await stage.readFreshContent(anvil.url));
  });

  it('is followed when the node rejects a range while a reorg has made the chain shorter', async () => {
    const anvil = await minedStoryChain();
    const oldHash = await readBlock16(anvil);
    const reorg = once(async () => {
      await anotherMiner(anvil, '79');
      await anvil.rpc('anvil_reorg', [9, []]);
    });
    const rejected = new Set<Hex>();
    const node = await before(anvil, async (call, honest) => {
      if (!isLogs(call)) return honest();
      await reorg();
      const { fromBlock } = rangeOf(call);
      if (rejected.has(fromBlock)) return honest();
      rejected.add(fromBlock);
      return { error: { code: -32602, message: 'BlockOutOfRangeError: block height is 4 but requested was 20' } };
    });
    await sameAsFreshWithout(oldHash, node.url, anvil);
    expect(await readBlock16(anvil)).not.toBe(oldHash);
  });

  it('is reported as the node’s fault when it changes again and again', async () => {
    const anvil = await minedStoryChain();
    const node = await before(anvil, async (call, honest, number) => {
      const answer = await honest();
      if (call.method !== 'eth_getBlockByNumber' || call.params[0] !== '0x5') return answer;
      const { result } = answer as { result: object };
      return { result: { ...result, hash: `0x${number.toString(16).padStart(64, '0')}` } };
    });
    const clock = createTestClock();
    const index = await stage.index(node.url, { clock });
    await expect(index.current()).rejects.toMatchObject({
      code: 'node-answer',
      message: expect.stringContaining('its blocks are others each time they are read'),
    });
    expect(clock.sleeps.length).toBeLessThan(20);
  });

  it('is read without bloom filters in its headers', async () => {
    const anvil = await storyChain();
    const node = await before(anvil, async (_, honest) => {
      const answer = await honest();
      const { result } = answer as { result?: { logsBloom?: Hex } };
      return result?.logsBloom === undefined ? answer : { result: { ...result, logsBloom: undefined } };
    });
    await sameAsFresh(node.url, anvil);
  });
});

describe('a node', () => {
  it('with limits on blocks or logs per call gets smaller requests', async () => {
    const anvil = await storyChain();
    await emitLogs(anvil, 1_500);
    const full: string[] = [];
    const node = await before(anvil, async (call, honest) => {
      if (!isLogs(call)) return honest();
      const { fromBlock, toBlock } = rangeOf(call);
      if (Number(toBlock) - Number(fromBlock) >= 7)
        return { error: { code: -32005, message: 'block range too large, maximum is 7' } };
      const answer = (await honest()) as { result: unknown[] };
      if (answer.result.length <= 60) return answer;
      if (fromBlock === toBlock) full.push(fromBlock);
      return { error: { code: -32005, message: 'query returned more than 60 results' } };
    });
    await sameAsFresh(node.url, anvil);
    expect(full.length, 'blocks that are only to be had by their receipts').toBeGreaterThan(5);
  });

  it('that is down is named in the fault, and requested again by the next call', async () => {
    const anvil = await storyChain();
    const { port, url } = anvil;
    const index = await stage.index(url);
    await anvil.stop();
    await expect(index.current()).rejects.toMatchObject({ code: 'node-unreachable' });
    expect(index.progress()).toMatchObject({
      isRunning: false,
      indexedBlock: null,
      fault: { code: 'node-unreachable' },
    });
    await expect(index.current()).rejects.toMatchObject({ code: 'node-unreachable' });
    await stage.anvil({ port });
    expect(await (await waitUntilRecovered(index)).readHead()).toMatchObject({ number: 0 });
    expect(index.progress().fault).toBe(null);
  });

  it('with invalid responses is rejected, and nothing of them is stored', async () => {
    const anvil = await storyChain();
    const lies: readonly ((log: Record<string, unknown>) => unknown)[] = [
      log => ({ ...log, blockNumber: '0xffff' }),
      log => ({ ...log, topics: [`0x${'12'.repeat(32)}`] }),
      log => ({ ...log, topics: ['0x12'] }),
      log => ({ ...log, address: 'no address' }),
      log => ({ ...log, logIndex: `0x${'f'.repeat(65)}` }),
      () => null,
    ];
    let lie: (typeof lies)[number] | null = null;
    const node = await before(anvil, async (call, honest) => {
      const answer = (await honest()) as { result: Record<string, unknown>[] };
      if (lie === null || !isLogs(call) || !Array.isArray(answer.result)) return answer;
      return { result: answer.result.map(lie) };
    });
    const index = await stage.index(node.url);
    for (lie of lies) await expect(index.current(), String(lie)).rejects.toMatchObject({ code: 'node-answer' });
    lie = null;
    expect(await readStoreContent(await waitUntilRecovered(index))).toEqual(await stage.readFreshContent(anvil.url));
  });

  it('that returns logs twice or in another order changes nothing', async () => {
    const anvil = await storyChain();
    const node = await before(anvil, async (call, honest) => {
      const answer = (await honest()) as { result: unknown[] };
      return isLogs(call) ? { result: [...answer.result, ...answer.result].reverse() } : answer;
    });
    await sameAsFresh(node.url, anvil);
  });

  it('that fails in the middle keeps what was stored', async () => {
    const anvil = await stage.anvil();
    await emitLogs(anvil, 8_000);
    let down = true;
    // Ranges are read ahead side by side: which of them fails is decided by its blocks, not by when it is requested.
    const node = await before(anvil, async (call, honest) => {
      const beyond = isLogs(call) && Number(rangeOf(call).toBlock) >= 64;
      return beyond && down ? { error: { code: -32000, message: 'the disk is on fire' } } : honest();
    });
    const index = await stage.index(node.url);
    await expect(waitUntilSynced(index)).rejects.toMatchObject({
      code: 'node-error',
      message: expect.stringContaining('fire'),
    });
    await expect.poll(() => index.progress()).toMatchObject({ isRunning: false, nodeHead: 81 });
    expect(index.progress().indexedBlock).toBeGreaterThan(0);
    expect(index.progress().indexedBlock).toBeLessThan(64);
    down = false;
    expect(await readStoreContent(await waitUntilRecovered(index))).toEqual(await stage.readFreshContent(anvil.url));
  });
});

describe('waiting', () => {
  /** A node whose logs from block `from` on are only given once the gate is open. */
  async function slowFrom(from: number) {
    const anvil = await stage.anvil();
    await anvil.rpc('anvil_mine', ['0x258']);
    const { open, opened } = gate();
    const node = await before(anvil, async (call, honest) => {
      if (isLogs(call) && Number(rangeOf(call).fromBlock) >= from) await opened;
      return honest();
    });
    return { anvil, node, open };
  }

  it('lasts a moment; then the request is answered from the index, which continues in the background', async () => {
    const { node, open } = await slowFrom(90);
    const index = await stage.index(node.url);
    const first = await index.current();
    await expect.poll(() => index.progress().indexedBlock).toBeGreaterThan(0);
    const started = performance.now();
    const second = await index.current();
    const waited = performance.now() - started;
    expect(first.isSynced || second.isSynced).toBe(false);
    expect(second.head.number).toBeGreaterThan(0);
    expect(second.head.number).toBeLessThan(96);
    expect(waited).toBeGreaterThan(1_400);
    expect(index.progress()).toMatchObject({ isRunning: true, nodeHead: 600, fault: null });
    open();
    await expect.poll(() => index.progress()).toMatchObject({ isRunning: false, indexedBlock: 600 });
    await waitUntilSynced(index);
  });

  it('lasts until the first block is there', async () => {
    const { node, open } = await slowFrom(0);
    const index = await stage.index(node.url, { clock: createTestClock() });
    const answer = index.current();
    await expect.poll(() => node.countCalls('eth_getLogs')).toBeGreaterThan(0);
    open();
    expect((await answer).head.number).toBeGreaterThanOrEqual(0);
  });

  it('ends when the caller aborts, and the work continues', async () => {
    const { node, open } = await slowFrom(0);
    const index = await stage.index(node.url);
    const leaving = new AbortController();
    const answer = index.current(leaving.signal);
    await expect.poll(() => node.countCalls('eth_getLogs')).toBeGreaterThan(0);
    leaving.abort(createCancelledFault());
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
    await expect(index.current(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    expect(index.progress().isRunning).toBe(true);
    open();
    await expect.poll(() => index.progress()).toMatchObject({ isRunning: false, indexedBlock: 600 });
  });

  it('ends when the index is stopped, and so do the requests to the node', async () => {
    const { node } = await slowFrom(0);
    const index = await stage.index(node.url);
    const answer = index.current();
    await expect.poll(() => node.countCalls('eth_getLogs')).toBeGreaterThan(0);
    const refused = expect(answer).rejects.toMatchObject({ code: 'backend-stopped' });
    await index.stop();
    await refused;
    await expect.poll(node.abortedRequests).toBeGreaterThan(0);
    await expect(index.current()).rejects.toMatchObject({ code: 'backend-stopped' });
  });

  it('ends quietly when the index is stopped during a write', async () => {
    const { node } = await slowFrom(90);
    const write = gate();
    const openStore = createSqliteStoreOpener({ folder: null, log: silentLog });
    let writeCount = 0;
    const index = await stage.index(node.url, {
      async open(info) {
        const store = await openStore(info);
        return {
          ...store,
          async applyBatch(batch) {
            if (++writeCount > 1) await write.opened;
            await store.applyBatch(batch);
          },
        };
      },
    });
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      await index.current();
      await expect.poll(() => writeCount).toBe(2);
      const stopped = index.stop();
      await new Promise(resolve => setImmediate(resolve)); // Node reports unhandled rejections before
      write.open();
      await stopped;
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(unhandled).toEqual([]);
  });

  it('pauses after half a minute without a request, and continues with the next one', async () => {
    const { node, open } = await slowFrom(90);
    const clock = createTestClock();
    const index = await stage.index(node.url, { clock });
    await index.current(); // with this clock no wait takes long
    await expect.poll(() => node.calls.some(call => isLogs(call) && Number(rangeOf(call).fromBlock) >= 90)).toBe(true);
    clock.advance(60_000);
    open();
    await expect.poll(() => index.progress().isRunning).toBe(false);
    const { indexedBlock: indexed } = index.progress();
    expect(indexed).toBeGreaterThan(0);
    expect(indexed).toBeLessThan(500);
    await index.current();
    await expect.poll(() => index.progress()).toMatchObject({ isRunning: false, indexedBlock: 600 });
  });
});

describe('two processes with one store', () => {
  it('index the chain together', async () => {
    const anvil = await minedStoryChain();
    await emitLogs(anvil, 3_000);
    const folder = await stage.folder();
    const indexes = [await stage.index(anvil.url, { folder }), await stage.index(anvil.url, { folder })];
    const fresh = await stage.readFreshContent(anvil.url);
    for (const store of await Promise.all(indexes.map(waitUntilSynced)))
      expect(await readStoreContent(store)).toEqual(fresh);
    await anotherMiner(anvil, '79');
    await anvil.rpc('anvil_reorg', [12, []]);
    const after = await stage.readFreshContent(anvil.url);
    for (const store of await Promise.all(indexes.map(waitUntilSynced)))
      expect(await readStoreContent(store)).toEqual(after);
  });

  it('reject a path that is no folder with a fault', async () => {
    const anvil = await stage.anvil();
    const open = createSqliteStoreOpener({ folder: '/dev/null/nowhere', log: createTestLog() });
    const index = await stage.index(anvil.url, { open });
    await expect(index.current()).rejects.toMatchObject({ code: 'internal' });
    expect(index.progress().fault?.code).toBe('internal');
  });
});

const word = (value: bigint) => value.toString(16).padStart(64, '0');
const asWord = (address: Hex) => address.slice(2).toLowerCase().padStart(64, '0');

/** EVM code that logs an ERC-721 mint. */
const transferLog = (id: bigint, to: Hex) => `7f${word(id)}7f${asWord(to)}7f${word(0n)}7f${TRANSFER.slice(2)}5f5fa4`; // PUSH32 x4, PUSH0 PUSH0 LOG4

/** Creation code that runs `logs` and leaves a contract of at most 32 bytes of code. */
function emitter(logs: readonly string[], runtime: string): Hex {
  const length = runtime.length / 2;
  const size = (value: number) => value.toString(16).padStart(2, '0');
  return `0x${logs.join('')}7f${runtime.padEnd(64, '0')}5f5260${size(length)}5ff3`;
}

describe('hostile contracts', () => {
  it('that return a megabyte, burn all gas, revert or say yes to everything are tokens without a name', async () => {
    const anvil = await stage.anvil();
    const [from = '0x' as Hex] = await anvil.rpc<Hex[]>('eth_accounts');
    const endings = {
      megabyte: '621000005ff3', // PUSH3 1 MiB, PUSH0, RETURN
      burn: '5b5f56', // JUMPDEST PUSH0 JUMP
      revert: '5f5ffd',
      invalid: 'fe',
      yes: '60015f5260205ff3', // MSTORE 1, RETURN 32 bytes
      nothing: '00',
    };
    const block = await mineBlock(
      anvil,
      Object.values(endings).map((code, index) => ({ from, data: emitter([transferLog(BigInt(index), from)], code) })),
    );
    const store = await waitUntilSynced(await stage.index(anvil.url));
    const addresses = block.receipts.map(receipt => lower(receipt.contractAddress ?? '0x'));
    const tokens = await store.readTokens(addresses);
    for (const address of addresses)
      expect(tokens.get(address)).toEqual({
        ...{ tokenAddress: address, standard: 'ERC721' },
        ...noName,
        decimals: null,
      });
    const owners = await store.readOwners({ owner: lower(from) }, { limit: 100 });
    expect(owners.map(row => row.tokenAddress).sort()).toEqual([...addresses].sort());
    expect(INDEXED_TOPICS).toContain(TRANSFER);
  });

  const noName = { name: null, symbol: null };
});
