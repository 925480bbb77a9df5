// The personal place in its stored form: versioned, read with every part judged, damage handed back rather than lost.
import { t } from '../base/localize.ts';
import { emptyShelf, type Shelf } from './addressBookState.ts';
import { compactEntry } from './compactEntry.ts';
import type { Entry } from './entry.ts';
import { folderOf } from './folders.ts';
import { judgeEntry } from './validateEntry.ts';

export const STATE_VERSION = 1;

export interface PersonalState {
  readonly version: number;
  readonly entries: readonly Partial<Entry>[];
  readonly folders: readonly string[];
}

export interface ReadState {
  readonly shelf: Shelf;
  /** Parts that could not be read, as they were; empty when all is well. */
  readonly damaged: readonly unknown[];
  /** Why nothing may be written over it; `null` when it may. */
  readonly locked: string | null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Never throws, whatever another version, another machine or a fault has left there. */
export function readPersonalState(value: unknown): ReadState {
  if (value === undefined || value === null) return { shelf: emptyShelf, damaged: [], locked: null };
  if (!isObject(value) || !Array.isArray(value['entries']))
    return { shelf: emptyShelf, damaged: [value], locked: null };
  const { version, entries, folders } = value;
  const newer = typeof version === 'number' && version > STATE_VERSION;
  const damaged: unknown[] = [];
  const kept: Entry[] = [];
  for (const stored of entries as readonly unknown[]) {
    const { entry } = judgeEntry(stored);
    if (entry === null) damaged.push(stored);
    else kept.push(entry);
  }
  const names = Array.isArray(folders) ? folders.filter(folder => typeof folder === 'string').map(folderOf) : [];
  return {
    shelf: { entries: kept, folders: [...new Set(names)].filter(folder => folder !== '') },
    damaged: newer ? [] : damaged,
    locked: newer
      ? t('Your personal address book was written by a newer version of HexLens: update HexLens to change it.')
      : null,
  };
}

export function printPersonalState({ entries, folders }: Shelf): PersonalState {
  return { version: STATE_VERSION, entries: entries.map(compactEntry), folders: [...folders] };
}
