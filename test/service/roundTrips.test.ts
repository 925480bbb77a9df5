// How many round trips to a node stand between a request and what is shown: on a slow link, they are all that counts.
import { afterEach, beforeAll, expect, test } from 'vitest';
import { defaultConfiguration, defaultProxyConfiguration } from '../../src/api/configuration.ts';
import type { LookupId, LookupInput, LookupOutput } from '../../src/api/lookups.ts';
import type { Input, OperationId } from '../../src/api/operations/operations.ts';
import { encodeRequest } from '../../src/api/wire/request.ts';
import { CallChannel, type CallChannelOptions } from '../../src/base/callChannel.ts';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { readAbi } from '../../src/decode/abiItem.ts';
import { type AbiRegistry, createAbiRegistry } from '../../src/decode/abiRegistry.ts';
import type { CallParams, ExtensionInterface, PageInterface } from '../../src/protocol/messages.ts';
import type { Backend } from '../../src/worker/backend.ts';
import { createNodeBackend } from '../../src/worker/nodeBackend.ts';
import { createBatchLimit, namedBatchRefusals, otherBatchRefusals } from '../support/batchRefusals.ts';
import { renderChainHover } from '../support/chainHover.ts';
import { startFaultyNode } from '../support/faultyNode.ts';
import { startPublicChain, startPublicNode } from '../support/publicNode.ts';
import { RoundTripCounter } from '../support/roundTrips.ts';
import { useFilledChain } from '../support/useFilledChain.ts';
import { connectPanel } from '../unit/webview/connectedPanel.ts';

const world = useFilledChain();
const backends: Backend[] = [];
afterEach(async () => {
  for (const backend of backends.splice(0)) await backend.stop();
});

/** A backend that has not sent anything yet. */
function startBackend(nodes: Readonly<Record<string, string>> = { local: world.anvil.url }) {
  const port = createUndiciHttp(defaultProxyConfiguration);
  const trips = new RoundTripCounter(port);
  const createHttp = () => ({ send: trips.send.bind(trips), stop: () => port.stop() });
  const backend = createNodeBackend({ log: silentLog, createHttp });
  backend.configure({ ...defaultConfiguration, nodes });
  backends.push(backend);
  return {
    trips,
    /** Reads what a page requests of the extension. */
    async read<Name extends keyof ExtensionInterface['calls']>(
      method: Name,
      params: CallParams<Name>,
    ): Promise<unknown> {
      const panel = connectPanel({
        target: { kind: 'block', chain: 'local', block: '0' },
        reply: request => backend.call(request),
        lookup: (id, input) => backend.lookup(id, input as LookupInput<typeof id>),
      });
      const page = new CallChannel<PageInterface, ExtensionInterface>({
        post: message => panel.api.postMessage(message),
        calls: {},
        notifications: {} as CallChannelOptions<PageInterface>['notifications'], // the page is not ready, so that it gets none
      });
      panel.connect(message => page.receive(message));
      try {
        return await page.call(method, params);
      } finally {
        panel.session.dispose();
      }
    },
    hover: (text: string, registry?: AbiRegistry) =>
      renderChainHover(text, {
        nodes,
        lookup: (id, input) => backend.lookup(id, input),
        call: request => backend.call(request),
        ...(registry !== undefined && { registry }),
      }),
    lookup: <Id extends LookupId>(id: Id, input: LookupInput<Id>, signal?: AbortSignal): Promise<LookupOutput<Id>> =>
      backend.lookup(id, input, { signal }),
    async call<Id extends OperationId>(id: Id, input: Input<Id>): Promise<unknown> {
      const { status, body } = await backend.call(encodeRequest(id, input));
      expect({ id, status }).toEqual({ id, status: 200 });
      return body;
    },
  };
}

beforeAll(async () => {
  // The first one loads the code of the store, which takes longer than a round trip here.
  await startBackend().call('walletNfts', { chain: 'local', address: world.chain.accounts.alice });
});

const toWord = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;

