// The Addresses view in a real editor: groups, filter, drag and drop, and paged lists of the test chain.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PARTIAL_HEADER } from '../../../src/api/wire/responseHeaders.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import { yieldToEventLoop } from '../../../src/base/yieldToEventLoop.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { createSettingsSource } from '../../../src/extension/settings/settingsSource.ts';
import {
  type AddressTreeNode,
  getSectionChildren,
  type SectionNode,
} from '../../../src/extension/sidebar/addressTreeNodes.ts';
import { handleDrag, TREE_MIME_TYPE } from '../../../src/extension/sidebar/dragAndDrop.ts';
import { type HandleDropDeps, handleDrop } from '../../../src/extension/sidebar/handleDrop.ts';
import { createJsonRpc } from '../../support/chain/jsonRpc.ts';
import type { TestChain } from '../../support/chain/testChain.ts';
import { getTestChain } from './extensionHost.ts';
import {
  createEntry,
  createSidebarBackend,
  createSidebarFixture,
  createTreeFixture,
  type SidebarBackend,
  type SidebarFixture,
} from './sidebarFixture.ts';
import { until } from './siweActions.ts';

const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;

/** Rows of a page. */
const PAGE = 25;

const asSection = (node: AddressTreeNode): SectionNode => {
  assert.equal(node.kind, 'section');
  return node as SectionNode; // asserted in the line above
};

