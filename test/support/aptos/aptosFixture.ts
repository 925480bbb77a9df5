// Networks, backends and clients that an Aptos test sets up for itself, each ended after it.
import { afterEach } from 'vitest';
import { type AptosNetwork, defaultConfiguration } from '../../../src/api/configuration.ts';
import type { WireReply } from '../../../src/api/wire/request.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { createClient } from '../../../src/client/client.ts';
import { createNodeBackend } from '../../../src/worker/nodeBackend.ts';
import { createTestClock } from '../testClock.ts';
import { type FakeAptosNetwork, startFakeAptosNetwork } from './fakeAptosNetwork.ts';
import type { SyntheticLedger } from './syntheticLedger.ts';

export function createAptosFixture() {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });
  const configurationOf = (
    aptos: Readonly<Record<string, AptosNetwork>>,
    keys: Readonly<Record<string, string>> = {},
  ) => ({
    ...defaultConfiguration,
    aptos,
    keys,
    timeoutMs: 60_000,
  });
  return {
    configurationOf,
    later: (stop: () => Promise<void>) => void stops.push(stop),
    async network(ledger: SyntheticLedger): Promise<FakeAptosNetwork> {
      const double = await startFakeAptosNetwork(ledger);
      stops.push(() => double.stop());
      return double;
    },
    /** A client over a backend, and the reply that it saw last. */
    backend(
      aptos: Readonly<Record<string, AptosNetwork>>,
      { keys = {}, clock = createTestClock() }: { keys?: Readonly<Record<string, string>>; clock?: Clock } = {},
    ) {
      const backend = createNodeBackend({ log: silentLog, clock });
      stops.push(() => backend.stop());
      backend.configure(configurationOf(aptos, keys));
      const seen: { reply?: WireReply } = {};
      const client = createClient({
        async send(request, options) {
          seen.reply = await backend.call(request, options);
          return seen.reply;
        },
      });
      return { backend, client, header: (name: string) => seen.reply?.headers[name], seen };
    },
  };
}

export const toBothEndpoints = ({ node, indexer }: FakeAptosNetwork): AptosNetwork => ({ node, indexer });