test('an account takes one round trip, a contract two, also with the first request to its node', async () => {
  const { alice } = world.chain.accounts;
  const { apes, coin } = world.chain.contracts;
  for (const [address, count] of [
    [alice, 1],
    [apes, 2],
    [coin, 2],
  ] as const) {
    const { trips, lookup } = startBackend();
    await lookup('addressSummary', { chain: 'local', address });
    expect(trips.rounds).toHaveLength(count);
  }
});

test('the first hover of a window takes no round trip more to learn which chain the node of this machine has', async () => {
  const { alice } = world.chain.accounts;
  const { coin } = world.chain.contracts;
  const { mintApe } = world.chain.transactions;
  for (const [text, count] of [
    [alice, 1],
    [coin, 2],
    [`transaction hash ${mintApe}`, 2],
  ] as const) {
    const { trips, hover } = startBackend();
    expect(await hover(text)).toContain('local');
    expect({ text, count: trips.count }, JSON.stringify(trips.rounds)).toEqual({ text, count });
  }
  // Nothing says that this is no key: the chain is identified before it is sent.
  const { trips, hover } = startBackend();
  expect(await hover(mintApe)).toContain('local');
  expect(trips.count).toBe(3);
  expect(trips.rounds[0]).toEqual([expect.stringMatching(/^eth_chainId .*batch of 8/)]);
});

test('two requests that begin together identify a node once', async () => {
  const { alice, bob } = world.chain.accounts;
  const { trips, lookup } = startBackend();
  const [first, second, { head }] = await Promise.all([
    lookup('addressSummary', { chain: 'local', address: alice }),
    lookup('addressSummary', { chain: 'local', address: bob }),
    lookup('chainStatus', { chain: 'local' }),
  ]);
  expect([first, second]).toMatchObject(
    [alice, bob].map(address => ({ address: address.toLowerCase(), blockNumber: head })),
  );
  expect(trips.count).toBe(1);
  expect(trips.rounds.flat().filter(label => label.includes('eth_chainId'))).toHaveLength(1);
});

test('a request gets its response when the one that began before it, and would identify the node, is cancelled', async () => {
  const { alice, bob } = world.chain.accounts;
  const { lookup } = startBackend();
  const cancelling = new AbortController();
  const cancelled = lookup('addressSummary', { chain: 'local', address: alice }, cancelling.signal);
  const other = lookup('addressSummary', { chain: 'local', address: bob });
  cancelling.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  expect(await other).toMatchObject({ chain: { id: 31337 }, address: bob.toLowerCase() });
});

