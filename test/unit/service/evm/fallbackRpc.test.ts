// One chain behind several nodes, which are scripted here; `test/service/severalNodes.test.ts` has real ones.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createCancelledFault, HexLensError } from '../../../../src/base/errors.ts';
import { FallbackRpc } from '../../../../src/service/evm/fallbackRpc.ts';
import { NodeFaults } from '../../../../src/service/evm/nodeFaults.ts';
import type { OnAnnouncedHead, RpcClient } from '../../../../src/service/evm/rpcClient.ts';
import type { RpcCall, RpcResponse } from '../../../../src/service/evm/rpcMessage.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { createTestLog } from '../../../support/testClock.ts';

const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const unreachable = () => new HexLensError('node-unreachable', 'It is down.');

interface FakeNode {
  head: number;
  chainId: number;
  genesis: number;
  /** Thrown by each request. */
  fault: HexLensError | null;
  /** The same for some requests. */
  faultOf: (calls: readonly RpcCall[]) => HexLensError | null;
  /** Requests of anything but the head and the identity are never answered. */
  isHanging: boolean;
  /** Requests of the identity are answered after this. */
  checking: Promise<void> | null;
  readonly requests: (readonly RpcCall[])[];
  readonly client: RpcClient;
}

function createFakeNode(name: string, changes: Partial<FakeNode> = {}): FakeNode {
  const faults = new NodeFaults('eth', name, false);
  const answer = ({ method, params }: RpcCall): RpcResponse => {
    if (method === 'eth_chainId') return { result: `0x${node.chainId.toString(16)}` };
    if (method !== 'eth_getBlockByNumber') return { result: `${name} ${method}` };
    const number = params[0] === 'latest' ? node.head : Number(params[0]);
    const hash = word(number === 0 ? node.genesis : number);
    return { result: { number: `0x${number.toString(16)}`, hash, parentHash: word(0), timestamp: '0x1' } };
  };
  const sendAll: RpcClient['sendAll'] = async (calls, signal) => {
    node.requests.push(calls);
    const fault = node.fault ?? node.faultOf(calls);
    if (fault !== null) throw fault;
    if (node.checking !== null && calls.some(({ method }) => method === 'eth_chainId')) await node.checking;
    if (node.isHanging && calls.some(({ method }) => method.startsWith('test_')))
      await new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new HexLensError('cancelled', 'Cancelled.')));
      });
    return calls.map(answer);
  };
  const client: RpcClient = {
    ...{ host: name, isLoopback: false, isWebSocket: false, faults, sendAll },
    request: async () => null,
    sendStreamed: async () => {},
    send: async (method, params, signal) => (await sendAll([{ method, params }], signal))[0] ?? { result: null },
    isAvailable: () => true,
    reset() {},
    invalidResponse: (method, why) => faults.invalidResponse(`${method}: ${why}`),
  };
  const node: FakeNode = {
    ...{ head: 100, chainId: 1, genesis: 7, fault: null, faultOf: () => null, isHanging: false, checking: null },
    ...{ requests: [], client },
    ...changes,
  };
  return node;
}

function create(nodes: readonly [FakeNode, ...FakeNode[]], expectedChainId: number | null = 1) {
  const clock = createFakeClock('manual');
  const log = createTestLog();
  const [first, ...others] = nodes;
  const clients = [first.client, ...others.map(({ client }) => client)] as const;
  const rpc = new FallbackRpc({ selector: 'eth', clients, expectedChainId, clock, log });
  const ask = async () => (await rpc.send('test_read', [])).result;
  const readHead = async () => {
    const { result } = await rpc.send('eth_getBlockByNumber', ['latest', false]);
    return Number((result as { number: string }).number);
  };
  return { rpc, clock, log, ask, readHead };
}

const countReads = ({ requests }: FakeNode) =>
  requests.filter(calls => calls.some(({ method }) => method === 'test_read')).length;

