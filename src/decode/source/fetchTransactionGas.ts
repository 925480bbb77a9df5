// Finds what the lines of a transaction cost, with the project's builds.
import type { TraceTarget } from '../../api/traceTarget.ts';
import type { NoTransactionGas, TransactionGas } from '../../api/transactionGas.ts';
import type { MatchedCode, TracedCode } from '../../api/transactionStack.ts';
import type { SourceBuilds } from './sourceBuilds.ts';

/** The lookups of the service that it needs. */
export interface GasLookups {
  tracedCodes(input: TraceTarget): Promise<readonly TracedCode[]>;
  transactionGas(
    input: TraceTarget & { readonly builds: readonly MatchedCode[] },
  ): Promise<TransactionGas | NoTransactionGas>;
}

/** `builds`: `null` where there is no project, so that the gas is of no line. Rejects as the lookups do. */
export async function fetchTransactionGas(
  lookups: GasLookups,
  builds: SourceBuilds | null,
  target: TraceTarget,
): Promise<TransactionGas | NoTransactionGas> {
  const matched = builds === null ? [] : await builds.match(await lookups.tracedCodes(target));
  return lookups.transactionGas({ ...target, builds: matched });
}