test('what is behind a proxy is known after two round trips', async () => {
  const { anvil, chain } = world;
  const target = chain.contracts.apes.toLowerCase() as Hex;
  const beacon: Hex = `0x${'71'.repeat(20)}`;
  const [proxy, ofBeacon, minimal, account]: Hex[] = ['72', '73', '74', '75'].map(
    byte => `0x${byte}5e7d20418f6b3c9a2e5d7081f4c6a93b08d1e2` as const,
  );
  const registry = createAbiRegistry();
  registry.set({
    id: 'Apes.json',
    items: readAbi([{ type: 'function', name: 'mint', inputs: [], outputs: [] }], 'Apes'),
  });
  const snapshot = await anvil.rpc('evm_snapshot');
  try {
    const delegateCall = '0x5f5f5f5f5f545af400';
    const slots = {
      implementation: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
      beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
    };
    await anvil.rpc('anvil_setCode', [proxy, delegateCall]);
    await anvil.rpc('anvil_setStorageAt', [proxy, slots.implementation, toWord(target)]);
    await anvil.rpc('anvil_setCode', [ofBeacon, delegateCall]);
    await anvil.rpc('anvil_setStorageAt', [ofBeacon, slots.beacon, toWord(beacon)]);
    // PUSH20 target, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN
    await anvil.rpc('anvil_setCode', [beacon, `0x73${target.slice(2)}5f5260205ff3`]);
    await anvil.rpc('anvil_setCode', [
      minimal,
      `0x363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`,
    ]);
    await anvil.rpc('anvil_setCode', [account, `0xef0100${target.slice(2)}`]);
    await anvil.rpc('anvil_mine', ['0x1']);
    for (const [address, found] of [
      [proxy, { proxy: { kind: 'ERC-1967', implementations: [target] } }],
      [ofBeacon, { proxy: { kind: 'ERC-1967 beacon', implementations: [target], beacon } }],
      [minimal, { proxy: { kind: 'ERC-1167', implementations: [target] } }],
      [account, { delegate: target, proxy: null }],
    ] as const) {
      for (const id of ['addressSummary', 'contractCode'] as const) {
        const { trips, lookup } = startBackend();
        expect(await lookup(id, { chain: 'local', address: address as Hex })).toMatchObject(found);
        expect({ id, address, count: trips.count }).toEqual({ id, address, count: 2 });
      }
      // With contracts of the workspace, what is behind it is compared with them.
      const code = await anvil.rpc('eth_getCode', [target, 'latest']);
      const other = startBackend();
      const { targetCodes } = await other.lookup('contractCode', { chain: 'local', address: address as Hex });
      expect({ address, targetCodes }).toEqual({ address, targetCodes: { [target]: code } });
      const { trips, hover } = startBackend();
      expect((await hover(address as Hex, registry))?.toLowerCase()).toContain(target.slice(0, 6));
      expect({ address, count: trips.count }, JSON.stringify(trips.rounds)).toEqual({ address, count: 2 });
    }
    // Near the limit of a contract's size, the code is requested by itself.
    await anvil.rpc('anvil_setCode', [target, `0x${'5b'.repeat(24_560)}`]);
    await anvil.rpc('anvil_mine', ['0x1']);
    const { trips, hover, lookup } = startBackend();
    expect((await hover(ofBeacon as Hex, registry))?.toLowerCase()).toContain(target.slice(0, 6));
    expect(trips.count, JSON.stringify(trips.rounds)).toBe(3);
    const found = { proxy: { implementations: [target] }, targetCodes: {} };
    expect(await lookup('contractCode', { chain: 'local', address: ofBeacon as Hex })).toMatchObject(found);
  } finally {
    await anvil.rpc('evm_revert', [snapshot]);
  }
});

test('a transaction takes one round trip, and no other for the calls inside it and why it failed', async () => {
  const { internal, failed } = world.chain.transactions;
  const page = startBackend();
  const [traced] = await Promise.all([
    page.call('transaction', { chain: 'local', hash: internal, include: 'internal_transactions' }),
    page.call('transaction', { chain: 'local', hash: internal }),
    page.lookup('nodeTransaction', { chain: 'local', hash: internal }),
    page.lookup('hashSummary', { chain: 'local', hash: internal }),
  ]);
  const reverted = expect.objectContaining({ transaction_hash: internal, error: 'execution reverted' });
  expect(traced).toMatchObject({ internal_transactions: expect.arrayContaining([reverted]) });
  expect(page.trips.count, JSON.stringify(page.trips.rounds)).toBe(1);
  const { trips, lookup } = startBackend();
  expect(await lookup('revertReason', { chain: 'local', hash: failed })).toMatchObject({ failed: true, exact: true });
  expect(trips.count, JSON.stringify(trips.rounds)).toBe(1);
});

test('a node that takes long to trace a failed transaction does not delay the rest of its hover', async () => {
  const { failed } = world.chain.transactions;
  const tracing = Promise.withResolvers<void>();
  const node = await startFaultyNode(world.anvil.url, {
    client: null,
    fault: async ({ method }) => {
      if (method === 'debug_traceTransaction') await tracing.promise;
      return undefined;
    },
  });
  try {
    const { hover, lookup } = startBackend({ local: node.url });
    const text = `transaction hash ${failed}`;
    const late = 'Why it failed is still being read: hover again to see it';
    expect(await hover(text)).toContain(late);
    tracing.resolve();
    await lookup('revertReason', { chain: 'local', hash: failed });
    const again = await hover(text);
    expect(again).toContain('local');
    expect(again).not.toContain(late);
    // What was late is not requested again.
    expect(node.countCalls('debug_traceTransaction')).toBe(1);
  } finally {
    tracing.resolve();
    await node.stop();
  }
});

