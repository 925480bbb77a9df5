// What the page persists over a reload of the window: the state of each history entry's page, and preferences.
import type { HistoryEntry, SavedPanelState } from '../../protocol/messages.ts';
import type { Preferences } from './rows/cellFormat.ts';

/** How the page of one history entry was left (its tab, filter, sort order), by names that the pages choose. */
export type PageState = Readonly<Record<string, string>>;

export interface PersistedState {
  /** By id of the history entry. */
  readonly pageStates: Readonly<Record<string, PageState>>;
  readonly preferences: Preferences;
}

/** What `setState` saves. The names are those of all versions: `views` holds the page states. */
interface SavedState extends SavedPanelState {
  readonly views: PersistedState['pageStates'];
  readonly preferences: Preferences;
}

const initialState: PersistedState = { pageStates: {}, preferences: { time: 'relative', numbers: 'decimal' } };

/** From the state that any version of this page has saved. */
export function parsePersistedState(value: unknown): PersistedState {
  const { views, preferences } = (value ?? {}) as Partial<SavedState>; // the page's own, but unchecked
  const isValid =
    preferences !== undefined &&
    ['relative', 'local', 'utc'].includes(preferences.time) &&
    ['decimal', 'hex'].includes(preferences.numbers);
  return {
    pageStates: views !== null && typeof views === 'object' ? views : {},
    preferences: isValid ? preferences : initialState.preferences,
  };
}

/** Without the page states of entries that have left the history. */
export function prunePageStates(persisted: PersistedState, history: readonly HistoryEntry[]): PersistedState {
  const ids = new Set(history.map(({ id }) => String(id)));
  return {
    ...persisted,
    pageStates: Object.fromEntries(Object.entries(persisted.pageStates).filter(([id]) => ids.has(id))),
  };
}

export function setPageState(persisted: PersistedState, id: string, name: string, value: string): PersistedState {
  const state = { ...persisted.pageStates[id], [name]: value };
  return { ...persisted, pageStates: { ...persisted.pageStates, [id]: state } };
}

export const toSavedState = ({ pageStates, preferences }: PersistedState, panel: SavedPanelState): SavedState => ({
  ...panel,
  views: pageStates,
  preferences,
});
