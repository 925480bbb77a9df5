// The page of What Changed Since.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { localizable } from '../../../src/base/localize.ts';
import { type RunDiffDeps, RunDiffView } from '../../../src/extension/source/runDiffView.ts';
import { createMemento } from './addressBookFixture.ts';
import { until } from './siweActions.ts';

const HASH = `0x${'ab'.repeat(32)}`;

describe('the page of what changed', () => {
  const { executeCommand } = vscode.commands;
  const shown: vscode.Uri[] = [];
  /** What the chain says of the transaction of block 5. */
  let reason = '';
  let selectors = ['local'];

  const view = new RunDiffView({
    worker: {
      chains: () => selectors.map(selector => ({ selector, isOnLoopback: true })),
      // The second one is a fork.
      identifyChain: async (selector: string) => (selector === 'local' ? { isLocal: true } : { forkBlock: 2 }),
      lookup: async (id: string) =>
        id === 'chainStatus' ? { head: 5 } : { kind: 'noTrace', reason: localizable(reason) },
      transport: {
        send: async () => ({ status: 200, headers: {}, body: { number: '5', transactions: [{ hash: HASH }] } }),
      },
    },
    abis: { load: async () => ({}), sources: async () => ({}) },
    book: { getName: () => null, ready: async () => {}, trustedEntries: () => [] },
    workspaceState: createMemento(),
  } as unknown as RunDiffDeps);

  before(() => {
    Object.assign(vscode.commands, { executeCommand: async (_: string, uri: vscode.Uri) => void shown.push(uri) });
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
    const page = await show('before the reset');
    assert.match(page.getText(), /before the reset/);
    await show('after the reset');
    await until(
      () => page.getText(),
      text => text.includes('after the reset'),
      'the page of the second run',
    );
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
      shown.slice(-2).map(({ query }) => query),
      ['0x539 4-5', 'local 4-5'],
    );
  });
});
