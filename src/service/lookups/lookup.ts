// The type of lookups, which api/lookups.ts declares: each takes as few round trips to the node as possible.
import type { Freshness } from '../../api/freshness.ts';
import type { LookupId, LookupInput, LookupOutput } from '../../api/lookups.ts';
import { HexLensError } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';
import type { AptosNetworkAccess } from '../aptos/aptosNetworks.ts';
import { APTOS_SETTING } from '../aptos/endpointErrors.ts';
import type { FullnodeClient } from '../aptos/fullnode/fullnodeClient.ts';
import type { HandlerContext } from '../handler.ts';

/** The fullnode of an Aptos network. Throws `no-node` when only an indexer is configured for it. */
export function requireFullnode({ name, fullnode }: AptosNetworkAccess): FullnodeClient {
  if (fullnode !== null) return fullnode;
  throw new HexLensError('no-node', `Aptos ${name} has no node configured.`, {
    fix: localizable('Add the REST address of its node to {0}.', APTOS_SETTING),
  });
}

/** Rejects with a HexLensError; a value without freshness must not be cached. */
export type Lookup<Id extends LookupId> = (
  input: LookupInput<Id>,
  context: HandlerContext,
  signal: AbortSignal | undefined,
) => Promise<{ readonly value: LookupOutput<Id>; readonly freshness?: Freshness }>;
