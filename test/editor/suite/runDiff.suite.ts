// The page of What Changed Since.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { localizable } from '../../../src/base/localize.ts';
import { type RunDiffDeps, RunDiffView } from '../../../src/extension/source/runDiffView.ts';
import { createMemento } from './addressBookFixture.ts';

const HASH = `0x${'ab'.repeat(32)}`;

describe('the page of what changed', () => {
  const { executeCommand } = vscode.commands;
  const shown: vscode.Uri[] = [];
  /** What the chain says of the transaction of block 5. */
  let reason = '';
  let selectors = ['local'];
  let head = 5;
  let hash = HASH;

  const view = new RunDiffView({
    worker: {
      chains: () => selectors.map(selector => ({ selector, isOnLoopback: true })),
      // The second one is a fork.
      identifyChain: async (selector: string) => (selector === 'local' ? { isLocal: true } : { forkBlock: 2 }),
      lookup: async (id: string) =>
        id === 'chainStatus' ? { head } : { kind: 'noTrace', reason: localizable(reason) },
      transport: {
        send: async () => ({ status: 200, headers: {}, body: { number: '5', hash, transactions: [{ hash: HASH }] } }),
      },
    },
    abis: { load: async () => ({}), sources: async () => ({}) },
    book: { getName: () => null, ready: async () => {}, trustedEntries: () => [] },
    workspaceState: createMemento(),
  } as unknown as RunDiffDeps);

  before(() => {
    const record = async (command: string, uri: vscode.Uri) => {
      if (command === 'markdown.showPreview') shown.push(uri);
    };
    Object.assign(vscode.commands, { executeCommand: record });
  });
  after(() => {
    Object.assign(vscode.commands, { executeCommand });
    view.dispose();
  });

  const show = async (text: string): Promise<vscode.TextDocument> => {
    reason = text;
    await view.show(4);
    const uri = shown.at(-1);
    assert.ok(uri !== undefined);
    return vscode.workspace.openTextDocument(uri);
  };

  it('shows what is there now where a chain that was reset has the same blocks again', async () => {
    assert.match((await show('before the reset')).getText(), /before the reset/);
    assert.match((await show('after the reset')).getText(), /after the reset/);
    // The preview shows the text of a closed document again where another one has the same URI.
    assert.deepEqual(
      shown.map(({ query }) => query),
      ['local 4-5 1', 'local 4-5 2'],
    );
  });

  it('shows what changed since a snapshot, while the chain has its block', async () => {
    const { showQuickPick, showInputBox } = vscode.window;
    const listed: string[][] = [];
    let wanted = 'Take a Snapshot…';
    Object.assign(vscode.window, {
      showInputBox: async () => 'before tests',
      showQuickPick: async (items: readonly vscode.QuickPickItem[]) => {
        listed.push(items.map(({ label }) => label).filter(label => label.includes('before tests')));
        return items.find(({ label }) => label.includes(wanted));
      },
    });
    try {
      head = 4;
      await view.show(undefined);
      head = 5;
      wanted = 'Since the snapshot before tests';
      await view.show(undefined);
      assert.match(shown.at(-1)?.query ?? '', /^local 4-5 /);
      hash = `0x${'cd'.repeat(32)}`;
      await view.show(undefined);
      assert.deepEqual(listed, [[], ['Since the snapshot before tests'], []]);
    } finally {
      Object.assign(vscode.window, { showQuickPick, showInputBox });
    }
  });

  it('keeps the page of another chain', async () => {
    selectors = ['local'];
    await show('of the first chain');
    const [first] = shown.slice(-1);
    selectors = ['0x539'];
    assert.match((await show('of the second chain')).getText(), /of the second chain/);
    assert.match((await vscode.workspace.openTextDocument(first as vscode.Uri)).getText(), /of the first chain/);
  });

  it('asks which of several chains, forks among them, unless it is called with one', async () => {
    selectors = ['local', '0x539'];
    const { showQuickPick } = vscode.window;
    const asked: string[][] = [];
    const pickLast = async (items: readonly vscode.QuickPickItem[]) => {
      asked.push(items.map(({ label }) => label));
      return items.at(-1);
    };
    Object.assign(vscode.window, { showQuickPick: pickLast });
    try {
      await view.show(4);
      await view.show({ chain: 'local', block: 4 });
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
    assert.deepEqual(asked, [['local', '0x539']]);
    assert.deepEqual(
      shown.slice(-2).map(({ query }) => query.replace(/\d+$/, '')),
      ['0x539 4-5 ', 'local 4-5 '],
    );
  });
});
