// The sample workspace: contracts with their build and a recorded chain, so that HexLens can be tried without a node.
import { commands, workspace } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { SampleDeps } from './sampleWorkspace.ts';

export function registerSample(deps: SampleDeps, log: Log): Disposable {
  const load = () => import('./sampleWorkspace.ts');
  const [folder] = workspace.workspaceFolders ?? [];
  if (folder?.uri.path.startsWith(`${deps.globalStorageUri.path}/`))
    load()
      .then(each => each.showGuide(deps))
      .catch(error => log.warn(`The guide of the sample could not be shown: ${String(error)}`));
  return commands.registerCommand(commandIds.trySample, async (step?: unknown) =>
    (await load()).openSample(deps, step),
  );
}
