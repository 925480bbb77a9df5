// What the backend of the editor calls another connection, and what not: everybody who hears of one asks the chains again.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLog } from '../../../src/base/log.ts';
import { openAddressBook } from '../../../src/extension/addressBook/openAddressBook.ts';
import { createApiKeys } from '../../../src/extension/apiKeys/apiKeys.ts';
import { createSettingsSource } from '../../../src/extension/settings/settingsSource.ts';
import { createWorkerClient } from '../../../src/extension/worker/workerClient.ts';
import { hexlens, testChain } from './extensionHost.ts';
import { entry, memento, noSecrets } from './sidebarFixture.ts';

const fired = (event: vscode.Event<void>) =>
  new Promise<void>(resolve => {
    const listening = event(() => {
      listening.dispose();
      resolve();
    });
  });

async function rig() {
  const settings = createSettingsSource();
  const log = silentLog;
  const book = openAddressBook({ globalState: memento(), log });
  await book.ready();
  const { extensionPath } = hexlens();
  const keys = createApiKeys(noSecrets);
  const backend = createWorkerClient({ extensionPath, dataFolder: '', settings, keys, book, log });
  const dispose = () => {
    for (const part of [backend, book, settings]) part.dispose();
  };
  return { backend, book, dispose };
}

describe('what is configured anew', () => {
  const chain = testChain();
  before(async function () {
    if (chain === undefined) this.skip();
    await hexlens().activate();
  });

  it('a name in the book is posted, and no reason to ask the chains again', async () => {
    const { backend, book, dispose } = await rig();
    try {
      let reconnected = 0;
      await fired(backend.onDidApplyConfiguration);
      backend.onDidChangeConnections(() => reconnected++);
      const configured = fired(backend.onDidApplyConfiguration);
      await book.add([entry('Alice', chain?.accounts.alice ?? '')], { kind: 'personal' });
      await configured;
      assert.equal(reconnected, 0);
    } finally {
      dispose();
    }
  });

  it('another node is one', async () => {
    const { backend, dispose } = await rig();
    const settings = () => vscode.workspace.getConfiguration('hexlens');
    const before = settings().inspect('nodes')?.workspaceValue;
    try {
      await fired(backend.onDidApplyConfiguration);
      const reconnected = fired(backend.onDidChangeConnections);
      await settings().update('nodes', { local: 'http://127.0.0.1:1' }, vscode.ConfigurationTarget.Workspace);
      await reconnected;
    } finally {
      await settings().update('nodes', before, vscode.ConfigurationTarget.Workspace);
      dispose();
    }
  });
});
