// What the tool for movements says when its sources know less than the whole.
import { describe, expect, test } from 'vitest';
import { HexLensError } from '../../../src/base/errors.ts';
import type { McpSources } from '../../../src/mcp/mcpTool.ts';
import { createMovementTool } from '../../../src/mcp/movementTool.ts';

const address = (digit: string) => `0x${digit.repeat(40)}`;
const hash = `0x${'1'.repeat(64)}`;
const transaction = {
  hash,
  from_address: address('a'),
  to_address: address('b'),
  value: '1500000000000000000',
  gas: '21000',
  receipt_status: '1',
  logs: [],
};

function run(body: object, headers: Record<string, string> = {}, signal = new AbortController().signal) {
  const sources: McpSources = {
    chains: [{ selector: 'local', isOnLoopback: true }],
    refusedChains: [],
    allowHostHint: '',
    addressBook: {},
    loadAbis: () => Promise.reject(new Error('not needed')),
    loadBuilds: () => Promise.reject(new Error('not needed')),
    fetchReply: async () => ({ status: 200, headers, body }),
    lookup: () => Promise.reject(new HexLensError('node-unreachable', 'The node does not respond.', {})),
  };
  return createMovementTool(sources).run({ hash }, { signal, report: () => undefined });
}

describe('what a transaction moved', () => {
  test('is returned with 18 decimals where the state of the chain cannot be read, unless it was cancelled', async () => {
    expect(await run(transaction)).toMatchObject({
      movements: [
        { account: address('a'), change: '-1.5' },
        { account: address('b'), change: '1.5' },
      ],
    });
    await expect(run(transaction, {}, AbortSignal.abort())).rejects.toThrow('does not respond');
  });

  test('has internal calls only where the host sent them', async () => {
    const unavailable = { 'x-hexlens-internal-transactions': 'unavailable; the node cannot trace' };
    for (const [more, headers, known] of [
      [{}, {}, false],
      [{ internal_transactions: null }, {}, false],
      [{ internal_transactions: [] }, unavailable, false],
      [{ internal_transactions: [] }, {}, true],
    ] as const)
      expect(await run({ ...transaction, ...more }, headers)).toMatchObject({ internalCallsKnown: known });
  });
});
