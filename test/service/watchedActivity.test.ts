// What is new of watched addresses and events on a real Anvil: payments, tokens, logs, reorganizations and resets.
import { beforeEach, describe, expect, it } from 'vitest';
import { HexLensError } from '../../src/base/errors.ts';
import type { Hex } from '../../src/base/hex.ts';
import type { PollPorts } from '../../src/extension/activity/pollChain.ts';
import { countFound } from '../../src/view/activity/activityLog.ts';
import { createActivityFixture, PUBLIC, same, watchAddress } from '../support/activityFixture.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { startService } from '../support/filledChain.ts';
import { startPublicChain, startPublicNode } from '../support/publicNode.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const world = useFilledChain();
let snapshot: Hex;
beforeEach(async () => {
  snapshot = await world.anvil.rpc<Hex>('evm_snapshot');
});

const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const APPROVAL: Hex = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
const { follow, send, pay, callCoin } = createActivityFixture(world);
const ETHER = 10n ** 18n;

describe('a watched address', () => {
  it('has nothing new at first, then each transaction once, in words', async () => {
    const followed = follow([watchAddress(world.chain.accounts.alice), watchAddress(world.chain.accounts.bob)]);
    await followed.poll();
    expect(followed.rows()).toEqual([]);
    await pay(2n * ETHER);
    await callCoin('0xa9059cbb', 3n * ETHER);
    await callCoin('0xa9059cbb', 2n ** 200n, true); // more than alice has
    await followed.poll();
    expect(followed.rows()).toEqual([
      expect.stringMatching(
        /^transfer · Reverted: ERC20InsufficientBalance\(.*balance: [\d,.]+ TEST, needed: [\d,.]+ TEST\) · alice → coin · new$/,
      ),
      '3 TEST · alice → bob · transfer · new',
      '2 ETH · alice → bob · new',
    ]);
    followed.markSeen();
    const { length } = followed.requests;
    await followed.poll();
    expect(followed.requests).toHaveLength(length);
    expect(followed.countNew()).toBe(0);
  });

  it('starts no index of a wallet on a chain that others know too', async () => {
    const followed = follow([watchAddress(world.chain.accounts.alice)]);
    await followed.poll(PUBLIC);
    await callCoin('0xa9059cbb', 3n * ETHER);
    await followed.poll(PUBLIC);
    expect(followed.rows()).toEqual(['transfer · alice → coin · new']);
    expect(new Set(followed.requests)).toEqual(new Set(['walletTransactions', 'walletBalances']));
  });

  it('that is a contract has its logs, and the calls that made them', async () => {
    const followed = follow([watchAddress(world.chain.contracts.coin)]);
    await followed.poll();
    await callCoin('0x095ea7b3', 3n * ETHER);
    await followed.poll();
    expect(followed.rows()).toEqual([
      'Approval owner: alice, spender: bob, value: 3 TEST · alice → coin · approve · new',
    ]);
  });

  it('loses what a reorganization undid, and does not report it again when it is mined again', async () => {
    const followed = follow([watchAddress(world.chain.accounts.alice)]);
    await followed.poll();
    const before = await world.anvil.rpc<Hex>('evm_snapshot');
    const hash = await pay(ETHER);
    await followed.poll();
    followed.markSeen();
    await world.anvil.rpc('evm_revert', [before]);
    await followed.poll();
    expect(followed.rows()).toEqual([]);
    await world.anvil.mine(); // another block in its place
    expect(await pay(ETHER)).toBe(hash);
    await pay(5n * ETHER);
    await followed.poll();
    expect(followed.rows()).toEqual(['5 ETH · alice → bob · new', '1 ETH · alice → bob · seen']);
  });

  it('loses nothing, and finds nothing twice, when another node behind the same URL has an older head', async () => {
    const followed = follow([watchAddress(world.chain.accounts.alice)]);
    await followed.poll(PUBLIC);
    await pay(ETHER);
    await followed.poll(PUBLIC);
    const head = Number(await world.anvil.rpc('eth_blockNumber'));
    const { hash } = await world.anvil.rpc<{ readonly hash: Hex }>('eth_getBlockByNumber', [
      `0x${(head - 1).toString(16)}`,
      false,
    ]);
    const older = { ...PUBLIC, head: head - 1, headHash: hash };
    const before = followed.log();
    expect((await followed.pollOnce(older)).isComplete).toBe(true);
    expect(followed.rows()).toEqual(['1 ETH · alice → bob · new']);
    await followed.poll(PUBLIC);
    expect(followed.rows()).toEqual(['1 ETH · alice → bob · new']);
    expect(countFound(before, followed.log())).toBe(0);
  });

  it('loses what a chain of another machine has no more after it was set back far', async () => {
    const followed = follow([watchAddress(world.chain.accounts.alice)]);
    await followed.poll(PUBLIC);
    await pay(ETHER);
    await world.anvil.rpc('anvil_mine', ['0x46']);
    await followed.poll(PUBLIC);
    expect(followed.rows()).toEqual(['1 ETH · alice → bob · new']);
    await world.anvil.rpc('evm_revert', [snapshot]);
    await followed.poll(PUBLIC);
    expect(followed.rows()).toEqual([]);
    await pay(2n * ETHER);
    await followed.poll(PUBLIC);
    expect(followed.rows()).toEqual(['2 ETH · alice → bob · new']);
  });

  it('has what is new after a reorganization to below the block where watching began', async () => {
    await pay(7n * ETHER);
    await world.anvil.mine();
    const followed = follow([watchAddress(world.chain.accounts.alice)]);
    await followed.poll();
    await world.anvil.rpc('evm_revert', [snapshot]);
    await followed.poll();
    expect(followed.rows()).toEqual([]);
    await pay(8n * ETHER);
    await followed.poll();
    expect(followed.rows()).toEqual(['8 ETH · alice → bob · new']);
  });

  it('is read from the first block on after a reset of the chain', async () => {
    const followed = follow([watchAddress(world.chain.accounts.fees)]);
    await followed.poll({ genesisHash: `0x${'ab'.repeat(32)}` });
    expect(followed.rows()).toEqual([]);
    await followed.poll();
    const { result } = await world.service.get('walletTransactions', { address: world.chain.accounts.fees });
    expect(followed.countNew()).toBeGreaterThanOrEqual(result.length);
    expect(followed.rows().join()).not.toContain('seen');
    const first = followed.rows();
    await followed.poll();
    expect(followed.rows()).toEqual(first);
  });
});

