// The deployments that tools record are read again when a tool replaces their folder.
import * as vscode from 'vscode';
import { KnownDeployments } from '../../../src/extension/source/knownDeployments.ts';
import { until } from './siweActions.ts';

const [FIRST, SECOND] = [`0x${'5a'.repeat(20)}`, `0x${'6b'.repeat(20)}`] as const;

describe('known deployments', () => {
  const [root] = vscode.workspace.workspaceFolders ?? [];
  const project = vscode.Uri.joinPath(root?.uri ?? vscode.Uri.file('/'), 'redeployed');
  const folder = vscode.Uri.joinPath(project, 'ignition', 'deployments');
  let known: KnownDeployments;

  const writeAddresses = (to: vscode.Uri, address: string) =>
    vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(to, 'chain-31337', 'deployed_addresses.json'),
      new TextEncoder().encode(JSON.stringify({ 'QuayModule#Quay': address })),
    );
  const listed = async () => (await known.list()).map(({ address }) => address.toLowerCase());

  before(async () => {
    await writeAddresses(folder, FIRST);
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
    const next = vscode.Uri.joinPath(project, 'next');
    await writeAddresses(next, SECOND);
    await vscode.workspace.fs.delete(folder, { recursive: true });
    await vscode.workspace.fs.rename(next, folder);
    await until(listed, all => all.includes(SECOND) && !all.includes(FIRST), 'the second deployment');
  });
});
