// What is shown where a node cannot trace, and where a replay is not what the chain has.
import { describe, expect, test } from 'vitest';
import { traceTransaction } from '../../../src/service/evm/internalTransactions.ts';
import { fetchTrace } from '../../../src/service/trace/fetchTrace.ts';
import { toCallFrames } from '../../../src/service/trace/replayedCalls.ts';
import { startService } from '../../support/filledChain.ts';
import {
  forwardTo,
  type ScriptedCall,
  type ScriptedReply,
  startScriptedRpcNode,
} from '../../support/scriptedRpcNode.ts';
import { fetchHashes, openNode } from '../../support/traceFixture.ts';
import { useFilledChain } from '../../support/useFilledChain.ts';

const world = useFilledChain();

type Forward = (call: ScriptedCall) => Promise<ScriptedReply>;

/** The chain behind a node that changes some of its answers. */
async function startChanged(
  change: (call: ScriptedCall, forward: Forward) => ScriptedReply | Promise<ScriptedReply> | undefined,
) {
  const forward = forwardTo(world.anvil.url);
  return startScriptedRpcNode({ answer: call => change(call, forward) ?? forward(call) });
}
const NO_METHOD: ScriptedReply = { error: { code: -32601, message: 'Method not found' } };

test('a replay has the same internal transactions as the node traces', async () => {
  const { node, stop } = openNode(world.anvil.url);
  let count = 0;
  for (const hash of await fetchHashes(world.anvil)) {
    const { result } = await fetchTrace(node, hash, undefined);
    if (!('trace' in result)) throw new Error(hash);
    const { minedIn, trace } = result;
    const { frames } = await traceTransaction(node, minedIn, hash, undefined);
    const expected = frames[0] ?? [];
    expect(
      toCallFrames(trace).map(({ error, ...rest }) => ({ ...rest, failed: error !== null })),
      hash,
    ).toEqual(expected.map(({ error, ...rest }) => ({ ...rest, failed: error !== null })));
    count += expected.length;
  }
  expect(count).toBeGreaterThan(20);
  await stop();
});

test('a transaction has its internal transactions from a node that has no tracer at all', async () => {
  const node = await startChanged(({ method }) => (/^(debug|trace)_/.test(method) ? NO_METHOD : undefined));
  const service = startService({ local: node.url });
  const hash = world.chain.transactions.internal;
  const include = 'internal_transactions';
  const expected = await world.service.get('transaction', { hash, include });
  const reply = await service.get('transaction', { hash, include });
  expect(reply.internalTransactions).toEqual(expected.internalTransactions);
  expect(reply.internalTransactions?.map(({ depth }) => depth)).toEqual([1, 1, 2, 3, 4]);
  await service.stop();
  await node.stop();
});

describe('a replay that differs from the chain', () => {
  const RECEIPT = 'eth_getTransactionReceipt';
  /** The receipt says that one gas more was used. */
  const change = (call: ScriptedCall, forward: Forward) =>
    call.method !== RECEIPT
      ? undefined
      : forward(call).then(reply => {
          const { result } = reply as { readonly result: Readonly<Record<string, unknown>> };
          return { result: { ...result, gasUsed: `0x${(Number(result['gasUsed']) + 1).toString(16)}` } };
        });

  test('is not shown: the calls are those of the node, without steps, and not verified', async () => {
    const changed = await startChanged(change);
    const { node, stop } = openNode(changed.url);
    const { result } = await fetchTrace(node, world.chain.transactions.internal, undefined);
    if (!('trace' in result)) throw new Error(JSON.stringify(result));
    expect([result.trace.by, result.trace.isVerified, result.trace.steps.length]).toEqual(['callTracer', false, 0]);
    expect(result.trace.frames.map(({ kind, status, depth }) => [kind, status, depth])).toEqual([
      ['CALL', 'success', 0],
      ['CALL', 'reverted', 1],
      ['CALL', 'success', 1],
      ['CALL', 'success', 2],
      ['CALL', 'success', 3],
      ['CALL', 'success', 4],
    ]);
    expect(result.notes[0]).toMatchObject({ values: [{ english: 'gas used' }] });
    await stop();
    await changed.stop();
  });

  test('is not shown where the node has no tracer either: a sentence says what is missing', async () => {
    const changed = await startChanged((call, forward) =>
      /^(debug|trace)_/.test(call.method) ? NO_METHOD : change(call, forward),
    );
    const { node, stop } = openNode(changed.url);
    const { result } = await fetchTrace(node, world.chain.transactions.internal, undefined);
    expect(result).toMatchObject({ problem: 'unavailable' });
    await stop();
    await changed.stop();
  });
});
