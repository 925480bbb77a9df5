// The Addresses view in the real host: groups, filter, drag and drop, and lists of a real chain page by page.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AddressTreeNode, SectionNode } from '../../../src/extension/sidebar/addressTreeNodes.ts';
import { handleDrag, TREE_MIME_TYPE } from '../../../src/extension/sidebar/dragAndDrop.ts';
import { createJsonRpc } from '../../support/chain/jsonRpc.ts';
import type { TestChain } from '../../support/chain/testChain.ts';
import { testChain } from './extensionHost.ts';
import { createSidebarFixture, entry, type SidebarFixture } from './sidebarFixture.ts';
import { until } from './siweActions.ts';

const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;

const asSection = (node: AddressTreeNode): SectionNode => {
  assert.equal(node.kind, 'section');
  return node as SectionNode; // said in the line above
};

describe('the Addresses view: groups', () => {
  let rig: SidebarFixture;

  beforeEach(async () => {
    rig = await createSidebarFixture([
      entry('Beta', address(2), { folder: 'Team/Safe', tags: ['hot'] }),
      entry('alpha 10', address(10), { folder: 'Team', chains: ['eth', 'local'] }),
      entry('alpha 9', address(9), { folder: 'Team', tags: ['hot', 'cold'], kind: 'contract' }),
      entry('Gamma', address(3), { notes: 'the old treasury' }),
    ]);
  });
  afterEach(() => rig.dispose());

  it('shows folders first, then entries, numbers in their order', async () => {
    assert.deepEqual(await rig.labels(), ['Team', 'Gamma']);
    const team = await rig.path('Team');
    assert.deepEqual(await rig.labels(team), ['Safe', 'alpha 9', 'alpha 10']);
    assert.equal(rig.tree.getTreeItem(team).description, '3');
  });

  it('groups by tag and chain; an entry with two tags stands under both, with ids of their own', async () => {
    rig.tree.setArrangement({ grouping: 'tag' });
    assert.deepEqual(await rig.labels(), ['cold', 'hot', 'No tag']);
    const [cold, hot] = [await rig.child(undefined, 'cold'), await rig.child(undefined, 'hot')];
    const ids = [await rig.child(cold, 'alpha 9'), await rig.child(hot, 'alpha 9')].map(({ id }) => id);
    assert.notEqual(ids[0], ids[1]);
    rig.tree.setArrangement({ grouping: 'chain' });
    assert.deepEqual(await rig.labels(), ['eth', 'local', 'Every chain']);
    rig.tree.setArrangement({ grouping: 'none', sorting: 'saved' });
    assert.deepEqual(await rig.labels(), ['Beta', 'alpha 10', 'alpha 9', 'Gamma']);
  });

  it('filters by every word, wherever it stands, and says when nothing matches', async () => {
    rig.tree.setArrangement({ filter: 'OLD treas' });
    assert.deepEqual(await rig.labels(), ['Gamma']);
    assert.deepEqual(rig.tree.counts(), { matched: 1, total: 4 });
    rig.tree.setArrangement({ filter: 'hot' });
    assert.deepEqual(await rig.labels(await rig.path('Team')), ['Safe', 'alpha 9']);
    rig.tree.setArrangement({ filter: 'nobody' });
    assert.deepEqual(await rig.labels(), ['No entry matches the filter.']);
  });

  it('tells VS Code only of what changed', async () => {
    const team = await rig.path('Team');
    const nine = await rig.child(team, 'alpha 9');
    await rig.child(team, 'Safe');
    rig.told.length = 0;
    const saved = rig.book.entries().find(({ name }) => name === 'alpha 9');
    await rig.book.update(saved?.id ?? '', { color: 'red' });
    assert.deepEqual(rig.told, [nine.id]);
    rig.told.length = 0;
    await rig.book.add([entry('Delta', address(4), { folder: 'Team' })], { kind: 'personal' });
    assert.deepEqual(rig.told, [team.id]);
    assert.deepEqual(await rig.labels(team), ['Safe', 'alpha 9', 'alpha 10', 'Delta']);
    // The nodes that stay are the same, so that what is open below them stays open.
    assert.equal(await rig.child(team, 'alpha 9'), nine);
  });

  it('moves several entries into a folder, and out to the top', async () => {
    const team = await rig.path('Team');
    const data = new vscode.DataTransfer();
    handleDrag([await rig.child(team, 'alpha 9'), await rig.child(undefined, 'Gamma')], data);
    assert.equal(await data.get('text/plain')?.asString(), `${address(9)}\n${address(3)}`);
    const safe = await rig.child(team, 'Safe');
    await rig.drop('folder', safe, data);
    assert.deepEqual(await rig.labels(safe), ['alpha 9', 'Beta', 'Gamma']);
    await rig.drop('folder', undefined, data);
    assert.deepEqual(await rig.labels(), ['Team', 'alpha 9', 'Gamma']);
  });

  it('moves a folder with all that is in it, never into itself', async () => {
    const safe = await rig.path('Team', 'Safe');
    const data = new vscode.DataTransfer();
    handleDrag([safe], data);
    await rig.drop('folder', undefined, data);
    assert.deepEqual(await rig.labels(), ['Safe', 'Team', 'Gamma']);
    const team = new vscode.DataTransfer();
    handleDrag([await rig.child(undefined, 'Team')], team);
    await rig.drop('folder', await rig.child(undefined, 'Team'), team);
    assert.deepEqual(await rig.labels(), ['Safe', 'Team', 'Gamma']);
  });

  it('gives the tag on which an entry is dropped', async () => {
    rig.tree.setArrangement({ grouping: 'tag' });
    const data = new vscode.DataTransfer();
    handleDrag([await rig.child(await rig.child(undefined, 'No tag'), 'Gamma')], data);
    await rig.drop('tag', await rig.child(undefined, 'cold'), data);
    assert.deepEqual(await rig.labels(await rig.child(undefined, 'cold')), ['alpha 9', 'Gamma']);
  });

  it('saves the addresses of a dropped text, each once, into the folder', async () => {
    const data = new vscode.DataTransfer();
    const text = `pay 0x70997970C51812dc3A010C7d01b50e0d17dc79C8, then ${address(9)}, then 0x70997970c51812dc3a010c7d01b50e0d17dc79c8`;
    data.set('text/plain', new vscode.DataTransferItem(text));
    const team = await rig.path('Team');
    await rig.drop('folder', team, data);
    const saved = rig.book.findByAddress('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
    assert.deepEqual(
      saved.map(({ folder, name }) => [folder, name]),
      [['Team', 'Anvil/Hardhat account #1']],
    );
    assert.equal(rig.book.entries().length, 5);
  });

  it('takes nothing of a foreign drag for its own', async () => {
    const data = new vscode.DataTransfer();
    data.set(TREE_MIME_TYPE, new vscode.DataTransferItem('not ours'));
    await rig.drop('folder', undefined, data);
    assert.equal(rig.book.entries().length, 4);
  });
});

describe('the Addresses view: data of the test chain', () => {
  let chain: TestChain;
  let rig: SidebarFixture;

  beforeEach(async function () {
    const found = testChain();
    if (found === undefined) this.skip();
    chain = found;
    rig = await createSidebarFixture([
      entry('Alice', chain.accounts.alice),
      entry('Apes', chain.contracts.apes, { kind: 'collection' }),
      entry('Coin', chain.contracts.coin, { kind: 'contract' }),
      entry('Elsewhere', chain.accounts.bob, { chains: ['eth'] }),
    ]);
  });
  afterEach(() => rig?.dispose());

  it('lists sections without asking anything', async () => {
    assert.deepEqual(await rig.labels(await rig.path('Alice')), [
      'Balance',
      'NFTs',
      'NFT Collections',
      'NFT Transfers',
      'ERC-20 Mints',
    ]);
    const section = asSection(await rig.child(await rig.child(undefined, 'Alice'), 'NFTs'));
    assert.equal(section.list.state().loaded, false);
  });

  it('shows a balance exactly', async () => {
    const balance = await rig.path('Alice', 'Balance', /ETH$/);
    assert.equal(balance.kind, 'row');
    const raw = await createJsonRpc(chain.url).rpc<string>('eth_getBalance', [chain.accounts.alice, 'latest']);
    const fact = balance.kind === 'row' ? balance.row.facts.find(({ name }) => name === 'Smallest unit') : undefined;
    assert.equal(fact?.value.replaceAll(',', ''), BigInt(raw).toString());
  });

  it('loads more where there is more, and keeps what is there', async () => {
    const section = asSection(await rig.path('Apes', 'NFT Transfers'));
    const first = await rig.tree.getChildren(section);
    assert.equal(first.length, 26);
    assert.equal(first.at(-1)?.kind, 'more');
    rig.told.length = 0;
    const added = await rig.tree.loadMore(section);
    assert.ok(rig.told.includes(section.id));
    const second = await rig.tree.getChildren(section);
    assert.deepEqual(second.slice(0, 25), first.slice(0, 25));
    assert.equal(added, second[25]);
    assert.notEqual(second.at(-1)?.id, first.at(-1)?.id);
    assert.equal(new Set(second.map(({ id }) => id)).size, second.length);
  });

  it('goes from a collection to its tokens, and from a token to its owner', async () => {
    const owners = await rig.path('Apes', 'Tokens and Owners', /^#3$/, 'Owners');
    const holder = chain.holdings.apes['3'];
    const [owner] = await rig.tree.getChildren(owners);
    assert.equal(owner?.kind === 'row' ? owner.row.copyText : undefined, holder);
  });

  it('names the events of a contract', async () => {
    assert.ok((await rig.labels(await rig.path('Coin', 'Logs'))).includes('Transfer'));
  });

  it('says where no node is configured, and what to do', async () => {
    const section = await rig.path('Elsewhere', 'Balance');
    const [fault] = await rig.tree.getChildren(section);
    assert.equal(fault?.kind, 'fault');
    const item = fault && rig.tree.getTreeItem(fault);
    assert.match(String(item?.contextValue), /connectNode/);
    assert.ok((await rig.labels(fault)).length > 0, 'no fix');
  });

  it('a section that is closed while it waits is asked again when it is opened again', async () => {
    const section = asSection(await rig.path('Apes', 'NFT Transfers'));
    const waiting = rig.tree.getChildren(section);
    rig.tree.handleCollapse(section);
    assert.deepEqual(await waiting, []);
    assert.equal(section.list.state().busy, null);
    rig.tree.handleExpand(section);
    assert.equal((await rig.tree.getChildren(section)).length, 26);
  });

  it('follows the chain while it is looked at, and rests while it is not', async () => {
    const section = asSection(await rig.path('Alice', 'Balance'));
    await rig.tree.getChildren(section);
    const rowOf = async () => (await rig.tree.getChildren(section))[0];
    const before = await rowOf();
    await rig.watch.refresh(['local']);
    rig.told.length = 0;
    await createJsonRpc(chain.url).rpc('anvil_mine', ['0x1']);
    await rig.watch.refresh(['local']);
    await until(() => rig.told.includes(section.id), Boolean, 'told of the new block');
    const after = await rowOf();
    assert.equal(after, before, 'the node is another');
    rig.tree.setVisible(false);
    rig.told.length = 0;
    await createJsonRpc(chain.url).rpc('anvil_mine', ['0x1']);
    await rig.watch.refresh(['local']);
    assert.equal(section.list.state().busy, null);
    assert.deepEqual(rig.told, []);
  });
});

describe('the Addresses view: 5,000 entries', () => {
  let rig: SidebarFixture;
  const entries = Array.from({ length: 5_000 }, (_, at) =>
    entry(`Account ${at}`, address(at + 1_000_000), {
      folder: at % 2 === 0 ? '' : `Folder ${at % 50}`,
      tags: [`t${at % 7}`],
    }),
  );

  before(async () => {
    rig = await createSidebarFixture(entries);
  });
  after(() => rig.dispose());

  it('are there, each with an id of its own; at the first look a windowful, and the rest right behind it', async () => {
    const first = await rig.tree.getChildren();
    assert.equal(first.length, 200);
    await until(
      () => rig.told,
      told => told.includes('root'),
      'told of the rest',
    );
    const top = await rig.tree.getChildren();
    assert.equal(top.length, 2_525);
    assert.deepEqual(top.slice(0, 200), first);
    const ids = new Set(top.map(node => rig.tree.getTreeItem(node).id));
    assert.equal(ids.size, top.length);
  });

  it('one that changes costs one node', async () => {
    await rig.tree.getChildren();
    rig.told.length = 0;
    const saved = rig.book.entries().find(({ name }) => name === 'Account 4444');
    await rig.book.update(saved?.id ?? '', { notes: 'changed' });
    assert.deepEqual(rig.told, [`root/${saved?.id}`]);
  });
});
