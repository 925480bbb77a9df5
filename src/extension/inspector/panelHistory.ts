// Where a panel has been: stops with back and forward, small enough to be kept over a reload.

import { type InspectorTarget, parseInspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { SavedPanel } from '../../protocol/messages.ts';

export interface VisitedStop {
  readonly id: number;
  readonly target: InspectorTarget;
}

export interface PanelHistory {
  readonly stops: readonly VisitedStop[];
  readonly at: number;
  current(): VisitedStop;
  /** Goes to a target; what lay ahead is forgotten. The target that is shown already is no new stop. */
  open(target: InspectorTarget): void;
  /** False when there is no such stop. */
  go(to: number): boolean;
}

/** Older stops are forgotten. */
const MOST_STOPS = 50;

const same = (a: InspectorTarget, b: InspectorTarget) => JSON.stringify(a) === JSON.stringify(b);

export function createPanelHistory(first: InspectorTarget, saved?: Pick<SavedPanel, 'stops' | 'at'>): PanelHistory {
  let stops: readonly VisitedStop[] = saved?.stops ?? [{ id: 1, target: first }];
  let at = saved?.at ?? 0;
  let last = Math.max(...stops.map(({ id }) => id));
  return {
    get stops() {
      return stops;
    },
    get at() {
      return at;
    },
    current: () => stops[at] ?? { id: 0, target: first },
    open(target) {
      const here = stops[at];
      if (here !== undefined && same(here.target, target)) return;
      last++;
      stops = [...stops.slice(0, at + 1), { id: last, target }].slice(-MOST_STOPS);
      at = stops.length - 1;
    },
    go(to) {
      if (to < 0 || to >= stops.length) return false;
      at = to;
      return true;
    },
  };
}

/** What a page had kept, from any version; `null` when it is of no use. */
export function parseSavedPanel(value: unknown): SavedPanel | null {
  if (value === null || typeof value !== 'object') return null;
  const { stops, at, pinned } = value as Readonly<Record<string, unknown>>;
  if (!Array.isArray(stops) || stops.length === 0 || stops.length > MOST_STOPS) return null;
  const read: VisitedStop[] = [];
  for (const stop of stops) {
    const { id, target } = (stop ?? {}) as Readonly<Record<string, unknown>>;
    const known = parseInspectorTarget(target);
    if (known === null || !Number.isSafeInteger(id)) return null;
    read.push({ id: id as number, target: known });
  }
  const right = Number.isSafeInteger(at) && (at as number) >= 0 && (at as number) < read.length;
  return { stops: read, at: right ? (at as number) : read.length - 1, pinned: pinned === true };
}
