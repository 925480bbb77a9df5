// Starts and stops watching: an entry, an address of a page, one event of a contract, or several picked entries.
import { commands, l10n, window, workspace } from 'vscode';
import type { SavedEntry } from '../../addressBook/entry.ts';
import type { Hex } from '../../base/hex.ts';
import { commandIds } from '../../manifest/commands.ts';
import { parseWatch, type Watch } from '../../view/activity/watch.ts';
import { toEntryChoice } from '../../view/tree/entryText.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import { showInformationMessage } from '../prompts/showMessage.ts';
import { type AddressTreeNode, isAddressTreeNode } from '../sidebar/addressTreeNodes.ts';
import type { ActivityNode } from './activityTree.ts';
import type { Watcher } from './watcher.ts';

export const toEntryWatch = ({ address }: Pick<SavedEntry, 'address'>): Watch => ({
  address: address.toLowerCase() as Hex,
  topic0: null,
  event: null,
  chain: null,
});

/** Aptos has no heads that are polled. */
const canWatch = ({ kind }: Pick<SavedEntry, 'kind'>): boolean => kind !== 'aptos';

function toWatch(argument: unknown): Watch | null {
  if (!isAddressTreeNode(argument)) {
    const { kind, watch } = (argument ?? {}) as Partial<ActivityNode & { kind: 'watch' }>;
    return parseWatch(kind === 'watch' ? watch : argument);
  }
  const node: AddressTreeNode = argument;
  if (node.kind === 'entry') return canWatch(node.entry) ? toEntryWatch(node.entry) : null;
  return node.kind === 'row' && node.row.event !== undefined
    ? parseWatch({ ...node.row.event, chain: node.section.chain })
    : null;
}

/** The watches that the arguments of a command mean: the clicked node, or all that are selected. */
export function getWatches([clicked, selected]: readonly unknown[]): readonly Watch[] {
  const all: readonly unknown[] = Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
  return all.flatMap(argument => toWatch(argument) ?? []);
}

/** Lets the user choose which entries are watched; `null` when the user has dismissed that. */
export async function pickWatches(
  book: AddressBook,
  watcher: Pick<Watcher, 'isWatched'>,
): Promise<{ readonly started: readonly Watch[]; readonly stopped: readonly Watch[] } | null> {
  const items = book
    .entries()
    .filter(canWatch)
    .map(entry => ({
      ...toEntryChoice(entry, workspace.isTrusted),
      picked: watcher.isWatched(toEntryWatch(entry)),
      watch: toEntryWatch(entry),
    }));
  if (items.length === 0) {
    const save = l10n.t('Save Address');
    const answer = showInformationMessage(l10n.t('The address book is empty. Save an address first.'), save);
    void answer.then(picked => picked === save && commands.executeCommand(commandIds.saveAddress));
    return null;
  }
  const picked = await window.showQuickPick(items, {
    title: l10n.t('Watch'),
    placeHolder: l10n.t('Addresses whose new transactions, transfers and logs are shown'),
    matchOnDescription: true,
    canPickMany: true,
  });
  if (picked === undefined) return null;
  const isPicked = ({ address }: Watch) => picked.some(({ watch }) => watch.address === address);
  return {
    stopped: items.map(({ watch }) => watch).filter(watch => !isPicked(watch) && watcher.isWatched(watch)),
    started: picked.map(({ watch }) => watch).filter(watch => !watcher.isWatched(watch)),
  };
}
