// The sample workspace: contracts with their build and a recorded chain, so that HexLens can be tried without a node.
import { commands, workspace } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { SampleDeps } from './sampleWorkspace.ts';

export function registerSample(deps: SampleDeps): Disposable {
  const load = () => import('./sampleWorkspace.ts');
  const [folder] = workspace.workspaceFolders ?? [];
  if (folder?.uri.path.startsWith(`${deps.globalStorageUri.path}/`)) void load().then(each => each.showGuide(deps));
  return commands.registerCommand(commandIds.trySample, async (step?: unknown) =>
    (await load()).openSample(deps, step),
  );
}
