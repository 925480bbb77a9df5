// One place of the book as the book sees it: what is there, and one change after the other.
import type { Event } from 'vscode';
import type { AddressBookChange, AddressBookState } from '../../addressBook/addressBookState.ts';
import type { BookStorage, SavedEntry } from '../../addressBook/entry.ts';
import type { Disposable } from '../../base/disposable.ts';

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
