// The deployments that tools record are read again when a tool replaces their folder.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { KnownDeployments } from '../../../src/extension/source/knownDeployments.ts';
import { until } from './siweActions.ts';
import { untilWatched } from './untilWatched.ts';

const [FIRST, SECOND] = [`0x${'5a'.repeat(20)}`, `0x${'6b'.repeat(20)}`] as const;

describe('known deployments', () => {
  let project: vscode.Uri;
  let deployments: string;
  let known: KnownDeployments;
  let changes = 0;

  /** All at once, so that VS Code reports the folder only. */
  const deploy = (address: string) => {
    rmSync(deployments, { recursive: true, force: true });
    mkdirSync(join(deployments, 'chain-31337'), { recursive: true });
    const text = JSON.stringify({ 'QuayModule#Quay': address });
    writeFileSync(join(deployments, 'chain-31337', 'deployed_addresses.json'), text);
  };
  const listed = async () => (await known.list()).map(({ address }) => address.toLowerCase());

  before(async function () {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    if (root === undefined) this.skip();
    project = vscode.Uri.joinPath(root.uri, 'redeployed');
    const ignition = vscode.Uri.joinPath(project, 'ignition');
    deployments = join(ignition.fsPath, 'deployments');
    // One after another: VS Code watches no folder that is already in a folder when it learns of that.
    for (const folder of [project, ignition]) {
      await vscode.workspace.fs.createDirectory(folder);
      await untilWatched(folder);
    }
    known = new KnownDeployments({
      ready: async () => {},
      trustedEntries: () => [],
      onDidChange: () => ({ dispose() {} }),
    });
    known.onDidChange(() => {
      changes++;
    });
  });
  after(async () => {
    known?.dispose();
    if (project !== undefined) await vscode.workspace.fs.delete(project, { recursive: true });
  });

  it('are those of now where a tool replaces the whole folder of its deployments', async () => {
    deploy(FIRST);
    await until(
      () => changes,
      count => count > 0,
      'the folder is reported',
    );
    await until(listed, all => all.includes(FIRST), 'the first deployment');
    deploy(SECOND);
    await until(listed, all => all.includes(SECOND) && !all.includes(FIRST), 'the second deployment');
  });
});
