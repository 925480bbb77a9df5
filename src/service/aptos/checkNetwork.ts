// Whether a network can be asked: both of its ends answer, as far as it has them.

import type { NetworkAccess } from './aptosNetworks.ts';
import { coinTable, tableQuery } from './graphql/indexerTables.ts';

/** Resolves when every end answers. Rejects with what is wrong with one. */
export async function checkNetwork({ node, indexer }: NetworkAccess, signal: AbortSignal): Promise<void> {
  await Promise.all([node?.ledger(signal), indexer?.rows(tableQuery(coinTable, {}, 1, 0), signal)]);
}
