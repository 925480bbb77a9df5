// The personal storage in VS Code's global state, with Settings Sync; unreadable parts are stored separately.
import { EventEmitter, type Memento, window } from 'vscode';
import { type AddressBookState, applyChange, isEmptyChange, revertChange } from '../../addressBook/addressBookState.ts';
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
import { SerialQueue } from '../../base/serialQueue.ts';
import type { OpenBookStorage } from './addressBook.ts';

const PERSONAL_KEY = 'hexlens.book';
/** Parts that could not be read, with the time they were found. Not synced. */
export const DAMAGED_KEY = 'hexlens.book.damaged';

export interface PersonalStorageDeps {
  readonly globalState: Memento;
  readonly log: Log;
  /** Called once per damage with the number of unreadable parts. */
  readonly onDamage: (parts: number) => void;
}

const storage = { kind: 'personal' } as const;

export function createPersonalStorage({ globalState, log, onDamage }: PersonalStorageDeps): OpenBookStorage {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  let raw: unknown;
  let parsed: ParsedPersonalState = parsePersonalState(undefined);
  let saved: readonly SavedEntry[] = [];

  const saveDamagedParts = async (damaged: readonly unknown[]) => {
    const stored = globalState.get<unknown>(DAMAGED_KEY);
    const before: readonly unknown[] = Array.isArray(stored) ? stored : [];
    const beforeTexts = new Set(before.map(item => JSON.stringify((item as { part?: unknown } | null)?.part)));
    const parts = damaged.filter(part => !beforeTexts.has(JSON.stringify(part)));
    if (parts.length === 0) return;
    const found = new Date().toISOString();
    await globalState.update(DAMAGED_KEY, [...before, ...parts.map(part => ({ found, part }))]);
    log.warn(`Personal address book: ${parts.length} parts could not be read and were stored separately.`);
    onDamage(parts.length);
  };

  /** Other windows and Settings Sync write it too, so it is read again before each change. */
  const read = async () => {
    const stored = globalState.get<unknown>(PERSONAL_KEY);
    if (stored === raw) return;
    raw = stored;
    parsed = parsePersonalState(stored);
    saved = assignEntryIds(parsed.state.entries, storage, saved);
    changed.fire();
    if (parsed.damaged.length > 0) await saveDamagedParts(parsed.damaged);
  };

  const write = async (state: AddressBookState) => {
    const next = serializePersonalState(state);
    await globalState.update(PERSONAL_KEY, next);
    raw = next;
    parsed = { state, damaged: [], readOnlyReason: null };
    saved = assignEntryIds(state.entries, storage, saved);
    changed.fire();
  };

  const ensureWritable = () => {
    if (parsed.readOnlyReason !== null) throw new HexLensError('bad-input', parsed.readOnlyReason);
  };

  const queue = new SerialQueue();
  const readInTurn = () => queue.run(read).catch(error => log.warn(`Personal address book: ${String(error)}`));
  const ready = readInTurn();
  store.add(
    window.onDidChangeWindowState(({ focused }) => {
      if (focused) void readInTurn();
    }),
  );

  return {
    storage,
    ready,
    state: () => parsed.state,
    savedEntries: () => saved,
    change: create =>
      queue.run(async () => {
        await read();
        const before = parsed.state;
        const change = create(before, saved);
        if (isEmptyChange(change)) return async () => {};
        ensureWritable();
        const after = applyChange(before, change);
        await write(after);
        return () =>
          queue.run(async () => {
            await read();
            ensureWritable();
            const isUnchanged = JSON.stringify(parsed.state) === JSON.stringify(after);
            await write(isUnchanged ? before : revertChange(before, after, parsed.state));
          });
      }),
    ensureWritable: () =>
      queue.run(async () => {
        await read();
        ensureWritable();
      }),
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
