// Whether a network can be asked: both of its ends answer, as far as it has them.
import { coinTable, tableQuery } from './indexerTables.ts';
import type { NetworkAccess } from './networks.ts';

/** Resolves when every end answers. Rejects with what is wrong with one. */
export async function checkNetwork({ node, indexer }: NetworkAccess, signal: AbortSignal): Promise<void> {
  await Promise.all([node?.ledger(signal), indexer?.rows(tableQuery(coinTable, {}, 1, 0), signal)]);
}
