// Keys of nodes stay out of settings files, errors and the log, and still reach the node.
import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { formatFaultWithDetails } from '../../../src/base/errors.ts';
import { type Log, silentLog } from '../../../src/base/log.ts';
import { OpenAddressBook } from '../../../src/extension/addressBook/openAddressBook.ts';
import { clearKey, setKey } from '../../../src/extension/apiKeys/apiKeyCommands.ts';
import { createApiKeys } from '../../../src/extension/apiKeys/apiKeys.ts';
import { createNamedSecrets, type NamedSecrets } from '../../../src/extension/apiKeys/namedSecrets.ts';
import { UrlSecretChecks } from '../../../src/extension/apiKeys/urlSecretChecks.ts';
import { createUrlSecrets } from '../../../src/extension/apiKeys/urlSecrets.ts';
import { createSettingsSource } from '../../../src/extension/settings/settingsSource.ts';
import { settingWriter } from '../../../src/extension/settings/settingWriter.ts';
import { WorkerClient } from '../../../src/extension/worker/workerClient.ts';
import { createTestPlatform, getExtension, getTestChain } from './extensionHost.ts';
import { createMemento, noSecrets } from './sidebarFixture.ts';
import { closeAll, getCodeAction, until } from './siweActions.ts';

const CANARY = 'c4a9e2d77b1f48d0b6a3e5f90c1d2e3f';

/** Secret storage in memory. */
function createSecretStorage(): NamedSecrets {
  const values = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  return createNamedSecrets({
    keys: async () => [...values.keys()],
    get: async key => values.get(key),
    store: async (key, value) => {
      values.set(key, value);
      changed.fire({ key });
    },
    delete: async key => void values.delete(key),
    onDidChange: changed.event,
  });
}

const writeNodes = (nodes: Record<string, string> | undefined) =>
  vscode.workspace.getConfiguration('hexlens').update('nodes', nodes, vscode.ConfigurationTarget.Global);

