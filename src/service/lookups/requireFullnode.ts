// The fullnode of an Aptos network, for look-ups that need one.
import { HexLensError } from '../../base/errors.ts';
import type { AptosNetworkAccess } from '../aptos/aptosNetworks.ts';
import type { FullnodeClient } from '../aptos/fullnode/fullnodeClient.ts';

/** Throws `no-node` when only an indexer is configured for the network. */
export function requireFullnode({ name, fullnode }: AptosNetworkAccess): FullnodeClient {
  if (fullnode !== null) return fullnode;
  throw new HexLensError('no-node', `Aptos ${name} has no node configured.`, {
    fix: 'Add the REST address of its node to the setting hexlens.aptos.networks.',
  });
}
