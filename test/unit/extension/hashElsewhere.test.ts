// What a hover says of chains elsewhere, where the text does not prove that 32 bytes are a hash.
import { expect, test } from 'vitest';
import type { LookupId, LookupOutput } from '../../../src/api/lookups.ts';
import { renderChainHover } from '../../support/chainHover.ts';

const hash = '0x3c12facc754b02cad873cef7be2f8ddeb7b4d68f3b01638843a78584ba1a72ff';

/** The hover of a remote chain; the chain of this machine has under the hash what `kind` says. */
const renderRemote = (kind: 'block' | 'nothing', isLocal = true) =>
  renderChainHover(`const x = '${hash}';`, {
    nodes: { eth: 'https://rpc.example.invalid', local: 'http://127.0.0.1:8545' },
    lookup: async <Id extends LookupId>(id: Id, input: object) => {
      const { chain: selector } = input as { readonly chain: string };
      if (id === 'chainStatus')
        return { selector, chain: null, isLocal: isLocal && selector === 'local' } as LookupOutput<Id>;
      if (selector !== 'local') throw new Error('sent to another machine without a click');
      return { kind } as LookupOutput<Id>;
    },
    call: () => Promise.reject(new Error('nothing is called')),
  });

test('offers to look up on another machine what no chain of this machine has', async () => {
  expect(await renderRemote('nothing')).toMatch(/^\[Look up on eth\]\(.*\) · 32 bytes may be a private key/);
});

test('offers nothing and doubts nothing of a hash that a chain of this machine has', async () => {
  expect(await renderRemote('block')).toBeNull();
});

test('asks no fork, which would ask its source', async () => {
  expect(await renderRemote('block', false)).toMatch(/^\[Look up on eth\]/);
});

test('says that the node of this machine does not respond, rather than that the hash may be a key', async () => {
  const hover = await renderChainHover(`const x = '${hash}';`, {
    nodes: { local: 'http://127.0.0.1:8545' },
    lookup: async <Id extends LookupId>(id: Id) => {
      if (id !== 'chainStatus') throw new Error('sent to a node that has not reported what it is');
      return {
        selector: 'local',
        chain: null,
        problem: 'The node of Local dev chain cannot be reached.',
      } as LookupOutput<Id>;
    },
    call: () => Promise.reject(new Error('nothing is called')),
  });
  expect(hover).toMatch(
    /^\$\(debug-disconnect\) The node of Local dev chain cannot be reached\\\.\s*\[Change nodes\]\([^)]*\)$/,
  );
  expect(hover).not.toContain('private key');
});

/** The hover of `eth` over a hash that a tool has recorded on a chain, and what was asked of nodes elsewhere. */
async function renderRecorded(text: string, chainId: number | null) {
  const asked: string[] = [];
  const hover = await renderChainHover(text, {
    nodes: { eth: 'https://rpc.example.invalid' },
    lookup: async <Id extends LookupId>(id: Id, input: object) => {
      if (id === 'chainStatus') return { selector: 'eth', chain: null, isLocal: false } as LookupOutput<Id>;
      asked.push(`${id} ${(input as { readonly hash: string }).hash}`);
      return { kind: 'nothing' } as LookupOutput<Id>;
    },
    call: () => Promise.reject(new Error('nothing is called')),
    record: { kind: 'block', chainId },
  });
  return { asked, hover };
}

test.each([1, null])('looks up without a click what a tool has recorded on chain %s', async chainId => {
  expect(await renderRecorded(`const x = '${hash}';`, chainId)).toEqual({
    asked: [`hashSummary ${hash}`],
    hover: null,
  });
});

test('asks no other chain than the one that a tool has recorded', async () => {
  expect(await renderRecorded(`const x = '${hash}';`, 11155111)).toEqual({ asked: [], hover: null });
});

test('asks nothing about a recorded hash beside a word for a key', async () => {
  expect(await renderRecorded(`const key = '${hash}';`, 1)).toEqual({ asked: [], hover: null });
});
