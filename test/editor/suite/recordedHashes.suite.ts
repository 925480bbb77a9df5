// Hovers over hashes that files of deployment tools record: which are sent to the node of a public chain, and what they say.
import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import type { Hex } from '../../../src/base/hex.ts';
import { RecordedHashes } from '../../../src/extension/source/recordedHashes.ts';
import type { TestChain } from '../../support/chain/testChain.ts';
import { getExtension, getHoverText, getTestChain } from './extensionHost.ts';
import { closeAll, openUntitled, until } from './siweActions.ts';
import { untilWatched } from './untilWatched.ts';

const SEPOLIA = 11_155_111;

describe('hashes that deployment tools record', () => {
  let chain: TestChain;
  let project: vscode.Uri;
  let run: vscode.Uri;
  /** What the node was asked. */
  let requests = '';
  /** The test chain under the id of a public one, whose node counts as one of another machine. */
  const node = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    requests += body;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(chain.url, { method: 'POST', headers, body });
    const text = (await answer.text()).replaceAll('"0x7a69"', `"0x${SEPOLIA.toString(16)}"`);
    response.end(text.replaceAll('"31337"', `"${SEPOLIA}"`).replaceAll(/anvil\/v[^"]*/g, 'Geth/v1.16.0'));
  });
  const settings = () => vscode.workspace.getConfiguration('hexlens');
  let nodes: unknown;

  const record = (transactions: readonly object[]) => {
    const text = JSON.stringify({ transactions, receipts: [], libraries: [], timestamp: 1, chain: SEPOLIA });
    return vscode.workspace.fs.writeFile(run, new TextEncoder().encode(text));
  };
  const creation = (hash: string, contractName = 'Apes') => ({ hash, transactionType: 'CREATE', contractName });

  before(async function () {
    const found = getTestChain();
    const [root] = vscode.workspace.workspaceFolders ?? [];
    if (found === undefined || root === undefined) this.skip();
    chain = found;
    await getExtension().activate();
    node.listen(0, '127.0.0.1');
    await once(node, 'listening');
    nodes = settings().inspect('nodes')?.workspaceValue;
    const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
    await settings().update('nodes', { sepolia: url }, vscode.ConfigurationTarget.Workspace);
    project = vscode.Uri.joinPath(root.uri, 'recorded');
    let folder = project;
    // One after another: VS Code watches no folder that is already in a folder when it learns of that.
    for (const name of ['broadcast', 'Deploy.s.sol', String(SEPOLIA), '']) {
      await vscode.workspace.fs.createDirectory(folder);
      await untilWatched(folder);
      folder = vscode.Uri.joinPath(folder, name);
    }
    run = vscode.Uri.joinPath(folder, 'run-latest.json');
  });
  after(async () => {
    if (project === undefined) return;
    await settings().update('nodes', nodes, vscode.ConfigurationTarget.Workspace);
    await vscode.workspace.fs.delete(project, { recursive: true });
    node.close();
    node.closeAllConnections();
    await closeAll();
  });

  it('are looked up without a click, which any other hash needs', async () => {
    const { creation: recorded, sale: other } = chain.transactions;
    await record([creation(recorded)]);
    const document = await openUntitled(`const x = '${recorded}';\nconst y = '${other}';\n`, 'typescript');
    const hover = await until(
      () => getHoverText(document, recorded),
      text => /Success/.test(text),
      'shows the transaction',
    );
    assert.match(hover, /\*\*Transaction hash\*\*/);
    const file = `recorded/broadcast/Deploy.s.sol/${SEPOLIA}/run-latest.json`;
    assert.ok(hover.includes(`Creates \`Apes\` · Sepolia · recorded in [\`${file}\`](${run.toString()})`), hover);
    assert.doesNotMatch(hover, /private key|Look up on/);
    await until(
      () => getHoverText(document, other),
      text => /\[Look up on sepolia\].*32 bytes may be a private key/.test(text),
      'needs a click',
    );
    assert.deepEqual([requests.includes(recorded), requests.includes(other)], [true, false]);
  });

  it('have the page of an explorer as their link in documents, where any other hash has the look-up box', async () => {
    const { creation: recorded, sale: other } = chain.transactions;
    await record([creation(recorded)]);
    const document = await openUntitled(`const x = '${recorded}';\nconst y = '${other}';\n`, 'typescript');
    await settings().update('documentLinks.enabled', true, vscode.ConfigurationTarget.Workspace);
    try {
      const [first, second] = await until(
        async () =>
          await vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', document.uri),
        links => links.length === 2 && !String(links[0]?.target).startsWith('command:'),
        'links the page',
      );
      assert.equal(String(first?.target), `https://sepolia.etherscan.io/tx/${recorded}`);
      assert.match(String(second?.target), /^command:hexlens\.lookUp\?/);
    } finally {
      await settings().update('documentLinks.enabled', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('are sent nowhere beside a word for a key', async () => {
    const { creation: recorded, mintApes } = chain.transactions;
    await record([creation(recorded), creation(mintApes)]);
    const document = await openUntitled(`const deployerKey = '${mintApes}';\nconst x = '${recorded}';\n`, 'typescript');
    const hover = await until(
      () => getHoverText(document, mintApes),
      text => /may be a secret/.test(text),
      'names the word',
    );
    assert.doesNotMatch(hover, /recorded in/);
    assert.equal(requests.includes(mintApes), false);
  });

  it('are those of now when a tool runs again', async () => {
    const { mintApe, transferApe } = chain.transactions;
    const hashes = new RecordedHashes();
    const find = async (hash: Hex) => (await hashes.find(hash))?.action?.name ?? null;
    await record([creation(mintApe, 'First')]);
    await until(
      () => find(mintApe),
      name => name === 'First',
      'the first run',
    );
    await record([creation(mintApe, 'Second'), creation(transferApe, 'Third')]);
    await until(
      () => find(transferApe),
      name => name === 'Third',
      'the second run',
    );
    assert.equal(await find(mintApe), 'Second');
    hashes.dispose();
  });

  it('are not read in a workspace that is not trusted', async () => {
    const isTrusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted') ?? {};
    const { mintArt } = chain.transactions;
    await record([creation(mintArt)]);
    const hashes = new RecordedHashes();
    assert.equal((await hashes.find(mintArt))?.action?.name, 'Apes');
    Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, get: () => false });
    try {
      assert.deepEqual([await hashes.find(mintArt), hashes.peek(mintArt)], [null, null]);
    } finally {
      Object.defineProperty(vscode.workspace, 'isTrusted', isTrusted);
      hashes.dispose();
    }
  });
});
