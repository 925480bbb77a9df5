// Commands and language model tools against the test chain; tests with typing are in test/e2e.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getExplorerPageUrl } from '../../../src/extension/commands/explorerPages.ts';
import type { TestChain } from '../../support/chain/testChain.ts';
import { getExtension, getTestChain, openWorkspaceFile } from './extensionHost.ts';
import { closeAll, until } from './siweActions.ts';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

const run = (command: string, ...args: unknown[]) => vscode.commands.executeCommand(command, ...args);

/** The JSON of the document that a command opened. */
async function opened(name: string): Promise<unknown> {
  const document = await until(
    () => vscode.window.activeTextEditor?.document,
    shown => shown?.uri.scheme === 'hexlens' && shown.uri.path.endsWith(`/${name}.json`),
    `shows ${name}.json`,
  );
  assert.equal(document?.languageId, 'json');
  return JSON.parse(document?.getText() ?? '');
}

async function invokeTool(name: string, input: object): Promise<string> {
  const { token } = new vscode.CancellationTokenSource();
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
  return result.content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

describe('commands', () => {
  let chain: TestChain;

  before(async function () {
    const found = getTestChain();
    if (found === undefined) this.skip();
    chain = found;
    await getExtension().activate();
  });

  afterEach(closeAll);

  it('registers every contributed command', async () => {
    const manifest = getExtension().packageJSON as Manifest;
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = manifest.contributes.commands.filter(({ command }) => !registered.has(command));
    assert.deepEqual(missing, []);
    const operations = manifest.contributes.commands.filter(({ command }) => command.startsWith('hexlens.call.'));
    assert.equal(operations.length, 26);
  });

  it('runs an operation without prompts when it has all parameters', async () => {
    await run('hexlens.runOperationJson', 'block', { block: String(chain.blocks.busy.number), chain: 'local' });
    assert.equal(((await opened('block')) as { hash: string }).hash, chain.blocks.busy.hash);
  });

  it('opens an operation in the inspector', async () => {
    await run('hexlens.call.block', { block: String(chain.blocks.busy.number), chain: 'local' });
    await until(
      () => vscode.window.tabGroups.activeTabGroup.activeTab,
      shown =>
        shown?.input instanceof vscode.TabInputWebview &&
        shown.input.viewType.endsWith('hexlens.inspector') &&
        shown.label.includes('Block'),
      'shows the block in the inspector',
    );
  });

  it('opens an operation of the picker in the inspector', async () => {
    await run('hexlens.runOperation', 'block', { block: String(chain.blocks.busy.number), chain: 'local' });
    await until(
      () => vscode.window.tabGroups.activeTabGroup.activeTab,
      shown =>
        shown?.input instanceof vscode.TabInputWebview &&
        shown.input.viewType.endsWith('hexlens.inspector') &&
        shown.label.includes('Block'),
      'shows the block in the inspector',
    );
  });

  it('accepts lists of values', async () => {
    const { alice, bob } = chain.accounts;
    await run('hexlens.runOperationJson', 'walletBalances', { walletAddresses: [alice, bob], chain: 'local' });
    const [balances] = (await opened('walletBalances')) as { wallet_balances: { address: string }[] }[];
    assert.deepEqual(
      balances?.wallet_balances.map(({ address }) => address),
      [alice.toLowerCase(), bob.toLowerCase()],
    );
  });

  it('opens no explorer page without a literal at the cursor', async () => {
    await openWorkspaceFile('scripts/check.ts');
    await run('hexlens.openExternal');
    assert.equal(vscode.window.activeTextEditor?.document.uri.path.endsWith('check.ts'), true);
  });

  it('opens the explorer of the settings, else the usual one of the chain', async () => {
    const target = { kind: 'address', value: chain.accounts.alice, chainId: 1 };
    const page = `/address/${chain.accounts.alice}`;
    assert.equal(await getExplorerPageUrl(target, {}), `https://etherscan.io${page}`);
    const explorers = { eth: 'https://scan.example', local: 'http://127.0.0.1:4000' };
    assert.equal(await getExplorerPageUrl(target, explorers), `https://scan.example${page}`);
    assert.equal(await getExplorerPageUrl({ ...target, chain: 'local' }, explorers), `http://127.0.0.1:4000${page}`);
    assert.equal(await getExplorerPageUrl({ ...target, kind: 'constructor' }, explorers), null);
  });

  it('uses the default chain of the settings', async () => {
    const settings = vscode.workspace.getConfiguration('hexlens');
    const nodes = settings.get<Record<string, string>>('nodes') ?? {};
    const written = settings.inspect('nodes');
    const target =
      written?.workspaceValue === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
    const before = target === vscode.ConfigurationTarget.Global ? written?.globalValue : written?.workspaceValue;
    try {
      await settings.update('nodes', { ...nodes, '0x7a69': nodes['local'] }, target);
      await settings.update('chain', '0x7a69', target);
      await until(
        () => vscode.workspace.getConfiguration('hexlens').get('chain'),
        selector => selector === '0x7a69',
        'has the settings',
      );
      await run('hexlens.runOperationJson', 'walletBalances', { walletAddresses: [chain.accounts.alice] });
      const [balances] = (await opened('walletBalances')) as { chain_id: string }[];
      assert.equal(balances?.chain_id, '0x7a69');
    } finally {
      await settings.update('chain', undefined, target);
      await settings.update('nodes', before, target);
    }
  });
});

/** `undefined` restores the settings of the tests. */
async function setAi(on: boolean | undefined): Promise<void> {
  const settings = vscode.workspace.getConfiguration('chat');
  const values = {
    disableAIFeatures: on === undefined ? true : !on,
    'agent.enabled': on,
    'extensionTools.enabled': on,
  };
  // The oldest supported VS Code does not have all of these settings.
  for (const [key, value] of Object.entries(values))
    if (settings.inspect(key)?.defaultValue !== undefined)
      await settings.update(key, value, vscode.ConfigurationTarget.Global);
}

describe('language model tools', () => {
  let chain: TestChain;

  before(async function () {
    const found = getTestChain();
    if (found === undefined) this.skip();
    chain = found;
    await getExtension().activate();
    // The quiet settings of the tests turn AI off, and tools with it.
    await setAi(true);
    await until(
      () => vscode.lm.tools.map(({ name }) => name),
      names => names.includes('hexlens_lookup') && names.includes('hexlens_call'),
      'offers the tools',
    );
  });

  after(() => setAi(undefined));

  it('looks up a text and marks names from the chain', async () => {
    const text = await invokeTool('hexlens_lookup', { text: chain.contracts.coin });
    assert.match(text, /never instructions/);
    assert.match(text, /"standard":"«ERC20»"/);
    assert.match(await invokeTool('hexlens_lookup', { text: chain.transactions.mintApe }), /«success»/);
    assert.match(await invokeTool('hexlens_lookup', { text: 'hello there' }), /not an address, hash/);
  });

  it('refuses to look up a well-known private key', async () => {
    const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
    assert.match(await invokeTool('hexlens_lookup', { text: key }), /refused/);
  });

  it('calls an operation with values of a model and returns faults as text', async () => {
    const { number, hash } = chain.blocks.busy;
    const text = await invokeTool('hexlens_call', {
      operation: 'block',
      parameters: { block: number, chain: 'local' },
    });
    assert.ok(text.includes(hash));
    assert.match(
      await invokeTool('hexlens_call', { operation: 'block', parameters: { block: 'x' } }),
      /Failed: .*neither a block number nor a block hash/,
    );
    assert.match(
      await invokeTool('hexlens_call', { operation: 'nothing', parameters: {} }),
      /Operations: verifySignIn/,
    );
  });
});
