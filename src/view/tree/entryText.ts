// What the tree says of a saved entry: name, short address, tags, icon by kind, and everything in the tooltip.

import type { EntryKind, SavedEntry } from '../../addressBook/entry.ts';
import { plainText, shortHex } from '../../base/displayText.ts';
import { t } from '../../base/localize.ts';
import { factsOf, joined, wholeAddress } from './rowText.ts';
import type { Fact, RowColor } from './treeRow.ts';

export interface EntryText {
  readonly label: string;
  readonly description: string;
  readonly spoken: string;
  readonly icon: string;
  readonly color: RowColor;
}

const icons: Readonly<Record<EntryKind, string>> = {
  wallet: 'account',
  contract: 'file-code',
  collection: 'library',
  aptos: 'layers',
};

const colors: Readonly<Record<EntryKind, RowColor>> = {
  wallet: 'charts.blue',
  contract: 'charts.green',
  collection: 'charts.purple',
  aptos: 'charts.yellow',
};

function kindWord(kind: EntryKind): string {
  if (kind === 'wallet') return t('Wallet');
  if (kind === 'contract') return t('Contract');
  return kind === 'collection' ? t('NFT collection') : t('Aptos account');
}

/** Nothing in it that could hide or reorder: most names, at a hundredth of the price. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

const readable = (text: string, limit: number): string =>
  text.length <= limit && PLAIN.test(text) ? text : plainText(text, limit);

/** Cheap: it is made for every entry that is listed. The checksum is left to the tooltip. */
export function entryText({ name, address, kind, tags, color, mark, place }: SavedEntry): EntryText {
  const label = readable(name, 80);
  const tagged = tags.map(tag => `#${tag}`).join(' ');
  const shared = place.kind === 'workspace' ? t('workspace') : null;
  const spam = mark === 'spam' ? t('spam') : null;
  return {
    label,
    description: joined(shortHex(address), readable(tagged, 60), spam),
    spoken: [label, kindWord(kind), shortHex(address), ...tags, shared, spam].filter(Boolean).join(', '),
    icon: mark === 'spam' ? 'warning' : icons[kind],
    color: color === null ? colors[kind] : `charts.${color}`,
  };
}

export function entryFacts({ address, kind, chains, folder, tags, notes, mark, place }: SavedEntry): readonly Fact[] {
  return factsOf([
    [t('Kind'), kindWord(kind)],
    [t('Address'), kind === 'aptos' ? address : wholeAddress(address)],
    [t('Chains'), chains.length === 0 ? t('all that are configured') : chains.join(', ')],
    [t('Folder'), folder],
    [t('Tags'), tags.join(', ')],
    [t('Notes'), notes],
    [t('Marked as'), mark],
    [t('Saved in'), place.kind === 'personal' ? t('your personal address book') : t('the workspace')],
  ]);
}
