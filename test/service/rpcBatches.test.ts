// Batches of JSON-RPC calls: sorted by id, validated, cut to the node's limit, and replaced by single calls where it takes none.
import { describe, expect, it } from 'vitest';
import { createBatchLimit, namedBatchRefusals, otherBatchRefusals } from '../support/batchRefusals.ts';
import { calls, createRpcFixture, echoes, getFault } from '../support/rpcFixture.ts';
import type { ScriptedExchange } from '../support/scriptedRpcNode.ts';
import { interceptExchange } from '../support/serviceFixture.ts';

const { createClient } = createRpcFixture();

describe('batches', () => {
  it('sends many calls in one request and sorts the responses by id', async () => {
    const { rpc, node } = await createClient(async exchange => {
      exchange.send(((await exchange.honest()) as unknown[]).reverse());
      return true;
    });
    expect(await rpc.sendAll(calls(20))).toEqual(echoes(20));
    expect(node.requests()).toBe(1);
  });

  it('sends a single call without a batch, and no request for no calls', async () => {
    const { rpc, node } = await createClient(exchange => {
      if (exchange.batch) exchange.sendText('a batch', 500);
      return exchange.batch;
    });
    expect(await rpc.sendAll(calls(1))).toEqual(echoes(1));
    expect(await rpc.sendAll([])).toEqual([]);
    expect(node.requests()).toBe(1);
  });

  it('sends calls singly that a batch left unanswered', async () => {
    const { rpc, node } = await createClient(async exchange => {
      if (!exchange.batch) return false;
      exchange.send(((await exchange.honest()) as unknown[]).slice(0, 2));
      return true;
    });
    expect(await rpc.sendAll(calls(4))).toEqual(echoes(4));
    expect(node.requests()).toBe(3);
  });

  it.each<[string, (honest: { id: number }[]) => unknown[]]>([
    ['one call answered twice', ([first, ...rest]) => [first, { ...first, result: 'another' }, ...rest]],
    ['ids of no call', honest => honest.map(entry => ({ ...entry, id: entry.id + 1000 }))],
    ['answers without ids', honest => honest.map(({ id: _id, ...entry }) => entry)],
  ])('rejects %s, and sends the calls singly', async (_name, lie) => {
    const { rpc } = await createClient(async exchange => {
      if (!exchange.batch) return false;
      exchange.send(lie((await exchange.honest()) as { id: number }[]));
      return true;
    });
    expect(await rpc.sendAll(calls(3))).toEqual(echoes(3));
  });

  const refusals: [string, (exchange: ScriptedExchange) => void][] = [
    ['an error object', e => e.send({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request' } })],
    [
      'an error object that names batches',
      e => e.send({ id: null, error: { code: -32600, message: 'batch not supported' } }),
    ],
    ['an error in a list', e => e.send([{ id: null, error: { code: -32600, message: 'Invalid request' } }])],
    ['a status', e => e.sendText('Bad Request', 400)],
    ['a status of its own fault', e => e.sendText('{', 500)],
    ['the answer to the first call only', e => e.send({ id: e.calls[0]?.id, result: 1 })],
  ];
  it.each(refusals)('refused with %s: calls go singly, and later ones at once', async (_name, refuse) => {
    const { rpc, node } = await createClient(exchange => {
      if (exchange.batch) refuse(exchange);
      return exchange.batch;
    });
    expect(await rpc.sendAll(calls(5))).toEqual(echoes(5));
    const before = node.requests();
    expect(await rpc.sendAll(calls(5))).toEqual(echoes(5));
    expect(node.requests() - before).toBe(5);
    rpc.reset();
    await rpc.sendAll(calls(2));
    expect(node.requests() - before).toBeGreaterThan(7);
  });

  it('sends batches again after one that failed by chance', async () => {
    const { rpc, node } = await createClient(exchange => {
      if (exchange.number > 1) return false;
      exchange.sendText('{', 500);
      return true;
    });
    expect(await rpc.sendAll(calls(20))).toEqual(echoes(20));
    for (let round = 1; round <= 12; round++) expect(await rpc.sendAll(calls(20))).toEqual(echoes(20));
    const before = node.requests();
    expect(await rpc.sendAll(calls(20))).toEqual(echoes(20));
    expect(node.requests() - before).toBe(1);
  });

  it('tries a batch less and less often at a node that takes none', async () => {
    let batches = 0;
    const { rpc } = await createClient(exchange => {
      if (!exchange.batch) return false;
      batches++;
      exchange.sendText('{', 500);
      return true;
    });
    for (let round = 1; round <= 40; round++) expect(await rpc.sendAll(calls(10))).toEqual(echoes(10));
    // Each failed batch is repeated a few times.
    expect(batches).toBeLessThan(40);
  });

  it.each([
    ['batch limit 10 exceeded', 10],
    ['Batch size too large: maximum is 10 calls', 10],
    ['maximum batch size exceeded', 12],
  ])('adapts to the batch limit: %s', async (message, most) => {
    const sizes: number[] = [];
    const { rpc } = await createClient(exchange => {
      if (exchange.calls.length <= most) {
        sizes.push(exchange.calls.length);
        return false;
      }
      exchange.send({ jsonrpc: '2.0', id: null, error: { code: -32000, message } });
      return true;
    });
    expect(await rpc.sendAll(calls(45))).toEqual(echoes(45));
    expect(await rpc.sendAll(calls(45))).toEqual(echoes(45));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(most);
    expect(Math.max(...sizes)).toBeGreaterThan(1);
  });

  const limits = [
    ...Object.entries(namedBatchRefusals).flatMap(([name, refuse]) =>
      [3, 10, 20].map(limit => ({ name, refuse, limit })),
    ),
    ...Object.entries(otherBatchRefusals).flatMap(([name, refuse]) => [10, 20].map(limit => ({ name, refuse, limit }))),
  ];
  it.each(limits)(
    'more than $limit calls refused with $name: refused once, no answer is requested twice',
    async row => {
      const { limit, refuse } = row;
      const { exchange, counts } = createBatchLimit(limit, refuse);
      const answered = new Map<unknown, number>();
      const { rpc } = await createClient(exchange, ({ method, params }) => {
        answered.set(params[0], (answered.get(params[0]) ?? 0) + 1);
        return { result: [method, ...params] };
      });
      expect(await rpc.sendAll(calls(41))).toEqual(echoes(41));
      expect(counts.refused).toBe(1);
      // A node that makes all responses before it refuses some of them makes those twice.
      if (!row.name.startsWith('responses to the first')) expect([...answered.values()]).toEqual(Array(41).fill(1));
      const parts = counts.answered;
      expect(parts).toBeLessThanOrEqual(Math.ceil(41 / Math.min(limit, 10)));
      for (let round = 0; round < 3; round++) expect(await rpc.sendAll(calls(41))).toEqual(echoes(41));
      expect(counts.refused).toBe(1);
      expect(counts.answered).toBeLessThanOrEqual(parts + 3 * Math.ceil(41 / Math.min(limit, 10)));
    },
  );

  it('sends the parts of a batch that was too large at the same time', async () => {
    const arrived: number[] = [];
    const waiting: (() => void)[] = [];
    const { rpc } = await createClient(async ({ calls: { length }, send }) => {
      if (length > 3) {
        send({ jsonrpc: '2.0', id: null, error: { code: 31, message: 'Batch of more than 3 requests is refused' } });
        return true;
      }
      arrived.push(length);
      if (arrived.length === 14) for (const release of waiting.splice(0)) release();
      else if (arrived.length < 14) await new Promise<void>(resolve => waiting.push(resolve));
      return false;
    });
    expect(await rpc.sendAll(calls(41))).toEqual(echoes(41));
    expect(arrived).toHaveLength(14);
  });

  it('finds a limit below ten that is not named, and sends larger and larger batches up to it', async () => {
    const { exchange, counts } = createBatchLimit(4, otherBatchRefusals['status 400'] ?? (() => {}));
    const { rpc } = await createClient(exchange);
    for (let round = 0; round < 6; round++) expect(await rpc.sendAll(calls(41))).toEqual(echoes(41));
    const { refused, answered } = counts;
    for (let round = 0; round < 4; round++) expect(await rpc.sendAll(calls(41))).toEqual(echoes(41));
    expect(counts.refused).toBe(refused);
    expect(counts.answered - answered).toBeLessThanOrEqual(4 * 21);
  });

  it('does not take the error of one call for a limit', async () => {
    let largest = 0;
    const { rpc } = await createClient(
      exchange => {
        largest = Math.max(largest, exchange.calls.length);
        return false;
      },
      ({ params }) =>
        params[0] === 7
          ? { error: { code: -32000, message: 'the block is in no sealed batch yet' } }
          : { result: ['test_echo', ...params] },
    );
    expect((await rpc.sendAll(calls(30))).filter(response => response.error !== undefined)).toHaveLength(1);
    largest = 0;
    await rpc.sendAll(calls(30));
    expect(largest).toBe(30);
  });

  it('tries one batch at a time at a node that takes none', async () => {
    let refused = 0;
    const { rpc } = await createClient(exchange => {
      if (!exchange.batch) return false;
      refused++;
      exchange.sendText('Bad Request', 400);
      return true;
    });
    await rpc.sendAll(calls(30));
    await rpc.sendAll(calls(30));
    refused = 0;
    expect(await rpc.sendAll(calls(20))).toEqual(echoes(20));
    expect(refused).toBe(1);
  });

  it('forgets a batch limit after ten minutes: it may have been that of one gateway', async () => {
    let most = 10;
    const sizes: number[] = [];
    const { rpc, clock } = await createClient(exchange => {
      if (exchange.calls.length > most) {
        exchange.send({ jsonrpc: '2.0', id: null, error: { code: -32000, message: `batch limit ${most} exceeded` } });
        return true;
      }
      sizes.push(exchange.calls.length);
      return false;
    });
    const getLargest = async () => {
      sizes.splice(0);
      for (let round = 0; round < 5; round++) await rpc.sendAll(calls(40));
      return Math.max(...sizes);
    };
    expect(await getLargest()).toBe(10);
    most = 100;
    expect(await getLargest()).toBe(10);
    clock.advance(10 * 60_000);
    expect(await getLargest()).toBe(40);
  });

  it('reports the fault of the batch when single calls fail too', async () => {
    const { rpc } = await createClient(interceptExchange(exchange => exchange.sendText('<html>')));
    const fault = await getFault(rpc.sendAll(calls(5)));
    expect(fault.message).toContain('HTML');
    expect(await getFault(rpc.sendAll(calls(5)))).toMatchObject({ code: 'node-answer' });
  });

  it('keeps the responses of several batches apart', async () => {
    const { rpc, node } = await createClient(() => false);
    expect(await rpc.sendAll(calls(1000))).toEqual(echoes(1000));
    expect(node.requests()).toBeLessThanOrEqual(20);
    expect(node.requests()).toBeGreaterThan(1);
  });
});
