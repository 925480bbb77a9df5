// Compiler artifacts of the workspace: read for the first hover and updated when they change.
import * as assert from 'node:assert/strict';
import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { silentLog } from '../../../src/base/log.ts';
import { createAbiProvider } from '../../../src/extension/abi/abiProvider.ts';
import { openAddressBook } from '../../../src/extension/addressBook/openAddressBook.ts';
import { createSettingsSource } from '../../../src/extension/settings/settingsSource.ts';
import { getExtension, getHoverText } from './extensionHost.ts';
import { createMemento } from './sidebarFixture.ts';
import { openUntitled } from './siweActions.ts';

/** keccak-256 of `Bid(address,uint256)`, an event of no well-known contract. */
const topic = '0xe684a55f31b79eca403df938249029212a5925ec6be8012e099b45bc1019e5d2';

function artifact(parameter: string): string {
  const inputs = [
    { name: 'bidder', type: 'address', indexed: true, internalType: 'address' },
    { name: parameter, type: 'uint256', indexed: false, internalType: 'uint256' },
  ];
  const abi = [{ type: 'event', name: 'Bid', inputs, anonymous: false }];
  return JSON.stringify({ abi, bytecode: { object: `0x${'60'.repeat(300_000)}` } });
}

describe('compiler artifacts of the workspace', () => {
  let document: vscode.TextDocument;
  let out: vscode.Uri;

  before(async function () {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (folder === undefined) this.skip();
    out = vscode.Uri.joinPath(folder.uri, 'out');
    await getExtension().activate();
    document = await openUntitled(`topic: ${topic}\n`);
  });

  after(async () => {
    for (const path of ['out', 'linked', 'abis', '.hexlens'])
      await vscode.workspace.fs
        .delete(vscode.Uri.joinPath(out, '..', path), { recursive: true })
        .then(undefined, () => {});
  });

  const write = (name: string, text: string) =>
    vscode.workspace.fs.writeFile(vscode.Uri.joinPath(out, 'Auction.sol', name), new TextEncoder().encode(text));

  /** Hovers until the text says so; the suite's time limit ends it. */
  async function hoverSays(wanted: RegExp): Promise<void> {
    for (;;) if (wanted.test(await getHoverText(document, topic))) return;
  }

  it("names events of the workspace's contracts", async () => {
    await write('Auction.json', artifact('amount'));
    await hoverSays(/Event topic.*Bid\(address indexed bidder, uint256 amount\).*Auction/);
  });

  it('has ABIs that a host verified in an earlier session', async () => {
    const storageUri = vscode.Uri.file(await mkdtemp(join(tmpdir(), 'hexlens-abis-')));
    const source = createSettingsSource();
    const settings = {
      ...source,
      current: () => ({ ...source.current(), verifiedSources: ['https://sources.example/'] }),
    };
    const book = openAddressBook({ globalState: createMemento(), log: silentLog });
    const open = () => createAbiProvider({ settings, book, storageUri, log: silentLog });
    const address = `0x${'c'.repeat(40)}` as const;
    const abi = JSON.stringify([
      { type: 'function', name: 'stored', inputs: [], outputs: [], stateMutability: 'view' },
    ]);
    const contract = { chain: 'eth', address, host: 'sources.example', match: 'exact', name: 'Stored', abi } as const;
    try {
      const first = open();
      await first.addVerified([contract]);
      first.dispose();
      const second = open();
      const registry = await second.load();
      assert.deepEqual(
        registry.idsOf('eth', address).flatMap(id => registry.items(id).map(({ name }) => name)),
        ['stored'],
      );
      second.dispose();
    } finally {
      source.dispose();
      book.dispose();
      await vscode.workspace.fs.delete(storageUri, { recursive: true });
    }
  });

  it('follows changes of an artifact', async () => {
    await write('Auction.json', artifact('price'));
    await hoverSays(/uint256 price/);
  });

  it('follows changes in a folder that VS Code does not watch', async () => {
    const exclude = vscode.workspace.getConfiguration('files');
    await exclude.update('watcherExclude', { '**/out/**': true }, vscode.ConfigurationTarget.Workspace);
    await write('Auction.json', artifact('fee'));
    await hoverSays(/uint256 fee/);
    await exclude.update('watcherExclude', undefined, vscode.ConfigurationTarget.Workspace);
  });

  it('drops artifacts of a deleted folder', async () => {
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(out, 'Auction.sol'), { recursive: true });
    for (;;) if (!/Bid\(/.test(await getHoverText(document, topic))) break;
    assert.doesNotMatch(await getHoverText(document, topic), /Auction/);
  });

  it('reads the ABI file that an entry of the address book names, but not through a symbolic link', async () => {
    const root = vscode.Uri.joinPath(out, '..');
    const writeBelow = (path: string, text: string) =>
      vscode.workspace.fs.writeFile(vscode.Uri.joinPath(root, path), new TextEncoder().encode(text));
    await writeBelow('abis/House.json', artifact('ofEntry'));
    const entry = (name: string, address: string, abi: string) => ({ address, name, kind: 'contract', abi });
    const house = `0x${'a'.repeat(40)}`;
    const writeBook = (...addresses: readonly unknown[]) =>
      writeBelow('.hexlens/addresses.json', JSON.stringify({ version: 1, addresses }));
    await writeBook(entry('House', house, 'abis/House.json'));
    await hoverSays(/uint256 ofEntry.*House/);
    await writeBelow('abis/House.json', artifact('changed'));
    await hoverSays(/uint256 changed/);

    await symlink(join(root.fsPath, 'abis'), join(root.fsPath, 'linked'));
    await writeBelow('abis/Yard.json', artifact('ofYard'));
    await writeBook(entry('House', house, 'linked/House.json'), entry('Yard', `0x${'b'.repeat(40)}`, 'abis/Yard.json'));
    await hoverSays(/uint256 ofYard\).*Yard/);
    // The next reading, which drops Yard, begins when the one that read both entries is done.
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(root, 'abis/Yard.json'));
    let text = '';
    do text = await getHoverText(document, topic);
    while (/Yard/.test(text));
    assert.doesNotMatch(text, /House|uint256 changed/);
  });
});
