// A chain that is reset: noticed with the next state, logged once, and nothing of the old chain is used any more.
import { afterEach, describe, expect, it } from 'vitest';
import { startAnvil } from '../support/chain/anvil.ts';
import { startService } from '../support/filledChain.ts';
import { startScriptedRpcNode } from '../support/scriptedRpcNode.ts';
import { createSyntheticChain, type SyntheticOptions } from '../support/syntheticChain.ts';
import { createTestClock, createTestLog } from '../support/testClock.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

describe('a development chain', () => {
  it('is reset when it is restarted at the same port', async () => {
    const first = await startAnvil();
    stops.push(() => first.stop());
    await first.rpc('anvil_mine', ['0x5']);
    const log = createTestLog();
    const clock = createTestClock();
    const service = startService({ local: first.url }, { log, clock });
    stops.push(() => service.stop());
    const before = await service.chainState('local');
    expect(before.headNumber).toBe(5);
    const old = await service.get('block', { block: 5 });
    await first.stop();
    const { port } = first;
    clock.advance(2_000);
    await expect(service.chainState('local')).rejects.toMatchObject({ code: 'node-unreachable' });

    const second = await startAnvil({ port, timestamp: 1_800_000_000 });
    stops.push(() => second.stop());
    await second.rpc('anvil_mine', ['0x9']);
    const after = await service.chainState('local');
    expect(after.headNumber).toBe(9);
    expect(after.genesisHash).not.toBe(before.genesisHash);
    expect((await service.get('block', { block: 5 })).hash).not.toBe(old.hash);
    expect(await service.send('block', { block: old.hash ?? 5 })).toMatchObject({ status: 404 });
    expect(log.of('warn')).toEqual([
      'The chain local was reset (it has another genesis block): everything known of it is forgotten.',
    ]);
  });

  it('is reset when it has the same first block but another chain id', async () => {
    const first = await startAnvil();
    stops.push(() => first.stop());
    const clock = createTestClock();
    const log = createTestLog();
    const service = startService({ local: first.url }, { log, clock });
    stops.push(() => service.stop());
    const wallet = `0x${'12'.repeat(20)}` as const;
    const idOf = async () => (await service.get('walletBalances', { walletAddresses: [wallet] }))[0]?.chainId;
    expect(await idOf()).toBe('0x7a69');
    await first.stop();

    const second = await startAnvil({ port: first.port, chainId: 1337 });
    stops.push(() => second.stop());
    await second.rpc('anvil_mine', ['0x2']);
    clock.advance(2_000);
    expect(await idOf()).toBe('0x539');
    expect(log.of('warn')).toEqual([
      'The chain local was reset (it has the chain id 1337, no longer 31337): everything known of it is forgotten.',
    ]);
  });

  it('is not reset when it is reverted to a snapshot', async () => {
    const anvil = await startAnvil();
    stops.push(() => anvil.stop());
    const log = createTestLog();
    const clock = createTestClock();
    const service = startService({ local: anvil.url }, { log, clock });
    stops.push(() => service.stop());
    await anvil.rpc('anvil_mine', ['0x3']);
    const snapshot = await anvil.rpc('evm_snapshot');
    await anvil.rpc('anvil_mine', ['0x3']);
    const high = await service.send('block', { block: 6 });
    expect(high.status).toBe(200);
    await anvil.rpc('evm_revert', [snapshot]);
    expect((await service.send('block', { block: 6 })).status, 'although a moment ago it was there').toBe(404);
    expect((await service.chainState('local')).headNumber).toBe(3);
    expect(high.freshness?.validity).toBe('untilNextHead');
    expect(log.of('warn')).toEqual([]);
  });

  it('is reset when a block deeper than finality is replaced', async () => {
    const anvil = await startAnvil();
    stops.push(() => anvil.stop());
    const log = createTestLog();
    const clock = createTestClock();
    const service = startService({ local: anvil.url }, { log, clock });
    stops.push(() => service.stop());
    await anvil.rpc('anvil_mine', ['0x96']);
    await service.chainState('local');
    clock.advance(2_000);
    await service.chainState('local'); // from here on it holds on to block 86
    await anvil.rpc('anvil_setCoinbase', [`0x${'77'.repeat(20)}`]); // else the new blocks would be the old ones
    await anvil.rpc('anvil_reorg', [100, []]);
    clock.advance(2_000);
    await service.chainState('local');
    expect(log.of('warn')).toEqual([
      'The chain local was reset (block 86, which was final, is another one): everything known of it is forgotten.',
    ]);
  });
});

