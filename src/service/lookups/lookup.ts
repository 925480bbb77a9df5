// Look-ups: summaries for hovers, typed in api/lookups.ts, in as few round trips to the node as possible.
import type { Freshness } from '../../api/freshness.ts';
import type { LookupId, LookupInput, LookupOutput } from '../../api/lookups.ts';
import type { HandlerContext } from '../handler.ts';

/** Rejects with a HexLensError; a value without freshness must not be cached. */
export type Lookup<Id extends LookupId> = (
  input: LookupInput<Id>,
  context: HandlerContext,
  signal: AbortSignal | undefined,
) => Promise<{ readonly value: LookupOutput<Id>; readonly freshness?: Freshness }>;
