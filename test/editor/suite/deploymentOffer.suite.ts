// The offer of names of contracts that tools of the workspace have deployed.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLog } from '../../../src/base/log.ts';
import { DeploymentOffer, type DeploymentOfferDeps } from '../../../src/extension/addressBook/deploymentOffer.ts';
import { createMemento, toTestAddress } from './addressBookFixture.ts';

const DEPLOYED = [toTestAddress(21), toTestAddress(22), toTestAddress(23)];
const SAVED = toTestAddress(24);
const GONE = toTestAddress(25);

describe('deployments of the workspace', () => {
  const { showInformationMessage } = vscode.window;
  let root: vscode.Uri;
  const messages: string[] = [];
  let answer: string | undefined;

  const write = (path: string, value: object) =>
    vscode.workspace.fs.writeFile(vscode.Uri.joinPath(root, path), new TextEncoder().encode(JSON.stringify(value)));

  /** `failures`: so many lookups of code fail at first. */
  const createOffer = (workspaceState: vscode.Memento, isLocal = true, selector = 'local', failures = { left: 0 }) =>
    new DeploymentOffer({
      worker: {
        chains: () => [{ selector, reportedTitle: null, isOnLoopback: true, isLocal }],
        async lookup(id: string, { address = '' }: { readonly address?: string }) {
          if (id === 'chainStatus') return { isLocal, chain: { id: 31337 } };
          if (failures.left-- > 0) throw new Error('The node restarts.');
          return { code: DEPLOYED.includes(address) || address === SAVED ? '0x6001' : '0x' };
        },
        onDidChangeConnections: new vscode.EventEmitter<void>().event,
      },
      book: { ready: async () => {}, getName: (address: string) => (address === SAVED ? 'Saved' : null) },
      workspaceState,
      log: silentLog,
    } as unknown as DeploymentOfferDeps);

  before(async function () {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (folder === undefined) this.skip();
    root = folder.uri;
    const [first, second, third] = DEPLOYED;
    const deployed = { 'Harbor#Vault': first, 'Harbor#Token': second, 'Harbor#Old': GONE, 'Harbor#Known': SAVED };
    await write('ignition/deployments/chain-31337/deployed_addresses.json', deployed);
    await write('ignition/deployments/chain-1/deployed_addresses.json', { 'Harbor#Vault': third });
    Object.assign(vscode.window, {
      showInformationMessage: async (text: string) => {
        messages.push(text);
        return answer;
      },
    });
  });
  after(async () => {
    Object.assign(vscode.window, { showInformationMessage });
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(root, 'ignition'), { recursive: true });
  });

  it('are offered once, by the contracts that the chain has and that have no name', async () => {
    const state = createMemento();
    messages.length = 0;
    for (const isLocal of [false, true, true]) {
      const offer = createOffer(state, isLocal);
      await offer.search();
      offer.dispose();
    }
    assert.deepEqual(messages, [
      '2 contracts of Local dev chain are in ignition/deployments. Use their names in HexLens?',
    ]);
  });

  it('are offered for a node with a name of its own', async () => {
    messages.length = 0;
    const offer = createOffer(createMemento(), true, 'anvil');
    await offer.search();
    offer.dispose();
    assert.deepEqual(messages, ['2 contracts of anvil are in ignition/deployments. Use their names in HexLens?']);
  });

  it('are offered later where the node could not tell at first', async () => {
    messages.length = 0;
    const offer = createOffer(createMemento(), true, 'local', { left: 1 });
    await offer.search();
    assert.deepEqual(messages, []);
    await offer.search();
    offer.dispose();
    assert.equal(messages.length, 1);
  });

  it('are not offered in a workspace that is not trusted', async () => {
    const isTrusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted') ?? {};
    messages.length = 0;
    Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, get: () => false });
    const offer = createOffer(createMemento());
    try {
      await offer.search();
      assert.deepEqual(messages, []);
    } finally {
      Object.defineProperty(vscode.workspace, 'isTrusted', isTrusted);
      offer.dispose();
    }
  });

  it('lead to the import, which names them', async () => {
    const offer = createOffer(createMemento());
    answer = 'Use Names';
    const { executeCommand } = vscode.commands;
    const calls: unknown[][] = [];
    Object.assign(vscode.commands, { executeCommand: async (...args: unknown[]) => void calls.push(args) });
    try {
      await offer.search();
    } finally {
      Object.assign(vscode.commands, { executeCommand });
      offer.dispose();
      answer = undefined;
    }
    assert.deepEqual(
      calls.map(([command, files]) => [
        command,
        (files as vscode.Uri[]).map(uri => vscode.workspace.asRelativePath(uri)),
      ]),
      [['hexlens.importAddresses', ['ignition/deployments/chain-31337/deployed_addresses.json']]],
    );
  });
});