describe('a public chain', () => {
  async function over(options: SyntheticOptions) {
    const chain = createSyntheticChain(options);
    const node = await startScriptedRpcNode({ answer: chain.answer });
    const log = createTestLog();
    const clock = createTestClock();
    const service = startService({ eth: node.url }, { log, clock });
    stops.push(
      () => node.stop(),
      () => service.stop(),
    );
    return { chain, node, log, clock, service };
  }

  it('has its state requested once a second, however many callers there are', async () => {
    const { node, clock, service, chain } = await over({ head: 1_000 });
    await Promise.all(Array.from({ length: 20 }, () => service.chainState('eth')));
    expect(node.requests()).toBe(1);
    chain.head = 1_001;
    clock.advance(900);
    expect((await service.chainState('eth')).headNumber).toBe(1_000);
    clock.advance(100);
    expect((await service.chainState('eth')).headNumber).toBe(1_001);
    expect(node.requests()).toBe(2);
  });

  it('does not take back an old head from a slow response', async () => {
    const chain = createSyntheticChain({ head: 1_000 });
    let release = () => {};
    const gate = new Promise<void>(resolve => {
      release = resolve;
    });
    const node = await startScriptedRpcNode({
      answer: chain.answer,
      async exchange(exchange) {
        if (exchange.number !== 2) return false;
        const old = await exchange.honest();
        await gate;
        exchange.send(old);
        return true;
      },
    });
    const clock = createTestClock();
    const service = startService({ eth: node.url }, { clock });
    stops.push(
      () => node.stop(),
      () => service.stop(),
    );
    await service.chainState('eth');
    const slow = service.lookup('chainStatus', { chain: 'eth' });
    await expect.poll(node.requests).toBe(2);
    chain.head = 1_001;
    await service.lookup('chainStatus', { chain: 'eth' });
    release();
    expect((await slow).value.head).toBe(1_001); // the node is queried again, because block 1,000 is not on top of the newest
    expect((await service.chainState('eth')).headNumber).toBe(1_001);
  });

  it('is not reset when its node is behind, even below a final block', async () => {
    const { chain, log, clock, service } = await over({ head: 1_000 });
    const { genesisHash } = await service.chainState('eth');
    chain.head = 900;
    clock.advance(1_000);
    expect(await service.chainState('eth')).toMatchObject({ headNumber: 900, genesisHash });
    expect(log.of('warn')).toEqual([]);
  });

  it('is reset when its head is below a final block of another chain', async () => {
    const { chain, log, clock, service } = await over({ head: 1_000 });
    await service.chainState('eth');
    chain.head = 900;
    chain.salt = 'another';
    clock.advance(1_000);
    expect(await service.chainState('eth')).toMatchObject({ headNumber: 900, genesisHash: chain.hashOf(0) });
    expect(log.of('warn')).toEqual([
      'The chain eth was reset (it has another genesis block): everything known of it is forgotten.',
    ]);
  });

  it('is not reset when it loses its newest blocks', async () => {
    const { chain, log, clock, service } = await over({ head: 1_000 });
    const before = await service.chainState('eth');
    chain.saltFrom = 950;
    chain.salt = 'fork';
    chain.head = 999;
    clock.advance(1_000);
    const after = await service.chainState('eth');
    expect(after.headHash).not.toBe(before.headHash);
    expect(after.genesisHash).toBe(before.genesisHash);
    expect(log.of('warn')).toEqual([]);
  });

  it('is identified once for many callers after a reset, and warns once', async () => {
    const { chain, log, clock, service, node } = await over({ head: 1_000 });
    await service.chainState('eth');
    chain.salt = 'another';
    clock.advance(1_000);
    const before = node.requests();
    const states = await Promise.all([
      service.chainState('eth'),
      ...Array.from({ length: 5 }, (_, block) => service.lookup('blockSummary', { chain: 'eth', block })),
    ]);
    expect(states[1]).toMatchObject({ value: { hash: chain.hashOf(0) } });
    expect(log.of('warn')).toHaveLength(1);
    expect(node.requests() - before).toBeLessThanOrEqual(12);
  });

  it('has final replies up to the node’s finalized block, or 64 blocks behind the head without that tag', async () => {
    const classOf = async (service: Awaited<ReturnType<typeof over>>['service'], block: number) =>
      (await service.lookup('blockSummary', { chain: 'eth', block })).freshness?.validity;
    const far = await over({ head: 1_000, finalDepth: 200 });
    expect(await classOf(far.service, 800)).toBe('finalized');
    expect(await classOf(far.service, 801)).toBe('untilNextHead');
    const chain = createSyntheticChain({ head: 1_000 });
    const node = await startScriptedRpcNode({
      answer: call =>
        call.params[0] === 'finalized' ? { error: { code: -32602, message: 'unknown tag' } } : chain.answer(call),
    });
    const clock = createTestClock();
    const service = startService({ eth: node.url }, { clock });
    stops.push(
      () => node.stop(),
      () => service.stop(),
    );
    await service.chainState('eth');
    clock.advance(1_000);
    await service.chainState('eth');
    expect(await classOf(service, 936)).toBe('finalized');
    expect(await classOf(service, 937)).toBe('untilNextHead');
    chain.head = 1_100;
    clock.advance(120_000);
    await service.chainState('eth');
    clock.advance(120_000);
    await service.chainState('eth');
    expect(await classOf(service, 1_036)).toBe('finalized');
    expect(await classOf(service, 1_037)).toBe('untilNextHead');
  });

  it('has no final replies on development nodes', async () => {
    for (const client of ['anvil/v1.7.1', 'HardhatNetwork/3.18.0', 'Ganache/v7.9.2/EthereumJS']) {
      const { service } = await over({ head: 1_000, client, finalDepth: 0 });
      expect((await service.lookup('blockSummary', { chain: 'eth', block: 1 })).freshness?.validity).toBe(
        'untilNextHead',
      );
    }
  });
});
