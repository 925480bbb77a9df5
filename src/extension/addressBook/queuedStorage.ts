// What the storages of the address book have in common: changes run one after the other, each on what is stored now.
import { type Event, EventEmitter } from 'vscode';
import { type AddressBookChange, type AddressBookState, isEmptyChange } from '../../addressBook/addressBookState.ts';
import type { AddressBookStorage, SavedEntry } from '../../addressBook/entry.ts';
import { Owner } from '../../base/disposable.ts';
import { SerialQueue } from '../../base/serialQueue.ts';

/** Both lists have the same order. */
export type CreateChange = (state: AddressBookState, saved: readonly SavedEntry[]) => AddressBookChange;

/** The personal storage or that of one workspace folder, opened. */
export abstract class QueuedStorage extends Owner {
  protected readonly changed = this.store.add(new EventEmitter<void>());
  /** Reads and writes, one at a time. */
  readonly #queue = new SerialQueue();
  abstract readonly storage: AddressBookStorage;
  /** Resolves when it has been read for the first time, successfully or not. */
  abstract readonly ready: Promise<void>;
  readonly onDidChange: Event<void> = this.changed.event;

  abstract state(): AddressBookState;
  /** The entries of `state()` with their ids, in the same order. */
  abstract savedEntries(): readonly SavedEntry[];
  /** Other windows write it too, so it is read again before each change. */
  protected abstract read(): Promise<void>;
  /** Resolves with what reverts the change, when it is called after a later read. */
  protected abstract write(before: AddressBookState, change: AddressBookChange): Promise<() => Promise<void>>;
  /** Throws where the storage is damaged or cannot be written. */
  protected abstract checkWritable(): void;
  protected abstract handleReadFault(error: unknown): void;

  /** Reads when all earlier changes are done; never rejects. */
  protected readInTurn(): Promise<void> {
    return this.#queue.run(() => this.read()).catch(error => this.handleReadFault(error));
  }

  /**
   * Calls `create` with the current state when all earlier changes are done. Rejects when there is something to change in a
   * storage that is damaged or cannot be written. Resolves with a function that reverts the change.
   */
  change(create: CreateChange): Promise<() => Promise<void>> {
    return this.#queue.run(async () => {
      await this.read();
      const before = this.state();
      const change = create(before, this.savedEntries());
      if (isEmptyChange(change)) return async () => {};
      this.checkWritable();
      const revert = await this.write(before, change);
      return () => this.#runWritable(revert);
    });
  }

  /** Reads it again, and rejects where it is damaged or cannot be written. */
  ensureWritable(): Promise<void> {
    return this.#runWritable(async () => {});
  }

  #runWritable(run: () => Promise<void>): Promise<void> {
    return this.#queue.run(async () => {
      await this.read();
      this.checkWritable();
      await run();
    });
  }
}
