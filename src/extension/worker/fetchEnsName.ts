// The ENS name of an address, within the privacy rules.
import type { AddressSummary } from '../../api/lookups.ts';
import { isFault } from '../../base/errors.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from './workerClient.ts';

export interface EnsNameDeps {
  readonly worker: Pick<WorkerClient, 'chains' | 'lookup'>;
  readonly settings: Pick<SettingsSource, 'current'>;
}

/** The chain of the ENS registry. */
const ETHEREUM_ID = 1;

/** `null` without a name, on other chains than Ethereum, and where the node may not learn which addresses are looked at. */
export async function fetchEnsName(
  { chain: { id }, address }: Pick<AddressSummary, 'chain' | 'address'>,
  chain: string,
  { worker, settings }: EnsNameDeps,
  signal: AbortSignal,
): Promise<string | null> {
  const isOnLoopback = worker.chains().some(({ selector, isOnLoopback }) => selector === chain && isOnLoopback);
  if (id !== ETHEREUM_ID || !(isOnLoopback || settings.current().privacy.ensNames)) return null;
  try {
    return (await worker.lookup('ensName', { chain, address }, signal)).name;
  } catch (error) {
    if (isFault(error, 'cancelled')) throw error;
    return null; // the rest is shown
  }
}
