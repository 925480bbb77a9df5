// Texts of a saved entry in the tree: name, short address, tags, icon by kind; all fields in the tooltip.
import type { EntryKind, SavedEntry } from '../../addressBook/entry.ts';
import { toDisplayAddress, toShortDisplayAddress } from '../../base/displayAddress.ts';
import { joinParts, sanitizeText } from '../../base/displayText.ts';
import { t } from '../../base/localize.ts';
import { kindIcons } from '../addressIcons.ts';
import { formatChains } from '../chainTitle.ts';
import { getStorageMark } from '../hover/savedEntries.ts';
import type { TreeRow } from './treeRow.ts';
import { type Fact, type RowColor, toFacts } from './treeRow.ts';

export interface EntryText extends Pick<TreeRow, 'label' | 'description' | 'accessibilityLabel' | 'icon'> {
  readonly color: RowColor;
}

const colors: Readonly<Record<EntryKind, RowColor>> = {
  wallet: 'charts.blue',
  contract: 'charts.green',
  collection: 'charts.purple',
  aptos: 'charts.yellow',
};

export function getKindText(kind: EntryKind): string {
  if (kind === 'wallet') return t('Wallet');
  if (kind === 'contract') return t('Contract');
  return kind === 'collection' ? t('NFT collection') : t('Aptos account');
}

/** Text that needs no sanitizing, which is much slower than this check. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

const sanitize = (text: string, limit: number): string =>
  text.length <= limit && PLAIN.test(text) ? text : sanitizeText(text, limit);

/** Must be cheap, because every listed entry needs it. */
export function toEntryText(entry: SavedEntry, isWorkspaceTrusted: boolean): EntryText {
  const { name, address, kind, tags, color, trust, storage } = entry;
  const label = sanitize(name, 80);
  const tagged = tags.map(tag => `#${tag}`).join(' ');
  const isMarked = storage.kind === 'workspace' && !isWorkspaceTrusted;
  const storageText = storage.kind === 'personal' ? null : isMarked ? t('workspace, not trusted') : t('workspace');
  const spam = trust === 'spam' ? t('spam') : null;
  return {
    label,
    description: joinParts(toShortDisplayAddress(address), sanitize(tagged, 60), spam, isMarked && storageText),
    accessibilityLabel: [label, getKindText(kind), toShortDisplayAddress(address), ...tags, storageText, spam]
      .filter(Boolean)
      .join(', '),
    icon: trust === 'spam' ? 'warning' : kindIcons[kind],
    color: color === null ? colors[kind] : `charts.${color}`,
  };
}

/** In a list to choose from. Marks the name of a workspace that is not trusted. */
export function toEntryChoice(entry: SavedEntry, isWorkspaceTrusted: boolean) {
  const { name, address, kind, folder, tags } = entry;
  const details = [getKindText(kind), folder, ...tags, getStorageMark(entry, isWorkspaceTrusted)];
  return {
    label: sanitize(name, 80),
    description: toDisplayAddress(address),
    detail: details
      .filter(Boolean)
      .map(text => sanitize(text, 80))
      .join(' · '),
  };
}

export function getEntryFacts({
  address,
  kind,
  chains,
  folder,
  tags,
  notes,
  trust,
  storage,
}: SavedEntry): readonly Fact[] {
  return toFacts([
    [t('Kind'), getKindText(kind)],
    [t('Address'), toDisplayAddress(address)],
    [t('Chains'), chains.length === 0 ? t('all configured chains') : formatChains(chains)],
    [t('Folder'), folder],
    [t('Tags'), tags.join(', ')],
    [t('Notes'), notes],
    [t('Trust'), trust === null ? null : trust === 'spam' ? t('spam') : t('verified')],
    [t('Stored in'), storage.kind === 'personal' ? t('Personal address book') : t('Workspace')],
  ]);
}
