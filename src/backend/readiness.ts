// Whether requests can be answered: every chain is asked, and whoever only looks does not make the nodes answer often.
import type { Clock } from '../base/clock.ts';
import { faultCode } from '../base/errors.ts';
import type { Readiness } from '../service/http/app.ts';
import type { Service } from '../service/service.ts';

/** `ok` or the code of what is wrong, by selector. */
export type ChainChecks = Readonly<Record<string, string>>;

export async function checkChains(
  service: Pick<Service, 'chains' | 'check'>,
  signal: AbortSignal,
): Promise<ChainChecks> {
  const check = async (chain: string) =>
    [chain, await service.check(chain, { signal }).then(() => 'ok', faultCode)] as const;
  return Object.fromEntries(await Promise.all(service.chains().map(check)));
}

/** No more often than this, whoever asks. */
const READY_MS = 1_000;

export function rememberReady(ask: () => Promise<ChainChecks>, clock: Clock): () => Promise<Readiness> {
  let last: { readonly at: number; readonly answer: Promise<Readiness> } | null = null;
  return () => {
    if (last === null || clock.now() - last.at >= READY_MS) {
      const answer = ask().then(
        chains => ({ ready: Object.values(chains).every(state => state === 'ok'), chains }),
        () => ({ ready: false, chains: {} }), // it is stopping
      );
      last = { at: clock.now(), answer };
    }
    return last.answer;
  };
}
