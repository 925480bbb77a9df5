// The address book's model: addresses, validation, ids, the index, folders, undo, the personal storage.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createAddressBookIndex,
  sortByChain,
  toAddressBookConfiguration,
} from '../../../src/addressBook/addressBookIndex.ts';
import {
  applyChange,
  diffStates,
  getAllFolders,
  revertChange,
  upsertEntries,
} from '../../../src/addressBook/addressBookState.ts';
import { parseEntryIds, parseSaveRequest } from '../../../src/addressBook/commandArguments.ts';
import { type Entry, normalizeEntryAddress, type SavedEntry } from '../../../src/addressBook/entry.ts';
import { assignEntryIds } from '../../../src/addressBook/entryIds.ts';
import { getFolderWithParents, isInFolder, moveFolder, normalizeFolder } from '../../../src/addressBook/folders.ts';
import { planImport } from '../../../src/addressBook/importPlan.ts';
import { parsePersonalState, serializePersonalState } from '../../../src/addressBook/personalState.ts';
import {
  getNameProblem,
  parseEntry,
  parseTags,
  toEntryChains,
  validateEntry,
} from '../../../src/addressBook/validateEntry.ts';
import { getAddressFacts } from '../../../src/api/configuration.ts';
import { addressOf, anyChange, anyEntry, entries } from './bookArbitraries.ts';

const personal = { kind: 'personal' } as const;
const team = { kind: 'workspace', folder: 'file:///w' } as const;
const one = addressOf(1);
const saved = (fields: object, place: SavedEntry['storage'] = personal): SavedEntry => {
  const [entry] = assignEntryIds([parseEntry({ address: one, name: 'One', ...fields })], place, []);
  if (entry === undefined) throw new Error('no entry');
  return entry;
};

