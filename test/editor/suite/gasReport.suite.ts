// The table of what lines of Solidity cost.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TransactionGas } from '../../../src/api/transactionGas.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import { GasView, type GasViewDeps } from '../../../src/extension/source/gasView.ts';
import { createMemento } from './addressBookFixture.ts';
import { until } from './siweActions.ts';

const [FIRST, SECOND] = [`0x${'a1'.repeat(32)}`, `0x${'b2'.repeat(32)}`] as const;
const share = { gas: 100, helpers: 0, coldAccess: 0, memory: 0 };

const deposit = {
  ...{ contract: 'Vault', functionName: 'deposit', parameterTypes: [] },
  ...{ source: 'src/Gone.sol', file: null, line: 2 },
};

const GAS: TransactionGas = {
  ...{ kind: 'gas', gasUsed: 21_100, codeDeposit: 0, unmapped: [], unknown: [], tree: null },
  functions: [{ ...share, ...deposit, calls: 1, total: 100 }],
  fixed: { transaction: 21_000, data: 0, accessList: 0, authorizations: 0, refund: 0, floor: 0 },
  sources: [{ source: 'src/Gone.sol', file: null, isChanged: false, lines: [{ ...share, line: 3 }], unreached: [] }],
};

describe('the table of gas', () => {
  const { showQuickPick, showInputBox } = vscode.window;
  let hash: string = FIRST;
  let view: GasView;
  let transactions: readonly object[] = [];
  let fetchGas = async (_: AbortSignal): Promise<TransactionGas> => GAS;

  before(() => {
    view = new GasView({
      worker: {
        chains: () => [{ selector: 'local', isOnLoopback: true }],
        identifyChain: async () => ({ isLocal: true }),
        lookup: async () => ({ head: 4 }),
        transport: { send: async () => ({ status: 200, headers: {}, body: { transactions } }) },
      },
      abis: {
        sources: async () => ({
          fetchGas: (_: object, __: object, signal: AbortSignal) => fetchGas(signal),
          toUri: () => null,
        }),
      },
      workspaceState: createMemento(),
    } as unknown as GasViewDeps);
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly unknown[]) => items.at(-1),
      showInputBox: async () => hash,
    });
  });
  after(() => {
    Object.assign(vscode.window, { showQuickPick, showInputBox });
    view.dispose();
  });

  it('shows the newest run, also where it is open already', async () => {
    await view.show();
    const report = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: 'hexlens-gas', path: '/Gas.md' }));
    assert.ok(report.getText().includes(FIRST));
    hash = SECOND;
    await view.show();
    await until(
      () => report.getText(),
      text => text.includes(SECOND),
      'the second run',
    );
  });

  it('compares a run with the one before, also where that was hidden', async () => {
    view.hide();
    hash = FIRST;
    await view.show();
    const report = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: 'hexlens-gas', path: '/Gas.md' }));
    await until(
      () => report.getText(),
      text => text.includes('| `Vault.deposit` | 100 | 100 | 1 | 100 | 100 | `src/Gone.sol:3` |'),
      'what the function cost before',
    );
  });

  it('opens the table under another URI each time, since the preview keeps the text of a closed one', async () => {
    const { executeCommand } = vscode.commands;
    const opened: vscode.Uri[] = [];
    const record = async (command: string, uri: vscode.Uri) => {
      if (command === 'markdown.showPreview') opened.push(uri);
    };
    Object.assign(vscode.commands, { executeCommand: record });
    const { showQuickPick: pickLast } = vscode.window;
    Object.assign(vscode.window, { showQuickPick: async (items: readonly unknown[]) => items[0] });
    try {
      await view.showMenu();
      await view.showMenu();
    } finally {
      Object.assign(vscode.commands, { executeCommand });
      Object.assign(vscode.window, { showQuickPick: pickLast });
    }
    assert.equal(new Set(opened.map(String)).size, 2);
    for (const uri of opened) assert.ok((await vscode.workspace.openTextDocument(uri)).getText().includes(FIRST));
  });

  it('reads the blocks after one that the user names', async () => {
    transactions = [{ hash: FIRST }];
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly vscode.QuickPickItem[]) =>
        items.find(({ label }) => label === 'Since a block…'),
      showInputBox: async () => '2',
    });
    await view.show();
    const report = await vscode.workspace.openTextDocument(
      vscode.Uri.from({ scheme: 'hexlens-gas', path: '/Gas.md', query: '2' }),
    );
    await until(
      () => report.getText(),
      // Blocks 3 and 4.
      text => text.includes('# Gas since block 2') && text.includes('in 2 transactions'),
      'the gas of two blocks',
    );
  });

  it('shows what was read of 500 transactions when it is cancelled', async () => {
    const { withProgress } = vscode.window;
    const cancellation = new vscode.CancellationTokenSource();
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly vscode.QuickPickItem[]) =>
        items.find(({ label }) => label === 'The last 100 blocks'),
      withProgress: (_: unknown, task: (progress: object, token: vscode.CancellationToken) => unknown) =>
        task({ report: () => {} }, cancellation.token),
    });
    transactions = Array.from({ length: 100 }, (_, index) => ({ hash: `0x${index.toString(16).padStart(64, '0')}` }));
    let read = 0;
    fetchGas = async signal => {
      if (++read === 121) cancellation.cancel();
      if (signal.aborted) throw new HexLensError('cancelled', 'Cancelled.');
      return GAS;
    };
    await view.show();
    Object.assign(vscode.window, { withProgress });
    const report = await vscode.workspace.openTextDocument(
      vscode.Uri.from({ scheme: 'hexlens-gas', path: '/Gas.md', query: '2' }),
    );
    await until(
      () => report.getText(),
      text => /Cancelled\\: 120 of 500 transactions were read/.test(text) && text.includes('in 120 transactions'),
      'what was read',
    );
  });
});
