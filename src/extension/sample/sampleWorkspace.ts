// Prepares the folder of the sample workspace, opens it, and shows in its window what to hover.
import {
  commands,
  type ExtensionContext,
  FileSystemError,
  l10n,
  ProgressLocation,
  Uri,
  window,
  workspace,
} from 'vscode';
import { withProgress } from '../prompts/messages.ts';

export type SampleDeps = Pick<ExtensionContext, 'extension' | 'extensionUri' | 'globalStorageUri'>;

/** Each version has a folder of its own: what the user changes in one is never overwritten. */
function getFolder({ extension, globalStorageUri }: SampleDeps): Uri {
  const { version } = extension.packageJSON as { readonly version: string };
  return Uri.joinPath(globalStorageUri, `sample-${version}`);
}

async function exists(uri: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(uri);
    return true;
  } catch (error) {
    if (error instanceof FileSystemError && error.code === 'FileNotFound') return false;
    throw error;
  }
}

export async function openSample(deps: SampleDeps): Promise<void> {
  const folder = getFolder(deps);
  if (!(await exists(folder))) {
    // Renamed when it is complete: a copy that was interrupted is no sample.
    const copy = folder.with({ path: `${folder.path}.part` });
    const title = l10n.t('Preparing the sample chain…');
    await withProgress({ location: ProgressLocation.Notification, title }, async () => {
      await workspace.fs.copy(Uri.joinPath(deps.extensionUri, 'media/sample'), copy, { overwrite: true });
      await workspace.fs.rename(copy, folder);
    });
  }
  await commands.executeCommand('vscode.openFolder', folder, { forceNewWindow: true });
}

/** In the window of the sample, with nothing open yet, the file that says what to hover. */
export async function showGuide(deps: SampleDeps): Promise<void> {
  const [folder] = workspace.workspaceFolders ?? [];
  if (folder?.uri.toString() !== getFolder(deps).toString()) return;
  if (window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) return;
  await window.showTextDocument(Uri.joinPath(folder.uri, 'START-HERE.md'), { preview: false });
}
