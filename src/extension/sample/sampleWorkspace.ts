// Prepares the folder of the sample workspace, opens it, and does in its window what a step of the walkthrough shows.
import {
  commands,
  type ExtensionContext,
  FileSystemError,
  l10n,
  ProgressLocation,
  Selection,
  type TextEditor,
  Uri,
  window,
  workspace,
} from 'vscode';
import { commandIds } from '../../manifest/commands.ts';
import { withProgress } from '../prompts/showMessage.ts';

export type SampleDeps = Pick<ExtensionContext, 'extension' | 'extensionUri' | 'globalState' | 'globalStorageUri'>;

/** What the window of the sample does next, as it is opened by another window. */
const STEP_KEY = 'sampleStep';
const GUIDE = 'START-HERE.md';
/** The first of each in the guide: the transaction that failed, and the vault. */
const HASH = /0x[0-9a-f]{64}\b/;
const ADDRESS = /0x[0-9a-fA-F]{40}\b/;

/** Each version has a folder of its own: what the user changes in one is never overwritten. */
function getFolder({ extension, globalStorageUri }: SampleDeps): Uri {
  const { version } = extension.packageJSON as { readonly version: string };
  return Uri.joinPath(globalStorageUri, `sample-${version}`);
}

const isSample = (deps: SampleDeps): boolean =>
  workspace.workspaceFolders?.[0]?.uri.toString() === getFolder(deps).toString();

async function exists(uri: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(uri);
    return true;
  } catch (error) {
    if (error instanceof FileSystemError && error.code === 'FileNotFound') return false;
    throw error;
  }
}

/** `step`: of the walkthrough; without one the guide is shown. */
export async function openSample(deps: SampleDeps, step: unknown): Promise<void> {
  if (isSample(deps)) return runStep(await openGuide(deps), step);
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
  await deps.globalState.update(STEP_KEY, step);
  await commands.executeCommand('vscode.openFolder', folder, { forceNewWindow: true });
}

/** In the window of the sample: the step that it was opened for, or the file that says what to hover. */
export async function showGuide(deps: SampleDeps): Promise<void> {
  if (!isSample(deps)) return;
  const step = deps.globalState.get(STEP_KEY);
  await deps.globalState.update(STEP_KEY, undefined);
  if (step === undefined && window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) return;
  await runStep(await openGuide(deps), step);
}

const openGuide = async (deps: SampleDeps): Promise<TextEditor> =>
  window.showTextDocument(Uri.joinPath(getFolder(deps), GUIDE), { preview: false });

async function runStep(editor: TextEditor, step: unknown): Promise<void> {
  const { document } = editor;
  const [literal] = (step === 'save' ? ADDRESS : HASH).exec(document.getText()) ?? [];
  if (literal === undefined) return; // the user has changed the guide
  const position = document.positionAt(document.getText().indexOf(literal) + 4);
  if (step !== undefined) editor.selection = new Selection(position, position);
  if (step === 'hover') await commands.executeCommand('editor.action.showHover');
  else if (step === 'failure') await commands.executeCommand(commandIds.showFailure);
  else if (step === 'debug') await commands.executeCommand(commandIds.debugTransaction, { hash: literal });
  else if (step === 'save') await commands.executeCommand(commandIds.saveAddressUnderCursor);
}