describe('normalizeEntryAddress', () => {
  test.each([
    ['0xF39FD6e51aad88F6F4ce6aB8827279cffFb92266', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'],
    [' 0X0000000000000000000000000000000000000001 ', one],
    ['0x1', `0x${'1'.padStart(64, '0')}`],
    [`0x${'a'.repeat(64)}`, `0x${'a'.repeat(64)}`],
    [`0x${'a'.repeat(65)}`, null],
    ['0x', null],
    ['f39fd6e51aad88f6f4ce6ab8827279cfffb92266', null],
    ['__proto__', null],
  ])('%s is %s', (text, canonical) => {
    expect(normalizeEntryAddress(text)).toBe(canonical);
  });
});

describe('validateEntry', () => {
  test('ignores unknown fields, and accepts its own result unchanged', () => {
    fc.assert(
      fc.property(anyEntry, entry => {
        expect(validateEntry({ ...entry, more: 1 })).toEqual({ entry, issues: [] });
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test.each([
    '../Vault.json',
    'abis/../../Vault.json',
    './Vault.json',
    'abis//Vault.json',
    '/etc/Vault.json',
    'C:/Vault.json',
    'file:///Vault.json',
    'abis\\Vault.json',
    'abis/Vault.txt',
    'abis/.json/..',
    `${'a'.repeat(300)}.json`,
    7,
  ])('ignores the ABI path %j, which is not one below the folder', abi => {
    const { entry, issues } = validateEntry({ address: one, name: 'One', abi });
    expect(entry).toEqual(parseEntry({ address: one, name: 'One' }));
    expect(issues).toEqual([
      { field: 'abi', isFatal: false, message: expect.stringContaining('such as abis/Vault.json') },
    ]);
  });

  test('ignores an ABI of an Aptos account', () => {
    const { entry, issues } = validateEntry({ address: '0x1', name: 'Framework', abi: 'abis/Vault.json' });
    expect([entry?.abi, issues.map(({ field }) => field)]).toEqual([undefined, ['abi']]);
  });

  test('never throws, and what it accepts is valid', () => {
    const value = fc.oneof(fc.anything(), fc.constantFrom(one, '0x1', 'name'));
    const fields = ['address', 'kind', 'name', 'chains', 'folder', 'tags', 'notes', 'color', 'mark', 'abi'];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...fields), value), record => {
        const { entry, issues } = validateEntry(record);
        if (entry === null) expect(issues.some(({ isFatal }) => isFatal)).toBe(true);
        else {
          const again = validateEntry(entry);
          expect(again.entry).toEqual(entry);
          // An unknown chain is preserved, and reported until it is removed.
          expect(again.issues.filter(({ field }) => field !== 'chains')).toEqual([]);
        }
      }),
      { seed: 2, numRuns: 1_000 },
    );
  });

  test('parseEntry throws with every invalid field', () => {
    const issues = [{ field: 'address' }, { field: 'name' }];
    expect(() => parseEntry({ address: 'x' })).toThrow(
      expect.objectContaining({ code: 'bad-input', issues: issues.map(issue => expect.objectContaining(issue)) }),
    );
  });

  test('accepts a short Aptos address, but not as an EVM entry', () => {
    expect(parseEntry({ address: one, name: 'n', kind: 'aptos' }).address).toHaveLength(66);
    expect(parseEntry({ address: '0x1', name: 'n', kind: 'wallet' }).kind).toBe('aptos');
    expect(parseEntry({ address: '0x1', name: 'n', chains: ['eth', 'testnet'] }).chains).toEqual(['eth', 'testnet']);
  });

  test('unknown chains of an entry stay selected, so that it never becomes one for all chains', () => {
    const entry = parseEntry({ address: one, name: 'n', chains: ['sepolai', 'eth'] });
    expect(toEntryChains(entry, ['sepolai'])).toEqual(['sepolai']);
    expect(toEntryChains(entry, ['sepolai', 'eth', 'base'])).toEqual(['sepolai', 'eth', '0x2105']);
    expect(toEntryChains(entry, [])).toEqual([]);
    const aptos = parseEntry({ address: '0x1', name: 'n', chains: ['main'] });
    expect(toEntryChains(aptos, ['main', 'testnet'])).toEqual(['main', 'testnet']);
  });

  test('makes names one line and removes duplicate tags', () => {
    expect(getNameProblem(' Treasury ')).toBeNull();
    expect(getNameProblem('a\u202eb')).toMatch(/invisible characters/);
    expect(getNameProblem('')).toMatch(/missing/);
    expect(getNameProblem('x'.repeat(101))).toMatch(/more than 100/);
    expect(parseTags('#Cold, cold;multi sig,, ')).toEqual(['Cold', 'multi sig']);
  });
});

describe('assignEntryIds', () => {
  test('ids are unique, and entries keep theirs while others are added and removed', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 12 }), anyChange(), (list, make) => {
        const before = assignEntryIds(list, personal, []);
        const state = { entries: list, folders: [] };
        const change = make(state);
        const after = assignEntryIds(applyChange(state, change).entries, personal, before);
        expect(new Set(after.map(({ id }) => id)).size).toBe(after.length);
        const ids = new Map(before.map(entry => [JSON.stringify([entry.address, entry.chains, entry.name]), entry.id]));
        const unchanged = before.filter((_, at) => !change.removals.has(at) && !change.updates.has(at));
        const twins = (entry: Entry) =>
          list.filter(other => other.address === entry.address).length > 1 ||
          change.additions.some(other => other.address === entry.address);
        for (const entry of unchanged)
          if (!twins(entry))
            expect(after.map(({ id }) => id)).toContain(
              ids.get(JSON.stringify([entry.address, entry.chains, entry.name])),
            );
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  test('a renamed entry keeps its id, and so do two entries for different chains', () => {
    const pair = [
      parseEntry({ address: one, name: 'A', chains: ['eth'] }),
      parseEntry({ address: one, name: 'B', chains: ['bsc'] }),
    ];
    const first = assignEntryIds(pair, team, []);
    const swapped = assignEntryIds(
      [...pair].reverse().map(entry => ({ ...entry, name: `${entry.name}2` })),
      team,
      first,
    );
    expect(swapped.map(({ id }) => id)).toEqual(first.map(({ id }) => id).reverse());
  });

  test('assigns ids to ten thousand entries of one address within a second', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => parseEntry({ address: one, name: `n${at}` }));
    const first = assignEntryIds(many, personal, []);
    expect(assignEntryIds(many.slice(1), personal, first)[0]?.id).toBe(first[1]?.id);
  });
});

