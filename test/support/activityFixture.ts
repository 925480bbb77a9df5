// Watched addresses and events of a filled chain: their log, polled up to the present head, and what makes something new.
import { expect } from 'vitest';
import type { ChainStatus } from '../../src/api/lookups.ts';
import { joinParts } from '../../src/base/displayText.ts';
import type { Hex } from '../../src/base/hex.ts';
import { createClient } from '../../src/client/client.ts';
import { createAbiRegistry } from '../../src/decode/abiRegistry.ts';
import { createUnitSource, fetchFailure } from '../../src/extension/abi/describeFailure.ts';
import { type PollPorts, pollChain } from '../../src/extension/activity/pollChain.ts';
import { type ActivityLog, countNew, EMPTY_LOG, getShownItems, markSeen } from '../../src/view/activity/activityLog.ts';
import { toActivityRow } from '../../src/view/activity/activityText.ts';
import type { Watch } from '../../src/view/activity/watch.ts';
import { formatFailure } from '../../src/view/failureText.ts';
import { mineBlock, type TestTransaction } from './chain/mineBlock.ts';
import { type FilledChain, isBehind, type ServiceUnderTest } from './filledChain.ts';
import { readUntil } from './readUntil.ts';

const { signal } = new AbortController();

export const watchAddress = (address: Hex): Watch => ({
  address: address.toLowerCase() as Hex,
  topic0: null,
  event: null,
  chain: null,
});

export const same = (ports: PollPorts) => ports;

/** What the status of a chain that others know too says. */
export const PUBLIC: Partial<ChainStatus> = { isLocal: false, isIndexedWhole: false };

/** The status at the present head: new heads are announced, and one of a rolled back chain is noticed later. */
async function fetchStatus({ lookup }: PollPorts, { rpc }: Pick<FilledChain['anvil'], 'rpc'>): Promise<ChainStatus> {
  const { hash } = await rpc<{ readonly hash: Hex }>('eth_getBlockByNumber', ['latest', false]);
  const statuses: ChainStatus[] = [];
  const readHead = async () => {
    statuses.unshift(await lookup('chainStatus', { chain: 'local' }));
    return statuses[0]?.headHash;
  };
  await expect.poll(readHead).toBe(hash);
  return statuses[0] as ChainStatus;
}

/** `world` is there once tests run. */
export function createActivityFixture(world: Omit<FilledChain, 'stop'>) {
  const getName = (address: string) => {
    const all = Object.entries({ ...world.chain.accounts, ...world.chain.contracts });
    return all.find(([, known]) => known.toLowerCase() === address.toLowerCase())?.[0] ?? null;
  };

  function createPorts(service: ServiceUnderTest) {
    const requests: string[] = [];
    const refused = new Set<string>();
    const send = (request: Parameters<ServiceUnderTest['handle']>[0]) => {
      requests.push(request.operation);
      return service.handle(request);
    };
    const ports: PollPorts = {
      client: createClient({ send }),
      lookup: async (id, input) => (await service.lookup(id, input)).value,
      mayRequestIndex: () => true,
      isRefusedAgain: request => refused.has(request) || !refused.add(request),
      loadRegistry: async () => createAbiRegistry(),
      async describeFailure(selector, hash, signal) {
        const transport = { send: (request: Parameters<ServiceUnderTest['handle']>[0]) => service.handle(request) };
        const lookup: PollPorts['lookup'] = async (id, input) => (await service.lookup(id, input)).value;
        const deps = {
          loadAbis: async () => createAbiRegistry(),
          identify: async () => null,
          getName: () => null,
          fetchUnit: createUnitSource(lookup),
        };
        const { failure } = await fetchFailure(hash, selector, { lookup, transport, chains: () => [] }, deps, signal);
        return failure === null ? null : formatFailure(failure);
      },
      findFailurePlace: async () => null,
      learnNames: async () => {},
      createTextContext: (_selector, { coin, decimals }, registry) => ({
        ...{ coin, decimals, getName, format: { registry, getName } },
      }),
    };
    return { ports, requests };
  }

  /** A log that is read to the present head whenever `poll` is called. */
  function follow(
    watches: readonly Watch[],
    service = world.service,
    change: (ports: PollPorts) => PollPorts = same,
    anvil: Pick<FilledChain['anvil'], 'rpc'> = world.anvil,
  ) {
    const { ports: unchanged, requests } = createPorts(service);
    const ports = change(unchanged);
    let log: ActivityLog = EMPTY_LOG;
    return {
      requests,
      async poll(change: Partial<ChainStatus> = {}) {
        for (let rounds = 1; ; rounds++) if ((await this.pollOnce(change)).isComplete) return rounds;
      },
      async pollOnce(change: Partial<ChainStatus> = {}) {
        const status = await fetchStatus(ports, anvil);
        // On a busy machine the index has not come to that head yet.
        await readUntil(
          () => service.send('walletTransactions', { address: world.chain.accounts.alice, limit: 1 }),
          ({ headers }) => !isBehind(headers),
        );
        const polled = await pollChain(log, watches, { ...status, ...change }, ports, signal);
        log = polled.apply(log);
        return polled;
      },
      markSeen() {
        log = markSeen(log);
      },
      log: () => log,
      countNew: () => countNew(log),
      rows: () =>
        getShownItems(log).map(item => {
          const { label, description } = toActivityRow(item, '', getName, 0);
          return joinParts(label, description.replace(/ · block .*/, ''), item.state);
        }),
    };
  }

  const word = (value: bigint | Hex) => BigInt(value).toString(16).padStart(64, '0');
  /** In a block of its own; the same transaction has the same hash on another branch. */
  const send = async (transaction: TestTransaction) => {
    const { receipts } = await mineBlock(world.anvil, [transaction]);
    return receipts[0]?.transactionHash;
  };
  const pay = (value: bigint) => send({ from: world.chain.accounts.alice, to: world.chain.accounts.bob, value });
  const callCoin = (selector: Hex, amount: bigint, fails = false) =>
    send({
      from: world.chain.accounts.alice,
      to: world.chain.contracts.coin,
      data: `${selector}${word(world.chain.accounts.bob)}${word(amount)}`,
      fails,
    });

  return { follow, send, pay, callCoin };
}
