// `aptosStatus`: ledger and index of an Aptos network. A node that does not respond gives a status too, not an error.
import type { AptosStatus } from '../../api/lookups.ts';
import { formatFault, isFault, toPlainFault } from '../../base/errors.ts';
import type { Lookup } from './lookup.ts';

export const aptosStatus: Lookup<'aptosStatus'> = async (input, { aptos }, signal) => {
  const { name, fullnode, getIndexProgress } = aptos.get(input.network);
  const progress = getIndexProgress();
  const unknownStatus: AptosStatus = {
    network: name,
    chainId: null,
    ledgerVersion: null,
    blockHeight: null,
    ledgerTime: null,
    index:
      progress?.indexedVersion == null
        ? null
        : { version: progress.indexedVersion, head: progress.headVersion, running: progress.isRunning },
    problem: null,
  };
  if (fullnode === null) return { value: unknownStatus };
  try {
    const { chainId, ledgerVersion, blockHeight, ledgerTimestamp } = await fullnode.fetchLedgerInfo(signal);
    const ledgerTime = new Date(Number(ledgerTimestamp / 1000n));
    return { value: { ...unknownStatus, chainId, ledgerVersion, blockHeight, ledgerTime } };
  } catch (error) {
    if (isFault(error, 'cancelled')) throw error;
    return { value: { ...unknownStatus, problem: formatFault(error), fault: toPlainFault(error) } };
  }
};
