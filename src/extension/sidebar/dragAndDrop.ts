// Dragging entries and folders into folders, addresses out into editors, and addresses from anywhere into the book.
import { type CancellationToken, type DataTransfer, DataTransferItem, l10n, window } from 'vscode';
import type { BookStorage, Entry, SavedEntry } from '../../addressBook/entry.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { shortenHex } from '../../base/displayText.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import { detectLiterals } from '../../detect/detectLiterals.ts';
import { findDevelopmentAccount } from '../../detect/developmentAccounts.ts';
import { getWellKnownAddress } from '../../detect/wellKnownAddresses.ts';
import type { Grouping } from '../../view/tree/arrangeEntries.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import { guessEntry } from '../addressBook/guessEntry.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { AddressTreeNode } from './addressTreeNodes.ts';

/** VS Code's own name for what is dragged inside the view. */
export const TREE_MIME_TYPE = 'application/vnd.code.tree.hexlens.addresses';

/** A dropped page of text is no list of addresses any more. */
const MOST_TEXT = 1_000_000;

/** What is dragged inside the view: ids of entries, paths of folders. */
interface Dragged {
  readonly entries: readonly string[];
  readonly folders: readonly string[];
}

export function handleDrag(nodes: readonly AddressTreeNode[], data: DataTransfer): void {
  const entries = nodes.flatMap(node => (node.kind === 'entry' ? [node.entry] : []));
  const folders = nodes.flatMap(node =>
    node.kind === 'group' && node.group.grouping === 'folder' && node.group.value !== null ? [node.group.value] : [],
  );
  if (entries.length > 0 || folders.length > 0)
    data.set(TREE_MIME_TYPE, new DataTransferItem({ entries: entries.map(({ id }) => id), folders } satisfies Dragged));
  const texts = nodes.flatMap(node => (node.kind === 'row' ? [node.row.copyText] : []));
  const text = [...entries.map(formatNodeAddress), ...texts].join('\n');
  if (text !== '') data.set('text/plain', new DataTransferItem(text));
}

export const formatNodeAddress = ({ address, kind }: Pick<SavedEntry, 'address' | 'kind'>): string =>
  kind === 'aptos' ? address : checksumAddress(address);

/** Where a drop on a node goes: the folder, or the tag, that the node is or is in. */
interface Target {
  readonly grouping: Grouping;
  /** `null`: the top, or what has no tag. */
  readonly value: string | null;
}

export function getDropTarget(node: AddressTreeNode | undefined, grouping: Grouping): Target {
  for (let at: AddressTreeNode | null = node ?? null; at !== null; at = at.parent)
    if (at.kind === 'group') return { grouping, value: at.group.value };
  return { grouping, value: null };
}

const samePlace = (a: BookStorage, b: BookStorage) => JSON.stringify(a) === JSON.stringify(b);

/** Changes entries in one go per place: the book knows them again by address and chains. */
async function changeEntries(
  book: AddressBook,
  entries: readonly SavedEntry[],
  change: (entry: Entry) => Entry,
): Promise<void> {
  for (const target of book.storages()) {
    const changed = entries
      .filter(({ storage: place }) => samePlace(place, target))
      .map(({ id: _, storage: __, ...entry }) => change(entry));
    if (changed.length > 0) await book.add(changed, target);
  }
}

/** Resolves with how many were moved. */
export async function moveEntries(book: AddressBook, ids: readonly string[], folder: string): Promise<number> {
  const wanted = new Set(ids);
  const moving = book.entries().filter(entry => wanted.has(entry.id) && entry.folder !== folder);
  await changeEntries(book, moving, entry => ({ ...entry, folder }));
  return moving.length;
}

async function tagEntries(book: AddressBook, ids: readonly string[], tag: string): Promise<void> {
  const wanted = new Set(ids);
  const tagging = book.entries().filter(entry => wanted.has(entry.id) && !entry.tags.includes(tag));
  await changeEntries(book, tagging, entry => ({ ...entry, tags: [...entry.tags, tag] }));
}

/** The last name of a folder's path. */
const baseOf = (folder: string) => folder.split('/').at(-1) ?? folder;

