// The personal place: in this user's global state, offered to Settings Sync; what cannot be read is put aside, never lost.
import { EventEmitter, type Memento, window } from 'vscode';
import { applyChange, isEmptyChange, revertChange } from '../../addressBook/addressBookState.ts';
import type { SavedEntry } from '../../addressBook/entry.ts';
import { assignEntryIds } from '../../addressBook/entryIds.ts';
import {
  type ParsedPersonalState,
  parsePersonalState,
  serializePersonalState,
} from '../../addressBook/personalState.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { OpenBookStorage } from './addressBook.ts';
import { createTurns } from './turns.ts';

export const PERSONAL_KEY = 'hexlens.book';
/** What could not be read, with the moment it was found. Stays on this machine. */
export const DAMAGED_KEY = 'hexlens.book.damaged';

export interface PersonalStorageDeps {
  readonly globalState: Memento;
  readonly log: Log;
  /** Told once per damage: how many parts were put aside. */
  readonly onDamage: (parts: number) => void;
}

const place = { kind: 'personal' } as const;

export function createPersonalStorage({ globalState, log, onDamage }: PersonalStorageDeps): OpenBookStorage {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  let raw: unknown;
  let state: ParsedPersonalState = parsePersonalState(undefined);
  let saved: readonly SavedEntry[] = [];

  const putAside = async (damaged: readonly unknown[]) => {
    const kept = globalState.get<unknown>(DAMAGED_KEY);
    const before: readonly unknown[] = Array.isArray(kept) ? kept : [];
    const known = new Set(before.map(item => JSON.stringify((item as { part?: unknown } | null)?.part)));
    const parts = damaged.filter(part => !known.has(JSON.stringify(part)));
    if (parts.length === 0) return;
    const found = new Date().toISOString();
    await globalState.update(DAMAGED_KEY, [...before, ...parts.map(part => ({ found, part }))]);
    log.warn(`Personal address book: ${parts.length} parts could not be read and were put aside.`);
    onDamage(parts.length);
  };

  /** Other windows write it too, and Settings Sync: what is there now counts, not what was read once. */
  const read = async () => {
    const now = globalState.get<unknown>(PERSONAL_KEY);
    if (now === raw) return;
    raw = now;
    state = parsePersonalState(now);
    saved = assignEntryIds(state.state.entries, place, saved);
    changed.fire();
    if (state.damaged.length > 0) await putAside(state.damaged);
  };

  const write = async (shelf: ParsedPersonalState['state']) => {
    const next = serializePersonalState(shelf);
    await globalState.update(PERSONAL_KEY, next);
    raw = next;
    state = { state: shelf, damaged: [], readOnlyReason: null };
    saved = assignEntryIds(shelf.entries, place, saved);
    changed.fire();
  };

  const turns = createTurns();
  const ready = turns.next(read);
  store.add(
    window.onDidChangeWindowState(({ focused }) => {
      if (focused) void turns.next(read);
    }),
  );

  return {
    storage: place,
    ready,
    state: () => state.state,
    savedEntries: () => saved,
    change: make =>
      turns.next(async () => {
        await read();
        if (state.readOnlyReason !== null) throw new HexLensError('bad-input', state.readOnlyReason);
        const before = state.state;
        const change = make(before, saved);
        if (isEmptyChange(change)) return async () => {};
        const after = applyChange(before, change);
        await write(after);
        return () =>
          turns.next(async () => {
            await read();
            const untouched = JSON.stringify(state.state) === JSON.stringify(after);
            await write(untouched ? before : revertChange(before, after, state.state));
          });
      }),
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
