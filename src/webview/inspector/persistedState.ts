// What the page persists over a reload of the window: the state of each history entry's page, and preferences.
import type { HistoryEntry, SavedPanel } from '../../protocol/messages.ts';
import type { Preferences } from './rows/cellFormat.ts';

/** How the page of one history entry was left (its tab, filter, sort order), by names that the pages choose. */
export type PageState = Readonly<Record<string, string>>;

export interface PersistedState {
  /** By id of the history entry. */
  readonly views: Readonly<Record<string, PageState>>;
  readonly preferences: Preferences;
}

const initialState: PersistedState = { views: {}, preferences: { time: 'relative', numbers: 'decimal' } };

/** The state that any version of this page has saved. */
export function parsePersistedState(value: unknown): PersistedState {
  const { views, preferences } = (value ?? {}) as Partial<PersistedState>; // the page's own, but unchecked
  const isValid =
    preferences !== undefined &&
    ['relative', 'local', 'utc'].includes(preferences.time) &&
    ['decimal', 'hex'].includes(preferences.numbers);
  return {
    views: views !== null && typeof views === 'object' ? views : {},
    preferences: isValid ? preferences : initialState.preferences,
  };
}

/** Without the page states of entries that have left the history. */
export function prunePageStates(persisted: PersistedState, history: readonly HistoryEntry[]): PersistedState {
  const ids = new Set(history.map(({ id }) => String(id)));
  return { ...persisted, views: Object.fromEntries(Object.entries(persisted.views).filter(([id]) => ids.has(id))) };
}

export function setPageState(persisted: PersistedState, id: string, name: string, value: string): PersistedState {
  const state = { ...persisted.views[id], [name]: value };
  return { ...persisted, views: { ...persisted.views, [id]: state } };
}

/** Everything that `setState` saves: the extension restores the panel from its part of it. */
export type SavedState = PersistedState & SavedPanel;