describe('keys of nodes', () => {
  const chain = getTestChain();
  before(async function () {
    if (chain === undefined) this.skip();
    await getExtension().activate();
  });
  afterEach(async () => {
    await writeNodes(undefined);
    await closeAll();
  });

  it('reach the node, and neither the settings, errors nor the log', async () => {
    const paths: (string | undefined)[] = [];
    const server = createServer(async (request, response) => {
      paths.push(request.url);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const answer = await fetch(chain?.url ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: Buffer.concat(chunks),
      });
      response.end(await answer.text());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3/\${secret:canary}`;
    const lines: string[] = [];
    const write = (...parts: unknown[]) => void lines.push(parts.map(String).join(' '));
    const log: Log = { debug: write, info: write, warn: write, error: write };
    // The workspace has a node of its own for `local`.
    await writeNodes({ '0x7a69': url });
    const storage = createSecretStorage();
    const secrets = createUrlSecrets(storage);
    await secrets.add('canary', CANARY, url);
    const settings = createSettingsSource();
    const book = new OpenAddressBook({ globalState: createMemento(), log });
    const keys = createApiKeys(noSecrets);
    const worker = new WorkerClient({ platform: createTestPlatform(), settings, keys, secrets, book, log });
    try {
      const status = await worker.lookup('chainStatus', { chain: '0x7a69' });
      assert.ok((status.head ?? 0) > 0);
      // The extension that is installed does not have the key, and may poll the node with the placeholder.
      const own = paths.filter(path => path?.includes('secret:') !== true);
      assert.deepEqual([...new Set(own)], [`/v3/${CANARY}`]);
      assert.ok(!JSON.stringify(settings.configuration()).includes(CANARY));
      server.close();
      server.closeAllConnections();
      const fault = await worker
        .lookup('addressSummary', { chain: '0x7a69', address: `0x${'11'.repeat(20)}` })
        .then(String, formatFaultWithDetails);
      assert.match(fault, /127\.0\.0\.1/);
      assert.ok(![fault, ...lines].some(text => text.includes(CANARY)), 'the key is in an error or in the log');
    } finally {
      server.close();
      server.closeAllConnections();
      for (const part of [worker, book, settings]) part.dispose();
    }
  });

  it('are moved from a settings file to the secret storage by the quick fix', async () => {
    const url = `https://mainnet.infura.io/v3/${CANARY}`;
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const file = vscode.Uri.joinPath(folder?.uri ?? vscode.Uri.file('/'), 'key-test', 'settings.json');
    // One of two nodes of the chain.
    const eth = `https://node.example, ${url}`;
    await vscode.workspace.fs.writeFile(file, Buffer.from(`{\n  "hexlens.nodes": { "eth": "${eth}" }\n}\n`));
    await writeNodes({ local: chain?.url ?? '', eth });
    const settings = createSettingsSource();
    const secrets = createUrlSecrets(createSecretStorage());
    const checks = new UrlSecretChecks({ settings, secrets, log: silentLog });
    try {
      const document = await vscode.workspace.openTextDocument(file);
      await vscode.window.showTextDocument(document);
      await checks.check();
      const getOwn = () => vscode.languages.getDiagnostics(file).filter(({ code }) => code === 'key-in-settings');
      const [diagnostic] = await until(getOwn, list => list.length > 0, 'reported');
      assert.ok(diagnostic !== undefined);
      assert.equal(diagnostic.range.start.line, 1);
      const action = await getCodeAction(
        document,
        diagnostic.range,
        ({ command }) => command?.command === 'hexlens.storeUrlSecret',
        vscode.CodeActionKind.QuickFix,
      );
      assert.ok(action?.command !== undefined);
      assert.ok(!JSON.stringify(action.command).includes(CANARY), 'the key is an argument of a command');
      await checks.storeSecret(...(action.command.arguments ?? []));
      assert.deepEqual(await secrets.all(), { infura: CANARY });
      assert.ok(document.getText().includes('"https://node.example, https://mainnet.infura.io/v3/${secret:infura}"'));
      await until(
        () => document.isDirty,
        isDirty => !isDirty,
        'saves the file',
      );
      await until(getOwn, list => list.length === 0, 'resolved');
    } finally {
      checks.dispose();
      settings.dispose();
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(file, '..'), { recursive: true });
    }
  });

  it('are moved out of the settings in which they are, whatever the chain is called there', async () => {
    const url = `https://mainnet.infura.io/v3/${CANARY}`;
    await writeNodes({ '0x1': url, local: chain?.url ?? '' });
    const configuration = () => vscode.workspace.getConfiguration('hexlens').inspect<Record<string, string>>('nodes');
    const untilUrlIs = (wanted: string) =>
      until(
        () => configuration()?.globalValue?.['0x1'],
        written => written === wanted,
        `has the URL ${wanted}`,
      );
    await untilUrlIs(url);
    // The workspace has nodes of its own.
    const before = configuration()?.workspaceValue;
    assert.ok(before !== undefined);
    const secrets = createUrlSecrets(createSecretStorage());
    const settings = createSettingsSource();
    const { showQuickPick } = vscode.window;
    const window = vscode.window as { showQuickPick: unknown };
    try {
      window.showQuickPick = async (items: readonly vscode.QuickPickItem[]) =>
        items.find(({ label }) => label.startsWith('Move the key of mainnet.infura.io'));
      await setKey({ keys: createApiKeys(createSecretStorage()), secrets, settings });
      assert.deepEqual(await secrets.all(), { infura: CANARY });
      await untilUrlIs('https://mainnet.infura.io/v3/${secret:infura}');
      assert.deepEqual(Object.keys(configuration()?.globalValue ?? {}), ['0x1', 'local']);
      assert.deepEqual(configuration()?.workspaceValue, before);
      await settingWriter.set('nodes', 'eth', url, name => name === 'eth' || name === '0x1');
      await untilUrlIs(url);
      assert.deepEqual(configuration()?.workspaceValue, before);
    } finally {
      window.showQuickPick = showQuickPick;
      settings.dispose();
    }
  });

  it('are sent where the user allows it: the prompt and Set API Key name the scheme of the URL too', async () => {
    const [url, origin] = ['http://mainnet.infura.io/v3/${secret:infura}', 'http://mainnet.infura.io'];
    const secrets = createUrlSecrets(createSecretStorage());
    await secrets.set('infura', CANARY, ['https://mainnet.infura.io']);
    const source = createSettingsSource();
    // As a workspace has it.
    const settings = {
      ...source,
      configuration: () => ({ ...source.configuration(), nodes: { eth: url } }),
      userUrls: () => [],
    };
    const errors: string[] = [];
    const log = { ...silentLog, error: (text: string) => void errors.push(text) };
    const checks = new UrlSecretChecks({ settings, secrets, log });
    const { showQuickPick, showWarningMessage } = vscode.window;
    const window = vscode.window as { showQuickPick: unknown; showWarningMessage: unknown };
    const messages: string[] = [];
    try {
      window.showWarningMessage = async (message: string) => {
        if (message.includes(origin)) messages.push(message);
      };
      await checks.check();
      await checks.check();
      assert.deepEqual(messages, [
        `Settings of this workspace would send your key \${secret:infura} to ${origin}. Allow that?`,
      ]);
      assert.deepEqual(await secrets.origins('infura'), ['https://mainnet.infura.io']);
      const labels: string[] = [];
      window.showQuickPick = async (items: readonly vscode.QuickPickItem[]) => {
        labels.push(...items.map(({ label }) => label));
        return items.find(({ label }) => label === `Allow the stored key for ${origin}`);
      };
      const keys = createApiKeys(createSecretStorage());
      await setKey({ keys, secrets, settings });
      assert.deepEqual(await secrets.origins('infura'), ['https://mainnet.infura.io', origin]);
      labels.length = 0;
      await setKey({ keys, secrets, settings });
      assert.ok(labels.includes(origin) && !labels.some(label => label.startsWith('Allow')), labels.join());
      const locked = { ...secrets, all: () => Promise.reject(new Error('locked')) };
      const lockedChecks = new UrlSecretChecks({ settings, secrets: locked, log });
      await lockedChecks.check().finally(() => lockedChecks.dispose());
      assert.match(errors.join(), /locked/);
    } finally {
      Object.assign(window, { showQuickPick, showWarningMessage });
      checks.dispose();
      source.dispose();
    }
  });

  it('are removed from the secret storage by Clear API Key, and only the one that was picked', async () => {
    const storage = createSecretStorage();
    const secrets = createUrlSecrets(storage);
    const keys = createApiKeys(storage);
    await secrets.set('canary', CANARY, []);
    await secrets.set('other', CANARY, []);
    const settings = createSettingsSource();
    try {
      let isDone = false;
      const clearing = clearKey({ keys, secrets, settings }).finally(() => {
        isDone = true;
      });
      await until(
        async () => {
          if (!isDone) await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
          return isDone;
        },
        done => done,
        'cleared',
      );
      await clearing;
      assert.deepEqual(await secrets.names(), ['other']);
      assert.deepEqual(await secrets.all(), { other: CANARY });
    } finally {
      settings.dispose();
    }
  });
});
