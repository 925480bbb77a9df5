// Saved entries of an address in a hover: storage, folder, chains, tags, notes, and a link to edit.

import type { SavedEntry } from '../../addressBook/entry.ts';
import { t } from '../../base/localize.ts';
import { createCommandLink, hoverCommands } from './hoverLinks.ts';
import type { HoverParts } from './hoverParts.ts';
import { escapeMarkdown, toCodeSpan } from './markdown.ts';

/** Limits of what a hover shows. */
const MAX_ENTRIES = 3;
const MAX_NOTES_LENGTH = 240;
const MAX_TAGS = 8;

/** `value` is an address. */
export function createSaveLink(value: string): string {
  return createCommandLink(t('Save'), hoverCommands.saveAddress, [value], t('Save to the address book'));
}

function entryLines(entry: SavedEntry, hasOneName: boolean, parts: HoverParts): string {
  const { storage, name, folder, chains, tags, notes, id } = entry;
  const where = storage.kind === 'personal' ? t('Saved by you') : t('Saved in this workspace');
  const head = [
    `$(bookmark) ${escapeMarkdown(where)}`,
    ...(hasOneName ? [] : [toCodeSpan(name, 60)]),
    ...(folder === '' ? [] : [toCodeSpan(folder, 60)]),
    ...(chains.length === 0 ? [] : [escapeMarkdown(t('on {0}', chains.join(', ')), 80)]),
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
  return notes === '' ? head : `${head}  \n${escapeMarkdown(notes, MAX_NOTES_LENGTH)}`;
}

/** `null` when nothing is saved. */
export function renderSavedEntries(entries: readonly SavedEntry[], parts: HoverParts): string | null {
  if (entries.length === 0) return null;
  const [first, ...others] = entries;
  const hasOneName = others.every(({ name }) => name === first?.name);
  return entries
    .slice(0, MAX_ENTRIES)
    .map(entry => entryLines(entry, hasOneName, parts))
    .join('  \n');
}
