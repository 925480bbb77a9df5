// Exports entries as JSON in the format of the committed file, or as CSV without formulas.

import { l10n, Uri, window, workspace } from 'vscode';
import { getAllFolders } from '../../addressBook/addressBookState.ts';
import { formatBookCsv, formatBookJson } from '../../addressBook/bookFormats.ts';
import { parseEntryIds } from '../../addressBook/commandArguments.ts';
import type { AddressBookStorage, SavedEntry } from '../../addressBook/entry.ts';
import { getStorageKey } from '../../addressBook/entryIds.ts';
import { toDisplayAddress } from '../../base/displayAddress.ts';
import { showInformationMessage } from '../prompts/messages.ts';
import type { AddressBook } from './addressBook.ts';
import { getStorageTitle, requireChoice } from './entryForm.ts';

/** All entries, or those of the storage that the user picks when several have entries. */
async function pickEntries(book: AddressBook): Promise<readonly SavedEntry[]> {
  const all = book.entries();
  const getEntries = (storage: AddressBookStorage) =>
    all.filter(entry => getStorageKey(entry.storage) === getStorageKey(storage));
  const storages = book.storages().filter(storage => getEntries(storage).length > 0);
  if (storages.length < 2) return all;
  const items = [
    { label: l10n.t('All entries'), description: String(all.length), entries: all },
    ...storages.map(storage => ({
      label: getStorageTitle(storage),
      description: String(getEntries(storage).length),
      entries: getEntries(storage),
    })),
  ];
  const title = l10n.t('Export Addresses');
  return requireChoice(await window.showQuickPick(items, { title, placeHolder: l10n.t('What to export') })).entries;
}

/** `args` may hold entries, as for `removeAddresses`, and the `Uri` of the file to write. Resolves with the file. */
export async function exportEntries(book: AddressBook, args: readonly unknown[]): Promise<Uri | undefined> {
  const entriesById = new Map(book.entries().map(entry => [entry.id, entry]));
  const ids = parseEntryIds(args, id => entriesById.has(id));
  const entries = ids.length > 0 ? ids.flatMap(id => entriesById.get(id) ?? []) : await pickEntries(book);
  if (entries.length === 0) {
    void showInformationMessage(l10n.t('The address book is empty. Save an address first.'));
    return undefined;
  }
  const [folder] = workspace.workspaceFolders ?? [];
  const target =
    args.find(argument => argument instanceof Uri) ??
    requireChoice(
      await window.showSaveDialog({
        title: l10n.t('Export Addresses'),
        filters: { JSON: ['json'], CSV: ['csv'] },
        ...(folder !== undefined && { defaultUri: Uri.joinPath(folder.uri, 'addresses.json') }),
      }),
    );
  const text = /\.csv$/i.test(target.path)
    ? formatBookCsv(entries, toDisplayAddress)
    : formatBookJson(entries, getAllFolders([{ entries, folders: [] }]));
  await workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const message =
    entries.length === 1
      ? l10n.t('$(check) 1 address was exported')
      : l10n.t('$(check) {0} addresses were exported', entries.length);
  window.setStatusBarMessage(message, 3_000);
  return target;
}
