// What the page persists over a reload of the window: the state of each history entry's page, and preferences.
import type { Simulation } from '../../api/traceTarget.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
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

/** The user has loaded further pages of a list, which reading its first page again would lose. */
export const hasFurtherPages = (state: PageState): boolean =>
  Object.entries(state).some(([name, count]) => /(?:^|\/)pages$/.test(name) && Number(count) > 0);

/** 32 bytes, or as many words as a mnemonic has: an argument of a call that may be a key. */
const mayBeSecret = (text: string) => /[0-9a-f]{64}/i.test(text) || (text.match(/\p{L}{3,}/gu)?.length ?? 0) >= 12;

/** Whether the arguments of call data have a word that is no number of 20 bytes at most, which addresses and amounts are. */
const hasSecretWord = (data: string): boolean =>
  (data.slice(10).match(/.{64}/g) ?? []).some(word => !/^(?:0{24}|f{24})/i.test(word));

/** The same for the code and storage that replace those of the chain. */
const hasSecretOverride = ({ overrides = {} }: Simulation): boolean =>
  (JSON.stringify(overrides).match(/[0-9a-f]{64,}/gi) ?? []).some(
    word => word.length > 64 || !/^(?:0{24}|f{24})/i.test(word),
  );

/** Arguments that may be keys are not written to the disk; they stay while the page is open. */
function toSavedTarget(target: InspectorTarget): InspectorTarget {
  if (target.kind === 'simulation' && (hasSecretWord(target.simulation.data) || hasSecretOverride(target.simulation))) {
    const { chain, simulation } = target;
    return { kind: 'address', chain, address: simulation.to ?? simulation.from };
  }
  if (target.kind !== 'address' || !target.call?.args.some(mayBeSecret)) return target;
  return { ...target, call: { ...target.call, args: [] } };
}

/** Arguments and what else is typed for a call. */
const TYPED = /(?:^|\/)(?:(?:args|call) .*|from|value|block|compare|filter)$/s;

function toSavedPageState(state: PageState): PageState {
  return Object.fromEntries(Object.entries(state).filter(([name, value]) => !(TYPED.test(name) && mayBeSecret(value))));
}

export const toSavedState = ({ pageStates, preferences }: PersistedState, panel: SavedPanelState): SavedState => ({
  ...panel,
  stops: panel.stops.map(({ id, target }) => ({ id, target: toSavedTarget(target) })),
  views: Object.fromEntries(Object.entries(pageStates).map(([id, state]) => [id, toSavedPageState(state)])),
  preferences,
});
