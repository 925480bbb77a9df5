// The personal storage in VS Code's global state, with Settings Sync; unreadable parts are stored separately.
import { type Memento, window } from 'vscode';
import {
  type AddressBookChange,
  type AddressBookState,
  applyChange,
  revertChange,
} from '../../addressBook/addressBookState.ts';
import type { SavedEntry } from '../../addressBook/entry.ts';
import { assignEntryIds } from '../../addressBook/entryIds.ts';
import {
  type ParsedPersonalState,
  parsePersonalState,
  serializePersonalState,
} from '../../addressBook/personalState.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { QueuedStorage } from './queuedStorage.ts';

const PERSONAL_KEY = 'hexlens.book';
/** Parts that could not be read, with the time they were found. Not synced. */
export const DAMAGED_KEY = 'hexlens.book.damaged';

export interface PersonalStorageDeps {
  readonly globalState: Memento;
  readonly log: Log;
  /** Called once per damage with the number of unreadable parts. */
  readonly onDamage: (parts: number) => void;
}

export class PersonalStorage extends QueuedStorage {
  readonly #deps: PersonalStorageDeps;
  /** What was read or written last. */
  #raw: unknown;
  #parsed: ParsedPersonalState = parsePersonalState(undefined);
  /** The entries of `#parsed` with their ids. */
  #saved: readonly SavedEntry[] = [];
  readonly storage = { kind: 'personal' } as const;
  readonly ready: Promise<void>;

  constructor(deps: PersonalStorageDeps) {
    super();
    this.#deps = deps;
    this.ready = this.readInTurn();
    // Settings Sync writes it too.
    this.store.add(window.onDidChangeWindowState(({ focused }) => focused && void this.readInTurn()));
  }

  state(): AddressBookState {
    return this.#parsed.state;
  }

  savedEntries(): readonly SavedEntry[] {
    return this.#saved;
  }

  protected async read(): Promise<void> {
    const stored = this.#deps.globalState.get<unknown>(PERSONAL_KEY);
    if (stored === this.#raw) return;
    this.#set(stored, parsePersonalState(stored));
    if (this.#parsed.damaged.length > 0) await this.#saveDamagedParts(this.#parsed.damaged);
  }

  protected async write(before: AddressBookState, change: AddressBookChange): Promise<() => Promise<void>> {
    const after = applyChange(before, change);
    await this.#writeState(after);
    return () => {
      const isUnchanged = JSON.stringify(this.state()) === JSON.stringify(after);
      return this.#writeState(isUnchanged ? before : revertChange(before, after, this.state()));
    };
  }

  protected checkWritable(): void {
    const { readOnlyReason } = this.#parsed;
    if (readOnlyReason !== null) throw new HexLensError('bad-input', readOnlyReason);
  }

  protected handleReadFault(error: unknown): void {
    this.#deps.log.warn(`Personal address book: ${String(error)}`);
  }

  async #writeState(state: AddressBookState): Promise<void> {
    const next = serializePersonalState(state);
    await this.#deps.globalState.update(PERSONAL_KEY, next);
    this.#set(next, { state, damaged: [], readOnlyReason: null });
  }

  #set(raw: unknown, parsed: ParsedPersonalState): void {
    this.#raw = raw;
    this.#parsed = parsed;
    this.#saved = assignEntryIds(parsed.state.entries, this.storage, this.#saved);
    this.changed.fire();
  }

  async #saveDamagedParts(damaged: readonly unknown[]): Promise<void> {
    const { globalState, log, onDamage } = this.#deps;
    const stored = globalState.get<unknown>(DAMAGED_KEY);
    const before: readonly unknown[] = Array.isArray(stored) ? stored : [];
    const beforeTexts = new Set(before.map(item => JSON.stringify((item as { part?: unknown } | null)?.part)));
    const parts = damaged.filter(part => !beforeTexts.has(JSON.stringify(part)));
    if (parts.length === 0) return;
    const found = new Date().toISOString();
    await globalState.update(DAMAGED_KEY, [...before, ...parts.map(part => ({ found, part }))]);
    log.warn(`Personal address book: ${parts.length} parts could not be read and were stored separately.`);
    onDamage(parts.length);
  }
}
