// When the worker client reports changed connections, after which all chains are queried again.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLog } from '../../../src/base/log.ts';
import { OpenAddressBook } from '../../../src/extension/addressBook/openAddressBook.ts';
import { createApiKeys } from '../../../src/extension/apiKeys/apiKeys.ts';
import { createUrlSecrets } from '../../../src/extension/apiKeys/urlSecrets.ts';
import { createSettingsSource } from '../../../src/extension/settings/settingsSource.ts';
import { WorkerClient } from '../../../src/extension/worker/workerClient.ts';
import { createTestPlatform, getExtension, getTestChain } from './extensionHost.ts';
import { createEntry, createMemento, noSecrets } from './sidebarFixture.ts';

const fired = (event: vscode.Event<void>) =>
  new Promise<void>(resolve => {
    const listening = event(() => {
      listening.dispose();
      resolve();
    });
  });

async function createFixture() {
  const settings = createSettingsSource();
  const log = silentLog;
  const book = new OpenAddressBook({ globalState: createMemento(), log });
  await book.ready();
  const keys = createApiKeys(noSecrets);
  const worker = new WorkerClient({
    platform: createTestPlatform(),
    settings,
    keys,
    secrets: createUrlSecrets(noSecrets),
    book,
    log,
  });
  const dispose = () => {
    for (const part of [worker, book, settings]) part.dispose();
  };
  return { worker, book, dispose };
}

describe('changes of the configuration', () => {
  const chain = getTestChain();
  before(async function () {
    if (chain === undefined) this.skip();
    await getExtension().activate();
  });

  it('applies a saved name without reporting changed connections', async () => {
    const { worker, book, dispose } = await createFixture();
    try {
      let reconnected = 0;
      worker.onDidChangeConnections(() => reconnected++);
      const configured = fired(worker.onDidApplyConfiguration);
      await book.add([createEntry('Alice', chain?.accounts.alice ?? '')], { kind: 'personal' });
      await configured;
      assert.equal(reconnected, 0);
    } finally {
      dispose();
    }
  });

  it('reports changed connections for another node', async () => {
    const { worker, dispose } = await createFixture();
    const settings = () => vscode.workspace.getConfiguration('hexlens');
    const before = settings().inspect('nodes')?.workspaceValue;
    try {
      const reconnected = fired(worker.onDidChangeConnections);
      await settings().update('nodes', { local: 'http://127.0.0.1:1' }, vscode.ConfigurationTarget.Workspace);
      await reconnected;
    } finally {
      await settings().update('nodes', before, vscode.ConfigurationTarget.Workspace);
      dispose();
    }
  });
});
