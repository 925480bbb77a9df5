// Answers calls and look-ups: embedded or remote per group, each subject asked once, kept as long as it is true.

import { setImmediate } from 'node:timers/promises';
import type { Configuration, ProxyConfiguration } from '../api/configuration.ts';
import type { Freshness } from '../api/freshness.ts';
import { type LookupId, type LookupInput, type LookupOutput, NODE_LOOKUPS } from '../api/lookups.ts';
import type { WireReply, WireRequest } from '../api/wire/request.ts';
import type { Progress } from '../api/workerProtocol.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { cancelledFault, HexLensError, toFault } from '../base/errors.ts';
import { FreshRequestDeduplicator } from '../base/freshRequestDeduplicator.ts';
import type { Hex } from '../base/hex.ts';
import type { HttpPort } from '../base/httpPort.ts';
import type { Log } from '../base/log.ts';
import { RequestDeduplicator } from '../base/requestDeduplicator.ts';
import { createClient } from '../client/client.ts';
import { createHttpTransport } from '../client/httpTransport.ts';
import type { Transport } from '../client/transport.ts';
import { createUndiciHttp } from '../client/undiciHttp.ts';
import { type Backend, type BackendCallOptions, createBackendStoppedFault } from '../server/httpBackend.ts';
import { CHECKED_GROUPS, checkReadiness } from '../server/readiness.ts';
import { createAptosStoreOpener } from '../service/aptos/store/openAptosStore.ts';
import { createStoreOpener } from '../service/indexer/openStore.ts';
import { createService, type Service } from '../service/service.ts';
import { createNonceStore } from '../service/siwe/nonceStore.ts';
import { getCacheKey, isSameJson, normalizeLookupInput } from './cacheKey.ts';
import { createEgress, createEgressPolicy, createTemporaryOrigins, type EgressPolicy } from './egress.ts';
import { createRefCounted, type RefCounted } from './refCounted.ts';
import { createRemoteLookups, type RemoteLookupId, type RemoteLookups } from './remoteLookups.ts';
import { createResultCache, type ResultCache, type TimedFreshness } from './resultCache.ts';

// What a table that the user wrote says of an address: its own entries only, whatever the letter case.
/** The value of a key in lower case; `null` when there is none. */
export const getOwnEntry = <T>(table: Readonly<Record<string, T>> | undefined, key: string): T | null =>
  table !== undefined && Object.hasOwn(table, key.toLowerCase()) ? (table[key.toLowerCase()] ?? null) : null;

type StoppableHttp = HttpPort & { stop(): Promise<void> };

export interface BackendDeps {
  readonly log: Log;
  readonly clock?: Clock;
  /** Names of addresses for `*_label` fields, from the user's address book. */
  labels?(address: Hex): string | null;
  /** Where the user adds a host, as the end of a sentence; the settings when absent. */
  readonly addHostHint?: string;
  /** Hears of long work, such as the indexing of a chain, while it goes on. */
  onProgress?(progress: Progress): void;
  createHttp?(proxy: ProxyConfiguration, timeoutMs: number): StoppableHttp;
}

/** What a remote host said in a look-up: long enough to look around, short enough to see a change. */
const REMOTE_TTL_MS = 15_000;
/** An Aptos network has a block every fraction of a second: what was read of it is kept while somebody looks at it. */
const SHORTLY: TimedFreshness = { class: 'timed', ttlMs: 5_000 };

const OWN: ReadonlySet<string> = new Set(NODE_LOOKUPS);
/** Aptos has no remote look-ups: no host has what they say. */
const isRemote = (id: LookupId): id is RemoteLookupId => !id.startsWith('aptos') && !OWN.has(id);

/** Everything that one configuration brought about. */
interface Parts {
  readonly configuration: Configuration;
  readonly policy: EgressPolicy;
  readonly http: RefCounted<StoppableHttp>;
  readonly egress: HttpPort;
  readonly service: RefCounted<Service>;
  readonly remote: Transport;
  readonly remoteLookups: RemoteLookups | null;
  readonly cache: ResultCache;
  readonly flights: RequestDeduplicator<unknown>;
  /** For programs: none joins what began before it asked. */
  readonly rounds: FreshRequestDeduplicator<unknown>;
}

interface Kept<T> {
  readonly value: T;
  readonly freshness?: Freshness | TimedFreshness | undefined;
}

