// What the backend creates from one configuration, and keeps when the next one leaves its settings as they were.
import type { Configuration, ProxyConfiguration } from '../api/configuration.ts';
import { HexLensError } from '../base/errors.ts';
import type { HttpPort } from '../base/httpPort.ts';
import { FreshRequestDeduplicator, RequestDeduplicator } from '../base/requestDeduplicator.ts';
import { yieldToEventLoop } from '../base/yieldToEventLoop.ts';
import { createClient } from '../client/client.ts';
import { createHttpTransport } from '../client/httpTransport.ts';
import type { Transport } from '../client/transport.ts';
import { createAptosStoreOpener } from '../service/aptos/store/openAptosStore.ts';
import { createStoreOpener } from '../service/indexer/openStore.ts';
import type { ServiceDeps } from '../service/service.ts';
import { Service } from '../service/service.ts';
import { createMemoryNonceStore } from '../service/siwe/memoryNonceStore.ts';
import type { NonceStore } from '../service/siwe/nonceStore.ts';
import { openNonceStore } from '../service/siwe/openNonceStore.ts';
import { createEgress, createEgressPolicy, createTemporaryOrigins, type EgressPolicy } from './egress.ts';
import { createRefCounted, type RefCounted } from './refCounted.ts';
import { RemoteLookups } from './remoteLookups.ts';
import { isSameJson, ResultCache } from './resultCache.ts';
import { answerSampleChain } from './sampleHttp.ts';

export type StoppableHttp = HttpPort & { stop(): Promise<void> };

export interface Components {
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

export interface ComponentDeps
  extends Pick<ServiceDeps, 'log' | 'clock' | 'tasks' | 'onHeadChange' | 'createKeyRecovery'> {
  /** Where the user allows a host, as the end of a sentence; the settings when absent. */
  readonly addHostHint?: string | undefined;
  createHttp(proxy: ProxyConfiguration, timeoutMs: number): StoppableHttp;
}

type Resource = Components['http'] | Components['service'];

export class CurrentComponents {
  readonly temporaryOrigins = createTemporaryOrigins();
  readonly #deps: ComponentDeps;
  /** Shared by all configurations without a store: a consumed nonce stays consumed. */
  readonly #memoryNonces;
  /** Not closed yet; those of earlier configurations close with the last call that holds them. */
  readonly #openResources = new Set<Resource>();
  /** `null` until the first configuration. */
  #current: Components | null = null;

  constructor(deps: ComponentDeps) {
    this.#deps = deps;
    this.#memoryNonces = createMemoryNonceStore({ clock: deps.clock });
  }

  get current(): Components | null {
    return this.#current;
  }

  configure(configuration: Configuration): void {
    const previous = this.#current;
    if (previous !== null && isSameJson(configuration, previous.configuration)) return;
    const next = this.#create(configuration, previous);
    this.#current = next;
    if (previous === null) return;
    this.#deps.log.info('The configuration changed; cached results were dropped.');
    if (previous.service !== next.service) this.#retire(previous.service);
    if (previous.http !== next.http) this.#retire(previous.http);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#openResources].map(resource => resource.stop()));
  }

  #create(configuration: Configuration, previous: Components | null): Components {
    const { clock, log } = this.#deps;
    const { http, egress } = this.#createHttp(configuration, previous);
    const service = this.#createService(configuration, egress, previous);
    return {
      configuration,
      policy: createEgressPolicy(configuration),
      http,
      egress,
      service,
      ...this.#createRemote(configuration, egress, previous),
      cache: new ResultCache({
        clock,
        log,
        chainState: (chain, isFresh, signal) => service.get().chainState(chain, { signal, isFresh }),
      }),
      requests: new RequestDeduplicator(),
      programRequests: new FreshRequestDeduplicator(yieldToEventLoop),
    };
  }

  #createHttp(configuration: Configuration, previous: Components | null): Pick<Components, 'http' | 'egress'> {
    if (previous !== null && isSameJson(getHttpSettings(configuration), getHttpSettings(previous.configuration)))
      return previous;
    const { clock, log, addHostHint, createHttp } = this.#deps;
    const { proxy, timeoutMs } = configuration;
    const http = this.#track(
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
    const getPolicy = () =>
      this.temporaryOrigins.extendPolicy(this.#current?.policy ?? createEgressPolicy(configuration));
    return { http, egress: createEgress({ http: answerSampleChain(port), getPolicy, log, clock, addHostHint }) };
  }

  #createService(configuration: Configuration, egress: HttpPort, previous: Components | null): Components['service'] {
    const isUnchanged =
      previous?.egress === egress &&
      isSameJson(getServiceSettings(configuration), getServiceSettings(previous.configuration));
    if (isUnchanged) return previous.service;
    const { clock, log, tasks, createKeyRecovery, onHeadChange } = this.#deps;
    const { nodes, aptos, keys, timeoutMs, siwe, dataFolder = null, storeUrl = null } = configuration;
    const stopping = new AbortController();
    const storeLocation = { folder: dataFolder, url: storeUrl, signal: stopping.signal };
    const openStore = createStoreOpener(storeLocation, log);
    const openAptosStore = createAptosStoreOpener(dataFolder, log);
    let nonces: NonceStore | undefined;
    const create = () => {
      nonces = openNonceStore(storeLocation, { clock, log, memory: this.#memoryNonces });
      return new Service({
        endpoints: { nodes, keys, timeoutMs, ...(aptos !== undefined && { aptos }) },
        http: egress,
        clock,
        log,
        getSettings: () => this.#current?.configuration ?? configuration,
        stores: { openStore, openAptosStore, nonces },
        siwePolicy: siwe,
        createKeyRecovery,
        tasks,
        onHeadChange,
      });
    };
    const close = async (service: Service) => {
      stopping.abort();
      await service.stop();
      await Promise.all([openStore.close?.(), nonces?.close?.()]);
    };
    return this.#track(createRefCounted(create, close));
  }

  /** What was observed of a host stays known when only the address book changes. */
  #createRemote(
    configuration: Configuration,
    egress: HttpPort,
    previous: Components | null,
  ): Pick<Components, 'remote' | 'remoteLookups'> {
    const isUnchanged =
      previous?.egress === egress &&
      isSameJson(getRemoteSettings(configuration), getRemoteSettings(previous.configuration));
    if (isUnchanged) return { remote: previous.remote, remoteLookups: previous.remoteLookups };
    const remote = createHttpTransport({ http: egress, clock: this.#deps.clock }, configuration);
    const { mode, baseUrl } = configuration.groups.evm;
    const host = URL.parse(baseUrl)?.host ?? 'The remote host';
    return {
      remote,
      remoteLookups: mode === 'remote' ? new RemoteLookups({ client: createClient(remote), host }) : null,
    };
  }

  #track<T extends Resource>(resource: T): T {
    this.#openResources.add(resource);
    return resource;
  }

  #retire(resource: Resource): void {
    void resource.retire().then(() => this.#openResources.delete(resource));
  }
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
