// The address book as the other features see it: one list over both places, found by address, changed with undo.

import type { Event } from 'vscode';
import type { AddressBookChange, AddressBookState } from '../../addressBook/addressBookState.ts';
import type { BookStorage, Entry, SavedEntry } from '../../addressBook/entry.ts';
import type { AddressBookConfiguration } from '../../api/configuration.ts';
import type { Disposable } from '../../base/disposable.ts';

// One place of the book as the book sees it: what is there, and one change after the other.
export interface OpenBookStorage extends Disposable {
  readonly storage: BookStorage;
  /** Resolves when it was read for the first time, whatever came of it. */
  readonly ready: Promise<void>;
  state(): AddressBookState;
  /** The shelf's entries with their ids, position by position. */
  savedEntries(): readonly SavedEntry[];
  /**
   * Asks for the change once it is its turn, with what is there then. Rejects, and changes nothing, where the place is
   * damaged or cannot be written. Resolves with how to take the change back.
   */
  change(
    make: (shelf: AddressBookState, saved: readonly SavedEntry[]) => AddressBookChange,
  ): Promise<() => Promise<void>>;
  readonly onDidChange: Event<void>;
}

/** A change that can be taken back, as far as nobody has changed the same entries since. */
export interface Undoable {
  undo(): Promise<void>;
}

export interface AddressBook extends Disposable {
  /**
   * Resolves when both places have been read; until then the book is empty. It is read at first need: whoever answers
   * from it awaits this first, whoever paints waits for `onDidChange`.
   */
  ready(): Promise<void>;
  /** Both places, in the order in which they were saved. Cheap: the same array until something changes. */
  entries(): readonly SavedEntry[];
  /** In any case and, for Aptos, any length; indexed. The workspace's entries first, unless it is not trusted. */
  findByAddress(address: string): readonly SavedEntry[];
  /** The name to show for an address on a chain (canonical selector; any chain when absent); `null` when it has none. */
  getName(address: string, chain?: string): string | null;
  /**
   * Rejects with `bad-input` naming the field. An entry of that place with the same address is updated when the two share
   * a chain (no chains: all of them); otherwise both stand side by side. Resolves with the entries as they are kept.
   */
  add(entries: readonly Entry[], place: BookStorage): Promise<readonly SavedEntry[]>;
  /** As `add`. Resolves with how to take it back. */
  addWithUndo(entries: readonly Entry[], place: BookStorage): Promise<Undoable>;
  update(id: string, change: Partial<Omit<Entry, 'address'>>): Promise<SavedEntry>;
  /** Resolves with how to take it back. */
  remove(ids: readonly string[]): Promise<Undoable>;
  /** Folders without entries, kept because the user made them, included. */
  folders(): readonly string[];
  addFolder(folder: string): Promise<void>;
  /** Renames or moves a folder with all that is in it; removes an empty one when `to` is `null`. */
  moveFolder(from: string, to: string | null): Promise<void>;
  /** Where new entries can go: personal, then the workspace folders that have or may have a committed book. */
  storages(): readonly BookStorage[];
  /** What the service is told: in a workspace that is not trusted the personal place only. The same object until it says something else. */
  configuration(): AddressBookConfiguration;
  readonly onDidChange: Event<void>;
}
