// Drops in the Addresses view: moves entries and folders, and saves the addresses of a text. Loaded with the first drop, since
// it finds addresses in texts.

import { type CancellationToken, type DataTransfer, l10n, window } from 'vscode';
import type { Entry } from '../../addressBook/entry.ts';
import { toShortDisplayAddress } from '../../base/displayAddress.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import { detectLiterals } from '../../detect/detectLiterals.ts';
import { findDevelopmentAccount } from '../../detect/developmentAccounts.ts';
import { getWellKnownAddress } from '../../detect/wellKnownAddresses.ts';
import { isSecretLiteral } from '../../view/checkDisclosure.ts';
import type { Grouping } from '../../view/tree/arrangeEntries.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import { type GuessEntryDeps, guessEntry } from '../addressBook/guessEntry.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showErrorMessage, showInformationMessage } from '../prompts/showMessage.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { AddressTreeNode } from './addressTreeNodes.ts';
import { type DraggedNodes, moveEntries, TREE_MIME_TYPE } from './dragAndDrop.ts';

/** Characters of a dropped text that are searched for addresses. */
const MAX_TEXT_LENGTH = 1_000_000;

/** The folder or tag of the node that something is dropped on. */
interface DropTarget {
  readonly grouping: Grouping;
  /** `null` for the top level and for entries without a tag. */
  readonly value: string | null;
}

function getDropTarget(node: AddressTreeNode | undefined, grouping: Grouping): DropTarget {
  for (let at: AddressTreeNode | null = node ?? null; at !== null; at = at.parent)
    if (at.kind === 'group') return { grouping, value: at.group.value };
  return { grouping, value: null };
}

async function tagEntries(book: AddressBook, ids: readonly string[], tag: string): Promise<void> {
  await book.updateEach(ids, ({ tags }) => ({ tags: tags.includes(tag) ? tags : [...tags, tag] }));
}

const getBaseName = (folder: string) => folder.split('/').at(-1) ?? folder;

async function dropNodes(
  book: AddressBook,
  { entries, folders }: DraggedNodes,
  { grouping, value }: DropTarget,
): Promise<void> {
  if (grouping === 'folder') {
    const into = value ?? '';
    await moveEntries(book, entries, into);
    for (const folder of folders) {
      const to = into === '' ? getBaseName(folder) : `${into}/${getBaseName(folder)}`;
      if (to !== folder && !`${into}/`.startsWith(`${folder}/`)) await book.moveFolder(folder, to);
    }
  } else if (grouping === 'tag' && value !== null) await tagEntries(book, entries, value);
  else
    void showInformationMessage(
      l10n.t('Entries can be dropped into folders and onto tags. Group by folder or by tag first.'),
    );
}

/** One entry per address in a text, with the name of well-known addresses. */
function createEntriesFromText(text: string, folder: string): readonly Entry[] {
  const entries = new Map<string, Entry>();
  for (const literal of detectLiterals(text.slice(0, MAX_TEXT_LENGTH))) {
    if (literal.kind !== 'address' && literal.kind !== 'paddedAddress') continue;
    if (isSecretLiteral(literal, '')) continue;
    const address = literal.address.toLowerCase();
    const wellKnown = getWellKnownAddress(address.slice(2));
    const name = wellKnown?.name ?? findDevelopmentAccount(address)?.name ?? toShortDisplayAddress(address);
    const kind = wellKnown?.nature === 'contract' ? 'contract' : 'wallet';
    entries.set(address, { address, kind, name, chains: [], folder, tags: [], notes: '', color: null, trust: null });
  }
  return [...entries.values()];
}

/** Guessing costs a request per address and chain, so it is skipped for more addresses. */
const MAX_GUESSED = 20;

/** Completes kind, chains and name from what the chains report of each address. */
async function guessEntries(entries: readonly Entry[], deps: HandleDropDeps): Promise<readonly Entry[]> {
  if (entries.length > MAX_GUESSED) return entries;
  return Promise.all(
    entries.map(async entry => {
      const { kind, chains, name } = await guessEntry(entry.address, deps);
      const hasDefaultName = entry.name === toShortDisplayAddress(entry.address);
      if (kind === 'wallet') return entry;
      return { ...entry, kind, chains, name: hasDefaultName ? (name ?? entry.name) : entry.name };
    }),
  );
}

async function dropText(deps: HandleDropDeps, text: string, { grouping, value }: DropTarget): Promise<void> {
  const { book } = deps;
  const entries = createEntriesFromText(text, grouping === 'folder' ? (value ?? '') : '');
  const newEntries = entries.filter(({ address }) => book.findByAddress(address).length === 0);
  if (entries.length === 0) {
    void showInformationMessage(l10n.t('The dropped text contains no address.'));
    return;
  }
  const existingCount = entries.length - newEntries.length;
  const guessed = await guessEntries(newEntries, deps);
  const tagged = grouping === 'tag' && value !== null ? guessed.map(entry => ({ ...entry, tags: [value] })) : guessed;
  if (tagged.length > 0) await book.add(tagged, { kind: 'personal' });
  const message =
    existingCount === 0
      ? newEntries.length === 1
        ? l10n.t('1 address saved.')
        : l10n.t('{0} addresses saved.', newEntries.length)
      : l10n.t('{0} addresses saved, {1} already in the address book.', newEntries.length, existingCount);
  window.setStatusBarMessage(`$(check) ${message}`, 4_000);
}

export interface HandleDropDeps extends Pick<FeatureDeps, 'book' | 'settings'> {
  readonly worker: Pick<WorkerClient, 'chains' | 'identifyChain' | 'lookup'>;
  readonly abis: GuessEntryDeps['abis'];
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
    const nodes = data.get(TREE_MIME_TYPE)?.value as DraggedNodes | undefined;
    if (nodes !== undefined && Array.isArray(nodes.entries)) return await dropNodes(deps.book, nodes, target);
    const text = await data.get('text/plain')?.asString();
    if (text !== undefined && !token.isCancellationRequested) await dropText(deps, text, target);
  } catch (error) {
    if (!isFault(error, 'cancelled')) void showErrorMessage(`HexLens: ${formatFault(error)}`);
  }
}