describe('several nodes of one chain', () => {
  it('the first is used as long as it works, and again when it has recovered', async () => {
    const [one, two] = [createFakeNode('one'), createFakeNode('two')];
    const { ask, clock, log, rpc } = create([one, two]);
    expect(await ask()).toBe('one test_read');
    expect(two.requests).toHaveLength(1); // its identity only
    one.fault = unreachable();
    expect(await ask()).toBe('two test_read');
    expect(rpc.host).toBe('two');
    expect(log.of('warn')).toHaveLength(1);
    const before = one.requests.length;
    expect(await ask()).toBe('two test_read');
    expect(one.requests.length, 'it is left alone for a moment').toBe(before);
    one.fault = null;
    clock.advance(1_000);
    await expect.poll(ask).toBe('one test_read');
  });

  it('a node that stays down is checked less and less often', async () => {
    const [one, two] = [createFakeNode('one', { fault: unreachable() }), createFakeNode('two')];
    const { ask, clock } = create([one, two]);
    await ask();
    for (const waitMs of [1_000, 2_000, 4_000, 8_000]) {
      const before = one.requests.length;
      clock.advance(waitMs - 1);
      await ask();
      expect(one.requests.length).toBe(before);
      clock.advance(1);
      await ask();
      expect(one.requests.length).toBe(before + 1);
      await setImmediate(); // the check has ended
    }
  });

  it('requests that fail at the same time are one failure', async () => {
    const [one, two] = [createFakeNode('one'), createFakeNode('two')];
    const { ask, clock } = create([one, two]);
    await ask();
    one.fault = unreachable();
    expect(await Promise.all(Array.from({ length: 8 }, ask))).toEqual(Array(8).fill('two test_read'));
    one.fault = null;
    clock.advance(1_000);
    await expect.poll(ask).toBe('one test_read');
  });

  it('one that only one request failed with is still the first', async () => {
    const [one, two] = [createFakeNode('one'), createFakeNode('two')];
    const { ask, rpc, log } = create([one, two]);
    await ask();
    for (const code of ['node-answer', 'node-timeout'] as const) {
      one.faultOf = calls =>
        calls.some(({ method }) => method === 'test_heavy') ? new HexLensError(code, 'Only this request.') : null;
      expect((await rpc.send('test_heavy', [])).result).toBe('two test_heavy');
      await expect.poll(ask).toBe('one test_read');
    }
    expect(log.of('warn')).toEqual([]);
  });

  it('what all of them would reject is not sent again', async () => {
    const [one, two] = [createFakeNode('one'), createFakeNode('two')];
    const { ask } = create([one, two]);
    await ask();
    one.fault = new HexLensError('too-large', 'Too large.');
    await expect(ask()).rejects.toMatchObject({ code: 'too-large' });
    expect(two.requests).toHaveLength(1);
  });

  it('the fault of an error names the node that gave it, also when another one is used by then', async () => {
    const [one, two] = [createFakeNode('one'), createFakeNode('two')];
    const { ask, readHead, rpc } = create([
      {
        ...one,
        client: {
          ...one.client,
          sendAll: (calls, signal) =>
            calls[0]?.method === 'test_slow' ? slow.promise : one.client.sendAll(calls, signal),
        },
      },
      two,
    ]);
    const slow = Promise.withResolvers<readonly RpcResponse[]>();
    await ask();
    const refused = expect(rpc.request('test_slow', [])).rejects.toThrow(
      'The node of Ethereum (one) refused test_slow: No.',
    );
    one.fault = unreachable();
    await readHead();
    expect(rpc.host).toBe('two');
    slow.resolve([{ error: { code: -32000, message: 'No', data: undefined } }]);
    await refused;
  });

  it('when all fail the fault is that of the first, and they are tried again at the next request', async () => {
    const [one, two] = [createFakeNode('one'), createFakeNode('two')];
    const { ask } = create([one, two]);
    await ask();
    one.fault = unreachable();
    two.fault = new HexLensError('node-timeout', 'It hangs.');
    await expect(ask()).rejects.toBe(one.fault);
    two.fault = null;
    expect(await ask()).toBe('two test_read');
  });

  it('a slow one has another asked beside it, and its request is cancelled', async () => {
    const [one, two] = [createFakeNode('one', { isHanging: true }), createFakeNode('two')];
    const { ask, log, clock } = create([one, two]);
    const asked = ask();
    await expect.poll(() => clock.sleeps.length).toBe(2); // for slow identities, then for the response
    clock.advance(1_500);
    expect(await asked).toBe('two test_read');
    expect(log.of('warn').join()).toMatch(/node of Ethereum \(one\) did not respond within 1.5 s/);
    expect(await ask()).toBe('two test_read');
    expect(countReads(one)).toBe(1);
  });

  it('only so many requests are sent twice at the same time', async () => {
    const [one, two] = [createFakeNode('one', { isHanging: true }), createFakeNode('two', { isHanging: true })];
    const { rpc, clock, readHead } = create([one, two]);
    await readHead();
    const begun = clock.sleeps.length;
    const ending = new AbortController();
    const asked = Array.from({ length: 20 }, () => rpc.send('test_read', [], ending.signal));
    const settled = Promise.allSettled(asked);
    await expect.poll(() => clock.sleeps.length - begun).toBe(20);
    clock.advance(1_500);
    await expect.poll(() => [countReads(one), countReads(two)]).toEqual([20, 8]);
    ending.abort();
    for (const { status } of await settled) expect(status).toBe('rejected');
    expect([countReads(one), countReads(two)]).toEqual([20, 8]);
  });
});

