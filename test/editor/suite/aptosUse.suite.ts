// Aptos networks are shown only to users who work with Aptos.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createSettingsSource } from '../../../src/extension/settings/settingsSource.ts';
import { createAptosUse } from '../../../src/extension/worker/aptosUse.ts';
import { getTestChain } from './extensionHost.ts';
import { until } from './siweActions.ts';

describe('use of Aptos', () => {
  let file: vscode.Uri;
  const settings = createSettingsSource();

  before(function () {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (folder === undefined || getTestChain() === undefined) this.skip();
    file = vscode.Uri.joinPath(folder.uri, 'aptos-use', 'package.json');
  });
  afterEach(() =>
    vscode.workspace.fs.delete(vscode.Uri.joinPath(file, '..'), { recursive: true }).then(undefined, () => {}),
  );
  after(() => settings.dispose());

  /** Whether the use is found, once the workspace has been searched. */
  async function isFound(dependencies: Readonly<Record<string, string>>): Promise<boolean> {
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify({ dependencies }, null, 2)));
    const use = createAptosUse(settings);
    try {
      use.isUsed();
      await use.detected();
      return use.isUsed();
    } finally {
      use.dispose();
    }
  }

  it('is found by the SDK in a package.json, not by libraries of other chains', async () => {
    const [moveFile] = await vscode.workspace.findFiles('**/Move.toml', null, 1);
    assert.equal(await isFound({ viem: '2.0.0' }), moveFile !== undefined);
    assert.equal(await isFound({ '@aptos-labs/ts-sdk': '1.0.0' }), true);
  });

  it('begins with the first request for Aptos data, but not with that of the status bar', async () => {
    const use = createAptosUse(settings);
    let changes = 0;
    use.onDidChange(() => changes++);
    use.noteRequest('aptosStatus');
    use.noteRequest('walletNfts');
    assert.equal(changes, 0);
    use.noteRequest('aptosAccountSummary');
    use.noteRequest('aptosWalletNfts');
    await until(
      () => changes,
      count => count === 1,
      'one change',
    );
    assert.equal(use.isUsed(), true);
    use.dispose();
  });
});