describe('AddressBookIndex', () => {
  const aptos = `0x${'1'.padStart(64, '0')}`;
  const policy = { isWorkspaceTrusted: true, getWellKnownName: () => null };
  const index = createAddressBookIndex(
    [
      [saved({ name: 'Team', chains: ['eth'] }, team)],
      [saved({ name: 'Mine' }), saved({ address: '0x1', name: 'Framework' })],
    ],
    policy,
  );

  test('names nothing by the entries of a workspace that is not trusted', () => {
    const storages = [[saved({ name: 'Team' }, team), saved({ address: '0x1', name: 'Framework' }, team)]];
    const untrusted = createAddressBookIndex([...storages, [saved({ name: 'Mine' })]], {
      ...policy,
      isWorkspaceTrusted: false,
    });
    expect(untrusted.getName(one)).toBe('Mine');
    expect(untrusted.getName('0x1')).toBeNull();
    expect(untrusted.trustedEntries.map(({ name }) => name)).toEqual(['Mine']);
    expect(untrusted.getByAddress('0x1').map(({ name }) => name)).toEqual(['Framework']);
  });

  test('shows the well-known name before the name that a workspace gives', () => {
    const named = { ...policy, getWellKnownName: (address: string) => (address === one ? 'Permit2' : null) };
    const nameOf = (entry: SavedEntry) => createAddressBookIndex([[entry]], named).getName(one);
    expect(nameOf(saved({ name: 'Treasury' }, team))).toBe('Permit2 (Treasury)');
    expect(nameOf(saved({ name: 'Permit2' }, team))).toBe('Permit2');
    expect(nameOf(saved({ name: 'Treasury' }))).toBe('Treasury');
  });

  test('finds any spelling of an address, entries of the first storage first', () => {
    expect(index.getByAddress(one.replace('0x', '0X')).map(({ name }) => name)).toEqual(['Team', 'Mine']);
    for (const text of ['0x1', '0x01', aptos]) expect(index.getName(text)).toBe('Framework');
    expect(index.getName('0x2')).toBeNull();
    expect(index.getByAddress('constructor')).toEqual([]);
    expect(index.getById('nothing')).toBeUndefined();
  });

  test('returns the name for the given chain', () => {
    expect(index.getName(one)).toBe('Team');
    expect(index.getName(one, 'eth')).toBe('Team');
    expect(index.getName(one, 'polygon')).toBe('Mine');
    expect(sortByChain(index.getByAddress(one), 'polygon')[0]?.name).toBe('Mine');
  });

  test('gives the service what the entries of each chain say', () => {
    const book = toAddressBookConfiguration([
      saved({ name: 'First', mark: 'spam', chains: ['eth'] }),
      saved({ name: 'Second', mark: 'verified' }),
    ]);
    const names = (chain: string) => getAddressFacts(book, one, chain).map(({ name, trust }) => [name, trust]);
    expect(names('eth')).toEqual([
      ['First', 'spam'],
      ['Second', 'verified'],
    ]);
    expect(names('local')).toEqual([['Second', 'verified']]);
    expect(getAddressFacts(book, 'constructor', 'eth')).toEqual([]);
  });

  test('finds one of five thousand entries without searching', () => {
    let looks = 0;
    const counted = (entry: SavedEntry) => {
      const get = () => {
        looks++;
        return entry.address;
      };
      return Object.defineProperty({ ...entry }, 'address', { get });
    };
    const many = assignEntryIds(
      Array.from({ length: 5_000 }, (_, at) => parseEntry({ address: addressOf(at), name: `n${at}` })),
      personal,
      [],
    ).map(counted);
    const large = createAddressBookIndex([many], policy);
    looks = 0;
    expect(many.map((_, at) => large.getByAddress(addressOf(at))[0]?.name)).toEqual(many.map(({ name }) => name));
    expect(large.getByAddress(addressOf(9_999))).toEqual([]);
    expect(looks).toBe(0);
  });
});

