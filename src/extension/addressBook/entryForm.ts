// The form of an entry as a quick pick: one item saves, the others edit one field each.

import { l10n, type QuickPickItem, QuickPickItemKind, window, workspace } from 'vscode';
import {
  type AddressBookStorage,
  type Entry,
  type EntryKind,
  entryColors,
  isAptosEntryAddress,
} from '../../addressBook/entry.ts';
import { isSameStorage } from '../../addressBook/entryIds.ts';
import { normalizeFolder } from '../../addressBook/folders.ts';
import {
  aptosEntryNetworks,
  getAbiPathProblem,
  getNameProblem,
  MAX_NOTES_LENGTH,
  parseTags,
  toEntryChains,
} from '../../addressBook/validateEntry.ts';
import { chains as chainTable, LOCAL_CHAIN, RETIRED_CHAINS } from '../../api/chains.ts';
import { toDisplayAddress } from '../../base/displayAddress.ts';
import { createCancelledFault, isFault } from '../../base/errors.ts';
import { kindIcons } from '../../view/addressIcons.ts';
import { getKindText } from '../../view/tree/entryText.ts';
import type { AddressBook } from './addressBook.ts';

export interface EntryFormResult {
  readonly entry: Entry;
  readonly storage: AddressBookStorage;
}

export interface EntryFormDeps {
  readonly book: AddressBook;
  /** Configured chains, offered first. */
  readonly chains: readonly string[];
}

/** Returns the value; throws a `cancelled` fault when the user dismissed the prompt. */
export function requireChoice<T>(value: T | undefined): T {
  if (value === undefined) throw createCancelledFault();
  return value;
}

export const getStorageTitle = (storage: AddressBookStorage): string => {
  if (storage.kind === 'personal') return l10n.t('Personal: yours, in every window');
  const folder = workspace.workspaceFolders?.find(({ uri }) => uri.toString() === storage.folder);
  return l10n.t('{0}/.hexlens/addresses.json: shared with the repository', folder?.name ?? '');
};

type Choice<T> = QuickPickItem & { readonly value: T };

async function pick<T>(title: string, choices: readonly Choice<T>[], placeHolder: string): Promise<T> {
  return requireChoice(await window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true })).value;
}

export async function promptName(title: string, address: string, value: string): Promise<string> {
  const prompt = l10n.t('Name of {0}', toDisplayAddress(address));
  const validateInput = (text: string) => getNameProblem(text);
  return requireChoice(await window.showInputBox({ title, prompt, value, validateInput, ignoreFocusOut: true })).trim();
}

export async function promptStorage(
  title: string,
  book: AddressBook,
  current: AddressBookStorage,
): Promise<AddressBookStorage> {
  const storages = [...book.storages()].sort(
    (one, other) => Number(isSameStorage(other, current)) - Number(isSameStorage(one, current)),
  );
  if (storages.length === 1) return storages[0] ?? current;
  return pick(
    title,
    storages.map(value => ({ label: getStorageTitle(value), value })),
    l10n.t('Where to store it'),
  );
}

export async function promptFolder(title: string, book: AddressBook, current: string): Promise<string> {
  const newFolder = Symbol('new folder');
  const none: Choice<string | symbol> = { label: l10n.t('No folder'), value: '' };
  const create: Choice<string | symbol> = { label: l10n.t('$(new-folder) New folder…'), value: newFolder };
  const folders = book.folders().map(value => ({ label: `$(folder) ${value}`, value }));
  const currentFolder = folders.filter(({ value }) => value === current);
  const otherFolders = folders.filter(({ value }) => value !== current);
  // The current value comes first, so that Enter leaves it unchanged.
  const choices = current === '' ? [none, create, ...otherFolders] : [...currentFolder, none, create, ...otherFolders];
  const picked = await pick(title, choices, l10n.t('Folder'));
  if (typeof picked === 'string') return picked;
  const prompt = l10n.t('Folder name; use / to nest folders');
  return normalizeFolder(
    requireChoice(await window.showInputBox({ title, prompt, value: current, ignoreFocusOut: true })),
  );
}

async function promptChains(title: string, entry: Entry, configured: readonly string[]): Promise<readonly string[]> {
  const isAptos = entry.kind === 'aptos';
  const names = isAptos ? aptosEntryNetworks : [...configured, LOCAL_CHAIN, ...chainTable.map(({ name }) => name)];
  const isRetired = (name: string) => RETIRED_CHAINS.includes(name) && !entry.chains.includes(name);
  const all = [...new Set([...entry.chains, ...names.toSorted((a, b) => Number(isRetired(a)) - Number(isRetired(b)))])];
  const items = all.map(label => ({
    label,
    description: chainTable.find(({ name }) => name === label)?.title ?? '',
    picked: entry.chains.includes(label),
  }));
  const placeHolder = l10n.t('Chains the entry applies to; none selected means all');
  const picked = await window.showQuickPick(items, { title, placeHolder, canPickMany: true, ignoreFocusOut: true });
  return toEntryChains(
    entry,
    requireChoice(picked).map(({ label }) => label),
  );
}

type Field = 'save' | 'name' | 'kind' | 'storage' | 'folder' | 'tags' | 'chains' | 'notes' | 'color' | 'trust' | 'abi';

