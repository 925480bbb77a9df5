// What the tree says of a saved entry: name, short address, tags, icon by kind, and everything in the tooltip.

import type { EntryKind, SavedEntry } from '../../addressBook/entry.ts';
import { sanitizeText, shortenHex } from '../../base/displayText.ts';
import { t } from '../../base/localize.ts';
import { joinParts, toDisplayAddress, toFacts } from './rowText.ts';
import type { Fact, RowColor } from './treeRow.ts';

export interface EntryText {
  readonly label: string;
  readonly description: string;
  readonly accessibilityLabel: string;
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
  text.length <= limit && PLAIN.test(text) ? text : sanitizeText(text, limit);

/** Cheap: it is made for every entry that is listed. The checksum is left to the tooltip. */
export function toEntryText({ name, address, kind, tags, color, mark, storage: place }: SavedEntry): EntryText {
  const label = readable(name, 80);
  const tagged = tags.map(tag => `#${tag}`).join(' ');
  const shared = place.kind === 'workspace' ? t('workspace') : null;
  const spam = mark === 'spam' ? t('spam') : null;
  return {
    label,
    description: joinParts(shortenHex(address), readable(tagged, 60), spam),
    accessibilityLabel: [label, kindWord(kind), shortenHex(address), ...tags, shared, spam].filter(Boolean).join(', '),
    icon: mark === 'spam' ? 'warning' : icons[kind],
    color: color === null ? colors[kind] : `charts.${color}`,
  };
}

export function getEntryFacts({
  address,
  kind,
  chains,
  folder,
  tags,
  notes,
  mark,
  storage: place,
}: SavedEntry): readonly Fact[] {
  return toFacts([
    [t('Kind'), kindWord(kind)],
    [t('Address'), kind === 'aptos' ? address : toDisplayAddress(address)],
    [t('Chains'), chains.length === 0 ? t('all that are configured') : chains.join(', ')],
    [t('Folder'), folder],
    [t('Tags'), tags.join(', ')],
    [t('Notes'), notes],
    [t('Marked as'), mark],
    [t('Saved in'), place.kind === 'personal' ? t('your personal address book') : t('the workspace')],
  ]);
}
