// The table of what lines of Solidity cost.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TransactionGas } from '../../../src/api/transactionGas.ts';
import { GasView, type GasViewDeps } from '../../../src/extension/source/gasView.ts';
import { createMemento } from './addressBookFixture.ts';
import { until } from './siweActions.ts';

const [FIRST, SECOND] = [`0x${'a1'.repeat(32)}`, `0x${'b2'.repeat(32)}`] as const;
const share = { gas: 100, helpers: 0, coldAccess: 0, memory: 0 };

const GAS: TransactionGas = {
  ...{ kind: 'gas', gasUsed: 21_100, codeDeposit: 0, unmapped: [], unknown: [], tree: null, functions: [] },
  fixed: { transaction: 21_000, data: 0, accessList: 0, authorizations: 0, refund: 0, floor: 0 },
  sources: [{ source: 'src/Gone.sol', file: null, isChanged: false, lines: [{ ...share, line: 3 }], unreached: [] }],
};

describe('the table of gas', () => {
  const { showQuickPick, showInputBox } = vscode.window;
  let hash: string = FIRST;
  let view: GasView;

  before(() => {
    view = new GasView({
      worker: {
        chains: () => [{ selector: 'local', isOnLoopback: true }],
        identifyChain: async () => ({ isLocal: true }),
        lookup: async () => ({ head: 5 }),
      },
      abis: { sources: async () => ({ fetchGas: async () => GAS, toUri: () => null }) },
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
});
