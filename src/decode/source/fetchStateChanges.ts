// Finds what a transaction changed, with the layouts of the project's builds.
import type { NoStateChanges, StateChanges } from '../../api/stateChanges.ts';
import type { MatchedCode, TracedCode } from '../../api/transactionStack.ts';
import type { Hex } from '../../base/hex.ts';
import type { SourceBuilds } from './sourceBuilds.ts';

/** The lookups of the service that it needs. */
export interface StateLookups {
  tracedCodes(input: { chain: string; hash: Hex }): Promise<readonly TracedCode[]>;
  stateChanges(input: {
    chain: string;
    hash: Hex;
    builds: readonly MatchedCode[];
  }): Promise<StateChanges | NoStateChanges>;
}

/** `builds`: `null` where there is no project, so that nothing has a name. Rejects as the lookups do. */
export async function fetchStateChanges(
  lookups: StateLookups,
  builds: SourceBuilds | null,
  transaction: { readonly chain: string; readonly hash: Hex },
): Promise<StateChanges | NoStateChanges> {
  const matched: MatchedCode[] = [];
  for (const { hash, code, isCreation } of builds === null ? [] : await lookups.tracedCodes(transaction)) {
    const found = await builds?.find(code, isCreation);
    if (found === null || found === undefined || found === 'ambiguous' || 'problem' in found.read) continue;
    const declarations = (await builds?.declarations(found.artifact)) ?? null;
    const { build } = found.read;
    matched.push({ hash, isCreation, build: declarations === null ? build : { ...build, declarations } });
  }
  return lookups.stateChanges({ ...transaction, builds: matched });
}