describe('the Addresses view: groups', () => {
  let fixture: SidebarFixture;

  beforeEach(async () => {
    fixture = await createSidebarFixture([
      createEntry('Beta', address(2), { folder: 'Team/Safe', tags: ['hot'] }),
      createEntry('alpha 10', address(10), { folder: 'Team', chains: ['eth', 'local'] }),
      createEntry('alpha 9', address(9), { folder: 'Team', tags: ['hot', 'cold'], kind: 'contract' }),
      createEntry('Gamma', address(3), { notes: 'the old treasury' }),
    ]);
  });
  afterEach(() => fixture.dispose());

  it('shows folders before entries and sorts numbers naturally', async () => {
    assert.deepEqual(await fixture.labels(), ['Team', 'Gamma']);
    const team = await fixture.path('Team');
    assert.deepEqual(await fixture.labels(team), ['Safe', 'alpha 9', 'alpha 10']);
    assert.equal(fixture.tree.getTreeItem(team).description, '3');
  });

  it('groups by tag and chain and lists an entry under each of its tags', async () => {
    fixture.tree.setArrangement({ grouping: 'tag' });
    assert.deepEqual(await fixture.labels(), ['cold', 'hot', 'No tag']);
    const [cold, hot] = [await fixture.child(undefined, 'cold'), await fixture.child(undefined, 'hot')];
    const ids = [await fixture.child(cold, 'alpha 9'), await fixture.child(hot, 'alpha 9')].map(({ id }) => id);
    assert.notEqual(ids[0], ids[1]);
    fixture.tree.setArrangement({ grouping: 'chain' });
    assert.deepEqual(await fixture.labels(), ['eth', 'local', 'Every chain']);
    fixture.tree.setArrangement({ grouping: 'none', sorting: 'saved' });
    assert.deepEqual(await fixture.labels(), ['Beta', 'alpha 10', 'alpha 9', 'Gamma']);
  });

  it('filters by all words in any field and shows when nothing matches', async () => {
    fixture.tree.setArrangement({ filter: 'OLD treas' });
    assert.deepEqual(await fixture.labels(), ['Gamma']);
    assert.deepEqual(fixture.tree.counts(), { matched: 1, total: 4 });
    fixture.tree.setArrangement({ filter: 'hot' });
    assert.deepEqual(await fixture.labels(await fixture.path('Team')), ['Safe', 'alpha 9']);
    fixture.tree.setArrangement({ filter: 'no such name' });
    assert.deepEqual(await fixture.labels(), ['No entry matches the filter.']);
  });

  it('refreshes only changed nodes', async () => {
    const team = await fixture.path('Team');
    const nine = await fixture.child(team, 'alpha 9');
    await fixture.child(team, 'Safe');
    fixture.refreshedIds.length = 0;
    const saved = fixture.book.entries().find(({ name }) => name === 'alpha 9');
    await fixture.book.update(saved?.id ?? '', { color: 'red' });
    assert.deepEqual(fixture.refreshedIds, [nine.id]);
    fixture.refreshedIds.length = 0;
    await fixture.book.add([createEntry('Delta', address(4), { folder: 'Team' })], { kind: 'personal' });
    assert.deepEqual(fixture.refreshedIds, [team.id]);
    assert.deepEqual(await fixture.labels(team), ['Safe', 'alpha 9', 'alpha 10', 'Delta']);
    // The nodes that stay are the same, so that what is open below them stays open.
    assert.equal(await fixture.child(team, 'alpha 9'), nine);
  });

  it('moves several entries into a folder and to the top level', async () => {
    const team = await fixture.path('Team');
    const data = new vscode.DataTransfer();
    handleDrag([await fixture.child(team, 'alpha 9'), await fixture.child(undefined, 'Gamma')], data);
    assert.equal(await data.get('text/plain')?.asString(), `${address(9)}\n${address(3)}`);
    const safe = await fixture.child(team, 'Safe');
    await fixture.drop('folder', safe, data);
    assert.deepEqual(await fixture.labels(safe), ['alpha 9', 'Beta', 'Gamma']);
    await fixture.drop('folder', undefined, data);
    assert.deepEqual(await fixture.labels(), ['Team', 'alpha 9', 'Gamma']);
  });

  it('moves a folder with its contents, but not into itself', async () => {
    const safe = await fixture.path('Team', 'Safe');
    const data = new vscode.DataTransfer();
    handleDrag([safe], data);
    await fixture.drop('folder', undefined, data);
    assert.deepEqual(await fixture.labels(), ['Safe', 'Team', 'Gamma']);
    const team = new vscode.DataTransfer();
    handleDrag([await fixture.child(undefined, 'Team')], team);
    await fixture.drop('folder', await fixture.child(undefined, 'Team'), team);
    assert.deepEqual(await fixture.labels(), ['Safe', 'Team', 'Gamma']);
  });

  it('adds the tag that an entry is dropped on', async () => {
    fixture.tree.setArrangement({ grouping: 'tag' });
    const data = new vscode.DataTransfer();
    handleDrag([await fixture.child(await fixture.child(undefined, 'No tag'), 'Gamma')], data);
    await fixture.drop('tag', await fixture.child(undefined, 'cold'), data);
    assert.deepEqual(await fixture.labels(await fixture.child(undefined, 'cold')), ['alpha 9', 'Gamma']);
    // One that has the tag keeps its others.
    const again = new vscode.DataTransfer();
    handleDrag([await fixture.child(await fixture.child(undefined, 'hot'), 'alpha 9')], again);
    await fixture.drop('tag', await fixture.child(undefined, 'cold'), again);
    assert.deepEqual(fixture.book.entries().find(({ name }) => name === 'alpha 9')?.tags, ['hot', 'cold']);
  });

  it('saves each address of a dropped text once in the folder', async () => {
    const data = new vscode.DataTransfer();
    const text = `pay 0x70997970C51812dc3A010C7d01b50e0d17dc79C8, then ${address(9)}, then 0x70997970c51812dc3a010c7d01b50e0d17dc79c8`;
    data.set('text/plain', new vscode.DataTransferItem(text));
    const team = await fixture.path('Team');
    await fixture.drop('folder', team, data);
    const saved = fixture.book.findByAddress('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
    assert.deepEqual(
      saved.map(({ folder, name }) => [folder, name]),
      [['Team', 'Dev account #1']],
    );
    assert.equal(fixture.book.entries().length, 5);
  });

  it('requests nothing about a private key in a dropped text, and does not save it', async () => {
    const key = '8f2a559490cc2a7ab61c32ed3d8060216ee02e4960a83f97bde6ceb39d4b4d5e';
    const secret = '6ee02e4960a83f97bde6ceb39d4b4d5e00112233';
    const contract = address(0xc0de);
    const requests: unknown[] = [];
    const settings = createSettingsSource();
    const worker = {
      chains: () => [{ selector: 'eth' }],
      identifyChain: async () => ({ isLocal: false }),
      lookup: async (...request: unknown[]) => {
        requests.push(request);
        return { codeSize: 1, delegate: null, token: null };
      },
    } as unknown as HandleDropDeps['worker']; // what handleDrop reads
    const drop = async (text: string) => {
      const data = new vscode.DataTransfer();
      data.set('text/plain', new vscode.DataTransferItem(text));
      const { token } = new vscode.CancellationTokenSource();
      const builds = { find: async () => null, findCreationBlock: async () => null };
      const abis = { load: async () => createAbiRegistry(), builds: async () => builds };
      await handleDrop({ book: fixture.book, worker, settings, abis, grouping: 'folder' }, undefined, data, token);
    };
    try {
      await drop(`0x${key}`);
      await drop(`tx: 0x${key}`);
      await drop(`txHash=0x${key} PRIVATE_KEY=${key}`);
      await drop(`PRIVATE_KEY=0x${secret.padStart(64, '0')}, deployed ${contract}`);
    } finally {
      settings.dispose();
    }
    assert.equal(requests.length, 1);
    assert.match(JSON.stringify(requests), new RegExp(contract));
    assert.equal(fixture.book.findByAddress(contract).length, 1);
    assert.doesNotMatch(JSON.stringify([requests, fixture.book.entries()]), new RegExp(`${key}|${secret}`));
  });

  it('ignores data of another drag source', async () => {
    const data = new vscode.DataTransfer();
    data.set(TREE_MIME_TYPE, new vscode.DataTransferItem('not ours'));
    await fixture.drop('folder', undefined, data);
    assert.equal(fixture.book.entries().length, 4);
  });
});

describe('the Addresses view: data of the test chain', () => {
  let chain: TestChain;
  let backend: SidebarBackend;
  let fixture: SidebarFixture;

  before(async function () {
    const found = getTestChain();
    if (found === undefined) this.skip();
    chain = found;
    backend = await createSidebarBackend([
      createEntry('Alice', chain.accounts.alice),
      createEntry('Apes', chain.contracts.apes, { kind: 'collection' }),
      createEntry('Coin', chain.contracts.coin, { kind: 'contract' }),
      createEntry('Elsewhere', chain.accounts.bob, { chains: ['eth'] }),
      createEntry('Paintings', chain.contracts.art, { kind: 'contract' }),
      createEntry('Vault', chain.contracts.vault, { kind: 'contract' }),
      createEntry('Formerly', chain.accounts.bob, { kind: 'contract', chains: ['local'] }),
    ]);
  });
  after(() => backend?.dispose());
  beforeEach(() => {
    fixture = createTreeFixture(backend);
  });
  afterEach(() => fixture.dispose());

  const isWholePage = (children: readonly AddressTreeNode[]) =>
    children.length === PAGE + 1 && children.at(-1)?.kind === 'more';
  /** The rows of a page and the one that loads more; while a chain is being indexed there are fewer, or a note above. */
  const getWholePage = (section: SectionNode) =>
    until(
      async () => {
        const children = await fixture.tree.getChildren(section);
        if (!isWholePage(children)) await fixture.tree.refresh(section);
        return children;
      },
      isWholePage,
      'a whole page',
    );

  it('lists sections without a request', async () => {
    assert.deepEqual(await fixture.labels(await fixture.path('Alice')), [
      'Balance',
      'ERC-20 Tokens',
      'NFTs',
      'NFT Collections',
      'Transactions',
      'ERC-20 Transfers',
      'NFT Transfers',
      'ERC-20 Mints',
    ]);
    const section = asSection(await fixture.child(await fixture.child(undefined, 'Alice'), 'NFTs'));
    assert.equal(section.list.state().loaded, false);
  });

  it('lists the sections that make sense for what a contract is', async () => {
    const expectSections = async (name: string, ...sections: readonly string[]) => {
      const contract = await fixture.path(name);
      // Until the node has responded they are those of any contract.
      await until(
        () => fixture.labels(contract),
        labels => labels.join() === sections.join(),
        `the sections of ${name}`,
      );
    };
    await expectSections('Coin', 'Balance', 'Logs', 'ERC-20 Transfers', 'ERC-20 Mints', 'Transactions');
    await expectSections(
      'Paintings',
      ...['Balance', 'Logs', 'Tokens and Owners', 'NFT Transfers', 'Lowest Price', 'Transactions'],
    );
  });

  it('says that a saved contract has no code', async () => {
    const hint = 'Saved as a contract, no code here: redeployed?';
    const formerly = await fixture.path('Formerly');
    await until(
      () => fixture.labels(formerly),
      ([first]) => first === hint,
      'the note',
    );
    const coin = await fixture.path('Coin');
    await until(
      () => fixture.labels(coin),
      labels => labels.includes('ERC-20 Transfers') && !labels.includes(hint),
      'the sections of a contract with code',
    );
  });

  it('lists what a contract holds only where it holds something', async () => {
    const formerly = await fixture.path('Formerly');
    await until(
      () => fixture.labels(formerly),
      labels => labels.includes('NFTs') && labels.includes('ERC-20 Tokens'),
      'sections of what the address holds',
    );
    const vault = await fixture.path('Vault');
    // Other nodes take their place when the kind of the contract is known later.
    await until(
      async () => {
        await fixture.labels(vault);
        await fixture.tree.refresh(vault);
        const sections = vault.children ?? [];
        return sections.flatMap(node => (node.kind === 'section' && node.isOptional ? node.list.state() : []));
      },
      states => states.length === 3 && states.every(({ loaded, isSyncing }) => loaded && !isSyncing),
      'the lists of the vault',
    );
    assert.deepEqual(await fixture.labels(vault), ['Balance', 'Logs', 'Transactions']);
  });

  it('keeps lists up to date on which it depends whether their section is shown', async () => {
    const vault = await fixture.path('Vault');
    const children = await until(
      async () => {
        await fixture.labels(vault);
        return vault.children ?? [];
      },
      nodes => nodes.some(node => node.kind === 'section' && node.isOptional),
      'optional sections of the vault',
    );
    const section = children.find(node => node.kind === 'section' && node.isOptional);
    assert.ok(section?.kind === 'section');
    const { list } = section;
    // As it was read while the chain was being indexed: without rows, and shown.
    const state = { ...list.state(), loaded: true, rows: [], error: null, isSyncing: true };
    let refreshCount = 0;
    const unfinished = Object.assign(Object.create(list), {
      state: () => state,
      refresh: () => Promise.resolve(void refreshCount++),
    });
    Object.assign(section, { list: unfinished });
    try {
      assert.ok((await fixture.tree.getChildren(vault)).includes(section));
      await fixture.tree.refresh(vault);
      assert.ok(refreshCount > 0);
    } finally {
      Object.assign(section, { list });
    }
  });

  it('says above the rows of a list that it is still being indexed, and what its source can not see', async () => {
    const section = asSection(await fixture.path('Alice', 'Transactions'));
    const state = { ...section.list.state(), isSyncing: true, notes: { [PARTIAL_HEADER]: 'Only what it sent.\u202e' } };
    const list = Object.assign(Object.create(section.list), { state: () => state });
    const children = getSectionChildren({ ...section, list });
    assert.deepEqual(
      children.slice(0, 2).map(child => child.kind === 'note' && child.text),
      ['Indexing is in progress: more may appear.', 'Only what it sent.·'],
    );
  });

  it('shows an exact balance', async () => {
    const balance = await fixture.path('Alice', 'Balance', /ETH$/);
    assert.equal(balance.kind, 'row');
    const raw = await createJsonRpc(chain.url).rpc<string>('eth_getBalance', [chain.accounts.alice, 'latest']);
    const fact = balance.kind === 'row' ? balance.row.facts.find(({ name }) => name === 'Smallest unit') : undefined;
    assert.equal(fact?.value.replaceAll(',', ''), BigInt(raw).toString());
  });

  it('loads more rows and keeps the existing nodes', async () => {
    const section = asSection(await fixture.path('Apes', 'NFT Transfers'));
    const first = await getWholePage(section);
    assert.equal(first.at(-1)?.kind, 'more');
    fixture.refreshedIds.length = 0;
    const added = await fixture.tree.loadMore(section);
    assert.ok(fixture.refreshedIds.includes(section.id));
    const second = await fixture.tree.getChildren(section);
    assert.deepEqual(second.slice(0, 25), first.slice(0, 25));
    assert.equal(added, second[25]);
    assert.notEqual(second.at(-1)?.id, first.at(-1)?.id);
    assert.equal(new Set(second.map(({ id }) => id)).size, second.length);
  });

  it('shows the tokens of a collection and the owner of a token', async () => {
    // The first page of a chain that is still being indexed has other tokens.
    const tokens = asSection(await fixture.path('Apes', 'Tokens and Owners'));
    await until(
      async () => {
        await fixture.tree.refresh(tokens);
        return fixture.labels(tokens);
      },
      labels => labels.includes('#3'),
      'token #3',
    );
    const owners = asSection(await fixture.path('Apes', 'Tokens and Owners', /^#3$/, 'Owners'));
    const holder = chain.holdings.apes['3'];
    // It was sold: the index may not have come to that block.
    await until(
      async () => {
        await fixture.tree.refresh(owners);
        const [owner] = await fixture.tree.getChildren(owners);
        return owner?.kind === 'row' ? owner.row.copyText : undefined;
      },
      owner => owner === holder,
      `the owner ${holder}`,
    );
  });

  it('names the events of a contract with their values', async () => {
    const section = await fixture.path('Coin', 'Logs');
    assert.ok((await fixture.labels(section)).includes('Transfer'));
    const row = await fixture.child(section, 'Transfer');
    const values = row.kind === 'row' ? row.row.facts.find(({ name }) => name === 'Values')?.value : undefined;
    assert.match(values ?? '', /^[\d.,]+ \w+ .+ → .+$/);
  });

  it('shows a fault with a fix when no node is configured', async () => {
    const section = await fixture.path('Elsewhere', 'Balance');
    const [fault] = await fixture.tree.getChildren(section);
    assert.equal(fault?.kind, 'fault');
    const item = fault && fixture.tree.getTreeItem(fault);
    assert.match(String(item?.contextValue), /connectNode/);
    assert.ok((await fixture.labels(fault)).length > 0, 'no fix');
  });

  it('loads a section again that was collapsed while loading', async () => {
    const section = asSection(await fixture.path('Apes', 'NFT Transfers'));
    const waiting = fixture.tree.getChildren(section);
    fixture.tree.handleCollapse(section);
    assert.deepEqual(await waiting, []);
    assert.equal(section.list.state().busy, null);
    fixture.tree.handleExpand(section);
    assert.equal((await getWholePage(section)).length, PAGE + 1);
  });

  it('says how many blocks are newer where the node is of another machine, and reads on a click only', async () => {
    fixture.dispose();
    const chains = () => [{ selector: 'local', reportedTitle: null, isOnLoopback: false, isLocal: false }];
    fixture = createTreeFixture({ ...backend, worker: Object.assign(Object.create(backend.worker), { chains }) });
    const section = asSection(await fixture.path('Alice', 'Balance'));
    // A head that is read after the rows is theirs.
    let hasHead = false;
    fixture.chainMonitor.onDidReadStatus(() => {
      hasHead = section.list.state().readAt !== null;
    });
    await fixture.tree.getChildren(section);
    await until(() => hasHead, Boolean, 'the head of the rows');
    const { readAt } = section.list.state();
    await createJsonRpc(chain.url).rpc('anvil_mine', ['0x3']);
    await fixture.chainMonitor.refresh(['local']);
    const getNote = async () => {
      const [first] = await fixture.tree.getChildren(section);
      return first?.kind === 'note' ? first : undefined;
    };
    const note = await until(getNote, found => found?.refreshes !== undefined, 'the note');
    assert.equal(note?.text, '3 newer blocks: Refresh');
    const item = note && fixture.tree.getTreeItem(note);
    assert.deepEqual([item?.command?.command, item?.command?.arguments], ['hexlens.refreshItem', [section]]);
    assert.equal(section.list.state().readAt, readAt);
    await fixture.tree.refresh(section);
    assert.equal(await getNote(), undefined);
  });

  it('does not read a list again and again that a remote host refuses', async () => {
    fixture.dispose();
    const { worker } = backend;
    const status = {
      selector: 'local',
      chain: null,
      source: 'host',
      head: null,
      headTime: null,
      client: null,
    } as const;
    const getStatus = async () => ({ ...status, problem: null });
    let [isRefusing, requests] = [false, 0];
    const remote = {
      chains: () => [{ selector: 'local', reportedTitle: null, isOnLoopback: false, isLocal: false }],
      pollStatus: getStatus,
      lookup: (...args: Parameters<typeof worker.lookup>) =>
        args[0] === 'chainStatus' ? getStatus() : worker.lookup(...args),
      transport: {
        async send(...args: Parameters<typeof worker.transport.send>) {
          requests++;
          await yieldToEventLoop();
          if (isRefusing) throw new HexLensError('unauthorized', 'no key');
          return worker.transport.send(...args);
        },
      },
    };
    fixture = createTreeFixture({ ...backend, worker: Object.assign(Object.create(worker), remote) });
    const section = asSection(await fixture.path('Alice', 'Balance'));
    await fixture.tree.getChildren(section);
    [isRefusing, requests] = [true, 0];
    await section.list.refresh();
    for (let round = 0; round < 200; round++) await yieldToEventLoop();
    assert.ok(requests <= 3, `${requests} requests`);
  });

  it('refreshes at new blocks only while it is visible', async () => {
    const section = asSection(await fixture.path('Alice', 'Balance'));
    await fixture.tree.getChildren(section);
    const rowOf = async () => (await fixture.tree.getChildren(section))[0];
    const before = await rowOf();
    await fixture.chainMonitor.refresh(['local']);
    fixture.refreshedIds.length = 0;
    await createJsonRpc(chain.url).rpc('anvil_mine', ['0x1']);
    await fixture.chainMonitor.refresh(['local']);
    await until(() => fixture.refreshedIds.includes(section.id), Boolean, 'refreshed for the new block');
    const isIdle = () => section.list.state().busy === null;
    await until(isIdle, Boolean, 'the end of the refresh');
    const after = await rowOf();
    assert.equal(after, before, 'the node is another');
    fixture.tree.setVisible(false);
    fixture.refreshedIds.length = 0;
    await createJsonRpc(chain.url).rpc('anvil_mine', ['0x1']);
    await fixture.chainMonitor.refresh(['local']);
    assert.ok(isIdle());
    assert.deepEqual(fixture.refreshedIds, []);
  });
});

describe('the Addresses view: 5,000 entries', () => {
  let fixture: SidebarFixture;
  const entries = Array.from({ length: 5_000 }, (_, at) =>
    createEntry(`Account ${at}`, address(at + 1_000_000), {
      folder: at % 2 === 0 ? '' : `Folder ${at % 50}`,
      tags: [`t${at % 7}`],
    }),
  );

  before(async () => {
    fixture = await createSidebarFixture(entries);
  });
  after(() => fixture.dispose());

  it('shows the first 200 entries at once, then all of them with unique ids', async () => {
    const first = await fixture.tree.getChildren();
    assert.equal(first.length, 200);
    await until(
      () => fixture.refreshedIds,
      refreshed => refreshed.includes('root'),
      'refreshed for the remaining entries',
    );
    const top = await fixture.tree.getChildren();
    assert.equal(top.length, 2_525);
    assert.deepEqual(top.slice(0, 200), first);
    const ids = new Set(top.map(node => fixture.tree.getTreeItem(node).id));
    assert.equal(ids.size, top.length);
  });

  it('refreshes one node for one changed entry', async () => {
    await fixture.tree.getChildren();
    fixture.refreshedIds.length = 0;
    const saved = fixture.book.entries().find(({ name }) => name === 'Account 4444');
    await fixture.book.update(saved?.id ?? '', { notes: 'changed' });
    assert.deepEqual(fixture.refreshedIds, [`root/${saved?.id}`]);
  });
});
