// Creates, renames and removes folders of the address book, and moves entries into them.
import { l10n, type QuickPickItem, window } from 'vscode';
import type { SavedEntry } from '../../addressBook/entry.ts';
import { isInFolder, normalizeFolder } from '../../addressBook/folders.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import { showWarningMessage } from '../prompts/showMessage.ts';
import { moveEntries } from './dragAndDrop.ts';

function getNameProblem(text: string): string | null {
  const name = text.trim();
  if (name === '') return l10n.t('Enter a folder name.');
  return name.length > 200 ? l10n.t('A name has at most {0} characters.', 200) : null;
}

async function promptFolderPath(title: string, value: string, known: readonly string[]): Promise<string | undefined> {
  const text = await window.showInputBox({
    title,
    value,
    // The last name of the path is edited most often.
    valueSelection: [value.lastIndexOf('/') + 1, value.length],
    prompt: l10n.t('Use a slash to nest folders: Team/Treasury'),
    validateInput: written =>
      getNameProblem(written) ??
      (normalizeFolder(written) !== value && known.includes(normalizeFolder(written))
        ? l10n.t('A folder with this name already exists.')
        : null),
  });
  return text === undefined ? undefined : normalizeFolder(text);
}

export async function createFolder(book: AddressBook, parent: string | null): Promise<void> {
  const start = parent === null ? '' : `${parent}/`;
  const folder = await promptFolderPath(l10n.t('New Folder'), start, book.folders());
  if (folder !== undefined && folder !== '') await book.addFolder(folder);
}

export async function renameFolder(book: AddressBook, folder: string): Promise<void> {
  const to = await promptFolderPath(l10n.t('Rename Folder'), folder, book.folders());
  if (to !== undefined && to !== '' && to !== folder) await book.moveFolder(folder, to);
}

/** Removes a folder; its entries move to the parent folder. */
export async function removeFolder(book: AddressBook, folder: string): Promise<void> {
  const entries = book.entries().filter(entry => isInFolder(entry.folder, folder));
  const slash = folder.lastIndexOf('/');
  const parent = slash < 0 ? '' : folder.slice(0, slash);
  if (entries.length > 0) {
    const remove = l10n.t('Remove Folder');
    const choice = await showWarningMessage(
      l10n.t('Remove the folder {0}?', folder),
      {
        modal: true,
        detail:
          entries.length === 1
            ? l10n.t('Its entry is not removed: it moves to the parent folder.')
            : l10n.t('Its {0} entries are not removed: they move to the parent folder.', entries.length),
      },
      remove,
    );
    if (choice !== remove) return;
    await moveEntries(
      book,
      entries.map(({ id }) => id),
      parent,
    );
  }
  await book.moveFolder(folder, null);
}

interface FolderItem extends QuickPickItem {
  readonly folder?: string;
}

export async function moveIntoFolder(book: AddressBook, entries: readonly SavedEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const currentFolders = new Set(entries.map(({ folder }) => folder));
  const all: readonly FolderItem[] = [
    { label: l10n.t('New Folder…') },
    { label: l10n.t('(no folder)'), folder: '' },
    ...book.folders().map(folder => ({ label: folder, folder })),
  ];
  const items = all.map(item =>
    item.folder !== undefined && currentFolders.size === 1 && currentFolders.has(item.folder)
      ? { ...item, description: l10n.t('current') }
      : item,
  );
  const title =
    entries.length === 1 ? l10n.t('Move {0}', entries[0]?.name ?? '') : l10n.t('Move {0} Entries', entries.length);
  const picked = await window.showQuickPick(items, { title, placeHolder: l10n.t('Select a folder') });
  if (picked === undefined) return;
  const folder = picked.folder ?? (await promptFolderPath(l10n.t('New Folder'), '', []));
  if (folder === undefined) return;
  await moveEntries(
    book,
    entries.map(({ id }) => id),
    folder,
  );
}

export async function renameEntry(book: AddressBook, entry: SavedEntry): Promise<void> {
  const name = await window.showInputBox({
    title: l10n.t('Rename {0}', entry.name),
    value: entry.name,
    validateInput: text => (text.trim() === '' ? l10n.t('Enter a name.') : null),
  });
  if (name === undefined || name.trim() === entry.name) return;
  await book.update(entry.id, { name: name.trim() });
}