export function createBackend(deps: BackendDeps): Backend {
  const { log, clock = systemClock, labels, addHostHint: remedy } = deps;
  const createHttp = deps.createHttp ?? ((proxy, timeoutMs) => createUndiciHttp(proxy, { timeoutMs }));
  const pending = new Set<(fault: HexLensError) => void>();
  const leases = new Set<RefCounted<StoppableHttp> | RefCounted<Service>>();
  /** Outlives every configuration: a message that was used stays used. */
  const nonces = createNonceStore({ clock });
  const probes = createTemporaryOrigins();
  let current: Parts | null = null;
  let stopping: Promise<void> | null = null;

  function httpFor(configuration: Configuration, before: Parts | null): Pick<Parts, 'http' | 'egress'> {
    const { proxy, timeoutMs } = configuration;
    if (before !== null && isSameJson([proxy, timeoutMs], [before.configuration.proxy, before.configuration.timeoutMs]))
      return before;
    const http = owned(
      createRefCounted(
        () => createHttp(proxy, timeoutMs),
        port => port.stop(),
      ),
    );
    const port: HttpPort = { send: async request => http.get().send(request) };
    // The policy of the latest configuration counts, also for what began under an earlier one.
    const policy = () => probes.extendPolicy(current?.policy ?? createEgressPolicy(configuration));
    return {
      http,
      egress: createEgress({
        http: port,
        getPolicy: policy,
        log,
        clock,
        ...(remedy !== undefined && { addHostHint: remedy }),
      }),
    };
  }

  function serviceFor(configuration: Configuration, egress: HttpPort, before: Parts | null): RefCounted<Service> {
    const { nodes, keys, timeoutMs, aptos = {}, siwe: auth = {} } = configuration;
    const { dataFolder = null, storeUrl = null } = configuration;
    const {
      nodes: nodesBefore,
      keys: keysBefore,
      aptos: aptosBefore = {},
      siwe: authBefore = {},
      dataFolder: folderBefore = null,
      storeUrl: storeBefore = null,
    } = before?.configuration ?? {};
    const unchanged = isSameJson(
      [nodes, keys, aptos, auth, dataFolder, storeUrl],
      [nodesBefore, keysBefore, aptosBefore, authBefore, folderBefore, storeBefore],
    );
    if (before?.egress === egress && unchanged) return before.service;
    const openStore = createStoreOpener({ folder: dataFolder, url: storeUrl }, log);
    const stores = { openStore, openAptosStore: createAptosStoreOpener(dataFolder, log) };
    // The book and the gateway of the latest configuration count: a new name must not cost a new service.
    const latest = () => current?.configuration ?? configuration;
    const name = (address: Hex) => labels?.(address) ?? getOwnEntry(latest().addressBook?.labels, address);
    const mark = (token: Hex) => getOwnEntry(latest().addressBook?.trust, token);
    const ipfsGateway = () => latest().metadata?.ipfsGateway ?? undefined;
    const shared = { aptos, keys, http: egress, clock, log, timeoutMs, auth, nonces, ipfsGateway, ...stores };
    const onProgress = deps.onProgress?.bind(deps);
    const make = () => createService({ nodes, ...shared, getLabel: name, getTrust: mark, onProgress });
    return owned(createRefCounted(make, service => service.stop()));
  }

  function owned<T extends RefCounted<StoppableHttp> | RefCounted<Service>>(lease: T): T {
    leases.add(lease);
    return lease;
  }

  function release(lease: RefCounted<StoppableHttp> | RefCounted<Service>): void {
    void lease.retire().then(() => leases.delete(lease));
  }

  function build(configuration: Configuration, before: Parts | null): Parts {
    const { http, egress } = httpFor(configuration, before);
    const service = serviceFor(configuration, egress, before);
    const remote = createHttpTransport({ http: egress, clock }, configuration);
    const host = URL.parse(configuration.groups.evm.baseUrl)?.host ?? 'The remote host';
    return {
      configuration,
      policy: createEgressPolicy(configuration),
      http,
      egress,
      service,
      remote,
      remoteLookups:
        configuration.groups.evm.mode === 'remote' ? createRemoteLookups({ client: createClient(remote), host }) : null,
      cache: createResultCache({
        clock,
        log,
        chainState: async (chain, fresh, signal) => service.get().chainState(chain, { signal, fresh }),
      }),
      flights: new RequestDeduplicator(),
      rounds: new FreshRequestDeduplicator(setImmediate),
    };
  }

  /** Runs `work` so that the caller is answered at once when it leaves and when the backend stops. */
  function run<T>(
    signal: AbortSignal | undefined,
    work: (parts: Parts, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const parts = current;
    if (stopping !== null) return Promise.reject(createBackendStoppedFault());
    if (parts === null)
      return Promise.reject(new HexLensError('backend-stopped', 'The backend is not configured yet.'));
    if (signal?.aborted) return Promise.reject(cancelledFault());
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      // Held over the whole call: between two requests of one answer nothing may be taken away.
      const held = [parts.service.acquire(), parts.http.acquire()];
      const leave = () => {
        signal?.removeEventListener('abort', abort);
        pending.delete(giveUp);
      };
      const giveUp = (fault: HexLensError) => {
        leave();
        reject(fault);
        controller.abort();
      };
      const abort = () => giveUp(cancelledFault());
      signal?.addEventListener('abort', abort, { once: true });
      pending.add(giveUp);
      work(parts, controller.signal)
        .then(
          value => {
            leave();
            resolve(value);
          },
          error => {
            leave();
            reject(toFault(error));
          },
        )
        .finally(() => {
          for (const letGo of held) letGo();
        });
    });
  }

  /** One flight per subject; what is still true is not asked again. */
  async function shared<T>(
    { cache, flights, rounds }: Parts,
    key: string,
    { signal, forProgram = false }: BackendCallOptions,
    work: (signal: AbortSignal) => Promise<Kept<T>>,
  ): Promise<T> {
    const flight = async (common: AbortSignal): Promise<unknown> => {
      const kept = await cache.read(key, { strict: forProgram, signal: common });
      if (kept !== undefined) return kept;
      const { value, freshness } = await work(common);
      if (freshness !== undefined) cache.write(key, value, freshness);
      return value;
    };
    // The key names operation or look-up, and so the type.
    return (await (forProgram ? rounds : flights).join(key, flight, signal)) as T;
  }

  /** What is kept and still true as of now; `undefined` where there is nothing, or the chain can not be asked. */
  function stillKept(key: string): Promise<WireReply | undefined> | undefined {
    if (stopping !== null || current === null || !current.cache.has(key)) return undefined;
    return current.cache.read(key, { strict: true }) as Promise<WireReply | undefined>; // the key is an operation's
  }

  const answerAnew = (request: WireRequest, { signal, forProgram = false }: BackendCallOptions): Promise<WireReply> =>
    run(signal, async (parts, ownSignal) => {
      const embedded = parts.configuration.groups[request.group].mode === 'embedded';
      const ask = async (common: AbortSignal): Promise<WireReply> =>
        embedded
          ? parts.service.get().handle(request, { signal: common, dryRun: !forProgram })
          : parts.remote.send(request, { signal: common });
      // A POST is the caller's own: two of the same are two.
      if (request.method === 'POST') return ask(ownSignal);
      return shared(parts, getCacheKey(request), { signal: ownSignal, forProgram }, async common => {
        const reply = await ask(common);
        return { value: reply, freshness: reply.freshness };
      });
    });

  return {
    async call(request, options = {}) {
      // Most of what programs ask is kept: it needs no work that could be shared or given up.
      const kept = options.forProgram && request.method === 'GET' ? await stillKept(getCacheKey(request)) : undefined;
      return kept ?? answerAnew(request, options);
    },
    lookup(id, input, { signal } = {}) {
      return run(signal, async (parts, ownSignal) => {
        // Never shared and never kept: the click counts for one question.
        if ('url' in input)
          return probes.allowDuring(
            input.url,
            async () => (await parts.service.get().lookup(id, input, { signal: ownSignal })).value,
          );
        const wanted = normalizeLookupInput(input);
        const key = `${id} ${JSON.stringify(Object.entries(wanted).sort())}`;
        return shared(parts, key, { signal: ownSignal }, async (common): Promise<Kept<LookupOutput<typeof id>>> => {
          if (parts.remoteLookups === null || !isRemote(id)) {
            const answer = await parts.service.get().lookup(id, wanted, { signal: common });
            return id.startsWith('aptos') && id !== 'aptosStatus' ? { ...answer, freshness: SHORTLY } : answer;
          }
          const value = await parts.remoteLookups(id as RemoteLookupId, wanted as LookupInput<RemoteLookupId>, {
            signal: common,
          });
          return { value, freshness: id === 'chainStatus' ? undefined : { class: 'timed', ttlMs: REMOTE_TTL_MS } };
        });
      });
    },
    checkReadiness: ({ signal, groups = CHECKED_GROUPS } = {}) =>
      run(signal, async (parts, own) => checkReadiness(parts.configuration.groups, groups, parts.service.get(), own)),
    indexStates: () => (stopping === null && current !== null ? current.service.get().indexStates() : []),
    pause(task) {
      if (stopping === null) current?.service.get().pause(task);
    },
    resume(task) {
      if (stopping === null) current?.service.get().resume(task);
    },
    configure(configuration) {
      if (stopping !== null || (current !== null && isSameJson(configuration, current.configuration))) return;
      const before = current;
      current = build(configuration, before);
      if (before === null) return;
      log.info('The configuration changed; what was remembered is forgotten.');
      if (before.service !== current.service) release(before.service);
      if (before.http !== current.http) release(before.http);
    },
    stop() {
      stopping ??= (async () => {
        for (const giveUp of [...pending]) giveUp(createBackendStoppedFault());
        await Promise.all([...leases].map(lease => lease.stop()));
      })();
      return stopping;
    },
  };
}
