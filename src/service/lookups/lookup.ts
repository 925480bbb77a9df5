// What a lookup is: a summary of one subject, typed in the contract, in as few round trips as the chain allows.
import type { Freshness } from '../../api/freshness.ts';
import type { LookupId, LookupInput, LookupOutput } from '../../api/lookups.ts';
import type { HandlerContext } from '../handler.ts';

/** Rejects with a HexLensError; no freshness means that the value must not be kept. */
export type Lookup<Id extends LookupId> = (
  input: LookupInput<Id>,
  context: HandlerContext,
  signal: AbortSignal | undefined,
) => Promise<{ readonly value: LookupOutput<Id>; readonly freshness?: Freshness }>;