describe('a watched event', () => {
  it('has logs with its topic only, with values in the unit of the token', async () => {
    const { coin } = world.chain.contracts;
    const watch = { ...watchAddress(coin), chain: 'local' };
    const followed = follow([{ ...watch, topic0: TRANSFER, event: 'Transfer' }]);
    const approvals = follow([{ ...watch, topic0: APPROVAL, event: 'Approval' }]);
    await Promise.all([followed.poll(), approvals.poll()]);
    await callCoin('0xa9059cbb', 3n * ETHER);
    await callCoin('0x095ea7b3', 3n * ETHER);
    await Promise.all([followed.poll(), approvals.poll()]);
    expect(followed.rows()).toEqual(['Transfer 3 TEST alice → bob · coin · new']);
    expect(approvals.rows()).toHaveLength(1);
    expect(approvals.rows()[0]).toMatch(/^Approval .*3 TEST.* · coin · new$/);
    expect([...new Set(followed.requests)]).toEqual(['contractLogs']);
  });
});

type PagesInput = { readonly address: Hex; readonly fromBlock: number; readonly toBlock: number };
type Pages = PollPorts['client']['pages'];

/** Lets `change` see each request for pages: it may reject, or return another input. */
const changePages =
  (change: (id: string, input: PagesInput) => object) =>
  (ports: PollPorts): PollPorts => {
    async function* pages(...[id, input, options]: Parameters<Pages>) {
      return yield* ports.client.pages(id, change(id, input as unknown as PagesInput) as never, options);
    }
    return { ...ports, client: { ...ports.client, pages: pages as Pages } };
  };

describe('a list with more than one page', () => {
  /** In one block. */
  const payMany = async (count: number) => {
    const { alice, bob } = world.chain.accounts;
    const payment = (value: number) => ({ from: alice, to: bob, value: BigInt(value), gas: 21_000 });
    await mineBlock(
      world.anvil,
      Array.from({ length: count }, (_, index) => payment(index + 1)),
    );
  };

  it('is read to its end', async () => {
    const followed = follow([watchAddress(world.chain.accounts.alice)]);
    await followed.poll();
    await payMany(105);
    expect(await followed.poll()).toBe(1);
    expect(followed.countNew()).toBe(105);
  });

  it('is read in several rounds when it has too many, none of which loses anything', async () => {
    const onePerPage = changePages((_, input) => ({ ...input, limit: 1 }));
    const followed = follow([watchAddress(world.chain.accounts.alice)], world.service, onePerPage);
    await followed.poll();
    for (let value = 1n; value <= 14n; value++) await pay(value);
    await payMany(11); // more than a round reads, but blocks are not divided
    expect(await followed.poll()).toBeGreaterThan(1);
    expect(followed.countNew()).toBe(25);
  });
});