test('the parts of a page, or of a hover, that show the same transaction read it once', async () => {
  const { internal, failed } = world.chain.transactions;
  const listReads = ({ rounds }: RoundTripCounter) =>
    rounds.flat().filter(label => label.includes('eth_getTransactionReceipt'));
  for (const hash of [internal, failed]) {
    const { trips, read, lookup } = startBackend();
    await lookup('chainStatus', { chain: 'local' });
    await Promise.all([
      read('operation', { target: { kind: 'transaction', chain: 'local', hash }, include: ['record', 'logs'] }),
      read('nodeTransaction', { chain: 'local', hash }),
      read(hash === failed ? 'revertReason' : 'innerFailures', { chain: 'local', hash }),
    ]);
    expect(listReads(trips)).toHaveLength(1);
    const other = startBackend();
    await other.lookup('chainStatus', { chain: 'local' });
    expect(await other.hover(`transaction hash ${hash}`)).toContain('local');
    expect(listReads(other.trips)).toHaveLength(1);
  }
});

test('a transaction that was read a moment ago is read again once the head has changed', async () => {
  const { anvil, chain } = world;
  const snapshot = await anvil.rpc('evm_snapshot');
  const [from, to] = [chain.accounts.alice, chain.accounts.bob];
  const hash = (await anvil.rpc('eth_sendTransaction', [{ from, to, value: '0x5' }])) as Hex;
  await anvil.rpc('anvil_mine', ['0x1']);
  const { lookup } = startBackend();
  expect(await lookup('hashSummary', { chain: 'local', hash })).toMatchObject({ kind: 'transaction' });
  await anvil.rpc('evm_revert', [snapshot]);
  await lookup('chainStatus', { chain: 'local' });
  expect(await lookup('nodeTransaction', { chain: 'local', hash })).toMatchObject({ transaction: null });
});

test('the first page of the tokens of a wallet takes at most four round trips once its chain is indexed', async () => {
  const { alice, bob } = world.chain.accounts;
  const { trips, call } = startBackend();
  await call('walletErc20Balances', { chain: 'local', address: alice });
  trips.reset();
  expect(await call('walletErc20Balances', { chain: 'local', address: bob })).not.toEqual([]);
  expect(trips.count).toBeLessThanOrEqual(4);
  trips.reset();
  await call('walletNfts', { chain: 'local', address: bob, limit: 25 });
  expect(trips.count).toBeLessThanOrEqual(2);
});

test('the first page of a wallet takes five round trips at most in the first sync of a small chain too', async () => {
  const { alice } = world.chain.accounts;
  for (const [id, most] of [
    ['walletNfts', 4],
    ['walletErc20Transfers', 4],
    ['walletErc20Balances', 5],
  ] as const) {
    const { trips, call } = startBackend();
    expect(await call(id, { chain: 'local', address: alice })).not.toEqual([]);
    expect({ id, isMore: trips.count > most }, JSON.stringify(trips.rounds)).toEqual({ id, isMore: false });
  }
});

test('the first page of a wallet takes as many in the first sync of a chain of some hundred blocks', async () => {
  const { anvil, chain } = world;
  const { alice } = chain.accounts;
  const snapshot = await anvil.rpc('evm_snapshot');
  try {
    await anvil.rpc('anvil_mine', ['0x12c']);
    for (const id of ['walletNfts', 'walletErc20Transfers', 'walletErc20Balances'] as const) {
      const { trips, call } = startBackend();
      expect(await call(id, { chain: 'local', address: alice })).not.toEqual([]);
      expect({ id, isMore: trips.count > 5 }, JSON.stringify(trips.rounds)).toEqual({ id, isMore: false });
    }
  } finally {
    await anvil.rpc('evm_revert', [snapshot]);
  }
});

