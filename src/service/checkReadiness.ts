// Readiness of the service: whether each configured EVM chain and Aptos network can answer requests.

import type { Configuration } from '../api/configuration.ts';
import type { Clock } from '../base/clock.ts';
import { getFaultCode } from '../base/errors.ts';
import type { Service } from './service.ts';

/** Name -> `ok`, or the code of its fault. */
type CheckResults = Readonly<Record<string, string>>;

export interface ReadinessChecks {
  /** EVM chains by selector. */
  readonly chains: CheckResults;
  /** Aptos networks by name. */
  readonly aptos: CheckResults;
}

/** Groups that can be checked. A caller leaves out groups that are not configured: their default nodes may not run. */
export type CheckedGroup = 'evm' | 'aptos';
export const CHECKED_GROUPS: readonly CheckedGroup[] = ['evm', 'aptos'];

type CheckableService = Pick<Service, 'chains' | 'checkChain' | 'aptosNetworks' | 'checkAptosNetwork'>;

/** Checks every chain and network of `groups`, except those that a remote host serves. */
export async function checkReadiness(
  configuredGroups: Configuration['groups'],
  groups: readonly CheckedGroup[],
  service: CheckableService,
  signal: AbortSignal,
): Promise<ReadinessChecks> {
  const checkEach = async (names: readonly string[], check: (name: string) => Promise<void>): Promise<CheckResults> =>
    Object.fromEntries(
      await Promise.all(names.map(async name => [name, await check(name).then(() => 'ok', getFaultCode)] as const)),
    );
  const selectEmbedded = (group: CheckedGroup, names: readonly string[]) =>
    configuredGroups[group].mode === 'remote' || !groups.includes(group) ? [] : names;
  const [chains, aptos] = await Promise.all([
    checkEach(selectEmbedded('evm', service.chains()), chain => service.checkChain(chain, { signal })),
    checkEach(selectEmbedded('aptos', service.aptosNetworks()), name => service.checkAptosNetwork(name, { signal })),
  ]);
  return { chains, aptos };
}

// Readiness as `/ready` reports it, cached for a moment so that health checks do not load the nodes.
export interface Readiness extends ReadinessChecks {
  /** Whether every check is `ok`. */
  readonly ready: boolean;
}

const READINESS_TTL_MS = 1_000;

/** Runs `check` at most once per second, however many callers there are. */
export function cacheReadiness(check: () => Promise<ReadinessChecks>, clock: Clock): () => Promise<Readiness> {
  let cached: { readonly checkedAt: number; readonly readiness: Promise<Readiness> } | null = null;
  return () => {
    if (cached === null || clock.now() - cached.checkedAt >= READINESS_TTL_MS) {
      const readiness = check().then(
        checks => ({
          ready: [checks.chains, checks.aptos].flatMap(Object.values<string>).every(result => result === 'ok'),
          ...checks,
        }),
        () => ({ ready: false, chains: {}, aptos: {} }), // the backend is stopping
      );
      cached = { checkedAt: clock.now(), readiness };
    }
    return cached.readiness;
  };
}
