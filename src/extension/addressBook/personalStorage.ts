// The personal place: in this user's global state, offered to Settings Sync; what cannot be read is put aside, never lost.
import { EventEmitter, type Memento, window } from 'vscode';
import { changedShelf, isNoChange } from '../../addressBook/addressBookState.ts';
import type { SavedEntry } from '../../addressBook/entry.ts';
import { withIds } from '../../addressBook/entryIds.ts';
import { printPersonalState, type ReadState, readPersonalState } from '../../addressBook/personalState.ts';
import { putBack } from '../../addressBook/revertChange.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { PlaceOfBook } from '../book/place.ts';
import { createTurns } from './turns.ts';

export const PERSONAL_KEY = 'hexlens.book';
/** What could not be read, with the moment it was found. Stays on this machine. */
export const ASIDE_KEY = 'hexlens.book.damaged';

export interface PersonalDeps {
  readonly globalState: Memento;
  readonly log: Log;
  /** Told once per damage: how many parts were put aside. */
  readonly onDamage: (parts: number) => void;
}

const place = { kind: 'personal' } as const;

export function createPersonalPlace({ globalState, log, onDamage }: PersonalDeps): PlaceOfBook {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  let raw: unknown;
  let state: ReadState = readPersonalState(undefined);
  let saved: readonly SavedEntry[] = [];

  const putAside = async (damaged: readonly unknown[]) => {
    const kept = globalState.get<unknown>(ASIDE_KEY);
    const before: readonly unknown[] = Array.isArray(kept) ? kept : [];
    const known = new Set(before.map(item => JSON.stringify((item as { part?: unknown } | null)?.part)));
    const parts = damaged.filter(part => !known.has(JSON.stringify(part)));
    if (parts.length === 0) return;
    const found = new Date().toISOString();
    await globalState.update(ASIDE_KEY, [...before, ...parts.map(part => ({ found, part }))]);
    log.warn(`Personal address book: ${parts.length} parts could not be read and were put aside.`);
    onDamage(parts.length);
  };

  /** Other windows write it too, and Settings Sync: what is there now counts, not what was read once. */
  const read = async () => {
    const now = globalState.get<unknown>(PERSONAL_KEY);
    if (now === raw) return;
    raw = now;
    state = readPersonalState(now);
    saved = withIds(state.shelf.entries, place, saved);
    changed.fire();
    if (state.damaged.length > 0) await putAside(state.damaged);
  };

  const write = async (shelf: ReadState['shelf']) => {
    const next = printPersonalState(shelf);
    await globalState.update(PERSONAL_KEY, next);
    raw = next;
    state = { shelf, damaged: [], locked: null };
    saved = withIds(shelf.entries, place, saved);
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
    place,
    ready,
    shelf: () => state.shelf,
    saved: () => saved,
    change: make =>
      turns.next(async () => {
        await read();
        if (state.locked !== null) throw new HexLensError('bad-input', state.locked);
        const before = state.shelf;
        const change = make(before, saved);
        if (isNoChange(change)) return async () => {};
        const after = changedShelf(before, change);
        await write(after);
        return () =>
          turns.next(async () => {
            await read();
            const untouched = JSON.stringify(state.shelf) === JSON.stringify(after);
            await write(untouched ? before : putBack(before, after, state.shelf));
          });
      }),
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