test.each(Object.entries({ ...namedBatchRefusals, ...otherBatchRefusals }))(
  'a node that takes ten calls at once, and refuses more with %s, takes one round trip more, once',
  async (name, refuse) => {
    const { alice, bob } = world.chain.accounts;
    const { coin } = world.chain.contracts;
    const { exchange, counts } = createBatchLimit(10, refuse);
    const node = await startFaultyNode(world.anvil.url, { exchange, client: null });
    try {
      const { trips, call, hover, read } = startBackend({ local: node.url });
      const first = await call('walletErc20Balances', { chain: 'local', address: alice });
      expect(first).not.toEqual([]);
      // Those that wait, since it may be a rate limit, do so for different times.
      expect(trips.count, JSON.stringify(trips.rounds)).toBeLessThanOrEqual(name === 'status 429' ? 8 : 6);
      // Those of one moment are sent before the limit is known.
      const { refused } = counts;
      for (const [work, most] of [
        [() => call('walletErc20Balances', { chain: 'local', address: bob }), 4],
        [() => hover(coin), 2],
        [() => read('address', { chain: 'local', address: coin }), 2],
        [() => read('blocks', { chain: 'local', before: null, count: 25 }), 2],
      ] as const) {
        trips.reset();
        await work();
        expect(trips.count, JSON.stringify(trips.rounds)).toBeLessThanOrEqual(most);
      }
      expect(counts.refused).toBe(refused);
    } finally {
      await node.stop();
    }
  },
);

test('the extension adds no round trip to what a page shows', async () => {
  const { alice } = world.chain.accounts;
  const { coin } = world.chain.contracts;
  const { mintApe: hash, internal, failed } = world.chain.transactions;
  const walletTokens = { chain: 'local', address: alice };
  for (const [method, params, most] of [
    ['operation', { target: { kind: 'transaction', chain: 'local', hash }, include: ['record', 'logs'] }, 1],
    ['innerFailures', { chain: 'local', hash: internal }, 1],
    ['revertReason', { chain: 'local', hash: failed }, 1],
    ['operation', { target: { kind: 'operation', operation: 'walletErc20Balances', parameters: walletTokens } }, 5],
    ['address', { chain: 'local', address: coin }, 2],
    ['blocks', { chain: 'local', before: null, count: 25 }, 2],
  ] as const) {
    const { trips, read } = startBackend();
    await read(method, params);
    expect({ method, isMore: trips.count > most }, JSON.stringify(trips.rounds)).toEqual({ method, isMore: false });
  }
});

test.each([
  [120, 4],
  [400, 5],
])('the first page of a wallet of a public chain with %i blocks takes %i round trips', async (blocks, most) => {
  const { anvil, chain } = await startPublicChain(blocks);
  const node = await startPublicNode(anvil.url);
  try {
    const { trips, call } = startBackend({ eth: node.url });
    expect(await call('walletErc20Transfers', { chain: 'eth', address: chain.accounts.alice })).not.toEqual([]);
    expect(trips.count, JSON.stringify(trips.rounds)).toBeLessThanOrEqual(most);
  } finally {
    await Promise.all([node.stop(), anvil.stop()]);
  }
});

test('a first sync reads the blocks that were mined after the state of the node was read for another request', async () => {
  const { anvil, chain } = world;
  const { coin } = chain.contracts;
  const receiver: Hex = `0x${'76'.repeat(20)}`;
  const snapshot = await anvil.rpc('evm_snapshot');
  try {
    const { call, lookup } = startBackend();
    await lookup('chainStatus', { chain: 'local' });
    const data = `0xa9059cbb${toWord(receiver).slice(2)}${'1'.padStart(64, '0')}`;
    await anvil.rpc('eth_sendTransaction', [{ from: chain.accounts.alice, to: coin, data }]);
    await anvil.rpc('anvil_mine', ['0x1']);
    expect(await call('walletErc20Balances', { chain: 'local', address: receiver })).toMatchObject([{ balance: '1' }]);
  } finally {
    await anvil.rpc('evm_revert', [snapshot]);
  }
});