describe('a node that does not have old states', () => {
  const refuseOld = changePages((id, input) => {
    if (id === 'walletTransactions' && input.toBlock - input.fromBlock > 100)
      throw new HexLensError('node-error', 'The node does not have the state of that block.');
    return input;
  });

  it('is read from its recent blocks on, and what was skipped is known', async () => {
    const followed = follow([watchAddress(world.chain.accounts.alice)], world.service, refuseOld);
    await followed.poll();
    const start = Number(await world.anvil.rpc('eth_blockNumber'));
    await pay(ETHER);
    await world.anvil.rpc('anvil_mine', ['0x96']);
    await pay(2n * ETHER);
    const head = Number(await world.anvil.rpc('eth_blockNumber'));
    // The first refusal may be one of this moment.
    expect((await followed.pollOnce(PUBLIC)).fault).toMatchObject({ code: 'node-error' });
    const { isComplete, fault, skipped } = await followed.pollOnce(PUBLIC);
    expect({ isComplete, fault, skipped }).toEqual({
      isComplete: true,
      fault: null,
      skipped: { fromBlock: start + 1, toBlock: head - 64 },
    });
    expect(followed.rows()).toEqual(['2 ETH · alice → bob · new']);
    await pay(3n * ETHER);
    expect((await followed.pollOnce(PUBLIC)).skipped).toBeNull();
    expect(followed.countNew()).toBe(2);
  });
});

it('a refusal that does not last loses nothing', async () => {
  let isRefusing = false;
  const refusing = changePages((_, input) => {
    if (isRefusing && input.toBlock - input.fromBlock > 100) throw new HexLensError('node-error', 'Too busy.');
    return input;
  });
  const followed = follow([watchAddress(world.chain.accounts.alice)], world.service, refusing);
  await followed.poll();
  await pay(ETHER);
  await world.anvil.rpc('anvil_mine', ['0x96']);
  isRefusing = true;
  expect(await followed.pollOnce(PUBLIC)).toMatchObject({ isComplete: false, skipped: null });
  isRefusing = false;
  expect((await followed.pollOnce(PUBLIC)).skipped).toBeNull();
  expect(followed.rows()).toEqual(['1 ETH · alice → bob · new']);
});

it.each(['node-error', 'node-timeout', 'host-error', 'bad-input', 'not-found'] as const)(
  'a balance that can not be read (%s) loses nothing else',
  async code => {
    const withoutBalances = (ports: PollPorts): PollPorts => ({
      ...ports,
      client: { ...ports.client, call: () => Promise.reject(new HexLensError(code, 'No balance.')) },
    });
    const followed = follow([watchAddress(world.chain.accounts.alice)], world.service, withoutBalances);
    await followed.pollOnce(PUBLIC);
    await pay(ETHER);
    expect(await followed.pollOnce(PUBLIC)).toMatchObject({ isComplete: true, fault: null });
    expect(followed.rows()).toEqual(['1 ETH · alice → bob · new']);
  },
);

it('a watch that fails stays where it is, the others are read', async () => {
  const { alice, bob } = world.chain.accounts;
  let isDown = false;
  const failing = changePages((_, input) => {
    if (isDown && input.address === alice.toLowerCase()) throw new HexLensError('node-timeout', 'down');
    return input;
  });
  const followed = follow([watchAddress(alice), watchAddress(bob)], world.service, failing);
  await followed.poll();
  const { alice: _, ...accounts } = world.chain.accounts;
  await send({ from: accounts.bob, to: accounts.fees, value: 1n });
  await send({ from: alice, to: accounts.fees, value: 2n });
  isDown = true;
  const { isComplete, fault } = await followed.pollOnce();
  expect(isComplete).toBe(false);
  expect(fault).toMatchObject({ code: 'node-timeout' });
  expect(followed.countNew()).toBe(1);
  isDown = false;
  await followed.poll();
  expect(followed.countNew()).toBe(2);
});

