// Executes operations and lookups by the configuration: embedded or remote per group, with deduplication and a cache.
import type { Configuration, ProxyConfiguration } from '../api/configuration.ts';
import type { Freshness } from '../api/freshness.ts';
import { type LookupId, type LookupInput, type LookupOutput, NODE_LOOKUPS } from '../api/lookups.ts';
import { checkDatedChanges } from '../api/wire/checkDatedChanges.ts';
import type { WireReply, WireRequest } from '../api/wire/request.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { createCancelledFault, HexLensError, toFault } from '../base/errors.ts';
import type { HttpPort } from '../base/httpPort.ts';
import type { Log } from '../base/log.ts';
import { FreshRequestDeduplicator, RequestDeduplicator } from '../base/requestDeduplicator.ts';
import { yieldToEventLoop } from '../base/yieldToEventLoop.ts';
import { createClient } from '../client/client.ts';
import { createHttpTransport } from '../client/httpTransport.ts';
import type { Transport } from '../client/transport.ts';
import { createAptosStoreOpener } from '../service/aptos/store/openAptosStore.ts';
import { CHECKED_GROUPS, type CheckedGroup, checkReadiness, type ReadinessChecks } from '../service/checkReadiness.ts';
import type { IndexStatus } from '../service/indexer/indexes.ts';
import { createStoreOpener } from '../service/indexer/openStore.ts';
import { createService, type Service } from '../service/service.ts';
import { createMemoryNonceStore } from '../service/siwe/memoryNonceStore.ts';
import { openNonceStore } from '../service/siwe/openNonceStore.ts';
import type { TaskRegistry } from '../service/taskRegistry.ts';
import { createEgress, createEgressPolicy, createTemporaryOrigins, type EgressPolicy } from './egress.ts';
import { createBackendStoppedFault, createRefCounted, type RefCounted } from './refCounted.ts';
import { createRemoteLookups, type RemoteLookupId, type RemoteLookups } from './remoteLookups.ts';
import {
  createResultCache,
  getCacheKey,
  getLookupCacheKey,
  isSameJson,
  normalizeLookupInput,
  type ResultCache,
  type TimedFreshness,
} from './resultCache.ts';

export interface BackendLookupOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface BackendCallOptions extends BackendLookupOptions {
  /**
   * The caller is a program, which may have written to the chain a moment ago: its reply contains nothing that was read
   * before the request, and a verified sign-in consumes its nonce. Otherwise an editor.
   */
  readonly forProgram?: boolean;
}

/**
 * Rejects with a HexLensError only: `cancelled` as soon as the signal aborts, `backend-stopped` after `stop`, and what the
 * dated changes reject. Callers share values and bodies and must not change them.
 */
export interface Backend {
  /** Resolves with any status: faults of the service and of remote hosts are replies. */
  call(request: WireRequest, options?: BackendCallOptions): Promise<WireReply>;
  lookup<Id extends LookupId>(
    id: Id,
    input: LookupInput<Id>,
    options?: BackendLookupOptions,
  ): Promise<LookupOutput<Id>>;
  /** Checks every embedded EVM chain and Aptos network, or only those of `groups`, and the database of the indexes. */
  checkReadiness(
    options?: BackendLookupOptions & { readonly groups?: readonly CheckedGroup[] },
  ): Promise<ReadinessChecks>;
  /** Progress of every index opened so far. */
  getIndexStatuses(): readonly IndexStatus[];
  /** Must be called first; may be repeated. Calls in progress end with the configuration that they began with. */
  configure(configuration: Configuration): void;
  /** Rejects pending calls, then closes every connection. */
  stop(): Promise<void>;
}

export type StoppableHttp = HttpPort & { stop(): Promise<void> };

export interface BackendDeps {
  readonly log: Log;
  readonly clock?: Clock;
  /** Where the user allows a host, as the end of a sentence; the settings when absent. */
  readonly addHostHint?: string;
  /** Gets the progress of long tasks, such as the indexing of a chain, and pauses them. */
  readonly tasks?: TaskRegistry;
  /** The head of the chain with this selector may have changed since the last lookup `chainStatus` with `isPoll`. */
  onHeadChange?(selector: string): void;
  createHttp(proxy: ProxyConfiguration, timeoutMs: number): StoppableHttp;
}

