import * as vscode from 'vscode';
import { until } from './siweActions.ts';

/** VS Code reports no changes of files in the first seconds, nor just after a change of `files.watcherExclude`. */
export async function untilWatched(folder: vscode.Uri): Promise<void> {
  const file = vscode.Uri.joinPath(folder, 'watched.txt');
  const watcher = vscode.workspace.createFileSystemWatcher('**/watched.txt');
  let isReported = false;
  for (const event of [watcher.onDidCreate, watcher.onDidChange])
    event(() => {
      isReported = true;
    });
  try {
    await until(
      async () => {
        await vscode.workspace.fs.writeFile(file, new Uint8Array());
        return isReported;
      },
      reported => reported,
      `reports changes in ${folder.path}`,
    );
  } finally {
    watcher.dispose();
    await vscode.workspace.fs.delete(file);
  }
}
