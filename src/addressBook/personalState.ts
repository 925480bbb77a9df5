// The personal place in its stored form: versioned, read with every part judged, damage handed back rather than lost.
import { t } from '../base/localize.ts';
import { type AddressBookState, emptyAddressBook } from './addressBookState.ts';
import { type Entry, toStoredEntry } from './entry.ts';
import { normalizeFolder } from './folders.ts';
import { validateEntry } from './validateEntry.ts';

export const PERSONAL_STATE_VERSION = 1;

export interface PersonalState {
  readonly version: number;
  readonly entries: readonly Partial<Entry>[];
  readonly folders: readonly string[];
}

export interface ParsedPersonalState {
  readonly state: AddressBookState;
  /** Parts that could not be read, as they were; empty when all is well. */
  readonly damaged: readonly unknown[];
  /** Why nothing may be written over it; `null` when it may. */
  readonly readOnlyReason: string | null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Never throws, whatever another version, another machine or a fault has left there. */
export function parsePersonalState(value: unknown): ParsedPersonalState {
  if (value === undefined || value === null) return { state: emptyAddressBook, damaged: [], readOnlyReason: null };
  if (!isObject(value) || !Array.isArray(value['entries']))
    return { state: emptyAddressBook, damaged: [value], readOnlyReason: null };
  const { version, entries, folders } = value;
  const newer = typeof version === 'number' && version > PERSONAL_STATE_VERSION;
  const damaged: unknown[] = [];
  const kept: Entry[] = [];
  for (const stored of entries as readonly unknown[]) {
    const { entry } = validateEntry(stored);
    if (entry === null) damaged.push(stored);
    else kept.push(entry);
  }
  const names = Array.isArray(folders) ? folders.filter(folder => typeof folder === 'string').map(normalizeFolder) : [];
  return {
    state: { entries: kept, folders: [...new Set(names)].filter(folder => folder !== '') },
    damaged: newer ? [] : damaged,
    readOnlyReason: newer
      ? t('Your personal address book was written by a newer version of HexLens: update HexLens to change it.')
      : null,
  };
}

export function serializePersonalState({ entries, folders }: AddressBookState): PersonalState {
  return { version: PERSONAL_STATE_VERSION, entries: entries.map(toStoredEntry), folders: [...folders] };
}
