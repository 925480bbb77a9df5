// Random entries of the address book and random changes to them.
import fc from 'fast-check';
import {
  type AddressBookChange,
  type AddressBookState,
  emptyChange,
  upsertEntries,
} from '../../../src/addressBook/addressBookState.ts';
import { type Entry, entryColors, trustLevels } from '../../../src/addressBook/entry.ts';
import { normalizeFolder } from '../../../src/addressBook/folders.ts';
import { aptosEntryNetworks, parseEntry } from '../../../src/addressBook/validateEntry.ts';

/** The EVM address with this number in it, without letters that a checksum would change. */
export const addressOf = (number: number): string => `0x${String(number).padStart(40, '0')}`;

const words = fc.oneof(
  fc.constantFrom(
    'Treasury',
    'a "quoted" name',
    'back\\slash',
    '=1+1',
    'ünïcode',
    '数据',
    'a,b;c',
    "it's",
    '/* x */ // y',
  ),
  fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
);

/** Any entry as validateEntry returns it. */
export const anyEntry: fc.Arbitrary<Entry> = fc
  .record({
    number: fc.nat({ max: 1_000 }),
    aptos: fc.boolean(),
    kind: fc.constantFrom('wallet', 'contract', 'collection'),
    name: words,
    folder: fc.array(words, { maxLength: 3 }),
    tags: fc.array(words, { maxLength: 3 }),
    notes: fc.array(words, { maxLength: 3 }).map(lines => lines.join('\n')),
    chains: fc.subarray(['eth', 'polygon', 'local', '0x2105']),
    networks: fc.subarray([...aptosEntryNetworks]),
    color: fc.option(fc.constantFrom(...entryColors)),
    mark: fc.option(fc.constantFrom(...trustLevels)),
    abi: fc.constantFrom('', 'abis/Vault.json', 'out/ünï code/[a].json'),
  })
  .map(({ number, aptos, networks, chains, kind, name, abi, ...rest }) =>
    parseEntry({
      ...rest,
      name: /[^\s\p{C}]/u.test(name) && !/^·/.test(name) ? `n${name}` : 'name',
      folder: normalizeFolder(rest.folder.map(part => part.replaceAll('/', '')).join('/')),
      address: aptos ? `0x${number.toString(16).padStart(64, '0')}` : `0x${number.toString(16).padStart(40, '0')}`,
      kind: aptos ? 'aptos' : kind,
      chains: aptos ? networks : chains,
      ...(!aptos && { abi }),
    }),
  );

/** Entries of which no two are for the same address on one chain. */
export function entries(limits: { readonly maxLength: number }): fc.Arbitrary<readonly Entry[]> {
  return fc.array(anyEntry, limits).map(list => upsertEntries({ entries: [], folders: [] }, list).additions);
}

/** A change as the book makes them: entries put, taken away, folders set. */
export function anyChange(): fc.Arbitrary<(state: AddressBookState) => AddressBookChange> {
  return fc
    .record({
      picks: fc.array(fc.nat({ max: 20 }), { maxLength: 4 }),
      fields: fc.array(anyEntry, { maxLength: 4 }),
      removals: fc.array(fc.nat({ max: 20 }), { maxLength: 4 }),
      additions: entries({ maxLength: 3 }),
      folders: fc.option(fc.uniqueArray(fc.constantFrom('a', 'a/b', 'c', 'd "e"'), { maxLength: 3 })),
    })
    .map(({ picks, fields, removals, additions, folders }) => ({ entries: now }) => {
      const gone = new Set(removals.filter(at => at < now.length));
      const updates = new Map<number, Entry>();
      for (const [turn, at] of picks.entries()) {
        const [entry, field] = [now[at], fields[turn]];
        if (entry === undefined || field === undefined || gone.has(at)) continue;
        const { name, tags, notes, color, folder, trust: mark } = field;
        updates.set(at, { ...entry, name, tags, notes, color, folder, trust: mark });
      }
      return { ...emptyChange, updates, removals: gone, additions, folders };
    });
}
