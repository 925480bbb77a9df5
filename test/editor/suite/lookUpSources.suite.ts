// Which nodes the look-up box asks for tokens when it opens.
import * as assert from 'node:assert/strict';
import { createLookUpSources, type LookUpSourcesDeps } from '../../../src/extension/lookUp/lookUpSources.ts';

describe('the sources of the look-up box', () => {
  it('read tokens of the nodes of this machine, but not of an index that the user has paused', async () => {
    const asked: unknown[] = [];
    const chains = [
      { selector: 'anvil', isOnLoopback: true },
      { selector: 'hardhat', isOnLoopback: true },
      { selector: 'eth', isOnLoopback: false },
    ];
    const worker = {
      chains: () => chains,
      isIndexPaused: (selector: string) => selector === 'hardhat',
      lookup: async (id: string, input: object) => {
        asked.push([id, input]);
        return { kind: 'knownTokens', tokens: [] };
      },
    };
    const deps: unknown = { worker, book: {}, abis: {}, workspaceState: {} };
    await createLookUpSources(deps as LookUpSourcesDeps).loadTokens(new AbortController().signal);
    assert.deepEqual(asked, [['knownTokens', { chain: 'anvil' }]]);
  });
});
