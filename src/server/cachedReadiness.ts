// Readiness as `/ready` reports it, cached for a moment so that health checks do not load the nodes.
import type { Clock } from '../base/clock.ts';
import type { ReadinessChecks } from '../service/checkReadiness.ts';

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
