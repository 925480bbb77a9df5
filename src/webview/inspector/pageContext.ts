// What every element of the page is given: the target, the channel to the extension, and how values are shown.

import type { TraceTarget } from '../../api/traceTarget.ts';
import type { Hex } from '../../base/hex.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { InspectorChain, InspectorState, OperationView, PageChannel } from '../../protocol/messages.ts';
import type { TrackedTasks } from '../../protocol/trackedTasks.ts';
import type { PageState } from './persistedState.ts';
import type { Preferences } from './rows/cellFormat.ts';

export interface PageContext {
  readonly channel: PageChannel;
  readonly state: InspectorState;
  readonly target: InspectorTarget;
  /** Of an operation; `null` for other targets. */
  readonly operationView: OperationView | null;
  /** Selector of the chain that links lead to. */
  readonly chain: string;
  readonly chains: readonly InspectorChain[];
  readonly preferences: Preferences;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly pageState: PageState;
  readonly tasks: TrackedTasks;
  /** The block that everything is to be read at, as pages follow new blocks; `null` while unknown. */
  readonly head: number | null;
  /** Whether the page follows new blocks; `null` for one that no new block changes. */
  readonly isLive: boolean | null;
  /** Grows by one whenever everything is to be requested again. */
  readonly refreshCount: number;
  setPageState(name: string, value: string): void;
  setPreferences(preferences: Preferences): void;
  navigate(target: InspectorTarget, where?: 'here' | 'side'): void;
}

/** What is traced for the page: its simulated call, else the transaction with the hash. */
export const getTraceTarget = ({ chain, target }: PageContext, hash: string): TraceTarget =>
  target.kind === 'simulation' ? { chain, simulation: target.simulation } : { chain, hash: hash as Hex }; // checked by the extension
