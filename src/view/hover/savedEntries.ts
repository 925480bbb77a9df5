// What a hover says of saved entries: where each is kept, its folder, chains, tags and notes, and the way to change it.

import type { SavedEntry } from '../../addressBook/entry.ts';
import { escapeMarkdown, toCodeSpan } from '../../base/displayText.ts';
import { t } from '../../base/localize.ts';
import { createCommandLink, hoverCommands } from './hoverLinks.ts';
import type { HoverParts } from './hoverParts.ts';

const DOT = ' · ';
const BREAK = '  \n';

/** More entries of one address are passed over, and so is the rest of a long note. */
const MAX_ENTRIES = 3;
const MAX_NOTES = 240;
const MAX_TAGS = 8;

/** `value` is an address. */
export function createSaveLink(value: string): string {
  return createCommandLink(t('Save'), hoverCommands.saveAddress, [value], t('Save to the address book'));
}

function entryLines(entry: SavedEntry, alone: boolean, parts: HoverParts): string {
  const { storage: place, name, folder, chains, tags, notes, id } = entry;
  const where = place.kind === 'personal' ? t('Saved by you') : t('Saved in this workspace');
  const head = [
    `$(bookmark) ${escapeMarkdown(where)}`,
    ...(alone ? [] : [toCodeSpan(name, 60)]),
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
    ...(entry.mark === null ? [] : [escapeMarkdown(entry.mark === 'spam' ? t('spam') : t('verified'))]),
    ...(parts.actions ? [createCommandLink(t('Edit'), hoverCommands.editAddress, [id], t('Edit this entry'))] : []),
  ].join(DOT);
  return notes === '' ? head : `${head}${BREAK}${escapeMarkdown(notes, MAX_NOTES)}`;
}

/** `null` where nothing is saved. */
export function renderSavedEntries(entries: readonly SavedEntry[], parts: HoverParts): string | null {
  if (entries.length === 0) return null;
  const [first, ...others] = entries;
  const alone = others.every(({ name }) => name === first?.name);
  return entries
    .slice(0, MAX_ENTRIES)
    .map(entry => entryLines(entry, alone, parts))
    .join(BREAK);
}
