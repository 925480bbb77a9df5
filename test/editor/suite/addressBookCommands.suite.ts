// The address book's commands in the real editor: save, remove, import with its preview, export.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { importBookCsv } from '../../../src/addressBook/bookCsv.ts';
import type { SavedEntry } from '../../../src/addressBook/entry.ts';
import type { ImportSummary } from '../../../src/extension/addressBook/importEntries.ts';
import { acceptAll, addressOf, bookFile, removeBook } from './addressBookFixture.ts';
import { hexlens, hoverTextAt, testChain, untitled } from './extensionHost.ts';
import { closeAll } from './siweActions.ts';

const run = (contract: string, child: string) => ({
  chain: 31337,
  transactions: [
    {
      hash: '0x1',
      transactionType: 'CREATE',
      contractName: 'Counter',
      contractAddress: contract,
      additionalContracts: [{ transactionType: 'CREATE', contractName: 'Child', address: child, initCode: '0x' }],
    },
  ],
  receipts: [{ transactionHash: '0x1', status: '0x1' }],
  libraries: [],
});

describe('commands of the address book', () => {
  const written: vscode.Uri[] = [];
  const saved: string[] = [];

  before(async () => {
    await hexlens().activate();
    await removeBook();
  });
  afterEach(async () => {
    if (saved.length > 0) await vscode.commands.executeCommand('hexlens.removeAddresses', saved.splice(0));
    for (const uri of written.splice(0)) await vscode.workspace.fs.delete(uri, { recursive: true });
    await vscode.commands.executeCommand('notifications.clearAll');
    await closeAll();
  });

  it('Save Address keeps what was offered, the kind as the chain says, and the hover says so', async function () {
    const chain = testChain();
    if (chain === undefined) this.skip();
    const { apes: ape } = chain.contracts;
    const entry = await acceptAll<SavedEntry>('hexlens.saveAddress', { address: ape, name: 'Apes' });
    saved.push(entry.id);
    assert.deepEqual([entry.name, entry.kind, ...entry.chains], ['Apes', 'collection', 'local']);
    const document = await untitled(`const x = "${ape}"`);
    await vscode.window.showTextDocument(document);
    assert.match(await hoverTextAt(document, ape), /`Apes`[\s\S]*Saved by you[\s\S]*command:hexlens\.editAddress/);
  });

  it('Save Address Under Cursor takes the address there, and Edit changes it', async () => {
    const document = await untitled(`pay(0x70997970C51812dc3A010C7d01b50e0d17dc79C8)`);
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 10, 0, 10);
    const entry = await acceptAll<SavedEntry>('hexlens.saveAddressUnderCursor');
    saved.push(entry.id);
    // A well-known account is offered under the name that everybody gives it.
    assert.match(entry.name, /account #1/);
    const again = await acceptAll<SavedEntry>('hexlens.editAddress', { entry });
    assert.equal(again.id, entry.id);
  });

  it('Remove takes one away, and nothing that is not there', async () => {
    const entry = await acceptAll<SavedEntry>('hexlens.saveAddress', { address: addressOf(7), name: 'Seven' });
    assert.equal(await vscode.commands.executeCommand('hexlens.removeAddresses', [entry.id]), 1);
    const document = await untitled(`pay(${addressOf(7)})`);
    await vscode.window.showTextDocument(document);
    assert.doesNotMatch(await hoverTextAt(document, addressOf(7)), /Seven/);
  });

  it('Import reads a broadcast folder, says what it did, and does nothing twice', async () => {
    const broadcast = vscode.Uri.joinPath(bookFile(), '../../broadcast');
    written.push(broadcast);
    const latest = vscode.Uri.joinPath(broadcast, 'Deploy.s.sol', '31337', 'run-latest.json');
    const text = JSON.stringify(run(addressOf(11), addressOf(12)));
    await vscode.workspace.fs.writeFile(latest, new TextEncoder().encode(text));
    // Enter at every question: kept in the personal place, all that is new, in no folder.
    const first = await acceptAll<ImportSummary>('hexlens.importAddresses', latest);
    assert.deepEqual(first, { added: 2, updated: 0, skipped: 0, refused: 0 });
    saved.push(...[11, 12].map(number => `personal ${addressOf(number)}`));
    const again = await acceptAll<ImportSummary>('hexlens.importAddresses', broadcast);
    assert.deepEqual(again, { added: 0, updated: 0, skipped: 2, refused: 0 });
  });

  it('Export writes what Import reads', async () => {
    const names = ['=1+1', 'Eight'];
    for (const [at, name] of names.entries()) {
      const entry = await acceptAll<SavedEntry>('hexlens.saveAddress', { address: addressOf(80 + at), name });
      saved.push(entry.id);
    }
    const target = vscode.Uri.joinPath(bookFile(), '../../exported.csv');
    written.push(target);
    await acceptAll('hexlens.exportAddresses', target);
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(target));
    assert.match(text, /,'=1\+1,/);
    const read = importBookCsv(text).entries.map(({ name }) => name);
    for (const name of names) assert.ok(read.includes(name));
  });
});
