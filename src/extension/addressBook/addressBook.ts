// The address book: one list over the personal storage and those of the workspace folders.
import type { Event } from 'vscode';
import type { AddressBookChange, AddressBookState } from '../../addressBook/addressBookState.ts';
import type { AddressBookStorage, Entry, SavedEntry } from '../../addressBook/entry.ts';
import type { AddressBookConfiguration } from '../../api/configuration.ts';
import type { Disposable } from '../../base/disposable.ts';

/** Both lists have the same order. */
export type CreateChange = (state: AddressBookState, saved: readonly SavedEntry[]) => AddressBookChange;

/** The personal storage or that of one workspace folder, opened. Changes run one after the other. */
export interface OpenBookStorage extends Disposable {
  readonly storage: AddressBookStorage;
  /** Resolves when it has been read for the first time, successfully or not. */
  readonly ready: Promise<void>;
  state(): AddressBookState;
  /** The entries of `state()` with their ids, in the same order. */
  savedEntries(): readonly SavedEntry[];
  /**
   * Calls `create` with the current state when all earlier changes are done. Rejects when there is something to change in a
   * storage that is damaged or cannot be written. Resolves with a function that reverts the change.
   */
  change(create: CreateChange): Promise<() => Promise<void>>;
  /** Reads it again, and rejects where it is damaged or cannot be written. */
  ensureWritable(): Promise<void>;
  readonly onDidChange: Event<void>;
}

/** Undo reverts the change except for entries that were changed again since. */
export interface Undoable {
  undo(): Promise<void>;
}

export interface AddressBook extends Disposable {
  /**
   * Resolves when all storages have been read; until then the book is empty. Reading starts at first need: await this
   * before using entries, or listen to `onDidChange` when rendering.
   */
  ready(): Promise<void>;
  /** Of all storages, in the order in which they were saved; the same array until something changes. */
  entries(): readonly SavedEntry[];
  /** Those whose names may be shown without saying where they are stored: without the ones of a workspace that is not trusted. */
  trustedEntries(): readonly SavedEntry[];
  /** Accepts upper and lower case and, for Aptos, short addresses. Entries of a trusted workspace come first. */
  findByAddress(address: string): readonly SavedEntry[];
  /**
   * The name to show for an address on a chain (canonical selector; any chain when absent); `null` when no trusted entry has
   * one. A name of the workspace is shown behind the well-known name, if there is one.
   */
  getName(address: string, chain?: string): string | null;
  /**
   * An entry of that storage with the same address is updated when both share a chain (no chains means all); otherwise
   * a second entry is added. Resolves with the saved entries; rejects with `bad-input` naming the invalid field.
   */
  add(entries: readonly Entry[], storage: AddressBookStorage): Promise<readonly SavedEntry[]>;
  /** Each in place of the entry of `replaced` at the same position, where there is one. */
  addWithUndo(
    entries: readonly Entry[],
    storage: AddressBookStorage,
    replaced?: readonly (Entry | null)[],
  ): Promise<Undoable>;
  update(id: string, change: Partial<Omit<Entry, 'address'>>): Promise<SavedEntry>;
  /** Changes the entries with these ids, and no others of the same address; nothing when one of them cannot be changed. */
  updateEach(ids: readonly string[], change: (entry: SavedEntry) => Partial<Omit<Entry, 'address'>>): Promise<Undoable>;
  /** Removes nothing when one of the entries cannot be removed. */
  remove(ids: readonly string[]): Promise<Undoable>;
  /** Includes empty folders that the user created. */
  folders(): readonly string[];
  addFolder(folder: string): Promise<void>;
  /** Renames or moves a folder with its contents; removes an empty one when `to` is `null`. */
  moveFolder(from: string, to: string | null): Promise<void>;
  /** Where new entries can be stored: personal, then each workspace folder. */
  storages(): readonly AddressBookStorage[];
  /** Labels and trust for the service; only of the personal storage in an untrusted workspace. The same object until it changes. */
  configuration(): AddressBookConfiguration;
  readonly onDidChange: Event<void>;
}
