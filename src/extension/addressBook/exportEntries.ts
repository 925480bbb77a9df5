// Export to a file of the user's choice: JSON in the committed form, or CSV that no spreadsheet runs.
import { l10n, Uri, window, workspace } from 'vscode';
import { getAllFolders } from '../../addressBook/addressBookState.ts';
import { formatBookCsv } from '../../addressBook/bookCsv.ts';
import { formatBookJson } from '../../addressBook/bookJson.ts';
import { parseEntryIds } from '../../addressBook/commandArguments.ts';
import type { BookStorage, SavedEntry } from '../../addressBook/entry.ts';
import { getStorageKey } from '../../addressBook/entryIds.ts';
import type { AddressBook } from './addressBook.ts';
import { formatEntryAddress, getStorageTitle, requireChoice } from './entryForm.ts';

/** All places, or one of them, when there are several with entries. */
async function askEntries(book: AddressBook): Promise<readonly SavedEntry[]> {
  const all = book.entries();
  const of = (place: BookStorage) => all.filter(entry => getStorageKey(entry.storage) === getStorageKey(place));
  const filled = book.storages().filter(place => of(place).length > 0);
  if (filled.length < 2) return all;
  const items = [
    { label: l10n.t('Everything'), description: String(all.length), entries: all },
    ...filled.map(place => ({
      label: getStorageTitle(place),
      description: String(of(place).length),
      entries: of(place),
    })),
  ];
  const title = l10n.t('Export Addresses');
  return requireChoice(await window.showQuickPick(items, { title, placeHolder: l10n.t('What to export') })).entries;
}

/** Arguments: entries (as of `removeAddresses`), or the file to write as a `Uri`. Resolves with the file. */
export async function exportEntries(book: AddressBook, args: readonly unknown[]): Promise<Uri | undefined> {
  const known = new Map(book.entries().map(entry => [entry.id, entry]));
  const ids = parseEntryIds(args, id => known.has(id));
  const entries = ids.length > 0 ? ids.flatMap(id => known.get(id) ?? []) : await askEntries(book);
  if (entries.length === 0) {
    void window.showInformationMessage(l10n.t('The address book is empty. Save an address first.'));
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
    ? formatBookCsv(entries, formatEntryAddress)
    : formatBookJson(entries, getAllFolders([{ entries, folders: [] }]));
  await workspace.fs.writeFile(target, new TextEncoder().encode(text));
  window.setStatusBarMessage(l10n.t('$(check) {0} addresses were exported', entries.length), 3_000);
  return target;
}