function createItems({ entry, storage }: EntryFormResult): readonly Choice<Field>[] {
  const none = l10n.t('none');
  const line = (value: Field, icon: string, label: string, description: string): Choice<Field> => ({
    label: `$(${icon}) ${label}`,
    description,
    value,
  });
  const isToken = entry.kind === 'contract' || entry.kind === 'collection';
  return [
    {
      label: `$(check) ${l10n.t('Save')}`,
      detail: `${entry.name} · ${toDisplayAddress(entry.address)}`,
      value: 'save',
    },
    { label: '', kind: QuickPickItemKind.Separator, value: 'save' },
    line('name', 'tag', l10n.t('Name'), entry.name),
    line('kind', kindIcons[entry.kind], l10n.t('Kind'), getKindText(entry.kind)),
    line('storage', 'bookmark', l10n.t('Stored in'), getStorageTitle(storage)),
    line('folder', 'folder', l10n.t('Folder'), entry.folder || none),
    line('tags', 'symbol-keyword', l10n.t('Tags'), entry.tags.join(', ') || none),
    line('chains', 'link', l10n.t('Chains'), entry.chains.join(', ') || l10n.t('all')),
    line('notes', 'note', l10n.t('Notes'), entry.notes.replaceAll('\n', ' ') || none),
    line('color', 'symbol-color', l10n.t('Color'), entry.color ?? none),
    ...(isToken ? [line('trust', 'shield', l10n.t('Trust'), entry.trust ?? none)] : []),
    ...(isToken && storage.kind === 'workspace' ? [line('abi', 'json', l10n.t('ABI File'), entry.abi || none)] : []),
  ];
}

async function promptField(
  field: Exclude<Field, 'save'>,
  title: string,
  { entry, storage }: EntryFormResult,
  deps: EntryFormDeps,
): Promise<EntryFormResult> {
  const none = { label: l10n.t('None'), value: null };
  const changed = (change: Partial<Entry>): EntryFormResult => ({ entry: { ...entry, ...change }, storage });
  switch (field) {
    case 'name':
      return changed({ name: await promptName(title, entry.address, entry.name) });
    case 'kind': {
      const kinds: readonly EntryKind[] = isAptosEntryAddress(entry.address)
        ? ['aptos']
        : ['wallet', 'contract', 'collection'];
      const choices = kinds.map(value => ({ label: `$(${kindIcons[value]}) ${getKindText(value)}`, value }));
      return changed({ kind: await pick(title, choices, l10n.t('Kind')) });
    }
    case 'storage':
      return { entry, storage: await promptStorage(title, deps.book, storage) };
    case 'folder':
      return changed({ folder: await promptFolder(title, deps.book, entry.folder) });
    case 'tags': {
      const prompt = l10n.t('Tags, separated by commas');
      const value = entry.tags.join(', ');
      return changed({
        tags: parseTags(requireChoice(await window.showInputBox({ title, prompt, value, ignoreFocusOut: true }))),
      });
    }
    case 'chains':
      return changed({ chains: await promptChains(title, entry, deps.chains) });
    case 'notes': {
      // An input box has one line: line breaks are shown as \n.
      const value = entry.notes.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
      const prompt = l10n.t('Notes; \\n starts a new line');
      const text = requireChoice(await window.showInputBox({ title, prompt, value, ignoreFocusOut: true }));
      const notes = text.replace(/\\(n|\\)/g, (_, char: string) => (char === 'n' ? '\n' : '\\'));
      return changed({ notes: notes.slice(0, MAX_NOTES_LENGTH) });
    }
    case 'color': {
      const choices = entryColors.map(value => ({ label: `$(circle-filled) ${value}`, value }));
      return changed({ color: await pick<Entry['color']>(title, [...choices, none], l10n.t('Icon color')) });
    }
    case 'abi': {
      const prompt = l10n.t('Path below this folder, such as abis/Vault.json; empty for none');
      const validateInput = (text: string) => (text.trim() === '' ? null : getAbiPathProblem(text.trim()));
      const options = { title, prompt, value: entry.abi ?? '', validateInput, ignoreFocusOut: true };
      return changed({ abi: requireChoice(await window.showInputBox(options)).trim() });
    }
    case 'trust': {
      const choices: readonly Choice<Entry['trust']>[] = [
        { label: l10n.t('Verified: never counted as spam'), value: 'verified' },
        { label: l10n.t('Spam: always counted as spam'), value: 'spam' },
        none,
      ];
      return changed({ trust: await pick(title, choices, l10n.t('Overrides the rules of HexLens')) });
    }
  }
}

/** Shows the form until the user saves; rejects with `cancelled` when the form is left. */
export async function showEntryForm(
  title: string,
  start: EntryFormResult,
  deps: EntryFormDeps,
): Promise<EntryFormResult> {
  let current = start;
  for (;;) {
    const field = await pick(title, createItems(current), l10n.t('Press Enter to save, or select a field to edit'));
    if (field === 'save') return current;
    try {
      current = await promptField(field, title, current, deps);
    } catch (error) {
      // Dismissing the prompt of one field returns to the form.
      if (!isFault(error, 'cancelled')) throw error;
    }
  }
}
