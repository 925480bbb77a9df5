// Whether requests can be answered: every chain and network is asked, and whoever only looks does not make the nodes answer often.

import type { Configuration } from '../api/configuration.ts';
import type { Clock } from '../base/clock.ts';
import { getFaultCode } from '../base/errors.ts';
import type { Service } from '../service/service.ts';
import type { Readiness } from './app.ts';

/** `ok` or the code of what is wrong, by name. */
type States = Readonly<Record<string, string>>;

/** The EVM chains by selector, the Aptos networks by name. */
export interface ReadinessChecks {
  readonly chains: States;
  readonly aptos: States;
}

/** What is judged: a default that nobody named, such as a localnet, may well not be there. */
export type CheckedGroup = 'evm' | 'aptos';
export const CHECKED_GROUPS: readonly CheckedGroup[] = ['evm', 'aptos'];

type Checked = Pick<Service, 'chains' | 'check' | 'networks' | 'checkNetwork'>;

/** Groups of a remote host are that host's to answer for. */
export async function checkReadiness(
  configured: Configuration['groups'],
  judged: readonly CheckedGroup[],
  service: Checked,
  signal: AbortSignal,
): Promise<ReadinessChecks> {
  const ask = async (names: readonly string[], check: (name: string) => Promise<void>): Promise<States> =>
    Object.fromEntries(
      await Promise.all(names.map(async name => [name, await check(name).then(() => 'ok', getFaultCode)] as const)),
    );
  const own = (group: CheckedGroup, names: readonly string[]) =>
    configured[group].mode === 'remote' || !judged.includes(group) ? [] : names;
  const [chains, aptos] = await Promise.all([
    ask(own('evm', service.chains()), chain => service.checkChain(chain, { signal })),
    ask(own('aptos', service.aptosNetworks()), name => service.checkAptosNetwork(name, { signal })),
  ]);
  return { chains, aptos };
}

/** No more often than this, whoever asks. */
const READY_MS = 1_000;

export function cacheReadiness(ask: () => Promise<ReadinessChecks>, clock: Clock): () => Promise<Readiness> {
  let last: { readonly at: number; readonly answer: Promise<Readiness> } | null = null;
  return () => {
    if (last === null || clock.now() - last.at >= READY_MS) {
      const answer = ask().then(
        checks => ({
          ready: [checks.chains, checks.aptos].flatMap(Object.values<string>).every(state => state === 'ok'),
          ...checks,
        }),
        () => ({ ready: false, chains: {}, aptos: {} }), // it is stopping
      );
      last = { at: clock.now(), answer };
    }
    return last.answer;
  };
}
