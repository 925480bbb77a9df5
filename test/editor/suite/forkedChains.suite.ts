// Where commands look for a hash: also on forks, unless it may be a key.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type DebugDeps, DebugTransactions } from '../../../src/extension/debug/debugTransactions.ts';
import { FailureView, type ShowFailureDeps } from '../../../src/extension/source/showFailure.ts';
import { createMemento } from './addressBookFixture.ts';

const HASH = '0x5f1c3a9be07d24468ac1f07b3e9d5528c0a7714be6d2938f4b6051ce7d9a3f82';

describe('the search for a transaction', () => {
  /** Chains whose node was queried for the hash. */
  const queried: string[] = [];
  const errors: string[] = [];

  const deps = {
    worker: {
      chains: () => [
        { selector: 'eth', isOnLoopback: false },
        { selector: 'local', isOnLoopback: true },
        { selector: '0x539', isOnLoopback: true },
      ],
      identifyChain: async (selector: string) => (selector === 'local' ? { isLocal: true } : { forkBlock: 2 }),
      lookup: async (_: string, { chain }: { readonly chain: string }) => {
        queried.push(chain);
        return chain === '0x539' ? { kind: 'transaction', status: 'success' } : { kind: 'unknown' };
      },
    },
    abis: { sources: async () => ({}) },
    book: {},
    workspaceState: createMemento(),
  };
  const debugging = new DebugTransactions(deps as unknown as DebugDeps);
  const { showErrorMessage, showInformationMessage } = vscode.window;

  before(() => {
    const keep = async (message: string) => void errors.push(message);
    Object.assign(vscode.window, { showErrorMessage: keep, showInformationMessage: keep });
  });
  after(() => {
    Object.assign(vscode.window, { showErrorMessage, showInformationMessage });
  });
  beforeEach(() => {
    queried.length = 0;
    errors.length = 0;
  });

  const putCursorIn = async (content: string): Promise<void> => {
    const document = await vscode.workspace.openTextDocument({ content, language: 'plaintext' });
    const at = document.positionAt(content.indexOf(HASH) + 5);
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  };

  it('finds the chain of a transaction to debug on a fork', async () => {
    const found = await debugging.resolveConfiguration(
      { type: 'hexlens', request: 'launch', name: '', transaction: HASH },
      undefined,
    );
    assert.deepEqual([found?.['chain'], queried], ['0x539', ['local', '0x539']]);
  });

  it('does not query a fork for a hash at the cursor that may be a key', async () => {
    await putCursorIn(`seed: ${HASH}`);
    const configuration = { type: 'hexlens', request: 'launch', name: '' };
    assert.equal(await debugging.resolveConfiguration(configuration, undefined), undefined);
    assert.deepEqual([queried, errors.length], [['local'], 1]);
  });

  it('shows failures of forks', async () => {
    const view = new FailureView(deps as unknown as ShowFailureDeps);
    await putCursorIn(`https://etherscan.io/tx/${HASH}`);
    await view.show();
    view.dispose();
    assert.deepEqual([queried, errors], [['local', '0x539'], ['This transaction did not fail.']]);
  });
});
