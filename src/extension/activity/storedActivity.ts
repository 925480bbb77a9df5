// What is watched and what was found, as this workspace stores it.
import type { Memento } from 'vscode';
import type { Log } from '../../base/log.ts';
import { type ActivityLog, parseActivityLog } from '../../view/activity/activityLog.ts';
import { MAX_WATCHES, parseEntryChains, parseWatch, type Watch } from '../../view/activity/watch.ts';
import { WATCH_KEY } from './hasWatches.ts';

/** Positions alone are stored rarely: a few blocks are then read once more, and nothing is found twice. */
const STORE_POSITIONS_MS = 60_000;

export interface StoredActivity {
  /** Replaced by {@link replace}. */
  readonly watches: readonly Watch[];
  /** Replaced by {@link update} and {@link replace}. */
  readonly log: ActivityLog;
  /** Selectors of the chains of watched entries, by address, also after the entry is removed; `null` for all. */
  readonly entryChains: Map<string, readonly string[] | null>;
  /** Returns whether something else was found. Stores it then, otherwise at most once a minute. */
  update(log: ActivityLog): boolean;
  /** Other watches, and what was found without the removed ones; stored at once, together. */
  replace(watches: readonly Watch[], log: ActivityLog): void;
  save(): void;
}

export function openStoredActivity(workspaceState: Memento, log: Log): StoredActivity {
  const stored = workspaceState.get<{ watches?: unknown; log?: unknown; entryChains?: unknown }>(WATCH_KEY);
  let storedAt = 0;
  let watches: readonly Watch[] = (Array.isArray(stored?.watches) ? stored.watches : [])
    .flatMap(value => parseWatch(value) ?? [])
    .slice(0, MAX_WATCHES);
  let current = parseActivityLog(stored?.log);
  const activity: StoredActivity = {
    get watches() {
      return watches;
    },
    get log() {
      return current;
    },
    entryChains: parseEntryChains(stored?.entryChains),
    update(next) {
      const isChanged = JSON.stringify(next.items) !== JSON.stringify(current.items);
      current = next;
      if (isChanged || Date.now() - storedAt > STORE_POSITIONS_MS) activity.save();
      return isChanged;
    },
    replace(nextWatches, nextLog) {
      [watches, current] = [nextWatches, nextLog];
      activity.save();
    },
    save() {
      storedAt = Date.now();
      const { entryChains } = activity;
      const isEmpty = watches.length === 0 && current.items.length === 0;
      const value = isEmpty ? undefined : { watches, log: current, entryChains: Object.fromEntries(entryChains) };
      workspaceState.update(WATCH_KEY, value).then(undefined, (error: unknown) => {
        log.warn(`What is watched could not be stored: ${String(error)}`);
      });
    },
  };
  return activity;
}
