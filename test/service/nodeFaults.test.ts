// Faults of nodes that hang, break off, limit or reject requests, and how requests are aborted and the service is stopped.
import { describe, expect, it } from 'vitest';
import { HexLensError } from '../../src/base/errors.ts';
import type { NodeScript } from '../support/scriptedRpcNode.ts';
import { createServiceFixture, hash32, interceptExchange, wallet } from '../support/serviceFixture.ts';
import { createSyntheticChain } from '../support/syntheticChain.ts';
import { createTestLog } from '../support/testClock.ts';

const { node, service } = createServiceFixture();

describe('nodes that fail', () => {
  const cases: [string, NonNullable<NodeScript['exchange']>, number, RegExp][] = [
    ['hangs', interceptExchange(e => e.hang()), 504, /did not respond within 1 s\. Check whether it is busy/],
    [
      'answers HTML',
      interceptExchange(e => e.sendText('<html>')),
      502,
      /answered with an HTML page, not JSON-RPC\. Check whether/,
    ],
    [
      'answers half a body',
      interceptExchange(e => e.sendText('[{"id":1')),
      502,
      /broke off in the middle of its response\. /,
    ],
    [
      'breaks the connection',
      interceptExchange(e => e.sendHalf('[{"id":1}]'.repeat(99))),
      502,
      /cannot be reached: .*closed the connection/,
    ],
    ['mixes ids', interceptExchange(e => e.send(e.calls.map(() => ({ id: 'x', result: '0x1' })))), 502, /(wrong id)/],
    [
      'limits',
      interceptExchange(e => e.sendText('', 429, { 'retry-after': '30' })),
      429,
      /is limiting requests\. Try again in a moment/,
    ],
    [
      'refuses',
      interceptExchange(e => e.send(e.calls.map(({ id }) => ({ id, error: { code: -32000, message: 'no' } })))),
      502,
      /refused eth_chainId: no\. /,
    ],
    [
      'wants a key',
      interceptExchange(e => e.sendText('who are you?', 403)),
      502,
      /does not accept the request \(status 403\)\. Its address may need a key/,
    ],
  ];
  it.each(cases)('end in a fault that says why: %s', async (_name, exchange, status, sentence) => {
    const lying = await node({ answer: () => undefined, exchange });
    const made = service({ local: lying.url }, { timeoutMs: status === 504 ? 1_000 : 60_000 });
    for (const reply of await Promise.all([
      made.send('block', { block: 1 }),
      made.send('transaction', { hash: hash32('aa') }),
      made.send('contractLogs', { address: wallet }),
      made.send('walletBalances', { walletAddresses: [wallet] }),
    ])) {
      const { message } = reply.body as { message: string };
      expect(reply.status).toBe(status);
      expect(message).toMatch(sentence);
      expect(message).toContain(`The node of Local dev chain (${lying.host}) `);
      if (status === 429) expect(reply.headers['retry-after']).toBe('30');
    }
    const summaries = [
      made.lookup('addressSummary', { chain: 'local', address: wallet }),
      made.lookup('hashSummary', { chain: 'local', hash: hash32('aa') }),
      made.lookup('blockSummary', { chain: 'local', block: 1 }),
      made.chainState('local'),
    ];
    for (const outcome of await Promise.allSettled(summaries)) {
      expect(outcome.status).toBe('rejected');
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(HexLensError);
    }
    expect((await made.lookup('chainStatus', { chain: 'local' })).value.problem).toMatch(sentence);
  });

  it('never reveals more of a node’s URL than its host', async () => {
    const log = createTestLog();
    const lying = await node({ answer: () => undefined, exchange: interceptExchange(e => e.sendText('<html>')) });
    const made = service({ eth: `${lying.url}/v3/s3cr3t?key=s3cr3t` }, { log });
    const { message } = await made.getFault('block', { block: 1 });
    expect(`${message}\n${log.lines.map(line => line.message).join('\n')}`).not.toContain('s3cr3t');
    expect(log.of('error')).toEqual([]);
  });
});

describe('aborting and stopping', () => {
  it('rejects with `cancelled` and closes the connection when the caller aborts', async () => {
    const lying = await node({ answer: () => undefined, exchange: interceptExchange(e => e.hang()) });
    const made = service({ local: lying.url });
    const controller = new AbortController();
    const pending = made.send('block', { block: 1 }, controller.signal);
    await expect.poll(lying.requests).toBe(1);
    controller.abort();
    await expect(pending).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(lying.abortedRequests).toBe(1);
    await expect(made.send('block', { block: 1 }, controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('does not cancel the state request of other callers', async () => {
    const chain = createSyntheticChain({ head: 100 });
    let release = () => {};
    const gate = new Promise<void>(resolve => {
      release = resolve;
    });
    const lying = await node({ answer: chain.answer, exchange: () => gate.then(() => false) });
    const made = service({ eth: lying.url });
    const controller = new AbortController();
    const leaving = made.chainState('eth', { signal: controller.signal });
    const staying = made.chainState('eth');
    await expect.poll(lying.requests).toBe(1);
    controller.abort();
    await expect(leaving).rejects.toMatchObject({ code: 'cancelled' });
    release();
    expect((await staying).headNumber).toBe(100);
    expect(lying.requests()).toBe(1);
  });

  it('rejects all requests under way when it stops, and all later ones', async () => {
    const lying = await node({ answer: () => undefined, exchange: interceptExchange(e => e.hang()) });
    const made = service({ local: lying.url });
    const pending = made.send('block', { block: 1 });
    const lookup = made.lookup('blockSummary', { chain: 'local', block: 1 });
    lookup.catch(() => {}); // looked at below
    await expect.poll(lying.requests).toBe(2);
    await made.stop();
    const expected = { status: 503, headers: { 'x-hexlens-fault': 'backend-stopped' } };
    expect(await pending).toMatchObject(expected);
    await expect(lookup).rejects.toMatchObject({ code: 'backend-stopped' });
    expect(await made.send('block', { block: 1 })).toMatchObject(expected);
    await made.stop();
  });
});
