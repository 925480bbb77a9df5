// Builds the workspace's Foundry projects once more, in a folder of HexLens' own, with what names of variables need.
import { homedir } from 'node:os';
import { l10n, type Uri, window, workspace } from 'vscode';
import { isFault } from '../../base/errors.ts';
import { createForgeArguments, listForgeCommands } from '../../decode/source/sideBuild.ts';
import { runForgeBuild } from '../../worker/runForgeBuild.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showErrorMessage, showInformationMessage, withCancelButton } from '../prompts/showMessage.ts';
import type { WorkspaceSources } from './workspaceSources.ts';

export type SideBuildDeps = Pick<FeatureDeps, 'abis' | 'workspaceState'>;

const ALLOWED_KEY = 'hexlens.sideBuild';
const MAX_PROJECTS = 20;
const EXCLUDED = '**/{node_modules,lib,out,cache}/**';

/** Of the command. Nothing runs in a workspace that is not trusted, or before the user has agreed once. */
export async function buildDebugInformation({ abis, workspaceState }: SideBuildDeps): Promise<void> {
  if (!workspace.isTrusted) {
    void showInformationMessage(
      l10n.t('A workspace that is not trusted is not built: trust it first (“Workspaces: Manage Workspace Trust”).'),
    );
    return;
  }
  const found = await workspace.findFiles('**/foundry.toml', EXCLUDED, MAX_PROJECTS);
  const projects = found.filter(({ scheme }) => scheme === 'file').map(uri => uri.with({ path: parentOf(uri.path) }));
  if (projects.length === 0) {
    void showInformationMessage(l10n.t('The workspace has no Foundry project.'));
    return;
  }
  if (workspaceState.get(ALLOWED_KEY) !== true) {
    const build = l10n.t('Build');
    const detail = l10n.t(
      'HexLens runs “forge build” for {0} in a folder of its own. The out folder of the project stays as it is.',
      projects.map(({ fsPath }) => fsPath).join(', '),
    );
    const options = { modal: true, detail };
    const question = l10n.t('Build once more for names of variables?');
    if ((await showInformationMessage(question, options, build)) !== build) return;
    await workspaceState.update(ALLOWED_KEY, true);
  }
  const sources = await abis.sources();
  const failure = await buildAll(projects, sources);
  if (failure === 'cancelled') return;
  await sources.handleSideBuild();
  abis.notifySourcesChange();
  if (failure !== null) await showFailure(failure);
  else if (!(await sources.hasSideBuild(projects)))
    void showInformationMessage(
      l10n.t(
        'The new build has other code than the artifacts: sources were edited since. Build the project, and deploy it again.',
      ),
    );
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** What forge printed of the first project that failed. */
function buildAll(projects: readonly Uri[], sources: WorkspaceSources): Promise<string | null> {
  const title = l10n.t('Building for names of variables');
  return withCancelButton(title, async (signal, progress) => {
    try {
      for (const project of projects) {
        progress.report({ message: workspace.asRelativePath(project) });
        const { fsPath } = project;
        const args = createForgeArguments(fsPath, sources.getSideFolder(project).fsPath);
        const failure = await runForgeBuild(listForgeCommands(homedir(), fsPath), args, fsPath, signal);
        if (failure !== null) return failure;
      }
      return null;
    } catch (error) {
      if (signal.aborted || isFault(error, 'cancelled')) return 'cancelled';
      throw error;
    }
  });
}

/** The compiler's own words are in a document: they have many lines. */
async function showFailure(output: string): Promise<void> {
  if (output === 'missing') {
    void showErrorMessage(l10n.t('forge was not found: neither on the path nor in the folder .foundry.'));
    return;
  }
  const [line = ''] = output.split('\n').filter(each => /error/i.test(each));
  const show = l10n.t('Show Output');
  const message = l10n.t('The build failed: {0}', line || output.slice(0, 200));
  if ((await showErrorMessage(message, show)) !== show) return;
  await window.showTextDocument(await workspace.openTextDocument({ content: output }));
}
