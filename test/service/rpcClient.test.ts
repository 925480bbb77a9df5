// The JSON-RPC client against a node that hangs, breaks off, answers HTML, mixes ids and limits.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { JsonRpcClient, type RpcClient } from '../../src/service/evm/rpcClient.ts';
import { call, calls, createRpcFixture, echoes, getFault } from '../support/rpcFixture.ts';
import type { ScriptedExchange } from '../support/scriptedRpcNode.ts';
import { interceptExchange } from '../support/serviceFixture.ts';
import { createTestClock, createTestLog } from '../support/testClock.ts';

const { createClient, http, scriptedNode } = createRpcFixture();

describe('broken answers', () => {
  const html = '<!DOCTYPE html><html><body>Welcome</body></html>';
  const whole = JSON.stringify({ jsonrpc: '2.0', id: 0, result: 'x'.repeat(1000) });
  const cases: [string, (exchange: ScriptedExchange) => void, string, string][] = [
    ['HTML', e => e.sendText(html), 'node-answer', 'answered with an HTML page, not JSON-RPC'],
    ['HTML with status 404', e => e.sendText(html, 404), 'node-answer', 'answered with status 404, not with JSON-RPC'],
    ['nothing', e => e.sendText(''), 'node-answer', 'answered with nothing'],
    ['text', e => e.sendText('hello'), 'node-answer', 'answered with something that is not JSON'],
    [
      'half a body of the right length',
      e => e.sendText(whole.slice(0, 500)),
      'node-answer',
      'broke off in the middle of its response',
    ],
    [
      'half a body and a broken connection',
      e => e.sendHalf(whole),
      'node-unreachable',
      'in the middle of its response',
    ],
    ['JSON that is no JSON-RPC', e => e.sendText('[1,2]'), 'node-answer', 'answered with JSON that is not JSON-RPC'],
    ['null', e => e.sendText('null'), 'node-answer', 'answered with JSON that is not JSON-RPC'],
    ['no result', e => e.send({ jsonrpc: '2.0', id: e.calls[0]?.id }), 'node-answer', 'neither a result nor an error'],
    ['wrong id', e => e.send({ jsonrpc: '2.0', id: 999, result: 1 }), 'node-answer', 'wrong id'],
    ['a result without id', e => e.send({ jsonrpc: '2.0', result: 1 }), 'node-answer', 'wrong id'],
    ['status 500', e => e.sendText('oops', 500), 'node-answer', 'answered with status 500'],
    ['status 401', e => e.sendText('no', 401), 'node-error', 'does not accept the request (status 401)'],
    [
      'status 401 with a sentence in JSON',
      e => e.sendText('{"error":"key required"}', 401),
      'node-error',
      'does not accept the request (status 401)',
    ],
    ['a redirect', e => e.sendText('', 302, { location: 'http://127.0.0.1:1/' }), 'node-answer', 'status 302'],
  ];
  it.each(cases)('are refused: %s', async (_name, answer, code, sentence) => {
    const { rpc, node } = await createClient(interceptExchange(answer));
    const fault = await getFault(rpc.request('test_echo', [1]));
    expect(fault.code).toBe(code);
    expect(fault.message).toContain(`The node of Local dev chain (${node.host}) `);
    expect(fault.message).toContain(sentence);
    expect(fault.message).toMatch(/\.$/);
    expect(fault.fix).toMatch(/\.$/);
    expect(node.requests()).toBeLessThanOrEqual(2);
  });

  it('retries once and returns the complete response', async () => {
    const { rpc, node } = await createClient(exchange => {
      if (exchange.number > 1) return false;
      exchange.sendHalf(whole);
      return true;
    });
    expect(await rpc.request('test_echo', [1])).toEqual(['test_echo', 1]);
    expect(node.requests()).toBe(2);
  });

  it('accepts a null result and an id returned as text', async () => {
    const { rpc } = await createClient(
      interceptExchange(e => e.send({ id: String(e.calls[0]?.id), result: null, error: null })),
    );
    expect(await rpc.request('test_echo', [1])).toBeNull();
  });

  it('accepts a JSON-RPC error with an HTTP error status', async () => {
    const { rpc } = await createClient(
      interceptExchange(e =>
        e.send({ jsonrpc: '2.0', id: e.calls[0]?.id, error: { code: 3, message: 'execution reverted' } }, 400),
      ),
    );
    const fault = await getFault(rpc.request('eth_call', []));
    expect(fault.code).toBe('node-error');
    expect(fault.message).toMatch(/refused eth_call: execution reverted\.$/);
  });

  it('reports the node’s message in one printable line, without the URL and its key', async () => {
    const message = 'bad\nkey for https://node.example/v3/s3cr3t \u001b[31m!';
    const { rpc } = await createClient(
      interceptExchange(e => e.send({ id: e.calls[0]?.id, error: { code: -32000, message } })),
    );
    const fault = await getFault(rpc.request('eth_call', []));
    expect(fault.message).toContain('bad key for (url) [31m!');
    expect(`${fault.message}${fault.details}`).not.toContain('s3cr3t');
  });
});

