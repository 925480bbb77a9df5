// Prompts for the grouping, sorting and filter of the Addresses view.
import { l10n, type QuickPickItem, window } from 'vscode';
import { DisposableStore, disposable } from '../../base/disposable.ts';
import { type Grouping, groupings, type Sorting, sortings } from '../../view/tree/arrangeEntries.ts';
import type { AddressesTree } from './addressesTree.ts';

function getGroupingTitle(grouping: Grouping): string {
  if (grouping === 'folder') return l10n.t('Folder');
  if (grouping === 'tag') return l10n.t('Tag');
  return grouping === 'chain' ? l10n.t('Chain') : l10n.t('No grouping');
}

function getSortingTitle(sorting: Sorting): string {
  if (sorting === 'name') return l10n.t('Name');
  if (sorting === 'address') return l10n.t('Address');
  return sorting === 'kind' ? l10n.t('Kind, then name') : l10n.t('Order of saving');
}

async function pick<T extends string>(
  title: string,
  values: readonly T[],
  current: T,
  getTitle: (value: T) => string,
): Promise<T | undefined> {
  const items = values.map((value): QuickPickItem & { readonly value: T } => ({
    label: getTitle(value),
    ...(value === current && { description: l10n.t('current') }),
    value,
  }));
  return (await window.showQuickPick(items, { title }))?.value;
}

export async function pickGrouping(tree: AddressesTree): Promise<void> {
  const { grouping } = tree.arrangement();
  const chosen = await pick(l10n.t('Group Addresses By'), groupings, grouping, getGroupingTitle);
  if (chosen !== undefined && chosen !== grouping) tree.setArrangement({ grouping: chosen });
}

export async function pickSorting(tree: AddressesTree): Promise<void> {
  const { sorting } = tree.arrangement();
  const chosen = await pick(l10n.t('Sort Addresses By'), sortings, sorting, getSortingTitle);
  if (chosen !== undefined && chosen !== sorting) tree.setArrangement({ sorting: chosen });
}

const TYPING_PAUSE_MS = 120;

/** Filters while the user types; Escape restores the earlier filter. */
export async function promptFilter(tree: AddressesTree): Promise<void> {
  const before = tree.arrangement().filter;
  const store = new DisposableStore();
  const box = window.createInputBox();
  let timer: NodeJS.Timeout | undefined;
  let accepted = false;
  const apply = () => {
    clearTimeout(timer);
    if (tree.arrangement().filter !== box.value) tree.setArrangement({ filter: box.value });
    const { matched, total } = tree.counts();
    box.prompt = l10n.t('{0} of {1} entries: name, address, tag, note, folder, chain or kind', matched, total);
  };
  box.title = l10n.t('Filter Addresses');
  box.placeholder = l10n.t('All words must match');
  box.value = before;
  apply();
  store.add(disposable(() => clearTimeout(timer)));
  store.add(
    box.onDidChangeValue(() => {
      clearTimeout(timer);
      timer = setTimeout(apply, TYPING_PAUSE_MS);
    }),
  );
  store.add(
    box.onDidAccept(() => {
      accepted = true;
      apply();
      box.hide();
    }),
  );
  await new Promise<void>(resolve => {
    store.add(
      box.onDidHide(() => {
        if (!accepted && tree.arrangement().filter !== before) tree.setArrangement({ filter: before });
        resolve();
      }),
    );
    box.show();
  });
  store.dispose();
  box.dispose();
}