describe('an index that is behind', () => {
  it('delays what happened after a reset of the chain, and loses nothing', async () => {
    let isPaused = false;
    const pausable = (ports: PollPorts): PollPorts => ({ ...ports, mayRequestIndex: () => !isPaused });
    const followed = follow([watchAddress(world.chain.accounts.fees)], world.service, pausable);
    await followed.poll({ genesisHash: `0x${'ab'.repeat(32)}` });
    isPaused = true;
    const { length } = followed.requests;
    expect((await followed.pollOnce()).isComplete).toBe(false);
    expect(followed.requests).toHaveLength(length);
    isPaused = false;
    await followed.poll();
    const { result } = await world.service.get('walletTransactions', { address: world.chain.accounts.fees });
    expect(result.length).toBeGreaterThan(0);
    expect(followed.countNew()).toBeGreaterThanOrEqual(result.length);
  });

  it('delays what happened on a development chain of another machine, and loses nothing', async () => {
    let isIncomplete = false;
    const incomplete = (ports: PollPorts): PollPorts => {
      async function* pages(...[id, input, options]: Parameters<Pages>) {
        const step = await ports.client.pages(id, input, options).next();
        if (step.done) return step.value;
        if (!isIncomplete) yield step.value;
        // Only pages of transfers say so: without blocks that are not read yet, the others look like any page.
        else yield { ...step.value, result: [], ...(id.endsWith('Transfers') && { indexComplete: false }) };
        return 'last' as const;
      }
      return { ...ports, client: { ...ports.client, pages: pages as Pages } };
    };
    const followed = follow([watchAddress(world.chain.accounts.alice)], world.service, incomplete);
    await followed.poll({ isLocal: false });
    isIncomplete = true;
    await pay(ETHER);
    expect((await followed.pollOnce({ isLocal: false })).isComplete).toBe(false);
    isIncomplete = false;
    await followed.poll({ isLocal: false });
    expect(followed.rows()).toEqual(['1 ETH · alice → bob · new']);
  });
});

describe('on a public chain whose node finds only what a wallet sent', () => {
  it('payments to a wallet, but not to a contract, are changes of its balance, for one request in each poll', async () => {
    const { anvil, chain } = await startPublicChain(200);
    const node = await startPublicNode(anvil.url);
    const service = startService({ local: node.url });
    try {
      const { alice, bob, fees } = chain.accounts;
      const transfer = async (from: Hex, to: Hex, value: bigint) => {
        await mineBlock(anvil, [{ from, to, value }]);
      };
      const head = async () => Number(await anvil.rpc('eth_blockNumber'));
      const vault: Hex = `0x${'5a'.repeat(20)}`;
      await anvil.rpc('anvil_setCode', [vault, '0x00']); // accepts everything
      await anvil.mine();
      const followed = follow([watchAddress(bob), watchAddress(vault)], service, same, anvil);
      const poll = async () => {
        const { length } = followed.requests;
        expect(await followed.poll()).toBe(1);
        const balances = followed.requests.slice(length).filter(operation => operation === 'walletBalances');
        expect(balances).toHaveLength(1);
        const rows = followed.rows().filter(row => row.endsWith('new'));
        followed.markSeen();
        return rows;
      };
      expect(await poll()).toEqual([]);

      let last = await head();
      const blocks = async () => {
        const from = last;
        last = await head();
        return `between blocks ${from} and ${last} · bob · new`;
      };
      await transfer(alice, bob, 2n * ETHER);
      await transfer(alice, vault, ETHER);
      expect(await poll()).toEqual([`Balance changed by +2 ETH ${await blocks()}`]);

      await transfer(bob, fees, ETHER);
      expect(await poll()).toEqual(['1 ETH · bob → fees · new']);
      await blocks();

      await transfer(alice, bob, 3n * ETHER);
      await transfer(bob, fees, 4n * ETHER);
      expect((await poll()).sort()).toEqual([
        '4 ETH · bob → fees · new',
        `Balance changed by another +3 ETH ${await blocks()}`,
      ]);

      await anvil.mine();
      expect(await poll()).toEqual([]);

      await anvil.rpc('anvil_setCode', [bob, `0xef0100${vault.slice(2)}`]); // EIP-7702
      await blocks();
      await transfer(alice, bob, ETHER);
      expect(await poll()).toEqual([`Balance changed by +1 ETH ${await blocks()}`]);
    } finally {
      await service.stop();
      await node.stop();
      await anvil.stop();
    }
  });
});
