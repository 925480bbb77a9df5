// Opens the address book when the workspace has a committed file, because its problems are shown in the Problems view.
import { Uri, type WorkspaceFolder, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isFault } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { AddressBook } from './addressBook.ts';

export interface ReadCommittedFilesDeps {
  readonly book: Pick<AddressBook, 'ready'>;
  readonly log: Log;
}

export function readCommittedFiles({ book, log }: ReadCommittedFilesDeps): Disposable {
  const store = new DisposableStore();
  const open = () => {
    book.ready().catch(error => {
      if (!isFault(error, 'cancelled')) log.error(`The address book could not be loaded: ${String(error)}`);
    });
  };
  const watcher = store.add(
    workspace.createFileSystemWatcher('**/{.hexlens,.hexlens/addresses.json}', false, true, true),
  );
  store.add(watcher.onDidCreate(open));
  const openForFiles = (folders: readonly WorkspaceFolder[]) => {
    for (const { uri } of folders)
      workspace.fs.stat(Uri.joinPath(uri, '.hexlens', 'addresses.json')).then(open, () => {}); // there is none
  };
  openForFiles(workspace.workspaceFolders ?? []);
  store.add(workspace.onDidChangeWorkspaceFolders(({ added }) => openForFiles(added)));
  return store;
}
