// The address book in a real editor: both storages, edits in place, damaged files, and undo.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseEntry } from '../../../src/addressBook/validateEntry.ts';
import { checksumAddress } from '../../../src/base/checksumAddress.ts';
import { formatFault } from '../../../src/base/errors.ts';
import type { AddressBook } from '../../../src/extension/addressBook/addressBook.ts';
import { saveEntry } from '../../../src/extension/addressBook/addressBookCommands.ts';
import { createLazyAddressBook } from '../../../src/extension/addressBook/lazyAddressBook.ts';
import { moveEntries } from '../../../src/extension/sidebar/dragAndDrop.ts';
import {
  createMemento,
  getBookProblems,
  getBookUri,
  getTeamStorage,
  readBook,
  removeBook,
  toTestAddress,
  writeBook,
} from './addressBookFixture.ts';
import { getExtension, getHoverText } from './extensionHost.ts';
import { closeAll, openUntitled, until } from './siweActions.ts';

const personal = { kind: 'personal' } as const;
const one = toTestAddress(101);
const two = toTestAddress(102);
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const committed = `// Who is who
{
    "addresses": [
        { "address": "${one}", "name": "Treasury" }, // multisig
        { "address": "${two}", "name": "Feed" }
    ]
}
`;

const getRejection = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
  } catch (error) {
    return formatFault(error);
  }
  throw new Error('The promise was not rejected.');
};

