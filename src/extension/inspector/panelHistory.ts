// The back and forward history of a panel.
import { type InspectorTarget, parseInspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { SavedPanelState } from '../../protocol/messages.ts';

export interface PanelHistoryEntry {
  readonly id: number;
  readonly target: InspectorTarget;
}

/** A panel of an earlier window. */
export interface SavedPanel {
  readonly entries: readonly PanelHistoryEntry[];
  readonly index: number;
  readonly isPinned: boolean;
}

export type PanelHistory = ReturnType<typeof createPanelHistory>;

const MAX_HISTORY_ENTRIES = 50;

const isSameTarget = (a: InspectorTarget, b: InspectorTarget) => JSON.stringify(a) === JSON.stringify(b);

export function createPanelHistory(first: InspectorTarget, saved?: Omit<SavedPanel, 'isPinned'>) {
  let entries: readonly PanelHistoryEntry[] = saved?.entries ?? [{ id: 1, target: first }];
  let index = saved?.index ?? 0;
  let lastId = Math.max(...entries.map(({ id }) => id));
  return {
    get entries() {
      return entries;
    },
    get index() {
      return index;
    },
    current: () => entries[index] ?? { id: 0, target: first },
    /** Adds an entry after the current one and drops the later ones; `false` if the target is current already. */
    open(target: InspectorTarget): boolean {
      const current = entries[index];
      if (current !== undefined && isSameTarget(current.target, target)) return false;
      lastId++;
      entries = [...entries.slice(0, index + 1), { id: lastId, target }].slice(-MAX_HISTORY_ENTRIES);
      index = entries.length - 1;
      return true;
    },
    /** Goes to an entry; `false` if it is current already or does not exist. */
    go(to: number): boolean {
      if (to < 0 || to >= entries.length || to === index) return false;
      index = to;
      return true;
    },
  };
}

/** The panel in the state that a page of any version has saved; `null` when it is invalid. */
export function parseSavedPanel(value: unknown): SavedPanel | null {
  if (value === null || typeof value !== 'object') return null;
  const { stops, at, pinned } = value as Readonly<Record<keyof SavedPanelState, unknown>>;
  if (!Array.isArray(stops) || stops.length === 0 || stops.length > MAX_HISTORY_ENTRIES) return null;
  const entries: PanelHistoryEntry[] = [];
  for (const stop of stops) {
    const { id, target } = (stop ?? {}) as Readonly<Record<string, unknown>>;
    const parsed = parseInspectorTarget(target);
    if (parsed === null || !Number.isSafeInteger(id)) return null;
    entries.push({ id: id as number, target: parsed });
  }
  const isValidIndex = Number.isSafeInteger(at) && (at as number) >= 0 && (at as number) < entries.length;
  return { entries, index: isValidIndex ? (at as number) : entries.length - 1, isPinned: pinned === true };
}
