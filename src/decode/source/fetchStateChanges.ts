// Finds what a transaction changed, with the layouts of the project's builds.
import type { NoStateChanges, StateChanges } from '../../api/stateChanges.ts';
import type { TraceTarget } from '../../api/traceTarget.ts';
import type { MatchedCode, TracedCode } from '../../api/transactionStack.ts';
import type { SourceBuilds } from './sourceBuilds.ts';

/** The lookups of the service that it needs. */
export interface StateLookups {
  tracedCodes(input: TraceTarget): Promise<readonly TracedCode[]>;
  stateChanges(
    input: TraceTarget & { readonly builds: readonly MatchedCode[] },
  ): Promise<StateChanges | NoStateChanges>;
}

/** `builds`: `null` where there is no project, so that nothing has a name. Rejects as the lookups do. */
export async function fetchStateChanges(
  lookups: StateLookups,
  builds: SourceBuilds | null,
  target: TraceTarget,
): Promise<StateChanges | NoStateChanges> {
  const matched: MatchedCode[] = [];
  for (const { hash, code, isCreation } of builds === null ? [] : await lookups.tracedCodes(target)) {
    const found = await builds?.find(code, isCreation);
    if (found === null || found === undefined || found === 'ambiguous' || 'problem' in found.read) continue;
    const declarations = (await builds?.declarations(found.artifact)) ?? null;
    const { build } = found.read;
    matched.push({ hash, isCreation, build: declarations === null ? build : { ...build, declarations } });
  }
  return lookups.stateChanges({ ...target, builds: matched });
}
