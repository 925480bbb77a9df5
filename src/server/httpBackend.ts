// What the backend is to whoever asks it: calls, look-ups, readiness, configuration, and how each may be asked.

import type { Configuration } from '../api/configuration.ts';
import type { LookupId, LookupInput, LookupOutput } from '../api/lookups.ts';
import type { WireReply, WireRequest } from '../api/wire/request.ts';
import { HexLensError } from '../base/errors.ts';
import { localizable } from '../base/localize.ts';
import type { IndexStatus } from '../service/indexer/indexes.ts';
import type { CheckedGroup, ReadinessChecks } from './readiness.ts';

export interface BackendLookupOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface BackendCallOptions extends BackendLookupOptions {
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
  call(request: WireRequest, options?: BackendCallOptions): Promise<WireReply>;
  lookup<Id extends LookupId>(
    id: Id,
    input: LookupInput<Id>,
    options?: BackendLookupOptions,
  ): Promise<LookupOutput<Id>>;
  /** Whether every chain and Aptos network of ours can be asked, or only those of one of these groups. */
  checkReadiness(
    options?: BackendLookupOptions & { readonly groups?: readonly CheckedGroup[] },
  ): Promise<ReadinessChecks>;
  /** How far the indexes are that were needed so far. */
  indexStates(): readonly IndexStatus[];
  /** Ends the work that progress named so, after the step it is at; the next request goes on from there. */
  pause(task: string): void;
  /** Goes on with what was paused, if it is still open. */
  resume(task: string): void;
  /** Must come first; may be repeated. What is under way ends on the parts it began with. */
  configure(configuration: Configuration): void;
  /** Answers everything that is pending, then lets go of every connection. */
  stop(): Promise<void>;
}

export function createBackendStoppedFault(): HexLensError {
  return new HexLensError('backend-stopped', localizable('The HexLens backend was stopped.'), {
    fix: localizable('Try again: it starts anew when it is needed.'),
  });
}