/** Validity of lookups that a remote host answered: no chain state says when they change. */
const REMOTE_LOOKUP_TTL_MS = 15_000;
/** Aptos has several blocks per second, so that comparing heads would make every read a miss. */
const APTOS_FRESHNESS: TimedFreshness = { validity: 'timed', ttlMs: 5_000 };

const EMBEDDED_LOOKUPS: ReadonlySet<string> = new Set(NODE_LOOKUPS);
/** Remote hosts have no operations for the lookups of Aptos. */
const isRemoteLookup = (id: LookupId): id is RemoteLookupId => !id.startsWith('aptos') && !EMBEDDED_LOOKUPS.has(id);

/** What is created from one configuration. */
interface Components {
  readonly configuration: Configuration;
  readonly policy: EgressPolicy;
  readonly http: RefCounted<StoppableHttp>;
  readonly egress: HttpPort;
  readonly service: RefCounted<Service>;
  readonly remote: Transport;
  readonly remoteLookups: RemoteLookups | null;
  readonly cache: ResultCache;
  readonly requests: RequestDeduplicator<unknown>;
  /** For programs: a request never joins one that began before it. */
  readonly programRequests: FreshRequestDeduplicator<unknown>;
}

interface CacheableResult<T> {
  readonly value: T;
  /** Not cached when absent. */
  readonly freshness?: Freshness | TimedFreshness | undefined;
}

