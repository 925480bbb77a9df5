// `aptosStatus`: how one configured Aptos network answers right now; a node that does not is a status too, not a failure.

import type { AptosStatus } from '../../api/lookups.ts';
import { formatFault, isFault, toPlainFault } from '../../base/errors.ts';
import type { Lookup } from './lookup.ts';

export const aptosStatus: Lookup<'aptosStatus'> = async (input, { aptos }, signal) => {
  const { name, fullnode: node, graphql: indexer, getIndexProgress: progress } = aptos.get(input.network);
  const read = progress();
  const unknown: AptosStatus = {
    network: name,
    chainId: null,
    ledgerVersion: null,
    blockHeight: null,
    ledgerTime: null,
    oldestVersion: null,
    hasIndexer: indexer !== null,
    index:
      read?.indexedVersion == null
        ? null
        : { version: read.indexedVersion, head: read.headVersion, running: read.isRunning },
    problem: null,
  };
  if (node === null) return { value: unknown };
  try {
    const { chainId, ledgerVersion, oldestLedgerVersion, blockHeight, ledgerTimestamp } =
      await node.fetchLedgerInfo(signal);
    const ledgerTime = new Date(Number(ledgerTimestamp / 1000n));
    return {
      value: { ...unknown, chainId, ledgerVersion, blockHeight, ledgerTime, oldestVersion: oldestLedgerVersion },
    };
  } catch (error) {
    if (isFault(error, 'cancelled')) throw error;
    return { value: { ...unknown, problem: formatFault(error), fault: toPlainFault(error) } };
  }
};
