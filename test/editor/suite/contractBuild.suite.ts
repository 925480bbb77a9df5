// Which contract of the workspace an address is: in its hover, and from there to the source.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestChain } from '../../support/chain/testChain.ts';
import { getExtension, getHoverText, getTestChain, openWorkspaceFile } from './extensionHost.ts';
import { until } from './siweActions.ts';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Coin is ERC20 {}

abstract contract Base {}

interface ICoin {}
`;

describe('the build of a contract', () => {
  let chain: TestChain;
  let script: vscode.TextDocument;
  let root: vscode.Uri;

  const write = (path: string, text: string) =>
    vscode.workspace.fs.writeFile(vscode.Uri.joinPath(root, path), new TextEncoder().encode(text));

  /** As Foundry writes it: the code of the test chain's contract, with a metadata hash of its own. */
  async function writeArtifact(code: string, path = 'out/Coin.sol/Coin.json'): Promise<void> {
    const artifact = {
      abi: [{ type: 'function', name: 'coinOnly', inputs: [], outputs: [], stateMutability: 'view' }],
      deployedBytecode: { object: code, linkReferences: {}, immutableReferences: {} },
      metadata: { settings: { compilationTarget: { 'src/Coin.sol': 'Coin' } } },
    };
    await write(path, JSON.stringify(artifact));
  }

  const hoverSays = (wanted: RegExp) =>
    until(
      () => getHoverText(script, chain.contracts.coin),
      text => wanted.test(text),
      `shows ${wanted}`,
    );

  async function fetchCode(): Promise<string> {
    const nodes = vscode.workspace.getConfiguration('hexlens').get<Record<string, string>>('nodes') ?? {};
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_getCode', params: [chain.contracts.coin, 'latest'] };
    const response = await fetch(nodes['local'] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { result: string }).result;
  }

  before(async function () {
    const found = getTestChain();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (found === undefined || folder === undefined) this.skip();
    chain = found;
    root = folder.uri;
    await getExtension().activate();
    script = await openWorkspaceFile('scripts/check.ts');
    await write('src/Coin.sol', SOURCE);
  });

  after(async () => {
    for (const path of ['out', 'ignition', 'deployments', 'src/Coin.sol'])
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(root, path), { recursive: true }).then(undefined, () => {});
  });

  it('is named in the hover, with a link to its source', async () => {
    await writeArtifact(await fetchCode());
    await hoverSays(/`Coin` \(`src\/Coin\.sol`\), your build .*command:hexlens\.openSource/);
  });

  it('names it in the hover of a transaction that called it', async () => {
    const document = await vscode.workspace.openTextDocument({
      language: 'typescript',
      content: `const txHash = '${chain.transactions.transferCoin}';\n`,
    });
    await until(
      () => getHoverText(document, chain.transactions.transferCoin),
      text => text.includes('Coin (build)'),
      'shows the name by the build',
    );
  });

  it('is where Go to Definition leads from the address', async () => {
    const position = script.positionAt(script.getText().indexOf(chain.contracts.coin) + 4);
    const source = await until(
      async () => {
        const found = await vscode.commands.executeCommand<vscode.Location[]>(
          'vscode.executeDefinitionProvider',
          script.uri,
          position,
        );
        return found.find(({ uri }) => uri.path.endsWith('/src/Coin.sol'));
      },
      found => found !== undefined,
      'the definition',
    );
    assert.deepEqual([source?.range.start.line, source?.range.start.character], [3, 'contract '.length]);
  });

  it('is opened at its declaration', async () => {
    await vscode.commands.executeCommand('hexlens.openSource', 'local', chain.contracts.coin);
    await until(
      () => {
        const editor = vscode.window.activeTextEditor;
        return [editor?.document.uri.path.endsWith('/src/Coin.sol'), editor?.selection.start.line];
      },
      ([isSource, line]) => isSource === true && line === 3,
      'the declaration',
    );
  });

  it('is shown above the contract with its deployments, where the setting says so', async () => {
    const settings = vscode.workspace.getConfiguration('hexlens');
    const source = await openWorkspaceFile('src/Coin.sol');
    const getTitles = async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        source.uri,
        10,
      );
      return lenses.map(({ command }) => command?.title ?? '');
    };
    assert.deepEqual(await getTitles(), []);
    await write('deployments/local/.chainId', '31337');
    await write('deployments/local/Mint.json', JSON.stringify({ address: chain.contracts.coin, abi: [] }));
    await settings.update('codeLens.deployments', true, vscode.ConfigurationTarget.Workspace);
    try {
      await until(
        getTitles,
        titles => titles.length === 1 && /^Mint \(.+\): your build$/.test(titles[0] ?? ''),
        'the deployment above the contract',
      );
    } finally {
      await settings.update('codeLens.deployments', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('differs by the bytes that were changed since', async () => {
    const code = await fetchCode();
    const digit = code.at(200) === '0' ? '1' : '0';
    await writeArtifact(`${code.slice(0, 200)}${digit}${code.slice(201)}`);
    await hoverSays(/`Coin` \(`src\/Coin\.sol`\), differs from your build in 1 byte/);
  });

  it('is not the copy that Ignition keeps of what it has deployed', async () => {
    await writeArtifact(await fetchCode(), 'ignition/deployments/chain-31337/artifacts/CoinModule#Coin.json');
    await hoverSays(/\$\(warning\) `Coin` \(`src\/Coin\.sol`\), as deployed by Ignition; your build differs/);
    await writeArtifact(await fetchCode());
    await hoverSays(/\$\(verified\) `Coin` \(`src\/Coin\.sol`\), your build/);
  });
});
