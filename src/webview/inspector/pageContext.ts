// What every part of the page is given: where it is, the link to the host, and how values are to be shown.

import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { PanelChain, Show } from '../../protocol/messages.ts';
import type { Works } from '../../protocol/trackedTasks.ts';
import type { Link } from './pageChannel.ts';
import type { Preferences } from './rows/cellFormat.ts';

/** Where a stop of the history was left: its tab, its filter. Kept over a reload. */
export type View = Readonly<Record<string, string>>;

export interface Shared {
  readonly link: Link;
  readonly show: Show;
  readonly target: InspectorTarget;
  /** Selector of the chain that links lead to. */
  readonly chain: string;
  readonly chains: readonly PanelChain[];
  readonly preferences: Preferences;
  readonly now: number;
  readonly view: View;
  /** Long work of the backend that was heard of. */
  readonly works: Works;
  /** Grows by one when everything is to be asked anew. */
  readonly round: number;
  setView(name: string, value: string): void;
  setPreferences(preferences: Preferences): void;
  navigate(target: InspectorTarget, where?: 'here' | 'side'): void;
}
