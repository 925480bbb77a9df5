// Whether a network can be asked: both of its ends answer, as far as it has them.

import type { AptosNetworkAccess } from './aptosNetworks.ts';
import { coinActivityTable, createTableQuery } from './graphql/indexerTables.ts';

/** Resolves when every end answers. Rejects with what is wrong with one. */
export async function checkAptosNetwork(
  { fullnode: node, graphql: indexer }: AptosNetworkAccess,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all([
    node?.fetchLedgerInfo(signal),
    indexer?.fetchRows(createTableQuery(coinActivityTable, {}, 1, 0), signal),
  ]);
}