describe('address book', () => {
  let book: AddressBook;
  const open = async (globalState: vscode.Memento = createMemento()): Promise<AddressBook> => {
    book?.dispose();
    book = createLazyAddressBook({ globalState, log: silent });
    await book.ready();
    return book;
  };
  const names = () => book.entries().map(({ name }) => name);

  before(async () => {
    await getExtension().activate();
  });
  beforeEach(removeBook);
  afterEach(async () => {
    book?.dispose();
    await closeAll();
    await removeBook();
  });

  describe('personal storage', () => {
    it('stores added, updated and removed entries, and undoes a removal', async () => {
      const state = createMemento();
      await open(state);
      const [first] = await book.add(
        [parseEntry({ address: one, name: 'One' }), parseEntry({ address: two, name: 'Two' })],
        personal,
      );
      assert.ok(first);
      await book.update(first.id, { name: 'Uno', folder: 'a/b' });
      const removed = await book.remove([first.id]);
      assert.deepEqual(names(), ['Two']);
      await removed.undo();
      assert.deepEqual(names(), ['Uno', 'Two']);
      await open(state); // as after a restart
      assert.deepEqual(names(), ['Uno', 'Two']);
      assert.deepEqual(book.folders(), ['a', 'a/b']);
      assert.equal(book.getName(one.toUpperCase().replace('0X', '0x')), 'Uno');
    });

    it('does not undo into the state of a newer version', async () => {
      const state = createMemento();
      await open(state);
      const [first] = await book.add([parseEntry({ address: one, name: 'One' })], personal);
      const { undo } = await book.remove([first?.id ?? '']);
      const newer = { version: 9, entries: [] };
      state.values.set('hexlens.book', newer);
      assert.match(await getRejection(undo()), /newer version/);
      assert.deepEqual(state.values.get('hexlens.book'), newer);
    });

    it('updates an existing address and names an invalid field', async () => {
      await open();
      await book.add([parseEntry({ address: one, name: 'One' })], personal);
      await book.add([parseEntry({ address: one, name: 'Uno' })], personal);
      assert.deepEqual(names(), ['Uno']);
      const wrong = { ...parseEntry({ address: one, name: 'One' }), name: '' };
      assert.match(await getRejection(book.add([wrong], personal)), /name/);
    });

    it('stores damaged parts separately and does not overwrite the state of a newer version', async () => {
      const broken = { name: 'no address' };
      const state = createMemento({
        'hexlens.book': { version: 1, entries: [{ address: one, name: 'One' }, broken], folders: [] },
      });
      await open(state);
      assert.deepEqual(names(), ['One']);
      await book.add([parseEntry({ address: two, name: 'Two' })], personal);
      const damaged = state.values.get('hexlens.book.damaged') as readonly { part: unknown }[];
      assert.deepEqual(
        damaged.map(({ part }) => part),
        [broken],
      );
      const newer = { version: 9, entries: [{ address: one, name: 'One' }] };
      const locked = createMemento({ 'hexlens.book': newer });
      await open(locked);
      assert.deepEqual(names(), ['One']);
      assert.match(
        await getRejection(book.add([parseEntry({ address: two, name: 'Two' })], personal)),
        /newer version/,
      );
      assert.deepEqual(locked.values.get('hexlens.book'), newer);
    });

    it('undoes an import without reverting later changes', async () => {
      await open();
      await book.add([parseEntry({ address: one, name: 'One', notes: 'mine' })], personal);
      const imported = [parseEntry({ address: one, name: 'Uno' }), parseEntry({ address: two, name: 'Two' })];
      const first = await book.addWithUndo(imported, personal);
      assert.deepEqual(names(), ['Uno', 'Two']);
      await first.undo();
      assert.deepEqual(
        book.entries().map(({ name, notes }) => [name, notes]),
        [['One', 'mine']],
      );
      const second = await book.addWithUndo(imported, personal);
      await book.add([parseEntry({ address: toTestAddress(103), name: 'Since' })], personal);
      await second.undo();
      assert.deepEqual(names().sort(), ['One', 'Since']);
    });

    it('reads changes of another window before it writes', async () => {
      const state = createMemento();
      await open(state);
      const other = createLazyAddressBook({ globalState: state, log: silent });
      await other.add([parseEntry({ address: one, name: 'Theirs' })], personal);
      other.dispose();
      await book.add([parseEntry({ address: two, name: 'Mine' })], personal);
      assert.deepEqual(names(), ['Theirs', 'Mine']);
    });

    it('renames a folder whose entries only another window has read', async () => {
      const state = createMemento();
      await open(state);
      const other = createLazyAddressBook({ globalState: state, log: silent });
      await other.add([parseEntry({ address: one, name: 'Theirs', folder: 'a/b' })], personal);
      other.dispose();
      await book.moveFolder('a', 'x');
      assert.deepEqual(
        book.entries().map(({ name, folder }) => [name, folder]),
        [['Theirs', 'x/b']],
      );
    });

    it('merges an entry into the one of its name, and leaves another one on the same chain as it is', async () => {
      await open();
      await book.add([parseEntry({ address: one, name: 'Treasury', chains: ['eth'] })], personal);
      await book.add([parseEntry({ address: one, name: 'Foo', chains: ['polygon'] })], personal);
      const treasury = book.entries().find(({ name }) => name === 'Treasury');
      await book.update(treasury?.id ?? '', { chains: ['eth', 'polygon'] });
      const mine = parseEntry({ address: one, name: 'Foo', chains: ['bsc'] });
      const { saved, isMerged, undo } = await saveEntry(book, mine, personal);
      const chains = () => book.entries().map(({ name, chains }) => [name, ...chains]);
      assert.deepEqual(chains(), [
        ['Treasury', 'eth', 'polygon'],
        ['Foo', 'polygon', 'bsc'],
      ]);
      assert.deepEqual([isMerged, saved?.name], [true, 'Foo']);
      await undo();
      assert.deepEqual(chains(), [
        ['Treasury', 'eth', 'polygon'],
        ['Foo', 'polygon'],
      ]);
    });

    it('moves folders with their contents', async () => {
      await open();
      await book.addFolder('empty');
      await book.add(
        [
          parseEntry({ address: one, name: 'One', folder: 'a/b' }),
          parseEntry({ address: two, name: 'Two', folder: 'ab' }),
        ],
        personal,
      );
      await book.moveFolder('a', 'x/y');
      assert.deepEqual(
        book.entries().map(({ folder }) => folder),
        ['x/y/b', 'ab'],
      );
      assert.match(await getRejection(book.moveFolder('x', null)), /not empty/);
      assert.match(await getRejection(book.moveFolder('x', 'x/z')), /into itself/);
      await book.moveFolder('empty', null);
      assert.deepEqual(book.folders(), ['ab', 'x', 'x/y', 'x/y/b']);
    });
  });

  describe('workspace storage', () => {
    it('edits the file in place and preserves comments, order and indentation', async () => {
      await writeBook(committed);
      await open();
      const [entry] = book.findByAddress(one);
      assert.ok(entry);
      await book.update(entry.id, { name: 'Safe' });
      assert.equal(await readBook(), committed.replace('Treasury', 'Safe'));
      await book.add([parseEntry({ address: toTestAddress(103), name: 'New' })], getTeamStorage());
      assert.match(await readBook(), /"Feed" },\n {8}\{ "address": "0x0+103", "name": "New" }\n {4}]/);
    });

    it('restores the exact text when a removal is undone', async () => {
      await writeBook(committed);
      await open();
      const { undo } = await book.remove(book.entries().map(({ id }) => id));
      assert.doesNotMatch(await readBook(), /Treasury|Feed/);
      await undo();
      assert.equal(await readBook(), committed);
    });

    it('restores the exact text when an import is undone', async () => {
      await writeBook(committed);
      await open();
      const imported = [
        parseEntry({ address: one, name: 'Safe' }),
        parseEntry({ address: toTestAddress(103), name: 'New' }),
      ];
      const { undo } = await book.addWithUndo(imported, getTeamStorage());
      assert.match(await readBook(), /Safe[\s\S]*New/);
      await undo();
      assert.equal(await readBook(), committed);
    });

    it('undoes a removal after a later change', async () => {
      await writeBook(committed);
      await open();
      const [entry] = book.findByAddress(one);
      assert.ok(entry);
      const { undo } = await book.remove([entry.id]);
      await book.add([parseEntry({ address: toTestAddress(103), name: 'New' })], getTeamStorage());
      await undo();
      assert.deepEqual(names().sort(), ['Feed', 'New', 'Treasury']);
    });

    it('creates the file with its first entry and preserves a byte order mark and CRLF line ends', async () => {
      await open();
      await book.add([parseEntry({ address: one, name: 'One' })], getTeamStorage());
      assert.match(await readBook(), /^\{\n {2}"version": 1,\n {2}"addresses": \[\n {4}\{ "address"/);
      await writeBook(`\ufeff${committed.replaceAll('\n', '\r\n')}`);
      await until(names, found => found.includes('Feed'), 'read again');
      await book.add([parseEntry({ address: toTestAddress(103), name: 'New' })], getTeamStorage());
      const text = await readBook();
      assert.ok(text.startsWith('\ufeff// Who is who\r\n'));
      assert.doesNotMatch(text.replaceAll('\r\n', ''), /\n/);
    });

    it('edits the open document and does not save unsaved changes of the user', async () => {
      await writeBook(committed);
      await open();
      const document = await vscode.workspace.openTextDocument(getBookUri());
      await vscode.window.showTextDocument(document);
      await book.add([parseEntry({ address: toTestAddress(103), name: 'New' })], getTeamStorage());
      assert.equal(document.isDirty, false);
      assert.match(document.getText(), /"New"/);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), '// half a thought\n');
      await vscode.workspace.applyEdit(edit);
      await book.add([parseEntry({ address: toTestAddress(104), name: 'Newer' })], getTeamStorage());
      assert.equal(document.isDirty, true);
      assert.doesNotMatch(await readBook(), /Newer|half a thought/);
      assert.deepEqual(names(), ['Treasury', 'Feed', 'New', 'Newer']);
    });

    for (const [what, text] of [
      ['an unresolved merge conflict', `<<<<<<< HEAD\n${committed}=======\n>>>>>>> other\n`],
      ['a truncated file', committed.slice(0, 90)],
      ['a file of a newer version', '{ "version": 2, "addresses": [] }'],
      ['a file of an unknown version', '{ "version": "one", "addresses": [] }'],
      ['JSON of another shape', '[1, 2, 3]'],
    ] as const)
      it(`reports ${what} and does not write to the file`, async () => {
        await writeBook(text);
        await open();
        const message = await getRejection(
          book.add([parseEntry({ address: toTestAddress(103), name: 'New' })], getTeamStorage()),
        );
        assert.match(message, /was not changed/);
        assert.equal(await readBook(), text);
        const found = await until(getBookProblems, list => list.length > 0, 'reported');
        assert.ok(found.every(({ message }) => message !== ''));
      });

    it('is read-only during a merge conflict and writable after its resolution', async () => {
      await writeBook(committed);
      await open();
      const [head, treasury, ...rest] = committed.split(/(?<=\n)(?= {8}\{)/);
      const theirs = treasury?.replace('Treasury', 'Vault') ?? '';
      const merging = `${head}<<<<<<< HEAD\n${treasury}=======\n${theirs}>>>>>>> feature\n${rest.join('')}`;
      await writeBook(merging);
      const add = () => book.add([parseEntry({ address: toTestAddress(103), name: 'New' })], getTeamStorage());
      assert.match(await getRejection(add()), /was not changed/);
      assert.equal(await readBook(), merging);
      const found = await until(getBookProblems, list => list.some(({ severity }) => severity === 0), 'reported');
      assert.ok(found.some(({ message }) => /keep one side/.test(message)));
      // Entries of both sides are found meanwhile.
      assert.deepEqual(names(), ['Treasury', 'Vault', 'Feed']);
      await writeBook(committed.replace('Treasury', 'Vault'));
      await until(getBookProblems, list => list.length === 0, 'resolved');
      await add();
      assert.deepEqual(names(), ['Vault', 'Feed', 'New']);
    });

    it('reports a wrong checksum among thousands of entries without delaying the names', async () => {
      const lines = Array.from(
        { length: 5_000 },
        (_, at) =>
          `{ "address": "${checksumAddress(toTestAddress(20_000 + at).replace('0x00', '0xab'))}", "name": "N${at}" }`,
      );
      const wrong = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92267';
      await writeBook(
        `{ "addresses": [\n${[...lines, `{ "address": "${wrong}", "name": "Mistyped" }`].join(',\n')}] }`,
      );
      await open();
      assert.equal(book.entries().length, 5_001);
      assert.equal(book.getName(wrong), 'Mistyped');
      // The extension under test reports the same, and before that what it read while the file was written.
      const isWrongChecksum = ({ message }: vscode.Diagnostic) => /EIP-55 checksum/.test(message);
      const problems = await until(getBookProblems, list => list.some(isWrongChecksum), 'reported');
      assert.equal(problems.find(isWrongChecksum)?.range.start.line, 5_001);
    });

    it('reports and preserves a file that is not text', async () => {
      const bytes = new Uint8Array([0xff, 0xfe, 0x00, 0x80]);
      await vscode.workspace.fs.writeFile(getBookUri(), bytes);
      await open();
      assert.match(
        await getRejection(book.add([parseEntry({ address: one, name: 'One' })], getTeamStorage())),
        /UTF-8/,
      );
      assert.deepEqual([...(await vscode.workspace.fs.readFile(getBookUri()))], [...bytes]);
    });

    it('moves one of two entries of an address, and leaves the other as it is', async () => {
      await writeBook(`{ "addresses": [
        { "address": "${one}", "name": "Treasury", "notes": "multisig", "tags": ["cold"] },
        { "address": "${one}", "name": "Fees", "chains": ["eth"] }
      ] }`);
      await open();
      const fees = book.entries().find(({ name }) => name === 'Fees');
      assert.equal(await moveEntries(book, [fees?.id ?? ''], 'Team'), 1);
      assert.deepEqual(
        book.entries().map(({ name, notes, tags, folder }) => [name, notes, ...tags, folder]),
        [
          ['Treasury', 'multisig', 'cold', ''],
          ['Fees', '', 'Team'],
        ],
      );
    });

    it('merges an entry into the one that a teammate stored, and undoes that', async () => {
      const text = `{ "addresses": [
        { "address": "${one}", "name": "Treasury", "notes": "multisig", "tags": ["cold"], "folder": "Team", "mark": "verified" }
      ] }`;
      await writeBook(text);
      await open();
      const mine = parseEntry({ address: one, name: 'Safe', chains: ['eth'], tags: ['mine'] });
      const { saved, isMerged, undo } = await saveEntry(book, mine, getTeamStorage());
      assert.deepEqual(
        book.entries().map(({ name, notes, tags, folder, trust }) => [name, notes, ...tags, folder, trust]),
        [['Safe', 'multisig', 'cold', 'mine', 'Team', 'verified']],
      );
      assert.deepEqual([isMerged, saved?.name], [true, 'Safe']);
      await undo();
      assert.equal(await readBook(), text);
      const other = await saveEntry(book, parseEntry({ address: two, name: 'Feed' }), getTeamStorage());
      assert.deepEqual([other.isMerged, other.saved?.name], [false, 'Feed']);
    });

    it('does not hinder changes of the personal storage while it cannot be written', async () => {
      await writeBook('[1, 2, 3]');
      await open();
      await book.addFolder('mine');
      await book.moveFolder('mine', 'ours');
      assert.deepEqual(book.folders(), ['ours']);
    });

    it('removes nothing when one of the entries cannot be removed', async () => {
      await writeBook(`{ "version": 2, "addresses": [{ "address": "${two}", "name": "Feed" }] }`);
      await open();
      await book.add([parseEntry({ address: one, name: 'One' })], personal);
      assert.deepEqual(names().sort(), ['Feed', 'One']);
      assert.match(await getRejection(book.remove(book.entries().map(({ id }) => id))), /was not changed/);
      assert.deepEqual(names().sort(), ['Feed', 'One']);
    });

    it('wins over the personal storage, and both entries are found', async () => {
      await writeBook(committed);
      await open();
      await book.add([parseEntry({ address: one, name: 'Mine' })], personal);
      assert.deepEqual(
        book.findByAddress(one).map(({ name }) => name),
        ['Treasury', 'Mine'],
      );
      assert.equal(book.configuration()[one]?.[0]?.name, 'Treasury');
    });
  });

  describe('in the editor', () => {
    it('shows names of the committed file in hovers as long as it exists', async () => {
      const document = await openUntitled(`pay("${one}")`);
      await vscode.window.showTextDocument(document);
      const unnamed = () =>
        until(
          () => getHoverText(document, one),
          text => !/Treasury/.test(text),
          'without a name',
        );
      await unnamed(); // the file of the test before is deleted
      await writeBook(committed);
      await until(
        () => getHoverText(document, one),
        text => /Treasury[\s\S]*Saved in this workspace/.test(text),
        'named',
      );
      await removeBook();
      await unnamed();
    });

    it('reports a second name of an address until it is removed', async () => {
      const twice = committed.replace(two, one);
      await writeBook(twice);
      // Before that, the extension under test may report what it read while the file was written.
      const isSecondName = ({ message }: vscode.Diagnostic) => /two names: line 4 calls it "Treasury"/.test(message);
      const problems = await until(getBookProblems, list => list.some(isSecondName), 'reported');
      const problem = problems.find(isSecondName);
      assert.equal(
        twice
          .split('\n')
          [problem?.range.start.line ?? 0]?.slice(problem?.range.start.character, problem?.range.end.character),
        `"${one}"`,
      );
      await writeBook(committed);
      await until(getBookProblems, list => list.length === 0, 'resolved');
    });

    it('opens the file as JSON with comments, with completion and validation by its schema', async () => {
      await writeBook(
        '{\n  "addresses": [\n    { "address": "0x1", "name": "n", "colour": 1, "kind": "x",  }\n  ]\n}\n',
      );
      const document = await vscode.workspace.openTextDocument(getBookUri());
      await vscode.window.showTextDocument(document);
      await until(
        () => document.getText(),
        text => text.includes('colour'),
        'loaded',
      );
      assert.equal(document.languageId, 'jsonc');
      const position = document.positionAt(document.getText().indexOf(',  }') + 2);
      const labels = await until(
        async () => {
          const list = await vscode.commands.executeCommand<vscode.CompletionList>(
            'vscode.executeCompletionItemProvider',
            document.uri,
            position,
          );
          return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
        },
        list => list.includes('chains'),
        'completed',
      );
      for (const field of ['folder', 'tags', 'notes', 'color', 'mark']) assert.ok(labels.includes(field), field);
    });

    it('shows saved names as inlay hints when the setting is on', async () => {
      await writeBook(committed);
      const settings = vscode.workspace.getConfiguration('hexlens');
      await settings.update('inlayHints.enabled', true, vscode.ConfigurationTarget.Global);
      try {
        const document = await openUntitled(`pay("${one}");\npay("${toTestAddress(999)}");`);
        const range = new vscode.Range(0, 0, 2, 0);
        const hints = await until(
          () =>
            vscode.commands.executeCommand<vscode.InlayHint[]>('vscode.executeInlayHintProvider', document.uri, range),
          list => list.length > 0,
          'hinted',
        );
        assert.deepEqual(
          hints.map(({ label, position }) => [label, position.line, position.character]),
          [['Treasury', 0, 5 + 42]],
        );
      } finally {
        await settings.update('inlayHints.enabled', undefined, vscode.ConfigurationTarget.Global);
      }
    });
  });

  it('finds each of 5,000 entries, and a hover does not read the file again', async () => {
    const many = Array.from({ length: 5_000 }, (_, at) =>
      parseEntry({ address: toTestAddress(10_000 + at), name: `Entry ${at}` }),
    );
    await open();
    await book.add(many, getTeamStorage());
    const list = book.entries();
    assert.equal(list.length, 5_000);
    assert.equal(book.entries(), list, 'the same list until something changes');
    for (const { address, name } of many) assert.equal(book.getName(address), name);
  });
});
