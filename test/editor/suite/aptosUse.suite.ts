// Aptos networks are shown only to users who work with Aptos.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SavedEntry } from '../../../src/addressBook/entry.ts';
import { parseEntry } from '../../../src/addressBook/validateEntry.ts';
import { createSettingsSource } from '../../../src/extension/settings/settingsSource.ts';
import { createAptosUse } from '../../../src/extension/worker/aptosUse.ts';
import { getTestChain } from './extensionHost.ts';

const storage = { kind: 'personal' } as const;

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
    const use = createAptosUse(settings, { entries: () => [], onDidChange: () => ({ dispose: () => {} }) });
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

  it('begins with the first saved address of Aptos, and ends with the last', async () => {
    const changed = new vscode.EventEmitter<void>();
    let kind: SavedEntry['kind'] = 'wallet';
    const use = createAptosUse(settings, {
      entries: () => [{ ...parseEntry({ address: '0x1', name: 'Framework' }), kind, id: '1', storage }],
      onDidChange: changed.event,
    });
    let changes = 0;
    use.onDidChange(() => changes++);
    changed.fire();
    assert.equal(changes, 0);
    kind = 'aptos';
    changed.fire();
    assert.deepEqual([changes, use.isUsed()], [1, true]);
    kind = 'wallet';
    changed.fire();
    assert.equal(changes, 2);
    use.dispose();
    changed.dispose();
  });
});
