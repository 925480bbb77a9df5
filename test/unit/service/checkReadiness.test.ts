// `/ready` when a node, a network or the database does not answer.
import { expect, it } from 'vitest';
import { defaultConfiguration } from '../../../src/api/configuration.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import { raceAbort } from '../../../src/base/raceAbort.ts';
import { CHECKED_GROUPS, checkReadiness, MAX_CHECK_MS } from '../../../src/service/checkReadiness.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

type Check = (options?: { readonly signal?: AbortSignal | undefined }) => Promise<void>;
const configuration = { ...defaultConfiguration, storeUrl: 'postgres://127.0.0.1/none' };
const never: Check = ({ signal } = {}) => raceAbort(new Promise(() => {}), signal as AbortSignal);
const refuse: Check = () => Promise.reject(new HexLensError('node-unreachable', 'It is down.'));

function start(checkStore: Check, signal = new AbortController().signal) {
  const clock = createFakeClock('manual');
  const byName: Readonly<Record<string, Check>> = { eth: never, local: refuse, polygon: async () => {} };
  const service = {
    chains: () => Object.keys(byName),
    checkChain: (name: string, options?: Parameters<Check>[0]) => (byName[name] as Check)(options),
    aptosNetworks: () => ['mainnet'],
    checkAptosNetwork: (_: string, options?: Parameters<Check>[0]) => never(options),
    checkStore,
  };
  return { clock, checks: checkReadiness(configuration, CHECKED_GROUPS, service, clock, signal) };
}

it('what does not answer in time is not ready, and nothing else is affected', async () => {
  const { clock, checks } = start(never);
  clock.advance(MAX_CHECK_MS);
  expect(await checks).toEqual({
    chains: { eth: 'node-timeout', local: 'node-unreachable', polygon: 'ok' },
    aptos: { mainnet: 'node-timeout' },
    store: 'store-unavailable',
  });
});

it('a caller that leaves is not mistaken for a check that is late', async () => {
  const leaving = new AbortController();
  const { checks } = start(async () => {}, leaving.signal);
  leaving.abort();
  expect(await checks).toMatchObject({ chains: { eth: 'cancelled' }, store: 'ok' });
});
