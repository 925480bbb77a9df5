// The commands of the address book.
import { l10n, Uri, window, workspace } from 'vscode';
import { emptyAddressBook, getAllFolders } from '../../addressBook/addressBookState.ts';
import { formatBookCsv, formatBookJson } from '../../addressBook/bookFormats.ts';
import { parseEntryIds, parseSaveRequest, type SaveRequest } from '../../addressBook/commandArguments.ts';
import {
  type AddressBookStorage,
  type Entry,
  haveCommonChain,
  isAptosEntryAddress,
  normalizeEntryAddress,
  type SavedEntry,
} from '../../addressBook/entry.ts';
import { getStorageKey, isSameStorage } from '../../addressBook/entryIds.ts';
import { planImport } from '../../addressBook/importPlan.ts';
import { parseEntry, validateEntry } from '../../addressBook/validateEntry.ts';
import { getChecksumState } from '../../base/checksumAddress.ts';
import { toDisplayAddress } from '../../base/displayAddress.ts';
import { HexLensError } from '../../base/errors.ts';
import { findDevelopmentAccount } from '../../detect/developmentAccounts.ts';
import { findAssignedName } from '../../detect/findAssignedName.ts';
import { isSecretLiteral } from '../../view/checkDisclosure.ts';
import { toEntryChoice } from '../../view/tree/entryText.ts';
import { detectLiteral } from '../editor/detectLiteral.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showInformationMessage } from '../prompts/showMessage.ts';
import type { AddressBook } from './addressBook.ts';
import { type EntryFormDeps, getStorageTitle, promptName, requireChoice, showEntryForm } from './entryForm.ts';
import { guessEntry } from './guessEntry.ts';
import { importEntries } from './importEntries.ts';
import { offerUndo, type Undoable } from './offerUndo.ts';

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

/** Characters of the active editor that may name a saved address. */
const MAX_SEARCHED_LENGTH = 500_000;

export type AddressBookCommandsDeps = Pick<FeatureDeps, 'book' | 'worker' | 'settings' | 'abis' | 'log'>;

async function promptAddress(value: string): Promise<string> {
  const text = await window.showInputBox({
    title: l10n.t('Save Address'),
    prompt: l10n.t('An EVM address (0x and 40 hex digits) or an Aptos one. Never a private key.'),
    value,
    ignoreFocusOut: true,
    validateInput: getAddressProblem,
  });
  return requireChoice(text).trim();
}

/** The name that the code in the active editor gives the address, in the cursor's line first. */
function findNameInEditor(address: string): string | null {
  const editor = window.activeTextEditor;
  if (editor === undefined) return null;
  const { document, selection } = editor;
  const current = document.lineAt(selection.active.line).text;
  const lines = [current, ...document.getText().slice(0, MAX_SEARCHED_LENGTH).split('\n')];
  for (const line of lines) {
    const at = line.toLowerCase().indexOf(address);
    const name = at < 0 ? null : findAssignedName(line, at);
    if (name !== null) return name;
  }
  return null;
}

function getAddressProblem(text: string): string | null {
  const request = parseSaveRequest(text);
  const digits = /0x([0-9a-f]{40})(?![0-9a-f])/i.exec(text)?.[1];
  // Saved, it would get a right checksum, which hides the mistake.
  if (request !== null && digits !== undefined && getChecksumState(`0x${digits}`) === 'invalid')
    return l10n.t(
      'The EIP-55 checksum of address is wrong: a digit or its case was changed. Compare it with its source.',
    );
  if (request !== null) return null;
  const { issues } = validateEntry({ address: text, name: '.' });
  return issues.find(({ isFatal }) => isFatal)?.message ?? l10n.t('This is not an address.');
}

/** The selected address, else the one under the cursor; `null` when there is none. */
function getAddressAtCursor(): string | null {
  const editor = window.activeTextEditor;
  if (editor === undefined) return null;
  const atCursor = detectLiteral(editor.document, editor.selection.start);
  // A private key has the digits of an Aptos account, and the address book may be committed.
  if (atCursor !== null && isSecretLiteral(atCursor.literal, atCursor.fileName)) return null;
  const selected = normalizeEntryAddress(editor.document.getText(editor.selection).slice(0, 100));
  if (selected !== null) return selected;
  const literal = atCursor?.literal;
  if (literal?.kind === 'aptosAddress') return literal.address;
  return literal?.kind === 'address' || literal?.kind === 'paddedAddress' ? literal.address : null;
}

interface SavedResult extends Undoable {
  readonly saved: SavedEntry | undefined;
  /** What was stored there for the address before; the new fields were added to it. */
  readonly isMerged: boolean;
}

/** Saves an entry in a storage without losing what is stored there for the same address and chains. */
export async function saveEntry(book: AddressBook, entry: Entry, storage: AddressBookStorage): Promise<SavedResult> {
  const isStoredThere = (other: SavedEntry) => isSameStorage(other.storage, storage);
  const entries = book.findByAddress(entry.address).filter(isStoredThere);
  const [planned] = planImport({ ...emptyAddressBook, entries }, [entry]);
  const merged = planned?.entry ?? entry;
  const { undo } = await book.addWithUndo([merged], storage, [planned?.before ?? null]);
  // Another entry, of another name, may have a chain in common with it.
  const isMergedEntry = (other: SavedEntry) =>
    isStoredThere(other) && other.name === merged.name && haveCommonChain(other.chains, merged.chains);
  const saved = book.findByAddress(entry.address).find(isMergedEntry);
  return { saved, undo, isMerged: planned?.state === 'updated' };
}

