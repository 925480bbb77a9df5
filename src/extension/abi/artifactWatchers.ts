// Reports files that compilers write, change or delete.
import { RelativePattern, type Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { MAX_ARTIFACTS, SKIPPED_FOLDERS_GLOB } from '../../decode/artifactFiles.ts';

export interface ArtifactListener {
  /** A file was created or changed. */
  onChange(uri: Uri): void;
  /** A file or folder was deleted. */
  onDelete(uri: Uri): void;
  readonly log: Log;
}

export function watchArtifacts(globs: readonly string[], { onChange, onDelete, log }: ArtifactListener): Disposable {
  const watchers = new DisposableStore();

  /** Creating a folder with files is one event, without events for the files. */
  async function listNewFolder(folder: Uri, glob: string): Promise<void> {
    if (/\.\w+$/.test(folder.path) && !folder.path.endsWith('.sol')) return; // a file
    const files = new RelativePattern(folder, `**/${glob.slice(glob.lastIndexOf('/') + 1)}`);
    for (const uri of await workspace.findFiles(files, SKIPPED_FOLDERS_GLOB, MAX_ARTIFACTS)) onChange(uri);
  }

  for (const folder of workspace.workspaceFolders ?? [])
    for (const glob of globs) {
      const watcher = watchers.add(workspace.createFileSystemWatcher(new RelativePattern(folder, glob)));
      watchers.add(watcher.onDidCreate(onChange));
      watchers.add(watcher.onDidChange(onChange));
      watchers.add(watcher.onDidDelete(onDelete));
      const above = glob.includes('/') ? glob.slice(0, glob.lastIndexOf('/')) : '**';
      const folders = watchers.add(
        workspace.createFileSystemWatcher(new RelativePattern(folder, above), false, true, false),
      );
      watchers.add(folders.onDidDelete(onDelete));
      const failed = (error: unknown) => log.warn(`New artifacts could not be listed: ${String(error)}`);
      watchers.add(folders.onDidCreate(uri => void listNewFolder(uri, glob).catch(failed)));
    }
  return watchers;
}