async function dropNodes(book: AddressBook, { entries, folders }: Dragged, { grouping, value }: Target): Promise<void> {
  if (grouping === 'folder') {
    const into = value ?? '';
    await moveEntries(book, entries, into);
    for (const folder of folders) {
      const to = into === '' ? baseOf(folder) : `${into}/${baseOf(folder)}`;
      if (to !== folder && !`${into}/`.startsWith(`${folder}/`)) await book.moveFolder(folder, to);
    }
  } else if (grouping === 'tag' && value !== null) await tagEntries(book, entries, value);
  else
    void window.showInformationMessage(
      l10n.t('Entries can be dropped into folders and onto tags. Group by folder or by tag first.'),
    );
}

/** Entries for the addresses in a text, named by what is known of them; none twice. */
export function createEntriesFromText(text: string, folder: string): readonly Entry[] {
  const found = new Map<string, Entry>();
  for (const subject of detectLiterals(text.slice(0, MOST_TEXT))) {
    if (subject.kind !== 'address' && subject.kind !== 'paddedAddress') continue;
    const address = subject.address.toLowerCase();
    const known = getWellKnownAddress(address.slice(2));
    const name = known?.name ?? findDevelopmentAccount(address)?.name ?? shortenHex(checksumAddress(address));
    const kind = known?.nature === 'contract' ? 'contract' : 'wallet';
    found.set(address, { address, kind, name, chains: [], folder, tags: [], notes: '', color: null, mark: null });
  }
  return [...found.values()];
}

/** More than these are not worth asking for: each costs a question to every chain that may be asked. */
const MOST_GUESSED = 20;

/** With what the chains know of them: what there is code at is no wallet. */
async function guessed(entries: readonly Entry[], deps: HandleDropDeps): Promise<readonly Entry[]> {
  if (entries.length > MOST_GUESSED) return entries;
  return Promise.all(
    entries.map(async entry => {
      const { kind, chains, name } = await guessEntry(entry.address, deps);
      const unnamed = entry.name === shortenHex(checksumAddress(entry.address));
      return kind === 'wallet' ? entry : { ...entry, kind, chains, name: unnamed ? (name ?? entry.name) : entry.name };
    }),
  );
}

async function dropText(deps: HandleDropDeps, text: string, { grouping, value }: Target): Promise<void> {
  const { book } = deps;
  const entries = createEntriesFromText(text, grouping === 'folder' ? (value ?? '') : '');
  const fresh = entries.filter(({ address }) => book.findByAddress(address).length === 0);
  if (entries.length === 0) {
    void window.showInformationMessage(l10n.t('There is no address in what was dropped.'));
    return;
  }
  const known = entries.length - fresh.length;
  const told = await guessed(fresh, deps);
  const tagged = grouping === 'tag' && value !== null ? told.map(entry => ({ ...entry, tags: [value] })) : told;
  if (tagged.length > 0) await book.add(tagged, { kind: 'personal' });
  const said =
    known === 0
      ? l10n.t('{0} addresses saved.', fresh.length)
      : l10n.t('{0} addresses saved, {1} were there already.', fresh.length, known);
  window.setStatusBarMessage(`$(check) ${said}`, 4_000);
}

export interface HandleDropDeps {
  readonly book: AddressBook;
  readonly backend: Pick<WorkerClient, 'chains' | 'lookup'>;
  readonly settings: SettingsSource;
  readonly grouping: Grouping;
}

export async function handleDrop(
  deps: HandleDropDeps,
  node: AddressTreeNode | undefined,
  data: DataTransfer,
  token: CancellationToken,
): Promise<void> {
  const target = getDropTarget(node, deps.grouping);
  try {
    const inside = data.get(TREE_MIME_TYPE)?.value as Dragged | undefined;
    if (inside !== undefined && Array.isArray(inside.entries)) return await dropNodes(deps.book, inside, target);
    const text = await data.get('text/plain')?.asString();
    if (text !== undefined && !token.isCancellationRequested) await dropText(deps, text, target);
  } catch (error) {
    if (!isFault(error, 'cancelled')) void window.showErrorMessage(`HexLens: ${formatFault(error)}`);
  }
}
