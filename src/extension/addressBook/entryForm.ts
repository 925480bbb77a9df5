// The form of an entry: a list of its fields, each changed by choosing it, saved by the first line.
import { l10n, type QuickPickItem, QuickPickItemKind, window, workspace } from 'vscode';
import {
  type BookStorage,
  type Entry,
  type EntryKind,
  entryColors,
  isAptosEntryAddress,
} from '../../addressBook/entry.ts';
import { isSameStorage } from '../../addressBook/entryIds.ts';
import { normalizeFolder } from '../../addressBook/folders.ts';
import {
  aptosEntryNetworks,
  getNameProblem,
  MAX_NOTES_LENGTH,
  parseEntryChain,
  parseTags,
} from '../../addressBook/validateEntry.ts';
import { chains as chainTable, LOCAL_CHAIN } from '../../api/chains.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { cancelledFault, isFault } from '../../base/errors.ts';
import type { AddressBook } from './addressBook.ts';

export interface EntryFormResult {
  readonly entry: Entry;
  readonly storage: BookStorage;
}

export interface EntryFormDeps {
  readonly book: AddressBook;
  /** Chains that the settings name come first. */
  readonly chains: readonly string[];
}

export const formatEntryAddress = (address: string): string =>
  isAptosEntryAddress(address) ? address : checksumAddress(address);

/** The answer, or a `cancelled` fault when the user turned away. */
export function requireChoice<T>(value: T | undefined): T {
  if (value === undefined) throw cancelledFault();
  return value;
}

export const getKindTitle = (kind: EntryKind): string =>
  ({
    wallet: l10n.t('Wallet'),
    contract: l10n.t('Contract'),
    collection: l10n.t('NFT collection'),
    aptos: l10n.t('Aptos account'),
  })[kind];

export const getStorageTitle = (place: BookStorage): string => {
  if (place.kind === 'personal') return l10n.t('Personal: yours, in every window');
  const folder = workspace.workspaceFolders?.find(({ uri }) => uri.toString() === place.folder);
  return l10n.t('{0}/.hexlens/addresses.json: shared with the repository', folder?.name ?? '');
};

const icons = { wallet: 'account', contract: 'file-code', collection: 'symbol-array', aptos: 'account' } as const;

type Choice<T> = QuickPickItem & { readonly value: T };

async function pick<T>(title: string, choices: readonly Choice<T>[], placeHolder: string): Promise<T> {
  return requireChoice(await window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true })).value;
}

export async function promptName(title: string, address: string, value: string): Promise<string> {
  const prompt = l10n.t('What {0} is called', formatEntryAddress(address));
  const validateInput = (text: string) => getNameProblem(text);
  return requireChoice(await window.showInputBox({ title, prompt, value, validateInput, ignoreFocusOut: true })).trim();
}

export async function promptStorage(title: string, book: AddressBook, current: BookStorage): Promise<BookStorage> {
  const places = [...book.storages()].sort(
    (one, other) => Number(isSameStorage(other, current)) - Number(isSameStorage(one, current)),
  );
  if (places.length === 1) return places[0] ?? current;
  return pick(
    title,
    places.map(value => ({ label: getStorageTitle(value), value })),
    l10n.t('Where it is kept'),
  );
}

export async function promptFolder(title: string, book: AddressBook, current: string): Promise<string> {
  const fresh = Symbol('a new folder');
  const none: Choice<string | symbol> = { label: l10n.t('No folder'), value: '' };
  const create: Choice<string | symbol> = { label: l10n.t('$(new-folder) New folder…'), value: fresh };
  const known = book.folders().map(value => ({ label: `$(folder) ${value}`, value }));
  const [here, others] = [
    known.filter(({ value }) => value === current),
    known.filter(({ value }) => value !== current),
  ];
  // What is so already comes first: Enter leaves it.
  const choices = current === '' ? [none, create, ...others] : [...here, none, create, ...others];
  const picked = await pick(title, choices, l10n.t('Folder'));
  if (typeof picked === 'string') return picked;
  const prompt = l10n.t('Name of the folder; / puts one folder into another');
  return normalizeFolder(
    requireChoice(await window.showInputBox({ title, prompt, value: current, ignoreFocusOut: true })),
  );
}