describe('the head', () => {
  it('never goes back because another node answers', async () => {
    const [one, two] = [createFakeNode('one', { head: 101 }), createFakeNode('two')];
    const { readHead, ask, clock } = create([one, two]);
    expect(await readHead()).toBe(101);
    one.fault = unreachable();
    await expect(readHead()).rejects.toBe(one.fault);
    await expect(ask(), 'what it says of other things is as old').rejects.toBe(one.fault);
    two.head = 101;
    clock.advance(60_000);
    expect(await readHead()).toBe(101);
    expect(await ask()).toBe('two test_read');
  });

  it('that only a stopped node had is waited for a minute', async () => {
    const [one, two] = [createFakeNode('one', { head: 102 }), createFakeNode('two')];
    const { readHead, clock, log } = create([one, two]);
    expect(await readHead()).toBe(102);
    one.fault = unreachable();
    await expect(readHead()).rejects.toBe(one.fault);
    clock.advance(59_999);
    await expect(readHead()).rejects.toMatchObject({ code: 'node-unreachable' });
    clock.advance(1);
    expect(await readHead()).toBe(100);
    expect(log.of('warn').join()).toContain('Block 102 of eth is no longer waited for: only one had it.');
    two.head = 101;
    expect(await readHead()).toBe(101);
  });

  it('goes back with the node that it came from', async () => {
    const [one, two] = [createFakeNode('one'), createFakeNode('two', { head: 99 })];
    const { readHead } = create([one, two]);
    expect(await readHead()).toBe(100);
    one.head = 98;
    expect(await readHead()).toBe(98);
  });

  it('is not that of a node that is behind the others from the start', async () => {
    const [one, two] = [createFakeNode('one', { head: 50 }), createFakeNode('two')];
    const { readHead, log } = create([one, two]);
    expect(await readHead()).toBe(100);
    expect(log.of('warn').join()).toContain(
      'The node of Ethereum (one) is behind another node of its chain (blocks: 50).',
    );
  });

  it('is not that of a node that has stopped to follow its chain', async () => {
    const [one, two] = [createFakeNode('one'), createFakeNode('two')];
    const { readHead, clock } = create([one, two]);
    expect(await readHead()).toBe(100);
    two.head = 110;
    clock.advance(29_000);
    expect(await readHead()).toBe(100);
    clock.advance(2_000);
    await expect.poll(readHead).toBe(110);
    expect(two.requests.length).toBeLessThan(10);
  });
});

