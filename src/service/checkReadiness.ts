// Readiness of the service: whether each configured EVM chain and Aptos network, and the store, can answer requests.
import type { Configuration } from '../api/configuration.ts';
import type { Clock } from '../base/clock.ts';
import { type FaultCode, getFaultCode, isFault } from '../base/errors.ts';
import type { Service } from './service.ts';

/** Name -> `ok`, or the code of its fault. */
type CheckResults = Readonly<Record<string, string>>;

export interface ReadinessChecks {
  /** EVM chains by selector. */
  readonly chains: CheckResults;
  /** Aptos networks by name. */
  readonly aptos: CheckResults;
  /** The database of the indexes; absent when they are in files. */
  readonly store?: string;
}

/** Groups that can be checked. A caller leaves out groups that are not configured: their default nodes may not run. */
export type CheckedGroup = 'evm' | 'aptos';
export const CHECKED_GROUPS: readonly CheckedGroup[] = ['evm', 'aptos'];

type CheckableService = Pick<Service, 'chains' | 'checkChain' | 'aptosNetworks' | 'checkAptosNetwork' | 'checkStore'>;

/** A health check that waits longer counts as failed in any case. */
export const MAX_CHECK_MS = 5_000;

/**
 * Checks every chain and network of `groups`, except those that a remote host serves, and the database of the indexes. What
 * has not answered within `MAX_CHECK_MS` is not ready.
 */
export async function checkReadiness(
  { groups: configuredGroups, storeUrl }: Pick<Configuration, 'groups' | 'storeUrl'>,
  groups: readonly CheckedGroup[],
  service: CheckableService,
  clock: Clock,
  signal: AbortSignal,
): Promise<ReadinessChecks> {
  const ended = new AbortController();
  const late = new AbortController();
  void clock.sleep(MAX_CHECK_MS, ended.signal).then(
    () => late.abort(),
    () => {}, // all have answered
  );
  const options = { signal: AbortSignal.any([signal, late.signal]) };
  const toResult = (check: Promise<void>, faultWhenLate: FaultCode): Promise<string> =>
    check.then(
      () => 'ok',
      error => (late.signal.aborted && isFault(error, 'cancelled') ? faultWhenLate : getFaultCode(error)),
    );
  const checkEach = async (names: readonly string[], check: (name: string) => Promise<void>): Promise<CheckResults> =>
    Object.fromEntries(
      await Promise.all(names.map(async name => [name, await toResult(check(name), 'node-timeout')] as const)),
    );
  const selectEmbedded = (group: CheckedGroup, names: readonly string[]) =>
    configuredGroups[group].mode === 'remote' || !groups.includes(group) ? [] : names;
  const [chains, aptos, store] = await Promise.all([
    checkEach(selectEmbedded('evm', service.chains()), chain => service.checkChain(chain, options)),
    checkEach(selectEmbedded('aptos', service.aptosNetworks()), name => service.checkAptosNetwork(name, options)),
    storeUrl ? toResult(service.checkStore(options), 'store-unavailable') : undefined,
  ]).finally(() => ended.abort());
  return { chains, aptos, ...(store !== undefined && { store }) };
}

export interface Readiness extends ReadinessChecks {
  /** Whether every check is `ok`. */
  readonly ready: boolean;
}

const READINESS_TTL_MS = 1_000;

/** Runs `check` at most once per second, so that frequent health checks do not load the nodes. */
export function cacheReadiness(check: () => Promise<ReadinessChecks>, clock: Clock): () => Promise<Readiness> {
  let cached: { readonly checkedAt: number; readonly readiness: Promise<Readiness> } | null = null;
  return () => {
    if (cached === null || clock.now() - cached.checkedAt >= READINESS_TTL_MS) {
      const readiness = check().then(
        checks => {
          const { chains, aptos, store = 'ok' } = checks;
          const results = [...Object.values(chains), ...Object.values(aptos), store];
          return { ready: results.every(result => result === 'ok'), ...checks };
        },
        () => ({ ready: false, chains: {}, aptos: {} }), // the backend is stopping
      );
      cached = { checkedAt: clock.now(), readiness };
    }
    return cached.readiness;
  };
}