function showMerged({ saved, isMerged }: SavedResult, undo: Undoable['undo']): void {
  if (isMerged) offerUndo(l10n.t('{0} was already there: both entries were merged.', saved?.name ?? ''), undo);
}

const showRemoved = (entries: readonly SavedEntry[], undo: () => Promise<void>) => {
  const [first] = entries;
  const message =
    entries.length === 1
      ? l10n.t('{0} was removed from the address book.', first?.name ?? '')
      : l10n.t('{0} addresses were removed from the address book.', entries.length);
  offerUndo(message, undo);
};

export class AddressBookCommands {
  readonly #deps: AddressBookCommandsDeps;

  constructor(deps: AddressBookCommandsDeps) {
    this.#deps = deps;
  }

  async saveAddress(...args: readonly unknown[]): Promise<SavedEntry | undefined> {
    const request = parseSaveRequest(args[0]);
    const text = request === null ? await promptAddress(getAddressAtCursor() ?? '') : '';
    return this.#save(request ?? parseSaveRequest(text) ?? { address: text });
  }

  async saveAddressUnderCursor(): Promise<SavedEntry | undefined> {
    const address = getAddressAtCursor();
    if (address !== null) return this.#save({ address });
    void showInformationMessage(l10n.t('Put the cursor on an address first: 0x and 40 hex digits.'));
    return undefined;
  }

  async editAddress(...args: readonly unknown[]): Promise<SavedEntry | undefined> {
    const [saved] = this.#findEntries(args);
    const [entry] = saved === undefined ? await this.#pickEntries(l10n.t('Edit Address Book Entry'), false) : [saved];
    return entry === undefined ? undefined : this.#edit(entry);
  }

  /** Resolves with the number of removed entries. */
  async removeAddresses(...args: readonly unknown[]): Promise<number> {
    const saved = this.#findEntries(args);
    const entries = saved.length > 0 ? saved : await this.#pickEntries(l10n.t('Remove Address Book Entry'), true);
    if (entries.length === 0) return 0;
    const { undo } = await this.#deps.book.remove(entries.map(({ id }) => id));
    showRemoved(entries, undo);
    return entries.length;
  }

  readonly importAddresses = (...args: readonly unknown[]) => importEntries(this.#deps, args[0]);
  readonly importFolder = this.importAddresses;
  readonly exportAddresses = (...args: readonly unknown[]) => exportEntries(this.#deps.book, args);

  #formDeps(): EntryFormDeps {
    const { book, worker } = this.#deps;
    return { book, chains: worker.chains().map(({ selector }) => selector) };
  }

  /** Those that the arguments of a command name. */
  #findEntries(args: readonly unknown[]): readonly SavedEntry[] {
    const byId = new Map(this.#deps.book.entries().map(entry => [entry.id, entry]));
    return parseEntryIds(args, id => byId.has(id)).flatMap(id => byId.get(id) ?? []);
  }

  async #pickEntries(title: string, canPickMany: boolean): Promise<readonly SavedEntry[]> {
    const items = this.#deps.book.entries().map(entry => ({ ...toEntryChoice(entry, workspace.isTrusted), entry }));
    if (items.length === 0) {
      void showInformationMessage(l10n.t('The address book is empty. Save an address first.'));
      return [];
    }
    const options = { title, matchOnDescription: true, matchOnDetail: true };
    if (canPickMany)
      return requireChoice(await window.showQuickPick(items, { ...options, canPickMany })).map(({ entry }) => entry);
    return [requireChoice(await window.showQuickPick(items, options)).entry];
  }

  async #edit(saved: SavedEntry): Promise<SavedEntry | undefined> {
    const { book } = this.#deps;
    const { id, storage, ...entry } = saved;
    const result = await showEntryForm(l10n.t('Edit {0}', entry.name), { entry, storage }, this.#formDeps());
    if (isSameStorage(result.storage, storage)) {
      const { address: _, ...change } = result.entry;
      return book.update(id, change);
    }
    // Added before it is removed, so that nothing is lost when one of the storages cannot be written.
    const added = await saveEntry(book, result.entry, result.storage);
    const removed = await book.remove([id]);
    showMerged(added, async () => {
      await removed.undo();
      await added.undo();
    });
    return added.saved;
  }

  async #save(request: SaveRequest): Promise<SavedEntry | undefined> {
    const { book, worker, settings, abis } = this.#deps;
    const address = normalizeEntryAddress(request.address);
    if (address === null) throw new HexLensError('bad-input', l10n.t('This is not an address.'));
    const storage: AddressBookStorage = { kind: 'personal' };
    const existing = book.findByAddress(address).find(entry => isSameStorage(entry.storage, storage));
    if (existing !== undefined) return this.#edit(existing);
    const title = l10n.t('Save Address');
    const guessing = guessEntry(address, { worker, settings, abis, book }, request.chain);
    const wellKnown = isAptosEntryAddress(address)
      ? null
      : (findDevelopmentAccount(address as `0x${string}`)?.name ?? null);
    const known = request.name ?? book.getName(address, request.chain) ?? wellKnown ?? findNameInEditor(address);
    const name = await promptName(title, address, known ?? (await guessing).name ?? '');
    const guess = await guessing;
    const entry = parseEntry({
      address,
      name,
      kind: request.kind ?? guess.kind,
      chains: request.chain === undefined ? guess.chains : [request.chain],
      folder: request.folder,
    });
    const result = await showEntryForm(title, { entry, storage }, this.#formDeps());
    const added = await saveEntry(book, result.entry, result.storage);
    showMerged(added, added.undo);
    const { saved } = added;
    if (saved !== undefined) window.setStatusBarMessage(l10n.t('$(check) Saved as {0}', saved.name), 3_000);
    return saved;
  }
}
