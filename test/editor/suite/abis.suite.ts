// Compiler artifacts of the workspace: read for the first hover and updated when they change.
import * as assert from 'node:assert/strict';
import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { silentLog } from '../../../src/base/log.ts';
import { type AbiProvider, createAbiProvider } from '../../../src/extension/abi/abiProvider.ts';
import type { AddressBook } from '../../../src/extension/addressBook/addressBook.ts';
import { OpenAddressBook } from '../../../src/extension/addressBook/openAddressBook.ts';
import { createSettingsSource, type SettingsSource } from '../../../src/extension/settings/settingsSource.ts';
import { getExtension, getHoverText } from './extensionHost.ts';
import { createMemento } from './sidebarFixture.ts';
import { openUntitled, until } from './siweActions.ts';
import { untilWatched } from './untilWatched.ts';

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
    await untilWatched(folder.uri);
    await getExtension().activate();
    document = await openUntitled(`topic: ${topic}\n`);
  });

  after(async () => {
    await untilWatched(out);
    for (const path of ['out', 'linked', 'abis', '.hexlens'])
      await vscode.workspace.fs
        .delete(vscode.Uri.joinPath(out, '..', path), { recursive: true })
        .then(undefined, () => {});
  });

  const write = (name: string, text: string) =>
    vscode.workspace.fs.writeFile(vscode.Uri.joinPath(out, 'Auction.sol', name), new TextEncoder().encode(text));

  const hoverSays = (wanted: RegExp) =>
    until(
      () => getHoverText(document, topic),
      text => wanted.test(text),
      `shows ${wanted}`,
    );

  it('reads the ABI file that an entry of the address book names, but not through a symbolic link', async () => {
    const root = vscode.Uri.joinPath(out, '..');
    const writeBelow = (path: string, text: string) =>
      vscode.workspace.fs.writeFile(vscode.Uri.joinPath(root, path), new TextEncoder().encode(text));
    const entry = (name: string, address: string, abi: string) => ({ address, name, kind: 'contract', abi });
    const house = `0x${'a'.repeat(40)}`;
    const writeBook = (...addresses: readonly unknown[]) =>
      writeBelow('.hexlens/addresses.json', JSON.stringify({ version: 1, addresses }));
    await writeBelow('abis/House.json', artifact('ofEntry'));
    await writeBook(entry('House', house, 'abis/House.json'));
    await hoverSays(/uint256 ofEntry.*House/);

    const { open, dispose } = await createProviders();
    try {
      const abis = open();
      assert.deepEqual(await findEvents(abis), ['ofEntry']);
      await writeBelow('abis/House.json', artifact('changed'));
      await eventsAre(abis, 'changed');

      await symlink(join(root.fsPath, 'abis'), join(root.fsPath, 'linked'));
      await writeBelow('abis/Yard.json', artifact('ofYard'));
      await writeBook(
        entry('House', house, 'linked/House.json'),
        entry('Yard', `0x${'b'.repeat(40)}`, 'abis/Yard.json'),
      );
      await eventsAre(abis, 'ofYard');
      // The next reading, which drops Yard, begins when the one that read both entries is done.
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(root, 'abis/Yard.json'));
      await eventsAre(abis);
    } finally {
      await dispose();
    }
  });

  it("names events of the workspace's contracts", async () => {
    await write('Auction.json', artifact('amount'));
    await hoverSays(/Event topic.*Bid\(address indexed bidder, uint256 amount\).*Auction/);
  });

  it('has ABIs that a host verified in an earlier session', async () => {
    const { open, dispose } = await createProviders(source => ({
      ...source,
      current: () => ({ ...source.current(), verifiedSources: ['https://sources.example/'] }),
    }));
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
      await dispose();
    }
  });

  it('follows changes of an artifact', async () => {
    await write('Auction.json', artifact('price'));
    await hoverSays(/uint256 price/);
  });

  it('drops artifacts of a deleted folder', async () => {
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(out, 'Auction.sol'), { recursive: true });
    const text = await until(
      () => getHoverText(document, topic),
      found => !/Bid\(/.test(found),
      'shows no event',
    );
    assert.doesNotMatch(text, /Auction/);
  });

  it('follows changes in a folder that VS Code does not watch', async () => {
    const { open, dispose } = await createProviders();
    await write('Auction.json', artifact('price'));
    const exclude = vscode.workspace.getConfiguration('files');
    await exclude.update('watcherExclude', { '**/out/**': true }, vscode.ConfigurationTarget.Workspace);
    try {
      const abis = open();
      assert.deepEqual(await findEvents(abis), ['price']);
      await write('Auction.json', artifact('fee'));
      await eventsAre(abis, 'fee');
    } finally {
      await exclude.update('watcherExclude', undefined, vscode.ConfigurationTarget.Workspace);
      await dispose();
    }
  });
});

/** After this time the provider looks for changes again. */
const LONG_MS = 60_000;

interface Providers {
  open(): AbiProvider;
  dispose(): Promise<void>;
}

/** Providers for the workspace with the same storage. Each use of one looks for changes that no watcher reported. */
async function createProviders(change = (source: SettingsSource) => source): Promise<Providers> {
  const storageUri = vscode.Uri.file(await mkdtemp(join(tmpdir(), 'hexlens-abis-')));
  const source = createSettingsSource();
  const settings = change(source);
  const book: AddressBook = new OpenAddressBook({ globalState: createMemento(), log: silentLog });
  const opened: AbiProvider[] = [];
  let time = 0;
  return {
    open() {
      const abis = createAbiProvider({ settings, book, storageUri, log: silentLog, now: () => time });
      opened.push(abis);
      return {
        ...abis,
        load() {
          time += LONG_MS;
          return abis.load();
        },
      };
    },
    async dispose() {
      for (const part of [...opened, book, source]) part.dispose();
      await vscode.workspace.fs.delete(storageUri, { recursive: true });
    },
  };
}

/** The name of the amount in each event of the workspace that the topic is. */
async function findEvents(abis: AbiProvider): Promise<readonly string[]> {
  const { workspace } = (await abis.load()).events(topic);
  return workspace.map(({ inputs }) => inputs[1]?.name ?? '');
}

const eventsAre = (abis: AbiProvider, ...names: readonly string[]) =>
  until(
    () => findEvents(abis),
    found => found.join() === names.join(),
    `finds ${names}`,
  );
