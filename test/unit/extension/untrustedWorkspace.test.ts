// In a workspace that is not trusted, builds are not read: pages say that, not that no build has the code.
import { expect, test } from 'vitest';
import { fetchGasDetails } from '../../../src/extension/inspector/gasDetails.ts';
import type { DataPorts } from '../../../src/extension/inspector/inspectorPorts.ts';
import { fetchStateDetails } from '../../../src/extension/inspector/stateDetails.ts';

const address = `0x${'b2'.repeat(20)}` as const;
const target = { chain: 'local', hash: `0x${'12'.repeat(32)}` } as const;
const coin = { symbol: 'ETH', decimals: 18 };
const word = {
  ...{ path: [], type: 'uint256', oldValue: '0x00', newValue: '0x01', slots: [1n], step: 1 },
  ...{ location: null, isInferred: false, unnamed: 'noBuild' },
};

async function readNotes(isTrusted: boolean, storage: readonly object[]) {
  const account = { address, contract: null, balance: null, nonce: null, codeSize: null, storage };
  const ports = {
    isWorkspaceTrusted: () => isTrusted,
    learnNames: async () => {},
    getName: () => null,
    fetchState: async () => ({ kind: 'stateChanges', accounts: [account], omitted: 0, withoutLayout: [] }),
    fetchGas: async () => ({
      ...{ kind: 'gas', gasUsed: 30_000, codeDeposit: 0, sources: [], functions: [], unmapped: [], unknown: [] },
      ...{ fixed: { base: 21_000, data: 0, accessList: 0, creation: 0, refund: 0 }, tree: null },
    }),
  } as unknown as DataPorts;
  const { signal } = new AbortController();
  const [state, gas] = [
    await fetchStateDetails(target, coin, ports, signal),
    await fetchGasDetails(target, ports, signal),
  ];
  return { state: state.notes, gas: gas.details.notes };
}

const untrusted = expect.stringMatching(/^Restricted Mode: builds .* are not read until you trust it/);

test('state changes and gas say that the workspace is not trusted', async () => {
  expect(await readNotes(false, [word])).toEqual({ state: [untrusted], gas: [untrusted] });
  expect(await readNotes(false, [])).toEqual({ state: [], gas: [untrusted] }); // nothing that a build would name
});

test('in a trusted one they say that no build has the code', async () => {
  const noBuild = expect.stringMatching(/^No build of the workspace has the code/);
  expect(await readNotes(true, [word])).toEqual({ state: [], gas: [noBuild] });
});