describe('folders', () => {
  test('are normalized to one form', () => {
    expect(normalizeFolder(' /a // b\u0000/ ')).toBe('a/b·');
    expect(normalizeFolder('a/b/c/d/e/f/g/h/i')).toBe('a/b/c/d/e/f/g/h');
    expect(getFolderWithParents('a/b/c')).toEqual(['a', 'a/b', 'a/b/c']);
    expect([isInFolder('a/b', 'a'), isInFolder('ab', 'a'), isInFolder('a', 'a')]).toEqual([true, false, true]);
    expect([moveFolder('a/b', 'a', 'x/y'), moveFolder('ab', 'a', 'x'), moveFolder('a', 'a', '')]).toEqual([
      'x/y/b',
      'ab',
      '',
    ]);
    const state = { entries: [parseEntry({ address: one, name: 'n', folder: 'b/c' })], folders: ['a'] };
    expect(getAllFolders([state])).toEqual(['a', 'b', 'b/c']);
  });
});

describe('revertChange', () => {
  test('restores the previous state when nothing else changed', () => {
    fc.assert(
      fc.property(entries({ maxLength: 10 }), anyChange(), (list, make) => {
        const before = { entries: list, folders: ['a', 'b'] };
        const after = applyChange(before, make(before));
        const undone = revertChange(before, after, after);
        const whole = (all: readonly Entry[]) => all.map(entry => JSON.stringify(entry)).sort();
        expect(whole(undone.entries)).toEqual(whole(before.entries));
        expect(new Set(undone.folders)).toEqual(new Set(before.folders));
        expect(whole(applyChange(after, diffStates(after, undone)).entries)).toEqual(whole(undone.entries));
      }),
      { seed: 4, numRuns: 300 },
    );
  });

  test('preserves entries that were saved since', () => {
    const [a, b, c] = [1, 2, 3].map(at => parseEntry({ address: addressOf(at), name: `n${at}` }));
    if (a === undefined || b === undefined || c === undefined) throw new Error('no entries');
    const again = { ...a, name: 'again' };
    const undone = revertChange(
      { entries: [a, b], folders: [] },
      { entries: [], folders: [] },
      { entries: [again, c], folders: [] },
    );
    expect(undone.entries).toEqual([again, c, b]);
  });

  test('reverting an import does not restore an entry beside its edited version', () => {
    const [a, c] = [1, 3].map(at => parseEntry({ address: addressOf(at), name: `n${at}`, chains: ['eth'] }));
    if (a === undefined || c === undefined) throw new Error('no entries');
    const merged = { ...a, chains: ['eth', 'sepolia'], tags: ['ignition'] };
    const [before, after] = [[a], [merged, c]].map(list => ({ entries: list, folders: [] }));
    if (before === undefined || after === undefined) throw new Error('no shelves');
    expect(revertChange(before, after, after).entries).toEqual([a]);
    const renamed = { ...merged, name: 'mine' };
    expect(revertChange(before, after, { entries: [renamed, c], folders: [] }).entries).toEqual([renamed]);
    // Of two for one address, one of them taken away, that one comes back.
    const twin = { ...a, name: 'twin' };
    const [both, less] = [[a, twin], [a]].map(list => ({ entries: list, folders: [] }));
    if (both === undefined || less === undefined) throw new Error('no shelves');
    expect(revertChange(both, less, { entries: [a, c], folders: [] }).entries).toEqual([a, c, twin]);
  });

  test('upsertEntries: an entry is written in place of the one it was merged with, and of no other on its chains', () => {
    const address = addressOf(1);
    const [a, b, incoming] = [
      parseEntry({ address, name: 'Treasury', notes: 'multisig', chains: ['eth', 'polygon'] }),
      parseEntry({ address, name: 'Foo', chains: ['polygon'] }),
      parseEntry({ address, name: 'Foo', chains: ['bsc'] }),
    ];
    const state = { entries: [a, b], folders: [] };
    const [planned] = planImport(state, [incoming]);
    if (planned === undefined) throw new Error('nothing planned');
    const saved = applyChange(state, upsertEntries(state, [planned.entry], [planned.before]));
    const merged = { ...b, chains: ['polygon', 'bsc'] };
    expect(saved.entries).toEqual([a, merged]);
    // Another window has changed or removed it meanwhile.
    const changed = { entries: [a, { ...b, notes: 'theirs' }], folders: [] };
    expect([...upsertEntries(changed, [planned.entry], [planned.before]).updates]).toEqual([[1, merged]]);
    const alone = { entries: [], folders: [] };
    expect(upsertEntries(alone, [planned.entry], [planned.before]).additions).toEqual([planned.entry]);
  });

  test('upsertEntries: the last entry for an address wins', () => {
    fc.assert(
      fc.property(entries({ maxLength: 6 }), fc.array(anyEntry, { maxLength: 6 }), (list, more) => {
        const first = applyChange({ entries: list, folders: [] }, upsertEntries({ entries: list, folders: [] }, more));
        for (const entry of more.slice(-1)) expect(first.entries).toContainEqual(entry);
      }),
      { seed: 5, numRuns: 200 },
    );
  });
});

