// The personal storage in its stored form: versioned, every part validated, unreadable parts returned instead of lost.
import { isObject } from '../base/isObject.ts';
import { t } from '../base/localize.ts';
import { type AddressBookState, emptyAddressBook } from './addressBookState.ts';
import { type Entry, type StoredEntry, toStoredEntry } from './entry.ts';
import { normalizeFolder } from './folders.ts';
import { validateEntry } from './validateEntry.ts';

const PERSONAL_STATE_VERSION = 1;

export interface PersonalState {
  readonly version: number;
  readonly entries: readonly StoredEntry[];
  readonly folders: readonly string[];
}

export interface ParsedPersonalState {
  readonly state: AddressBookState;
  /** Parts that could not be read, unchanged. */
  readonly damaged: readonly unknown[];
  /** Why HexLens must not overwrite it; `null` when it may. */
  readonly readOnlyReason: string | null;
}

/** Never throws, whatever value is stored. */
export function parsePersonalState(value: unknown): ParsedPersonalState {
  if (value === undefined || value === null) return { state: emptyAddressBook, damaged: [], readOnlyReason: null };
  if (!isObject(value) || !Array.isArray(value['entries']))
    return { state: emptyAddressBook, damaged: [value], readOnlyReason: null };
  const { version, entries, folders } = value;
  const isNewer = typeof version === 'number' && version > PERSONAL_STATE_VERSION;
  const damaged: unknown[] = [];
  const valid: Entry[] = [];
  for (const stored of entries as readonly unknown[]) {
    const { entry } = validateEntry(stored);
    if (entry === null) damaged.push(stored);
    else valid.push(entry);
  }
  const names = Array.isArray(folders) ? folders.filter(folder => typeof folder === 'string').map(normalizeFolder) : [];
  return {
    state: { entries: valid, folders: [...new Set(names)].filter(folder => folder !== '') },
    damaged: isNewer ? [] : damaged,
    readOnlyReason: isNewer
      ? t('Your personal address book was written by a newer version of HexLens: update HexLens to change it.')
      : null,
  };
}

export function serializePersonalState({ entries, folders }: AddressBookState): PersonalState {
  return { version: PERSONAL_STATE_VERSION, entries: entries.map(toStoredEntry), folders: [...folders] };
}
