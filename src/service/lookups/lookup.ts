// Look-ups: summaries for hovers, typed in api/lookups.ts, in as few round trips to the node as possible.
import type { Freshness } from '../../api/freshness.ts';
import type { LookupId, LookupInput, LookupOutput } from '../../api/lookups.ts';
import { HexLensError } from '../../base/errors.ts';
import type { AptosNetworkAccess } from '../aptos/aptosNetworks.ts';
import type { FullnodeClient } from '../aptos/fullnode/fullnodeClient.ts';
import type { HandlerContext } from '../handler.ts';

// The fullnode of an Aptos network, for look-ups that need one.

/** Throws `no-node` when only an indexer is configured for the network. */
export function requireFullnode({ name, fullnode }: AptosNetworkAccess): FullnodeClient {
  if (fullnode !== null) return fullnode;
  throw new HexLensError('no-node', `Aptos ${name} has no node configured.`, {
    fix: 'Add the REST address of its node to the setting hexlens.aptos.networks.',
  });
}

/** Rejects with a HexLensError; a value without freshness must not be cached. */
export type Lookup<Id extends LookupId> = (
  input: LookupInput<Id>,
  context: HandlerContext,
  signal: AbortSignal | undefined,
) => Promise<{ readonly value: LookupOutput<Id>; readonly freshness?: Freshness }>;