async function askChains(title: string, entry: Entry, configured: readonly string[]): Promise<readonly string[]> {
  const aptos = entry.kind === 'aptos';
  const names = aptos ? aptosEntryNetworks : [...configured, LOCAL_CHAIN, ...chainTable.map(({ name }) => name)];
  const all = [...new Set([...entry.chains, ...names])];
  const items = all.map(label => ({
    label,
    description: chainTable.find(({ name }) => name === label)?.title ?? '',
    picked: entry.chains.includes(label),
  }));
  const placeHolder = l10n.t('Chains it is meant for; none means all of them');
  const picked = await window.showQuickPick(items, { title, placeHolder, canPickMany: true, ignoreFocusOut: true });
  return requireChoice(picked).flatMap(({ label }) => parseEntryChain(label, aptos) ?? []);
}

type Field = 'save' | 'name' | 'kind' | 'place' | 'folder' | 'tags' | 'chains' | 'notes' | 'color' | 'mark';

function fields({ entry, storage: place }: EntryFormResult): readonly Choice<Field>[] {
  const none = l10n.t('none');
  const line = (value: Field, icon: string, label: string, description: string): Choice<Field> => ({
    label: `$(${icon}) ${label}`,
    description,
    value,
  });
  const token = entry.kind === 'contract' || entry.kind === 'collection';
  return [
    {
      label: `$(check) ${l10n.t('Save')}`,
      detail: `${entry.name} · ${formatEntryAddress(entry.address)}`,
      value: 'save',
    },
    { label: '', kind: QuickPickItemKind.Separator, value: 'save' },
    line('name', 'tag', l10n.t('Name'), entry.name),
    line('kind', icons[entry.kind], l10n.t('Kind'), getKindTitle(entry.kind)),
    line('place', 'bookmark', l10n.t('Kept in'), getStorageTitle(place)),
    line('folder', 'folder', l10n.t('Folder'), entry.folder || none),
    line('tags', 'symbol-keyword', l10n.t('Tags'), entry.tags.join(', ') || none),
    line('chains', 'link', l10n.t('Chains'), entry.chains.join(', ') || l10n.t('all')),
    line('notes', 'note', l10n.t('Notes'), entry.notes.replaceAll('\n', ' ') || none),
    line('color', 'symbol-color', l10n.t('Colour'), entry.color ?? none),
    ...(token ? [line('mark', 'shield', l10n.t('Your word on this token'), entry.mark ?? none)] : []),
  ];
}

async function askField(
  field: Exclude<Field, 'save'>,
  title: string,
  { entry, storage: place }: EntryFormResult,
  deps: EntryFormDeps,
): Promise<EntryFormResult> {
  const none = { label: l10n.t('None'), value: null };
  const changed = (change: Partial<Entry>): EntryFormResult => ({ entry: { ...entry, ...change }, storage: place });
  switch (field) {
    case 'name':
      return changed({ name: await promptName(title, entry.address, entry.name) });
    case 'kind': {
      const kinds: readonly EntryKind[] = isAptosEntryAddress(entry.address)
        ? ['aptos']
        : ['wallet', 'contract', 'collection'];
      const choices = kinds.map(value => ({ label: `$(${icons[value]}) ${getKindTitle(value)}`, value }));
      return changed({ kind: await pick(title, choices, l10n.t('What it is')) });
    }
    case 'place':
      return { entry, storage: await promptStorage(title, deps.book, place) };
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
      return changed({ chains: await askChains(title, entry, deps.chains) });
    case 'notes': {
      // One line is what the box has: the lines of a longer note are written as \n there.
      const value = entry.notes.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
      const prompt = l10n.t('Notes; \\n starts a new line');
      const text = requireChoice(await window.showInputBox({ title, prompt, value, ignoreFocusOut: true }));
      const notes = text.replace(/\\(n|\\)/g, (_, char: string) => (char === 'n' ? '\n' : '\\'));
      return changed({ notes: notes.slice(0, MAX_NOTES_LENGTH) });
    }
    case 'color': {
      const choices = entryColors.map(value => ({ label: `$(circle-filled) ${value}`, value }));
      return changed({ color: await pick<Entry['color']>(title, [...choices, none], l10n.t('Colour of its icon')) });
    }
    case 'mark': {
      const choices: readonly Choice<Entry['mark']>[] = [
        { label: l10n.t('Verified: never counted as spam'), value: 'verified' },
        { label: l10n.t('Spam: always counted as spam'), value: 'spam' },
        none,
      ];
      return changed({ mark: await pick(title, choices, l10n.t('Beats every rule of HexLens')) });
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
    const field = await pick(title, fields(current), l10n.t('Enter saves; choose a line to change it'));
    if (field === 'save') return current;
    try {
      current = await askField(field, title, current, deps);
    } catch (error) {
      // Out of one field is back to the form, not out of it.
      if (!isFault(error, 'cancelled')) throw error;
    }
  }
}
