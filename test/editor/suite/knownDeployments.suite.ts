// The deployments that tools record are read again when a tool replaces their folder.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { KnownDeployments } from '../../../src/extension/source/knownDeployments.ts';
import { until } from './siweActions.ts';

const [FIRST, SECOND] = [`0x${'5a'.repeat(20)}`, `0x${'6b'.repeat(20)}`] as const;

describe('known deployments', () => {
  const [root] = vscode.workspace.workspaceFolders ?? [];
  const project = vscode.Uri.joinPath(root?.uri ?? vscode.Uri.file('/'), 'redeployed');
  const folder = vscode.Uri.joinPath(project, 'ignition', 'deployments');
  let known: KnownDeployments;

  /** All at once, so that VS Code's watcher reports the folder only. */
  const writeAddresses = (address: string) => {
    const chain = join(folder.fsPath, 'chain-31337');
    mkdirSync(chain, { recursive: true });
    writeFileSync(join(chain, 'deployed_addresses.json'), JSON.stringify({ 'QuayModule#Quay': address }));
  };
  const listed = async () => (await known.list()).map(({ address }) => address.toLowerCase());

  before(async () => {
    writeAddresses(FIRST);
    known = new KnownDeployments({
      ready: async () => {},
      trustedEntries: () => [],
      onDidChange: () => ({ dispose() {} }),
    });
  });
  after(async () => {
    known.dispose();
    await vscode.workspace.fs.delete(project, { recursive: true });
  });

  it('are those of now where a tool replaces the whole folder of its deployments', async () => {
    await until(listed, all => all.includes(FIRST), 'the first deployment');
    rmSync(folder.fsPath, { recursive: true });
    writeAddresses(SECOND);
    await until(listed, all => all.includes(SECOND) && !all.includes(FIRST), 'the second deployment');
  });
});