describe('time', () => {
  it('times out when a node hangs', async () => {
    const { rpc, node } = await createClient(
      interceptExchange(exchange => exchange.hang()),
      undefined,
      1_000,
    );
    const fault = await getFault(rpc.request('test_echo', [1]));
    expect(fault.code).toBe('node-timeout');
    expect(fault.message).toBe(`The node of Local dev chain (${node.host}) did not respond within 1 s.`);
    expect(node.requests()).toBeLessThanOrEqual(1);
  });

  it('closes the connection when the caller aborts', async () => {
    const { rpc, node } = await createClient(interceptExchange(exchange => exchange.hang()));
    const controller = new AbortController();
    const pending = getFault(rpc.sendAll(calls(3), controller.signal));
    await expect.poll(node.requests).toBe(1);
    controller.abort();
    expect((await pending).code).toBe('cancelled');
    await expect.poll(node.abortedRequests).toBe(1);
    expect((await getFault(rpc.request('test_echo', [], controller.signal))).code).toBe('cancelled');
    expect(node.requests()).toBe(1);
  });

  it('reports that nothing listens', async () => {
    const { rpc, node } = await createClient(() => false);
    await node.stop();
    const fault = await getFault(rpc.request('test_echo', [1]));
    expect(fault.code).toBe('node-unreachable');
    expect(fault.message).toContain(`The node of Local dev chain (${node.host}) cannot be reached`);
    expect(fault.fix).toContain('hexlens.nodes');
  });
});

describe('a node that is busy', () => {
  // The longest wait of each retry.
  beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(1));
  afterEach(() => void vi.restoreAllMocks());

  const busy = (times: number, answer: (exchange: ScriptedExchange) => void) => (exchange: ScriptedExchange) => {
    if (exchange.number > times) return false;
    answer(exchange);
    return true;
  };

  it('waits as long as Retry-After says', async () => {
    const { rpc, clock } = await createClient(busy(1, e => e.sendText('slow down', 429, { 'retry-after': '3' })));
    expect(await rpc.request('test_echo', [1])).toEqual(['test_echo', 1]);
    expect(clock.sleeps).toEqual([3_000]);
  });

  it('backs off without Retry-After, and gives up after four retries', async () => {
    const { rpc, clock, node } = await createClient(interceptExchange(e => e.sendText('slow down', 429)));
    const fault = await getFault(rpc.request('test_echo', [1]));
    expect(fault.code).toBe('rate-limited');
    expect(fault.message).toBe(`The node of Local dev chain (${node.host}) is limiting requests.`);
    expect(clock.sleeps).toEqual([250, 500, 1_000, 2_000]);
  });

  it('does not wait for minutes but reports Retry-After to the caller', async () => {
    const { rpc, clock } = await createClient(interceptExchange(e => e.sendText('', 429, { 'retry-after': '120' })));
    const fault = await getFault(rpc.request('test_echo', [1]));
    expect(fault.retryAfterMs).toBe(120_000);
    expect(clock.sleeps).toEqual([]);
  });

  it('retries 502, 503 and 504', async () => {
    const { rpc, node } = await createClient(busy(3, e => e.sendText('', 501 + e.number)));
    expect(await rpc.request('test_echo', [1])).toEqual(['test_echo', 1]);
    expect(node.requests()).toBe(4);
  });

  it.each(['Your app has exceeded its compute units per second capacity.', 'Too Many Requests', 'rate limit exceeded'])(
    'knows it in JSON-RPC words: %s',
    async message => {
      const { rpc, clock } = await createClient(
        busy(2, e => e.send({ id: e.calls[0]?.id, error: { code: -32005, message } })),
      );
      expect(await rpc.request('test_echo', [1])).toEqual(['test_echo', 1]);
      expect(clock.sleeps).toEqual([250, 500]);
    },
  );

  it('retries only the calls of a batch that were rate-limited', async () => {
    let refused = 0;
    const { rpc, node } = await createClient(
      () => false,
      ({ method, params }) =>
        params[0] === 2 && refused++ === 0
          ? { error: { code: 429, message: 'Too many requests' } }
          : { result: [method, ...params] },
    );
    expect(await rpc.sendAll(calls(4))).toEqual(echoes(4));
    expect(node.calls.map(({ params }) => params[0])).toEqual([0, 1, 2, 3, 2]);
  });
});

