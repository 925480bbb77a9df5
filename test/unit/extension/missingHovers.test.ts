// What the chains together do not know of a hash that a deployment tool has recorded.
import { expect, test } from 'vitest';
import { addRecord } from '../../../src/detect/addRecord.ts';
import { detectLiterals } from '../../../src/detect/detectLiterals.ts';
import { MissingHovers, type MissingHoversDeps } from '../../../src/extension/hover/missingHovers.ts';

const hash = '0x3c12facc754b02cad873cef7be2f8ddeb7b4d68f3b01638843a78584ba1a72ff';

/** Chain ids of the nodes by selector; `null` for a node that does not respond. */
type Nodes = Readonly<Record<string, number | null>>;

async function describe(nodes: Nodes, chainId: number, has: readonly string[] = []) {
  const asked: string[] = [];
  const titles: Readonly<Record<number, string>> = { 1: 'Ethereum', 31337: 'Local dev chain' };
  const chains = Object.keys(nodes).map(selector => ({
    selector,
    reportedTitle: null,
    isOnLoopback: selector === 'local',
    isLocal: selector === 'local',
  }));
  const toChain = (id: number | null) => (id === null ? null : { id, title: titles[id] ?? `Chain ${id}` });
  const worker = {
    chains: () => chains,
    identifyChain: async (selector: string) => chains.find(one => one.selector === selector),
    async lookup(id: string, { chain }: { readonly chain: string }) {
      if (id === 'chainStatus') return { selector: chain, chain: toChain(nodes[chain] ?? null) };
      asked.push(chain);
      return { kind: has.includes(chain) ? 'transaction' : 'nothing', chain: toChain(nodes[chain] ?? null) };
    },
  };
  const deps = {
    worker,
    resets: { getResetTime: async () => null },
    isAllowed: () => false,
    isOnClickOnly: () => false,
    getChains: () => chains,
  } as unknown as MissingHoversDeps;
  const [literal] = detectLiterals(`const x = '${hash}';`);
  if (literal === undefined) throw new Error('There is no literal.');
  const found = { literal: addRecord(literal, { kind: 'transaction', chainId }), fileName: 'a.ts', isLinkText: false };
  const { signal } = new AbortController();
  const missing = new MissingHovers(deps);
  const at = found as Parameters<MissingHovers['describeHash']>[0];
  return { chain: await missing.describeChain(at, signal), hash: await missing.describeHash(at, signal), asked };
}

test('says that the recorded chain is not configured, and asks no other one', async () => {
  const { chain, hash: unknown, asked } = await describe({ eth: 1, local: 31337 }, 11155111);
  expect(chain).toMatch(
    /^\$\(plug\) Sepolia is not configured · \[Connect a node\]\(.*\) · \[Look up on Local dev chain\]/,
  );
  expect([unknown, asked]).toEqual([null, []]);
});

test('says that a chain that was started again does not have it any more', async () => {
  expect(await describe({ eth: 1, local: 31337 }, 31337)).toEqual({
    chain: null,
    hash: expect.stringContaining('Not found on Local dev chain'),
    asked: ['local'],
  });
});

test('says nothing where the recorded chain has it, or its node of this machine does not respond', async () => {
  expect(await describe({ eth: 1, local: 31337 }, 31337, ['local'])).toMatchObject({ chain: null, hash: null });
  expect(await describe({ eth: 1, local: null }, 31337)).toEqual({ chain: null, hash: null, asked: [] });
});
