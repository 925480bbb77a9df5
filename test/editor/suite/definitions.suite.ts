// From saved addresses to code and back: completion after @, Go to Definition, Go to Symbol in Workspace.
import * as assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { getBookUri, readBook, removeBook, writeBook } from './addressBookFixture.ts';
import { getExtension } from './extensionHost.ts';
import { openUntitled, until } from './siweActions.ts';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const NAME = 'Definition Treasury';
const BOOK = { addresses: [{ address: ADDRESS, name: NAME }] };

describe('saved addresses in code', () => {
  before(async () => {
    await getExtension().activate();
    await writeBook(JSON.stringify(BOOK, null, 2));
  });

  after(removeBook);

  const complete = async (text: string, language?: string) => {
    const document = await openUntitled(text, language);
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      document.positionAt(text.length),
    );
    return list.items.filter(({ filterText }) => filterText === '@Definition-Treasury');
  };

  it('are inserted after @ and their name', async () => {
    // The file is read when the watcher reports it.
    const items = await until(
      () => complete('transfer("@Def'),
      found => found.length > 0,
      'offers the name',
    );
    assert.deepEqual(
      items.map(({ insertText }) => insertText),
      [ADDRESS],
    );
  });

  it('are not offered in e-mail addresses and decorators', async () => {
    assert.deepEqual(await complete('mail to someone@Def'), []);
    assert.deepEqual(await complete('@Def', 'typescript'), []);
  });

  it('are defined where the committed address book has them', async () => {
    const document = await openUntitled(`const treasury = "${ADDRESS}";\n`, 'typescript');
    const find = () =>
      vscode.commands.executeCommand<vscode.Location[]>(
        'vscode.executeDefinitionProvider',
        document.uri,
        new vscode.Position(0, 30),
      );
    const isInBook = ({ uri }: vscode.Location) => uri.toString() === getBookUri().toString();
    const found = await until(find, locations => locations.some(isInBook), 'finds the address book');
    const text = (await readBook()).split('\n');
    assert.ok(text[found.find(isInBook)?.range.start.line ?? 0]?.includes(ADDRESS));
  });

  it('are defined where the file has them now, although VS Code has an older text of it', async () => {
    const document = await openUntitled(`const treasury = "${ADDRESS}";\n`, 'typescript');
    await vscode.workspace.openTextDocument(getBookUri());
    const text = `\n\n\n${JSON.stringify(BOOK, null, 2)}`;
    // Not through VS Code, which would read it at once.
    writeFileSync(getBookUri().fsPath, text);
    const found = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      new vscode.Position(0, 30),
    );
    const lines = found
      .filter(({ uri }) => uri.toString() === getBookUri().toString())
      .map(({ range }) => range.start.line);
    assert.deepEqual(lines, [text.split('\n').findIndex(line => line.includes(ADDRESS))]);
  });

  it('are symbols of the workspace', async () => {
    const find = () =>
      vscode.commands.executeCommand<vscode.SymbolInformation[]>(
        'vscode.executeWorkspaceSymbolProvider',
        'definition tr',
      );
    const symbols = await until(find, found => found.some(({ name }) => name === NAME), 'finds the name');
    const names = symbols.map(({ name }) => name);
    assert.deepEqual(
      names.filter(name => name === NAME),
      [NAME],
    );
  });
});
