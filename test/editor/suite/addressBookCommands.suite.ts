// The commands of the address book in a real editor.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { importBookCsv } from '../../../src/addressBook/bookFormats.ts';
import type { SavedEntry } from '../../../src/addressBook/entry.ts';
import type { ImportSummary } from '../../../src/extension/addressBook/importEntries.ts';
import { acceptAll, getBookUri, removeBook, toTestAddress } from './addressBookFixture.ts';
import { getExtension, getHoverText, getTestChain } from './extensionHost.ts';
import { closeAll, openUntitled, showSelection, until } from './siweActions.ts';

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
    await getExtension().activate();
    await removeBook();
  });
  afterEach(async () => {
    if (saved.length > 0) await vscode.commands.executeCommand('hexlens.removeAddresses', saved.splice(0));
    for (const uri of written.splice(0)) await vscode.workspace.fs.delete(uri, { recursive: true });
    await vscode.commands.executeCommand('notifications.clearAll');
    await closeAll();
  });

  it('saves an address with the suggested name and the kind that the chain reports', async function () {
    const chain = getTestChain();
    if (chain === undefined) this.skip();
    const { apes: ape } = chain.contracts;
    const document = await openUntitled(`const x = "${ape}"`);
    await vscode.window.showTextDocument(document);
    // The command waits for the chain only a moment: here the service has started, and has read the contract before.
    await until(
      () => getHoverText(document, ape),
      text => /ERC\S*721/.test(text),
      'shows what the contract is',
    );
    const entry = await acceptAll<SavedEntry>('hexlens.saveAddress', { address: ape, name: 'Apes' });
    saved.push(entry.id);
    assert.deepEqual([entry.name, entry.kind, ...entry.chains], ['Apes', 'collection', 'local']);
    assert.match(await getHoverText(document, ape), /`Apes`[\s\S]*Saved by you[\s\S]*command:hexlens\.editAddress/);
  });

  it('saves the address under the cursor and edits it', async () => {
    const document = await openUntitled(`pay(0x70997970C51812dc3A010C7d01b50e0d17dc79C8)`);
    await showSelection(document, new vscode.Range(0, 10, 0, 10));
    const entry = await acceptAll<SavedEntry>('hexlens.saveAddressUnderCursor');
    saved.push(entry.id);
    // The suggested name of a well-known account.
    assert.match(entry.name, /account #1/);
    const again = await acceptAll<SavedEntry>('hexlens.editAddress', { entry });
    assert.equal(again.id, entry.id);
  });

  it('removes an entry', async () => {
    const entry = await acceptAll<SavedEntry>('hexlens.saveAddress', { address: toTestAddress(7), name: 'Seven' });
    assert.equal(await vscode.commands.executeCommand('hexlens.removeAddresses', [entry.id]), 1);
    const document = await openUntitled(`pay(${toTestAddress(7)})`);
    await vscode.window.showTextDocument(document);
    assert.doesNotMatch(await getHoverText(document, toTestAddress(7)), /Seven/);
  });

  it('imports a broadcast folder once and returns a summary', async () => {
    const broadcast = vscode.Uri.joinPath(getBookUri(), '../../broadcast');
    written.push(broadcast);
    const latest = vscode.Uri.joinPath(broadcast, 'Deploy.s.sol', '31337', 'run-latest.json');
    const text = JSON.stringify(run(toTestAddress(11), toTestAddress(12)));
    await vscode.workspace.fs.writeFile(latest, new TextEncoder().encode(text));
    // Enter at every prompt: personal storage, all new entries, no folder.
    const first = await acceptAll<ImportSummary>('hexlens.importAddresses', latest);
    assert.deepEqual(first, { added: 2, updated: 0, skipped: 0, refused: 0 });
    saved.push(...[11, 12].map(number => `personal ${toTestAddress(number)}`));
    const again = await acceptAll<ImportSummary>('hexlens.importAddresses', broadcast);
    assert.deepEqual(again, { added: 0, updated: 0, skipped: 2, refused: 0 });
  });

  it('exports a file that it can import', async () => {
    const names = ['=1+1', 'Eight'];
    for (const [at, name] of names.entries()) {
      const entry = await acceptAll<SavedEntry>('hexlens.saveAddress', { address: toTestAddress(80 + at), name });
      saved.push(entry.id);
    }
    const target = vscode.Uri.joinPath(getBookUri(), '../../exported.csv');
    written.push(target);
    await acceptAll('hexlens.exportAddresses', target);
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(target));
    assert.match(text, /,'=1\+1,/);
    const read = importBookCsv(text).entries.map(({ name }) => name);
    for (const name of names) assert.ok(read.includes(name));
  });
});