describe('missing methods', () => {
  const refusal = { error: { code: -32601, message: 'the method trace_block does not exist/is not available' } };
  const missing = (rpc: RpcClient) => rpc.send('trace_block', ['0x1']);

  it('are remembered until reset or for ten minutes', async () => {
    const { rpc, clock } = await createClient(
      () => false,
      () => refusal,
    );
    expect(rpc.isAvailable('trace_block')).toBe(true);
    await missing(rpc);
    expect(rpc.isAvailable('trace_block')).toBe(false);
    expect(rpc.isAvailable('eth_getLogs')).toBe(true);
    clock.advance(10 * 60_000);
    expect(rpc.isAvailable('trace_block')).toBe(true);
    await missing(rpc);
    rpc.reset();
    expect(rpc.isAvailable('trace_block')).toBe(true);
  });

  it('are noticed within a batch', async () => {
    const { rpc } = await createClient(
      () => false,
      ({ method }) => (method === 'trace_block' ? refusal : { result: 1 }),
    );
    const answers = await rpc.sendAll([call(1), { method: 'trace_block', params: [] }]);
    expect(answers[1]?.error?.code).toBe(-32601);
    expect(rpc.isAvailable('trace_block')).toBe(false);
  });
});

describe('addresses', () => {
  const options = { selector: 'eth', http, clock: createTestClock(), log: createTestLog(), timeoutMs: 60_000 };

  it('sends credentials as a header and never logs them', async () => {
    const seen: unknown[] = [];
    const node = await scriptedNode({ answer: () => ({ error: { code: 1, message: 'no' } }) });
    const spying = {
      send: (request: Parameters<typeof http.send>[0]) => {
        seen.push(request.headers?.['authorization'], request.url);
        return http.send(request);
      },
    };
    const url = `http://user:p%40ss@${node.host}/v3/s3cr3t`;
    const fault = await getFault(new JsonRpcClient({ ...options, http: spying, url }).request('eth_chainId', []));
    expect(seen[0]).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
    expect(String(seen[1])).not.toContain('p%40ss');
    expect(`${fault.message} ${fault.fix} ${fault.details}`).not.toMatch(/s3cr3t|p@ss|p%40ss/);
    expect(fault.message).toContain(`The node of Ethereum (${node.host})`);
  });

  it.each(['', 'localhost:8545', 'ftp://127.0.0.1:8545', 'file:///etc/passwd', 'not a url'])(
    'refuses %j',
    async url => {
      const fault = await getFault(new JsonRpcClient({ ...options, url }).request('eth_chainId', []));
      expect(fault.code).toBe('no-node');
      expect(fault.message).toBe('The address of the node of Ethereum is not an http, https, ws or wss URL.');
      expect(fault.fix).toContain('hexlens.nodes');
    },
  );
});