describe('personal state', () => {
  test('is the same after it was written as JSON and read again', () => {
    fc.assert(
      fc.property(entries({ maxLength: 8 }), list => {
        const state = { entries: list, folders: ['a', 'a/b'] };
        const stored: unknown = JSON.parse(JSON.stringify(serializePersonalState(state)));
        expect(parsePersonalState(stored)).toEqual({ state, damaged: [], readOnlyReason: null });
      }),
      { seed: 6, numRuns: 200 },
    );
  });

  test('returns unreadable parts, and reads the rest', () => {
    const good = { address: one, name: 'Good' };
    const { state, damaged, readOnlyReason } = parsePersonalState({
      version: 1,
      entries: [good, { name: 'bad' }, 7],
      folders: [1, 'f'],
    });
    expect(state).toEqual({ entries: [parseEntry(good)], folders: ['f'] });
    expect([damaged, readOnlyReason]).toEqual([[{ name: 'bad' }, 7], null]);
    for (const value of ['text', 5, [], { entries: {} }]) expect(parsePersonalState(value).damaged).toEqual([value]);
  });

  test('is read-only when a newer version wrote it', () => {
    const newer = parsePersonalState({ version: 2, entries: [{ address: one, name: 'n' }, { strange: true }] });
    expect(newer.state.entries).toHaveLength(1);
    expect(newer.damaged).toEqual([]);
    expect(newer.readOnlyReason).toMatch(/newer version/);
  });
});

describe('command arguments', () => {
  const known = (id: string) => ['a', 'b', 'c'].includes(id);

  test('ids are read from strings, tree items and selections', () => {
    expect(parseEntryIds(['a'], known)).toEqual(['a']);
    expect(parseEntryIds([{ entryId: 'a' }], known)).toEqual(['a']);
    expect(
      parseEntryIds([{ kind: 'entry', entry: { id: 'b' } }, [{ entry: { id: 'a' } }, { entry: { id: 'b' } }]], known),
    ).toEqual(['a', 'b']);
    // The menu was opened on a node that is not selected: it alone is meant.
    expect(parseEntryIds([{ id: 'c' }, [{ id: 'a' }]], known)).toEqual(['c']);
    for (const nothing of [[], [null], [{ id: 'x' }], ['__proto__'], [{ entry: null }]])
      expect(parseEntryIds(nothing, known)).toEqual([]);
  });

  test('a save request needs an address', () => {
    expect(parseSaveRequest(one)).toEqual({ address: one });
    expect(parseSaveRequest(`gno:${one}`)).toEqual({ address: one, chain: '0x64' });
    expect(parseSaveRequest(`nowhere:${one}`)).toBeNull();
    expect(parseSaveRequest({ address: one, name: 'n', chain: 'eth', kind: 'contract', folder: 7 })).toEqual({
      address: one,
      name: 'n',
      chain: 'eth',
      kind: 'contract',
    });
    for (const nothing of [undefined, null, 5, 'hello', { address: 5 }, {}])
      expect(parseSaveRequest(nothing)).toBeNull();
  });
});
