// The commands of the address book, as the editor runs them. Loaded with the first of them.
import { l10n, window } from 'vscode';
import { parseEntryIds, parseSaveRequest, type SaveRequest } from '../../addressBook/commandArguments.ts';
import {
  type BookStorage,
  isAptosEntryAddress,
  normalizeEntryAddress,
  type SavedEntry,
} from '../../addressBook/entry.ts';
import { isSameStorage } from '../../addressBook/entryIds.ts';
import { parseEntry } from '../../addressBook/validateEntry.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { findDevelopmentAccount } from '../../detect/developmentAccounts.ts';
import { detectLiteral } from '../editor/detectLiteral.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { AddressBook } from './addressBook.ts';
import {
  type EntryFormDeps,
  formatEntryAddress,
  getKindTitle,
  promptName,
  requireChoice,
  showEntryForm,
} from './entryForm.ts';
import { exportEntries } from './exportEntries.ts';
import { guessEntry } from './guessEntry.ts';
import { importEntries } from './importEntries.ts';
import { offerUndo } from './offerUndo.ts';

export interface AddressBookCommandsDeps {
  readonly book: AddressBook;
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
  readonly log: Log;
}

async function askAddress(value: string): Promise<string> {
  const text = await window.showInputBox({
    title: l10n.t('Save Address'),
    prompt: l10n.t('An EVM address (0x and 40 hex digits) or an Aptos one. Never a private key.'),
    value,
    ignoreFocusOut: true,
    validateInput(typed) {
      const { issues } = judged(typed);
      return issues.find(({ field }) => field === 'address')?.message ?? null;
    },
  });
  return requireChoice(text).trim();
}

const judged = (address: string) => {
  try {
    parseEntry({ address, name: 'name' });
    return { issues: [] };
  } catch (error) {
    return { issues: error instanceof HexLensError ? error.issues : [] };
  }
};

/** The address under the cursor, or in the selection; `null` when there is none. */
function addressAtCursor(): string | null {
  const editor = window.activeTextEditor;
  if (editor === undefined) return null;
  const selected = normalizeEntryAddress(editor.document.getText(editor.selection).slice(0, 100));
  if (selected !== null) return selected;
  const subject = detectLiteral(editor.document, editor.selection.active)?.literal;
  if (subject?.kind === 'aptosAddress') return subject.address;
  return subject?.kind === 'address' || subject?.kind === 'paddedAddress' ? subject.address : null;
}

export function createAddressBookCommands({ book, backend, settings, log }: AddressBookCommandsDeps) {
  const formDeps = (): EntryFormDeps => ({ book, chains: backend.chains().map(({ selector }) => selector) });
  const byId = (id: string) => book.entries().find(entry => entry.id === id);
  const known = (id: string) => byId(id) !== undefined;

  const pickEntries = async (title: string, several: boolean): Promise<readonly SavedEntry[]> => {
    const items = book.entries().map(entry => ({
      label: entry.name,
      description: formatEntryAddress(entry.address),
      detail: [getKindTitle(entry.kind), entry.folder, ...entry.tags].filter(text => text !== '').join(' · '),
      entry,
    }));
    if (items.length === 0) {
      void window.showInformationMessage(l10n.t('The address book is empty. Save an address first.'));
      return [];
    }
    const options = { title, matchOnDescription: true, matchOnDetail: true };
    if (several)
      return requireChoice(await window.showQuickPick(items, { ...options, canPickMany: true })).map(
        ({ entry }) => entry,
      );
    return [requireChoice(await window.showQuickPick(items, options)).entry];
  };

  const edit = async (saved: SavedEntry): Promise<SavedEntry | undefined> => {
    const { id, storage: place, ...entry } = saved;
    const result = await showEntryForm(l10n.t('Edit {0}', entry.name), { entry, storage: place }, formDeps());
    if (isSameStorage(result.storage, place)) {
      const { address: _, ...change } = result.entry;
      return book.update(id, change);
    }
    // First there, then gone here: nothing is lost when one of the two cannot be written.
    const [moved] = await book.add([result.entry], result.storage);
    await book.remove([id]);
    return moved;
  };

  const save = async (request: SaveRequest): Promise<SavedEntry | undefined> => {
    const address = normalizeEntryAddress(request.address);
    if (address === null) throw new HexLensError('bad-input', l10n.t('This is no address.'));
    const place: BookStorage = { kind: 'personal' };
    const before = book.findByAddress(address).find(entry => isSameStorage(entry.storage, place));
    if (before !== undefined) return edit(before);
    const title = l10n.t('Save Address');
    const guessing = guessEntry(address, { backend, settings });
    const wellKnown = isAptosEntryAddress(address)
      ? null
      : (findDevelopmentAccount(address as `0x${string}`)?.name ?? null);
    const offered = request.name ?? book.getName(address) ?? wellKnown ?? '';
    const name = await promptName(title, address, offered);
    const guess = await guessing;
    const entry = parseEntry({
      address,
      name,
      kind: request.kind ?? guess.kind,
      chains: request.chain === undefined ? guess.chains : [request.chain],
      folder: request.folder,
    });
    const result = await showEntryForm(title, { entry, storage: place }, formDeps());
    const [saved] = await book.add([result.entry], result.storage);
    if (saved !== undefined) window.setStatusBarMessage(l10n.t('$(check) Saved as {0}', saved.name), 3_000);
    return saved;
  };

  const sayRemoved = (entries: readonly SavedEntry[], undo: () => Promise<void>) => {
    const [first] = entries;
    const said =
      entries.length === 1
        ? l10n.t('{0} was removed from the address book.', first?.name ?? '')
        : l10n.t('{0} addresses were removed from the address book.', entries.length);
    offerUndo(said, undo);
  };

  return {
    async saveAddress(...args: readonly unknown[]) {
      const request = parseSaveRequest(args[0]);
      return save(request ?? { address: await askAddress(addressAtCursor() ?? '') });
    },
    async saveAddressUnderCursor() {
      const address = addressAtCursor();
      if (address !== null) return save({ address });
      void window.showInformationMessage(l10n.t('Put the cursor on an address first: 0x and 40 hex digits.'));
      return undefined;
    },
    async editAddress(...args: readonly unknown[]) {
      const [id] = parseEntryIds(args, known);
      const [entry] = id === undefined ? await pickEntries(l10n.t('Edit Address Book Entry'), false) : [byId(id)];
      return entry === undefined ? undefined : edit(entry);
    },
    /** Resolves with how many were removed. */
    async removeAddresses(...args: readonly unknown[]) {
      const ids = parseEntryIds(args, known);
      const entries =
        ids.length === 0
          ? await pickEntries(l10n.t('Remove Address Book Entry'), true)
          : ids.map(byId).filter(entry => entry !== undefined);
      if (entries.length === 0) return 0;
      const { undo } = await book.remove(entries.map(({ id }) => id));
      sayRemoved(entries, undo);
      return entries.length;
    },
    importAddresses: (...args: readonly unknown[]) => importEntries(book, log, args[0]),
    importFolder: (...args: readonly unknown[]) => importEntries(book, log, args[0]),
    exportAddresses: (...args: readonly unknown[]) => exportEntries(book, args),
  };
}

export type AddressBookCommands = ReturnType<typeof createAddressBookCommands>;
