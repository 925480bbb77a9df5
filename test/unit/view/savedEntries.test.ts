// Saved entries in the editor: inlay hints and hovers.
import { describe, expect, test } from 'vitest';
import { createAddressBookIndex } from '../../../src/addressBook/addressBookIndex.ts';
import { normalizeEntryAddress, type SavedEntry } from '../../../src/addressBook/entry.ts';
import { assignEntryIds } from '../../../src/addressBook/entryIds.ts';
import { parseEntry } from '../../../src/addressBook/validateEntry.ts';
import type { Hex } from '../../../src/base/hex.ts';
import { detectLiteralAt } from '../../../src/detect/detectLiterals.ts';
import { renderLocalHover } from '../../../src/view/hover/localHover.ts';
import { isSavedForOtherChains } from '../../../src/view/hover/savedEntries.ts';
import { findSavedNameHints } from '../../../src/view/savedNameHints.ts';
import { toEntryChoice } from '../../../src/view/tree/entryText.ts';
import { allHoverParts } from '../../support/hoverParts.ts';
import { addressOf } from '../addressBook/bookArbitraries.ts';

const personal = { kind: 'personal' } as const;
const team = { kind: 'workspace', folder: 'file:///w' } as const;
const one = addressOf(1);
const saved = (fields: object, place: SavedEntry['storage'] = personal): SavedEntry => {
  const [entry] = assignEntryIds([parseEntry({ address: one, name: 'One', ...fields })], place, []);
  if (entry === undefined) throw new Error('no entry');
  return entry;
};

describe('saved names', () => {
  const names = (text: string) =>
    findSavedNameHints(text, address => (normalizeEntryAddress(address) === one ? 'Treasury' : null));

  test('follow whole addresses, unless the line already contains the name', () => {
    const text = `pay(${one}); ${one}ff treasury = ${one}\n0x${'0'.repeat(24)}${one.slice(2)}`;
    expect(names(text)).toEqual([
      { offset: 4 + 42, name: 'Treasury' },
      { offset: text.length, name: 'Treasury' },
    ]);
  });

  const hover = (
    text: string,
    entriesOf: (address: string) => readonly SavedEntry[],
    parts = allHoverParts,
    isWorkspaceTrusted = true,
  ) => {
    const literal = detectLiteralAt(text, text.indexOf('0x') + 5);
    if (literal === null) throw new Error('no literal');
    const policy = { isWorkspaceTrusted, getWellKnownName: () => null };
    const getName = (address: Hex) => createAddressBookIndex([entriesOf(address)], policy).getName(address);
    return renderLocalHover(literal, { parts, isWorkspaceTrusted, getName, getEntries: entriesOf });
  };

  test('hovers show the saved entry and a link to edit it', () => {
    const entry = saved(
      { name: 'Safe `1`', tags: ['cold'], notes: '[x](command:evil)\n$(bug)', folder: 'Money', chains: ['eth'] },
      team,
    );
    const text = hover(`a = ${one}`, () => [entry]);
    expect(text).toMatchSnapshot();
    expect(text).not.toContain('saveAddress');
    expect(text).not.toContain('(command:evil');
  });

  test('lists to choose from mark the name of a workspace that is not trusted', () => {
    const isMarked = (entry: SavedEntry, isTrusted: boolean) =>
      / · From .*not trusted$/.test(toEntryChoice(entry, isTrusted).detail);
    const entry = saved({ name: 'Safe' }, team);
    expect(toEntryChoice(entry, false).label).toBe('Safe');
    expect([isMarked(entry, false), isMarked(entry, true), isMarked(saved({}), false)]).toEqual([true, false, false]);
  });

  test('hovers offer to save an unknown address', () => {
    const vitalik = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
    const text = hover(`a = ${vitalik}`, () => []);
    expect(text).toContain(`(command:hexlens.saveAddress?${encodeURIComponent(JSON.stringify([vitalik]))}`);
    expect(hover(`a = ${vitalik}`, () => [], { ...allHoverParts, actions: false })).not.toContain('command:');
  });

  test('hovers name both storages when their names differ', () => {
    const text = hover(`a = ${one}`, () => [saved({ name: 'Team' }, team), saved({ name: 'Mine' })]);
    expect(text).toMatch(/`Team`[\s\S]*Saved in this workspace[\s\S]*`Team`[\s\S]*Saved by you[\s\S]*`Mine`/);
  });

  test('hovers mark the name of a workspace that is not trusted', () => {
    const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
    for (const [text, address] of [
      [`a = ${one}`, one],
      [`a = ${permit2}`, permit2.toLowerCase()],
      [`a = 0x${'0'.repeat(24)}${permit2.slice(2)}`, permit2.toLowerCase()],
    ] as const) {
      const [first = '', ...others] = hover(
        text,
        () => [saved({ address, name: 'Treasury' }, team)],
        allHoverParts,
        false,
      ).split('\n');
      expect(first).not.toContain('Treasury');
      expect(others.join('\n')).toMatch(/From this workspace, which is not trusted[\s\S]*`Treasury`/);
    }
    expect(hover(`a = ${permit2}`, () => [], allHoverParts, false)).toContain('`Permit2`');
  });

  test('hovers show the name of a saved Aptos address', () => {
    const address = `0x${'7'.padStart(64, 'a1b2c3')}`;
    expect(hover(`address: ${address}`, () => [saved({ address, name: 'Pool' })])).toMatch(/Aptos address.*`Pool`/);
  });
});

test('an address that is saved for some chains is looked up on these only', () => {
  const isLeftOut = (chain: string, ...chains: readonly (readonly string[])[]) =>
    isSavedForOtherChains(
      chains.map(only => saved({ chains: only })),
      chain,
    );
  expect([isLeftOut('eth'), isLeftOut('eth', []), isLeftOut('eth', ['eth', 'polygon'])]).toEqual([false, false, false]);
  expect([isLeftOut('local', ['eth']), isLeftOut('local', ['eth'], ['polygon'])]).toEqual([true, true]);
  expect(isLeftOut('local', ['eth'], [])).toBe(false);
});
