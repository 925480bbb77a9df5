// What the look-up box says below its rows before Enter.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChainStatus } from '../../../src/api/lookups.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { LookUpPreviews, type LookUpPreviewsDeps } from '../../../src/extension/lookUp/lookUpPreviews.ts';
import { createEntryRanking } from '../../../src/view/lookUp/entryRanking.ts';
import { getLookUpItems } from '../../../src/view/lookUp/lookUpItems.ts';

const hash = '0x3c12facc754b02cad873cef7be2f8ddeb7b4d68f3b01638843a78584ba1a72ff';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The line below the row of a hash on a chain whose node reports `fetchStatus`. */
async function readLine(isOnLoopback: boolean, fetchStatus: () => Promise<Partial<ChainStatus>>) {
  const chain = { selector: 'local', title: 'Local dev chain', reportedTitle: null, isOnLoopback, isLocal: false };
  const lookup = vi.fn(async (id: string) => {
    if (id !== 'chainStatus') throw new Error('sent without Enter');
    return fetchStatus();
  });
  const previews = new LookUpPreviews({
    worker: { chains: () => [chain], lookup } as unknown as LookUpPreviewsDeps['worker'],
    ...{ ensChain: null, getName: () => null, findBuild: async () => null, findFailurePlace: async () => null },
    ...{ learnBuildNames: async () => () => null, isOnClickOnly: () => false, onDidChange: () => {} },
  });
  const [item] = getLookUpItems(hash, {
    ...{ chains: [chain], ranking: createEntryRanking([]), tokens: createEntryRanking([]), history: [], source: null },
    ...{ registry: createAbiRegistry(), ensChain: null, usesAptos: false, getName: () => null, getRecord: () => null },
  });
  if (item === undefined) throw new Error('There is no row.');
  previews.request([item]);
  await vi.advanceTimersByTimeAsync(300); // after the pause in typing
  const line = previews.get(item)?.line;
  previews.stop();
  return { line, requests: lookup.mock.calls.length };
}

test('says that the node of this machine does not respond, rather than that the hash may be a key', async () => {
  const unreachable = async () => ({ selector: 'local', chain: null, problem: 'The node cannot be reached.' });
  expect((await readLine(true, unreachable)).line).toBe('The node cannot be reached.');
  const failing = () => Promise.reject(new HexLensError('node-unreachable', 'The node is slow.'));
  expect((await readLine(true, failing)).line).toContain('The node is slow.');
});

test('says why a click is needed where the node responds, and asks no node elsewhere', async () => {
  const mayBeKey = expect.stringMatching(/^32 bytes may be a private key/);
  const responding = async () => ({ selector: 'local', chain: null, isLocal: false });
  expect(await readLine(true, responding)).toEqual({ line: mayBeKey, requests: 1 });
  expect(await readLine(false, responding)).toEqual({ line: mayBeKey, requests: 0 });
});
