// What the backend is to whoever asks it: calls, look-ups, readiness, configuration, and how each may be asked.

import type { Configuration } from '../api/configuration.ts';
import type { LookupId, LookupInput, LookupOutput } from '../api/lookups.ts';
import type { WireReply, WireRequest } from '../api/wire/request.ts';
import { HexLensError } from '../base/errors.ts';
import { worded } from '../base/worded.ts';
import type { IndexState } from '../service/indexer/indexes.ts';
import type { CheckedGroup, Checks } from './readiness.ts';

export interface LookupOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface CallOptions extends LookupOptions {
  /**
   * Not an editor but a program asks, which may have written a moment ago: nothing is answered that was read before it
   * asked, and a sign-in that it verifies is used up.
   */
  readonly forProgram?: boolean;
}

/**
 * Everything rejects with a HexLensError only: `cancelled` as soon as the caller's signal aborts, `backend-stopped`
 * after `stop`. Values and bodies are shared between callers: nobody changes them.
 */
export interface Backend {
  /** Resolves with any status: faults of the service and of hosts are replies. */
  call(request: WireRequest, options?: CallOptions): Promise<WireReply>;
  lookup<Id extends LookupId>(id: Id, input: LookupInput<Id>, options?: LookupOptions): Promise<LookupOutput<Id>>;
  /** Whether every chain and Aptos network of ours can be asked, or only those of one of these groups. */
  ready(options?: LookupOptions & { readonly groups?: readonly CheckedGroup[] }): Promise<Checks>;
  /** How far the indexes are that were needed so far. */
  indexStates(): readonly IndexState[];
  /** Ends the work that progress named so, after the step it is at; the next request goes on from there. */
  pause(task: string): void;
  /** Goes on with what was paused, if it is still open. */
  resume(task: string): void;
  /** Must come first; may be repeated. What is under way ends on the parts it began with. */
  configure(configuration: Configuration): void;
  /** Answers everything that is pending, then lets go of every connection. */
  stop(): Promise<void>;
}

export function stoppedFault(): HexLensError {
  return new HexLensError('backend-stopped', worded('The HexLens backend was stopped.'), {
    fix: worded('Try again: it starts anew when it is needed.'),
  });
}
