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

const noNode = () => Promise.reject(new HexLensError('node-unreachable', 'The node does not respond.', {}));

function run(
  body: object,
  headers: Record<string, string> = {},
  signal = new AbortController().signal,
  lookup: McpSources['lookup'] = noNode,
) {
  const sources: McpSources = {
    chains: [{ selector: 'local', isOnLoopback: true }],
    refusedChains: [],
    allowHostHint: '',
    addressBook: {},
    loadAbis: () => Promise.reject(new Error('not needed')),
    loadBuilds: () => Promise.reject(new Error('not needed')),
    fetchReply: async () => ({ status: 200, headers, body }),
    lookup,
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

  test('is an amount of a token that indexes amounts', async () => {
    const pad = (digit: string) => `0x${'0'.repeat(24)}${digit.repeat(40)}`;
    const log = {
      ...{
        address: address('7'),
        data: '0x',
        topic1: pad('a'),
        topic2: pad('b'),
        topic3: `0x${'5'.padStart(64, '0')}`,
      },
      topic0: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    };
    const token = { kind: 'token', standard: 'ERC20', symbol: 'TON', decimals: 1 };
    const lookup = (async (id: string) => (id === 'tokenUnit' ? token : noNode())) as McpSources['lookup'];
    const body = { ...transaction, value: '0', logs: [log] };
    const moved = await run(body, {}, new AbortController().signal, lookup);
    expect(moved).toMatchObject({
      movements: [
        { account: address('a'), asset: 'TON', change: '-0.5' },
        { account: address('b'), asset: 'TON', change: '0.5' },
      ],
    });
  });
});
