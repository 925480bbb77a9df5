// State changes as text: why storage has no names is written once.
import { expect, test } from 'vitest';
import { resolveChain } from '../../../../src/api/chains.ts';
import type { StorageChange, UnnamedReason } from '../../../../src/api/stateChanges.ts';
import { localize } from '../../../../src/base/localize.ts';
import { formatStateChanges, getStateNotes } from '../../../../src/decode/source/formatStateChanges.ts';

const chain = resolveChain('local', 31337);
const address = `0x${'aa'.repeat(20)}` as const;
const slot = (number: number, unnamed: UnnamedReason): StorageChange => ({
  ...{ path: [], type: 'bytes32', slots: [BigInt(number)], oldValue: '0x0', newValue: '0x1' },
  ...{ step: 1, location: null, isInferred: false, unnamed },
});
const textOf = (contract: string | null, ...storage: readonly StorageChange[]) => {
  const account = { address, contract, balance: null, nonce: null, codeSize: null, storage };
  const state = { kind: 'stateChanges', accounts: [account], omitted: 0, withoutLayout: ['Vault', 'Pool'] } as const;
  return { text: formatStateChanges(state, chain).split('\n').slice(1), notes: getStateNotes(state).map(localize) };
};

test('names contracts whose builds have no storage layout once, not at each slot', () => {
  const { text, notes } = textOf('Vault', slot(0, 'noLayout'), slot(1, 'noLayout'));
  expect(text).toEqual([
    `${address} Vault (The build has no storage layout)`,
    '    slot 0x0: 0x0 → 0x1',
    '    slot 0x1: 0x0 → 0x1',
  ]);
  expect(notes).toEqual(['Variables have no names, since the build has no storage layout: Vault, Pool']);
});

test('says of code without a build once that it has none, and of each unknown slot that it has no variable', () => {
  expect(textOf(null, slot(0, 'noBuild'), slot(1, 'noBuild')).text).toEqual([
    `${address} (No build with a source map is known for this code)`,
    '    slot 0x0: 0x0 → 0x1',
    '    slot 0x1: 0x0 → 0x1',
  ]);
  expect(textOf('Vault', slot(7, 'unknownSlot')).text).toEqual([
    `${address} Vault`,
    '    slot 0x7: 0x0 → 0x1 (No variable is known there)',
  ]);
});
