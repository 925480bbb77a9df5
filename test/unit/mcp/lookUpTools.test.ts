// What the list of chains says of their nodes.
import { expect, test } from 'vitest';
import { HexLensError } from '../../../src/base/errors.ts';
import { createLookUpTools } from '../../../src/mcp/lookUpTools.ts';

test('list_chains says of a fork that its node is on this machine, not that the chain is local', async () => {
  const tools = createLookUpTools({
    chains: [
      { selector: 'eth', isOnLoopback: true },
      { selector: '0x2105', isOnLoopback: false },
    ],
    refusedChains: [],
    allowHostHint: '',
    addressBook: {},
    loadAbis: () => Promise.reject(new Error('not needed')),

    loadBuilds: () => Promise.reject(new Error('not needed')),
    fetchReply: () => Promise.reject(new Error('not needed')),
    lookup: () => Promise.reject(new HexLensError('node-unreachable', 'The node does not respond.', {})),
  });
  const signal = new AbortController().signal;
  const listed = await tools.find(({ name }) => name === 'list_chains')?.run({}, { signal, report: () => undefined });
  const problem = 'The node does not respond.';
  expect(listed).toEqual({
    chains: [
      { selector: 'eth', isOnLoopback: true, problem },
      { selector: '0x2105', isOnLoopback: false, problem },
    ],
    refusedChains: [],
  });
});