describe('the subscription to heads', () => {
  /** `announce` sends one more head, as the node `one` does where it was subscribed. */
  const createAnnouncing = (one: FakeNode, two: FakeNode) => {
    const announced: number[] = [];
    const subscribed: string[] = [];
    let send: OnAnnouncedHead = () => {};
    const withHeads = (node: FakeNode): FakeNode => ({
      ...node,
      client: {
        ...node.client,
        subscribeToHeads: (_onSubscribed, onHead, signal) => {
          subscribed.push(node.client.host);
          send = onHead;
          return new Promise((_, reject) => signal.addEventListener('abort', () => reject(createCancelledFault())));
        },
      },
    });
    const created = create([withHeads(one), withHeads(two)]);
    /** Returns how it ends. */
    const begin = async () => {
      const onHead = (header: unknown) => announced.push(Number((header as { number: string }).number));
      const { signal } = new AbortController();
      return created.rpc.subscribeToHeads?.(() => {}, onHead, signal).catch((error: HexLensError) => error.code);
    };
    const announce = () => {
      const number = `0x${(++one.head).toString(16)}`;
      send({ number, hash: word(one.head), parentHash: word(0), timestamp: '0x1' }, false);
    };
    return { ...created, begin, announce, announced, subscribed };
  };

  it('ends when a request fails, and begins again at the node that is used then', async () => {
    const [one, two] = [createFakeNode('one'), createFakeNode('two')];
    const { begin, announce, announced, subscribed, readHead, clock } = createAnnouncing(one, two);
    await readHead();
    const ended = begin();
    announce();
    one.fault = unreachable();
    await expect(readHead(), 'the other node is one block behind').rejects.toBe(one.fault);
    announce();
    two.head = 101;
    clock.advance(1_000);
    expect(await readHead(), 'no node must have what is announced meanwhile').toBe(101);
    expect(announced).toEqual([101]);
    expect(await ended).toBe('cancelled');
    void begin();
    expect(subscribed).toEqual(['one', 'two']);
  });

  it('ends with an announcement of a node that is being checked', async () => {
    const [one, two] = [createFakeNode('one'), createFakeNode('two')];
    const { begin, announce, announced, readHead, ask } = createAnnouncing(one, two);
    await readHead();
    const ended = begin();
    announce();
    const timeout = new HexLensError('node-timeout', 'It hangs.');
    one.faultOf = ([call]) => (call?.method === 'test_read' ? timeout : null);
    const checking = Promise.withResolvers<void>();
    one.checking = checking.promise;
    const asked = expect(ask()).rejects.toBe(timeout);
    await expect.poll(() => one.requests.at(-1)?.length).toBe(3); // its check has begun
    announce();
    expect(announced).toEqual([101]);
    expect(await ended).toBe('cancelled');
    checking.resolve();
    await asked;
  });

  it('does not make a node that fails be checked more often', async () => {
    const [one, two] = [createFakeNode('one', { head: 101 }), createFakeNode('two')];
    const { begin, announce, announced, readHead, ask, rpc, clock } = createAnnouncing(one, two);
    await readHead();
    one.faultOf = ([call]) => {
      if (call?.method === 'test_large') return new HexLensError('too-large', 'Too large.');
      return call?.method === 'test_read' ? unreachable() : null;
    };
    await expect(ask(), 'the first failure').rejects.toMatchObject({ code: 'node-unreachable' });
    void begin();
    announce();
    expect(announced, 'the check has shown that it works').toEqual([102]);
    two.head = 102;
    clock.advance(1_000);
    await expect(rpc.send('test_large', [])).rejects.toMatchObject({ code: 'too-large' });
    await setImmediate(); // the other node was checked beside it
    expect(await ask(), 'the second failure').toBe('two test_read');
    const before = one.requests.length;
    clock.advance(1_999);
    await ask();
    expect(one.requests.length).toBe(before);
    clock.advance(1);
    await ask();
    expect(one.requests.length).toBe(before + 1);
  });
});

describe('a node of another chain', () => {
  it('is refused by name', async () => {
    const [one, two] = [createFakeNode('one', { chainId: 137 }), createFakeNode('two')];
    const { ask, log } = create([one, two]);
    expect(await ask()).toBe('two test_read');
    expect(log.of('warn').join()).toMatch(
      /node configured for eth \(one\) is chain 137 \(Polygon\), not 1 \(Ethereum\)/,
    );
    two.fault = unreachable();
    await expect(ask(), 'the fault of the node that was asked').rejects.toBe(two.fault);
    await expect(ask(), 'none is left').rejects.toMatchObject({ code: 'no-node', message: /\(one\) is chain 137/ });
  });

  it('is recognized by its first block where the id is the same; the first node decides', async () => {
    const [one, two] = [createFakeNode('one'), createFakeNode('two', { genesis: 8 })];
    const { ask, log } = create([one, two], null);
    expect(await ask()).toBe('one test_read');
    expect(log.of('warn').join()).toContain('The node of Ethereum (two) has another first block');
    one.fault = unreachable();
    await expect(ask()).rejects.toBe(one.fault);
  });

  it('may be the chain of all of them after a reset', async () => {
    const [one, two] = [createFakeNode('one'), createFakeNode('two', { head: 99 })];
    const { ask, readHead, rpc } = create([one, two], null);
    expect(await readHead()).toBe(100);
    for (const node of [one, two]) Object.assign(node, { genesis: 9, head: 3 });
    rpc.reset();
    expect(await readHead()).toBe(3);
    one.fault = unreachable();
    expect(await ask()).toBe('two test_read');
  });
});