export function createBackend(deps: BackendDeps): Backend {
  const { log, clock = systemClock, createHttp } = deps;
  const pendingCalls = new Set<(fault: HexLensError) => void>();
  const openResources = new Set<RefCounted<StoppableHttp> | RefCounted<Service>>();
  /** Shared by all configurations without a store: a consumed nonce stays consumed. */
  const memoryNonces = createMemoryNonceStore({ clock });
  const temporaryOrigins = createTemporaryOrigins();
  let current: Components | null = null;
  let stopping: Promise<void> | null = null;

  function createHttpComponents(
    configuration: Configuration,
    previous: Components | null,
  ): Pick<Components, 'http' | 'egress'> {
    if (previous !== null && isSameJson(getHttpSettings(configuration), getHttpSettings(previous.configuration)))
      return previous;
    const { proxy, timeoutMs } = configuration;
    const http = track(
      createRefCounted(
        () => createHttp(proxy, timeoutMs),
        port => port.stop(),
      ),
    );
    const port: HttpPort = {
      send: async request => http.get().send(request),
      async subscribe(request, onMessage) {
        const { subscribe } = http.get();
        if (subscribe === undefined) throw new HexLensError('node-unreachable', 'There are no subscriptions.');
        return subscribe(request, onMessage);
      },
    };
    // The current policy applies to calls that began with an earlier one too.
    const getPolicy = () => temporaryOrigins.extendPolicy(current?.policy ?? createEgressPolicy(configuration));
    return { http, egress: createEgress({ http: port, getPolicy, log, clock, addHostHint: deps.addHostHint }) };
  }

  function createServiceComponent(
    configuration: Configuration,
    egress: HttpPort,
    previous: Components | null,
  ): RefCounted<Service> {
    const isUnchanged =
      previous?.egress === egress &&
      isSameJson(getServiceSettings(configuration), getServiceSettings(previous.configuration));
    if (isUnchanged) return previous.service;
    const { nodes, aptos, keys, timeoutMs, siwe, dataFolder = null, storeUrl = null } = configuration;
    const stopping = new AbortController();
    const storeLocation = { folder: dataFolder, url: storeUrl, signal: stopping.signal };
    const openStore = createStoreOpener(storeLocation, log);
    const openAptosStore = createAptosStoreOpener(dataFolder, log);
    // Address book and gateway are read when they are needed: changing them must not restart the service.
    const getLatest = () => current?.configuration ?? configuration;
    const create = () => {
      const nonces = openNonceStore(storeLocation, { clock, log, memory: memoryNonces });
      const service = createService({
        ...{ nodes, aptos, keys, timeoutMs, http: egress, clock, log, openStore, openAptosStore },
        ...{ siwePolicy: siwe, nonces, tasks: deps.tasks, onHeadChange: deps.onHeadChange },
        getAddressBook: () => getLatest().addressBook,
        getVerifiedSources: () => getLatest().verifiedSources ?? [],
        getIpfsGateway: () => getLatest().metadata?.ipfsGateway ?? undefined,
        allowsLoopbackMetadata: () => getLatest().metadata?.allowsLoopback === true,
      });
      return {
        ...service,
        async stop() {
          stopping.abort();
          await service.stop();
          await Promise.all([openStore.close?.(), nonces.close?.()]);
        },
      };
    };
    return track(createRefCounted(create, service => service.stop()));
  }

  function track<T extends RefCounted<StoppableHttp> | RefCounted<Service>>(resource: T): T {
    openResources.add(resource);
    return resource;
  }

  function retire(resource: RefCounted<StoppableHttp> | RefCounted<Service>): void {
    void resource.retire().then(() => openResources.delete(resource));
  }

  function createComponents(configuration: Configuration, previous: Components | null): Components {
    const { http, egress } = createHttpComponents(configuration, previous);
    const service = createServiceComponent(configuration, egress, previous);
    const createRemote = () => {
      const remote = createHttpTransport({ http: egress, clock }, configuration);
      const { mode, baseUrl } = configuration.groups.evm;
      const host = URL.parse(baseUrl)?.host ?? 'The remote host';
      return {
        remote,
        remoteLookups: mode === 'remote' ? createRemoteLookups({ client: createClient(remote), host }) : null,
      };
    };
    // What was observed of a host stays known when only the address book changes.
    const isSameRemote =
      previous?.egress === egress &&
      isSameJson(getRemoteSettings(configuration), getRemoteSettings(previous.configuration));
    const { remote, remoteLookups } = isSameRemote ? previous : createRemote();
    return {
      configuration,
      policy: createEgressPolicy(configuration),
      http,
      egress,
      service,
      remote,
      remoteLookups,
      cache: createResultCache({
        clock,
        log,
        chainState: async (chain, isFresh, signal) => service.get().chainState(chain, { signal, isFresh }),
      }),
      requests: new RequestDeduplicator(),
      programRequests: new FreshRequestDeduplicator(yieldToEventLoop),
    };
  }

  /** Runs `work` with the current components; rejects at once when the signal aborts or the backend stops. */
  function run<T>(
    signal: AbortSignal | undefined,
    work: (components: Components, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const components = current;
    if (stopping !== null) return Promise.reject(createBackendStoppedFault());
    if (components === null)
      return Promise.reject(new HexLensError('backend-stopped', 'The service is not configured yet.'));
    if (signal?.aborted) return Promise.reject(createCancelledFault());
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      // For the whole call: a new configuration must not close them between two of its requests.
      const releases = [components.service.acquire(), components.http.acquire()];
      const finish = () => {
        signal?.removeEventListener('abort', onAbort);
        pendingCalls.delete(rejectNow);
      };
      const rejectNow = (fault: HexLensError) => {
        finish();
        reject(fault);
        controller.abort();
      };
      const onAbort = () => rejectNow(createCancelledFault());
      signal?.addEventListener('abort', onAbort, { once: true });
      pendingCalls.add(rejectNow);
      work(components, controller.signal)
        .then(
          value => {
            finish();
            resolve(value);
          },
          error => {
            finish();
            reject(toFault(error));
          },
        )
        .finally(() => {
          for (const release of releases) release();
        });
    });
  }

  /** The cached value if it is valid; else runs `work`, once for all callers with the same key. */
  async function runCached<T>(
    { cache, requests, programRequests }: Components,
    key: string,
    { signal, forProgram = false }: BackendCallOptions,
    work: (signal: AbortSignal) => Promise<CacheableResult<T>>,
  ): Promise<T> {
    const readOrRun = async (sharedSignal: AbortSignal): Promise<unknown> => {
      const cached = await cache.read(key, { isStrict: forProgram, signal: sharedSignal });
      if (cached !== undefined) return cached;
      const { value, freshness } = await work(sharedSignal);
      if (freshness !== undefined) cache.write(key, value, freshness);
      return value;
    };
    // The key contains the operation or lookup, and so determines the type.
    return (await (forProgram ? programRequests : requests).join(key, readOrRun, signal)) as T;
  }

  /** The cached reply if it is valid now; `undefined` on a miss, or when the chain's state can not be read. */
  function readCachedReply(request: WireRequest): Promise<WireReply | undefined> | undefined {
    const key = getCacheKey(request);
    if (stopping !== null || current === null || !current.cache.has(key)) return undefined;
    return current.cache.read(key, { isStrict: true }) as Promise<WireReply | undefined>; // the key is an operation's
  }

  const execute = (request: WireRequest, { signal, forProgram = false }: BackendCallOptions): Promise<WireReply> =>
    run(signal, async (components, ownSignal) => {
      const isEmbedded = components.configuration.groups[request.group].mode === 'embedded';
      const send = async (sendSignal: AbortSignal): Promise<WireReply> =>
        isEmbedded
          ? components.service.get().handle(request, { signal: sendSignal, dryRun: !forProgram })
          : components.remote.send(request, { signal: sendSignal });
      // A POST may have effects, so two equal ones are not one.
      if (request.method === 'POST') return send(ownSignal);
      return runCached(components, getCacheKey(request), { signal: ownSignal, forProgram }, async sharedSignal => {
        const reply = await send(sharedSignal);
        return { value: reply, freshness: reply.freshness };
      });
    });

  return {
    async call(request, options = {}) {
      if (options.forProgram && current?.configuration.strictDates) checkDatedChanges(request);
      // Most requests of programs repeat: a cache hit needs neither deduplication nor a held service.
      const cached = options.forProgram && request.method === 'GET' ? await readCachedReply(request) : undefined;
      return cached ?? execute(request, options);
    },
    lookup(id, input, { signal } = {}) {
      return run(signal, async (components, ownSignal) => {
        // Probing a URL is neither shared nor cached: the user allowed this one request.
        if ('url' in input)
          return temporaryOrigins.allowDuring(
            input.url,
            async () => (await components.service.get().lookup(id, input, { signal: ownSignal })).value,
          );
        const normalized = normalizeLookupInput(input);
        const key = getLookupCacheKey(id, normalized);
        const runLookup = async (lookupSignal: AbortSignal): Promise<CacheableResult<LookupOutput<typeof id>>> => {
          if (components.remoteLookups === null || !isRemoteLookup(id)) {
            const result = await components.service.get().lookup(id, normalized, { signal: lookupSignal });
            const isAptosData = id.startsWith('aptos') && id !== 'aptosStatus';
            return isAptosData ? { ...result, freshness: APTOS_FRESHNESS } : result;
          }
          const value = await components.remoteLookups(
            id as RemoteLookupId,
            normalized as LookupInput<RemoteLookupId>,
            { signal: lookupSignal },
          );
          return {
            value,
            freshness: id === 'chainStatus' ? undefined : { validity: 'timed', ttlMs: REMOTE_LOOKUP_TTL_MS },
          };
        };
        return runCached(components, key, { signal: ownSignal }, runLookup);
      });
    },
    checkReadiness: ({ signal, groups = CHECKED_GROUPS } = {}) =>
      run(signal, async ({ configuration, service }, ownSignal) =>
        checkReadiness(configuration, groups, service.get(), clock, ownSignal),
      ),
    getIndexStatuses: () => (stopping === null && current !== null ? current.service.get().getIndexStatuses() : []),
    configure(configuration) {
      if (stopping !== null || (current !== null && isSameJson(configuration, current.configuration))) return;
      const previous = current;
      current = createComponents(configuration, previous);
      if (previous === null) return;
      log.info('The configuration changed; cached results were dropped.');
      if (previous.service !== current.service) retire(previous.service);
      if (previous.http !== current.http) retire(previous.http);
    },
    stop() {
      stopping ??= (async () => {
        for (const rejectNow of [...pendingCalls]) rejectNow(createBackendStoppedFault());
        await Promise.all([...openResources].map(resource => resource.stop()));
      })();
      return stopping;
    },
  };
}

/** Settings that need new connections when they change. */
const getHttpSettings = ({ proxy, timeoutMs }: Configuration) => [proxy, timeoutMs];

/** Settings that need a new transport to remote hosts when they change. */
const getRemoteSettings = ({ groups, keys, timeoutMs }: Configuration) => [groups, keys, timeoutMs];

/** Settings that need a new service when they change. */
const getServiceSettings = (configuration: Configuration) => {
  const { nodes, keys, aptos = {}, siwe = {}, dataFolder = null, storeUrl = null } = configuration;
  return [nodes, keys, aptos, siwe, dataFolder, storeUrl];
};
