// Saved entries of an address in a hover: storage, folder, chains, tags, notes, and a link to edit.

import type { SavedEntry } from '../../addressBook/entry.ts';
import { isForChain } from '../../api/configuration.ts';
import { t } from '../../base/localize.ts';
import { formatChains } from '../chainTitle.ts';
import { createCommandLink, hoverCommands } from './hoverLinks.ts';
import type { HoverParts } from './hoverParts.ts';
import { escapeMarkdown, toCodeSpan } from './markdown.ts';

/** Limits of what a hover shows. */
const MAX_SHOWN_ENTRIES = 3;
const MAX_NOTES_LENGTH = 240;
const MAX_TAGS = 8;

/** An address that is saved for some chains only is not looked up on the others. */
export const isSavedForOtherChains = (entries: readonly SavedEntry[], chain: string): boolean =>
  entries.length > 0 && !entries.some(({ chains }) => isForChain(chains, chain));

/** Saved as a contract of the chain, or of no chain in particular while there is no other one. */
export const isSavedAsContract = (entries: readonly SavedEntry[], chain: string, isOnlyChain: boolean): boolean =>
  entries.some(
    ({ kind, chains }) =>
      (kind === 'contract' || kind === 'collection') && (chains.length === 0 ? isOnlyChain : isForChain(chains, chain)),
  );

/** `value` is an address. */
export function createSaveLink(value: string): string {
  return createCommandLink(t('Save'), hoverCommands.saveAddress, [value], t('Save to the address book'));
}

/** How a hover and a list mark an entry of a workspace that is not trusted; empty for others. */
export function getStorageMark({ storage }: SavedEntry, isWorkspaceTrusted: boolean): string {
  return storage.kind === 'personal' || isWorkspaceTrusted ? '' : t('From this workspace, which is not trusted');
}

function entryLines(
  entry: SavedEntry,
  shownName: string | null,
  { parts, isWorkspaceTrusted }: SavedEntriesContext,
): string {
  const { storage, name, folder, chains, tags, notes, id } = entry;
  const mark = getStorageMark(entry, isWorkspaceTrusted);
  const where = mark !== '' ? mark : storage.kind === 'personal' ? t('Saved by you') : t('Saved in this workspace');
  const head = [
    `$(bookmark) ${escapeMarkdown(where)}`,
    ...(name === shownName ? [] : [toCodeSpan(name, 60)]),
    ...(folder === '' ? [] : [toCodeSpan(folder, 60)]),
    ...(chains.length === 0 ? [] : [escapeMarkdown(t('on {0}', formatChains(chains)), { limit: 80 })]),
    ...(tags.length === 0
      ? []
      : [
          tags
            .slice(0, MAX_TAGS)
            .map(tag => toCodeSpan(`#${tag}`, 40))
            .join(' '),
        ]),
    ...(entry.trust === null ? [] : [escapeMarkdown(entry.trust === 'spam' ? t('spam') : t('verified'))]),
    ...(parts.actions ? [createCommandLink(t('Edit'), hoverCommands.editAddress, [id], t('Edit this entry'))] : []),
  ].join(' · ');
  return notes === '' ? head : `${head}  \n${escapeMarkdown(notes, { limit: MAX_NOTES_LENGTH })}`;
}

export interface SavedEntriesContext {
  readonly parts: HoverParts;
  readonly isWorkspaceTrusted: boolean;
}

/** `null` when nothing is saved. `shownName`: the name in the first line, which is not repeated if it is the only one. */
export function renderSavedEntries(
  entries: readonly SavedEntry[],
  shownName: string | null,
  context: SavedEntriesContext,
): string | null {
  if (entries.length === 0) return null;
  const hasOneName = entries.every(({ name }) => name === shownName);
  return entries
    .slice(0, MAX_SHOWN_ENTRIES)
    .map(entry => entryLines(entry, hasOneName ? shownName : null, context))
    .join('  \n');
}
