// What every part of the page is given: where it is, the link to the host, and how values are to be shown.

import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { InspectorChain, InspectorState } from '../../protocol/messages.ts';
import type { TrackedTasks } from '../../protocol/trackedTasks.ts';
import type { PageChannel } from './pageChannel.ts';
import type { Preferences } from './rows/cellFormat.ts';

/** Where a stop of the history was left: its tab, its filter. Kept over a reload. */
export type PageState = Readonly<Record<string, string>>;

export interface PageContext {
  readonly channel: PageChannel;
  readonly state: InspectorState;
  readonly target: InspectorTarget;
  /** Selector of the chain that links lead to. */
  readonly chain: string;
  readonly chains: readonly InspectorChain[];
  readonly preferences: Preferences;
  readonly now: number;
  readonly pageState: PageState;
  /** Long work of the backend that was heard of. */
  readonly tasks: TrackedTasks;
  /** Grows by one when everything is to be asked anew. */
  readonly refreshCount: number;
  setPageState(name: string, value: string): void;
  setPreferences(preferences: Preferences): void;
  navigate(target: InspectorTarget, where?: 'here' | 'side'): void;
}
