// Information at addresses that have nothing on the chain that their file names.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestChain } from '../../support/chain/testChain.ts';
import { getExtension, getTestChain, openWorkspaceFile } from './extensionHost.ts';
import { until } from './siweActions.ts';

/** Nothing was ever there. */
const NOTHING = '0x00000000000000000000000000000000c0ffee01';

describe('addresses without code', () => {
  let chain: TestChain;
  let file: vscode.Uri;
  const setting = () => vscode.workspace.getConfiguration('hexlens.missingCode');

  before(async function () {
    const found = getTestChain();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (found === undefined || folder === undefined) this.skip();
    chain = found;
    file = vscode.Uri.joinPath(folder.uri, 'deployed.json');
    await getExtension().activate();
  });
  after(async () => {
    await setting().update('enabled', undefined, vscode.ConfigurationTarget.Workspace);
    await vscode.workspace.fs.delete(file);
  });

  it('are marked where the file names the chain, once the setting is on', async () => {
    const { coin } = chain.contracts;
    const text = { localhost: { coin, old: NOTHING }, unnamed: { old: NOTHING }, polygon: { old: NOTHING } };
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(text, null, 1)));
    const document = await openWorkspaceFile('deployed.json');
    await vscode.window.showTextDocument(document);
    const ours = () => vscode.languages.getDiagnostics(file).filter(({ code }) => code === 'missing-code');
    assert.deepEqual(ours(), []);
    await setting().update('enabled', true, vscode.ConfigurationTarget.Workspace);
    const [problem, ...more] = await until(ours, ({ length }) => length > 0, 'marks an address');
    assert.deepEqual(more, []);
    assert.equal(problem?.severity, vscode.DiagnosticSeverity.Information);
    assert.match(problem?.message ?? '', /no code, balance or transaction on Local dev chain/);
    assert.equal(problem?.range.start.line, 3);
  });
});
