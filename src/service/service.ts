// The embedded service: executes operations and lookups over the configured nodes.
import { type Configuration, DEFAULT_TIMEOUT_MS, type SiwePolicy } from '../api/configuration.ts';
import type { ChainState, Freshness } from '../api/freshness.ts';
import type { LookupId, LookupInput, LookupOutput } from '../api/lookups.ts';
import { basePaths } from '../api/operations/operation.ts';
import { type OperationId, operations } from '../api/operations/operations.ts';
import { getWireName, type Parameters } from '../api/operations/parameters.ts';
import type { Presentation } from '../api/records/valueKinds.ts';
import { encodeFaultBody } from '../api/wire/faultBody.ts';
import { encodeReply } from '../api/wire/reply.ts';
import {
  type DecodedRequest,
  decodeRequest,
  findIgnoredParameters,
  type WireReply,
  type WireRequest,
} from '../api/wire/request.ts';
import { DEPRECATED_SOON_HEADER, FAULT_HEADER, IGNORED_HEADER, INDEX_HEADER } from '../api/wire/responseHeaders.ts';
import type { Clock } from '../base/clock.ts';
import { formatFaultWithDetails, HexLensError, isFault, toFault, toPlainFault } from '../base/errors.ts';
import { getOrInsert } from '../base/getOrInsert.ts';
import type { HttpPort } from '../base/httpPort.ts';
import { localizable } from '../base/localize.ts';
import type { Log } from '../base/log.ts';
import { raceAbort } from '../base/raceAbort.ts';
import { formatRetryAfter } from '../base/retryAfter.ts';
import { checkAptosNetwork, createAptosNetworks } from './aptos/aptosNetworks.ts';
import type { OpenAptosStore } from './aptos/store/aptosStore.ts';
import { createAptosStoreOpener } from './aptos/store/openAptosStore.ts';
import { createChainAddressBook } from './chainAddressBook.ts';
import { createEvmNodes } from './evm/evmNodes.ts';
import { createHeadDeduplicator } from './evm/headDeduplicator.ts';
import { repeatAfterReorg } from './evm/repeatAfterReorg.ts';
import type { Handler, HandlerContext } from './handler.ts';
import * as handlersById from './handlers/handlers.ts';
import { verifySignIn } from './handlers/verifySignIn.ts';
import { createIndexes, type Indexes, type IndexStatus } from './indexer/indexes.ts';
import { createStoreOpener } from './indexer/openStore.ts';
import { WHOLE_CHAIN } from './indexer/scopedIndexes.ts';
import type { Lookup } from './lookups/lookup.ts';
import * as lookupsById from './lookups/lookups.ts';
import { createVerifiedSources } from './lookups/verifiedSources.ts';
import { createMetadataFetcher } from './metadata/tokenMetadata.ts';
import type { NonceStore } from './siwe/nonceStore.ts';
import { createSiweVerifier, type SiweVerifier, type SiweVerifierDeps } from './siwe/siweVerifier.ts';
import type { OpenStore } from './store/store.ts';
import { createSilentTaskRegistry, type TaskRegistry } from './taskRegistry.ts';

const toUnixSeconds = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000;

interface DatedOperation {
  readonly parameters: Parameters;
  readonly deprecatedSince?: string;
}

/**
 * `deprecation` (RFC 9745): the earliest date on which the description deprecated what the request uses. The embedded
 * service keeps all of it, so there is no `sunset`.
 */
function getDeprecationHeaders(id: OperationId, input: object): Readonly<Record<string, string>> {
  const { parameters, deprecatedSince }: DatedOperation = operations[id];
  const values = input as Readonly<Record<string, unknown>>;
  const days: string[] = deprecatedSince === undefined ? [] : [deprecatedSince];
  const soon: string[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    const isGiven = values[name] !== undefined;
    if (isGiven && parameter.removedSince !== undefined) days.push(parameter.removedSince);
    if (isGiven && parameter.isDeprecatedSoon) soon.push(getWireName(name, parameter));
    if (!isGiven && parameter.requiredSince !== undefined) days.push(parameter.requiredSince);
  }
  const firstDay = days.sort()[0];
  return {
    ...(firstDay !== undefined && { deprecation: `@${toUnixSeconds(firstDay)}` }),
    ...(soon.length > 0 && { [DEPRECATED_SOON_HEADER]: soon.join(', ') }),
  };
}

/** Where chains are read. The first node serves requests that name no chain, the first network those that name none. */
export type ServiceEndpoints = Pick<Configuration, 'nodes'> &
  Partial<Pick<Configuration, 'aptos' | 'keys' | 'timeoutMs'>>;

/** Names, trust and logos of the address book; hosts of verified ABIs; the gateway and the hosts of token metadata. */
export type ServiceSettings = Pick<Configuration, 'addressBook' | 'verifiedSources' | 'metadata'>;

/** Where the service stores what it read; in memory when absent. */
export interface ServiceStores {
  /** Opens the index store of an EVM chain. */
  readonly openStore?: OpenStore | undefined;
  /** Opens the index store of an Aptos network. */
  readonly openAptosStore?: OpenAptosStore | undefined;
  /** Consumed nonces that outlive this service. */
  readonly nonces?: NonceStore | undefined;
}

export interface ServiceDeps {
  readonly endpoints: ServiceEndpoints;
  /** Every request goes through it: the caller adds the egress policy. */
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  /** Read when they are needed: changing them does not restart the service. */
  getSettings?(): ServiceSettings;
  readonly stores?: ServiceStores | undefined;
  /** What sign-in verification requires; the defaults when absent. */
  readonly siwePolicy?: SiwePolicy | undefined;
  /** For many sign-ins at once; keys are recovered on this thread when absent. */
  readonly createKeyRecovery?: SiweVerifierDeps['createKeyRecovery'];
  /** The head of the chain with this selector may have changed since the last lookup `chainStatus` with `isPoll`. */
  readonly onHeadChange?: ((selector: string) => void) | undefined;
  /** Gets the progress of long tasks, and pauses them; absent in programs that show no progress. */
  readonly tasks?: TaskRegistry | undefined;
}

interface ServiceCallOptions {
  readonly signal?: AbortSignal | undefined;
}

interface HandleOptions extends ServiceCallOptions {
  /** As in `HandlerContext`. */
  readonly forEditor?: boolean;
}

interface LookupResult<Id extends LookupId> {
  readonly value: LookupOutput<Id>;
  /** Not to be cached when absent. */
  readonly freshness?: Freshness;
}

type Handlers = { readonly [Id in OperationId]: Handler<Id> };

const lookups: { readonly [Id in LookupId]: Lookup<Id> } = lookupsById;

/**
 * The embedded service. Nothing is opened or requested before the first call; `stop` closes everything. Methods that
 * return a promise reject with a HexLensError.
 *
 * @example
 * ```ts
 * import { createClient } from '../client/client.ts';
 * import { createUndiciHttp } from '../client/undiciHttp.ts';
 * import { defaultProxyConfiguration } from '../api/configuration.ts';
 * import { systemClock } from '../base/clock.ts';
 * import { silentLog } from '../base/log.ts';
 * import { Service } from './service.ts';
 *
 * const http = createUndiciHttp(defaultProxyConfiguration);
 * const endpoints = { nodes: { local: 'http://127.0.0.1:8545' } };
 * const service = new Service({ endpoints, http, clock: systemClock, log: silentLog });
 * const client = createClient({ send: (request, options) => service.handle(request, options) });
 * console.log((await client.block({ block: 1, chain: 'local' })).hash);
 * await service.stop();
 * ```
 */
export class Service {
  /** What handlers and lookups get, besides what belongs to one request. */
  readonly #context: Omit<HandlerContext, 'indexes' | 'forEditor'>;
  readonly #openStore: OpenStore;
  readonly #indexes: Indexes;
  readonly #handlers: Handlers;
  readonly #signInVerifier: SiweVerifier;
  readonly #readFreshHead: (selector: string) => Promise<ChainState>;
  readonly #pendingCalls = new Map<AbortController, Promise<unknown>>();
  /** The HTTP server passes the same object for a request that is sent again. */
  readonly #decodedRequests = new WeakMap<WireRequest, DecodedRequest>();
  #isStopped = false;

  constructor({ endpoints, http, clock, log, getSettings = () => ({}), stores = {}, ...deps }: ServiceDeps) {
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = endpoints;
    const { openStore = createStoreOpener({ folder: null }, log), openAptosStore } = stores;
    const { siwePolicy, createKeyRecovery, onHeadChange, tasks = createSilentTaskRegistry(clock) } = deps;
    const nodes = createEvmNodes({ nodes: endpoints.nodes, http, clock, log, timeoutMs, onHeadChange });
    this.#context = {
      nodes,
      clock,
      log,
      tasks,
      getAddressBook: chain => createChainAddressBook(getSettings().addressBook, chain),
      metadata: createMetadataFetcher({ http, clock, getSettings: () => getSettings().metadata }),
      verifiedSources: createVerifiedSources({ http, getBaseUrls: () => getSettings().verifiedSources ?? [] }),
      aptos: createAptosNetworks({
        networks: endpoints.aptos ?? {},
        keys: endpoints.keys ?? {},
        http,
        clock,
        log,
        timeoutMs,
        tasks,
        openStore: openAptosStore ?? createAptosStoreOpener(null, log),
      }),
    };
    this.#openStore = openStore;
    this.#indexes = createIndexes({ open: openStore, clock, log, tasks });
    this.#signInVerifier = createSiweVerifier({
      nodes,
      clock,
      log,
      createKeyRecovery,
      policy: siwePolicy,
      nonces: stores.nonces,
    });
    this.#handlers = { ...handlersById, verifySignIn: verifySignIn(this.#signInVerifier) };
    this.#readFreshHead = createHeadDeduplicator(selector =>
      this.#run({}, async signal => toChainState(await (await nodes.find(selector, signal)).pollState(signal))),
    );
  }

  /**
   * Executes an operation.
   *
   * @returns The reply; faults become replies in the error shape of their group, with the header `x-hexlens-fault`.
   * @throws `cancelled` only.
   */
  async handle(request: WireRequest, options: HandleOptions = {}): Promise<WireReply> {
    try {
      return await this.#run(options, signal => this.#execute(request, options.forEditor === true, signal));
    } catch (error) {
      const fault = toFault(error);
      if (isFault(fault, 'cancelled')) throw fault;
      if (isFault(fault, 'internal', 'store-unavailable'))
        this.#context.log.error(`${request.operation}: ${formatFaultWithDetails(fault)}`);
      return createFaultReply(request, fault);
    }
  }

  lookup<Id extends LookupId>(
    id: Id,
    input: LookupInput<Id>,
    options: ServiceCallOptions = {},
  ): Promise<LookupResult<Id>> {
    const { nodes, clock } = this.#context;
    return this.#run(options, signal =>
      repeatAfterReorg(nodes, clock, signal, observedNodes => {
        const indexes = this.#indexes.forRequest();
        return lookups[id](input, { ...this.#context, nodes: observedNodes, indexes, forEditor: false }, signal);
      }),
    );
  }

  /** Genesis and head of a chain; up to a second old for a node on loopback, unless `isFresh`. */
  chainState(selector: string, options: ServiceCallOptions & { readonly isFresh?: boolean } = {}): Promise<ChainState> {
    // Shared by many callers, which `stop` rejects together.
    if (options.isFresh === true) return this.#readFreshHead(selector);
    return this.#run(options, async signal => {
      const node = await this.#context.nodes.find(selector, signal);
      return toChainState(await node.getState(signal));
    });
  }

  /** Canonical selectors of the configured nodes, in their order. */
  chains(): readonly string[] {
    return this.#context.nodes.selectors;
  }

  /** Resolves when the chain's node answers and its index, if it has one, is open. */
  checkChain(selector: string, options: ServiceCallOptions = {}): Promise<void> {
    return this.#run(options, async signal => {
      const node = await this.#context.nodes.find(selector, signal);
      await node.fetchState(signal);
      const indexes = this.#indexes.forRequest();
      if (await indexes.isIndexedWhole(node, signal)) await indexes.current(node, WHOLE_CHAIN, signal);
    });
  }

  /** Names of the configured Aptos networks, in their order. */
  aptosNetworks(): readonly string[] {
    return this.#context.aptos.names;
  }

  /** Resolves when the node and the indexer of the network answer, as far as they are configured. */
  checkAptosNetwork(name: string, options: ServiceCallOptions = {}): Promise<void> {
    return this.#run(options, async signal => checkAptosNetwork(this.#context.aptos.get(name), signal));
  }

  /** Resolves when the database of the indexes can be used, and where there is none to reach. */
  checkStore(options: ServiceCallOptions = {}): Promise<void> {
    return this.#run(options, async signal => raceAbort(this.#openStore.check?.() ?? Promise.resolve(), signal));
  }

  /** Progress of every index opened so far. */
  getIndexStatuses(): readonly IndexStatus[] {
    return this.#indexes.getStatuses();
  }

  /** Aborts all calls and resolves when they have ended. Later calls reject with `backend-stopped`. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const controller of this.#pendingCalls.keys()) controller.abort();
    this.#context.nodes.close();
    this.#signInVerifier.close();
    await Promise.allSettled(this.#pendingCalls.values());
    await Promise.all([this.#indexes.stop(), this.#context.aptos.stop()]);
  }

  /** Runs `work` with a signal that `stop` aborts too; `stop` waits for its end. */
  async #run<T>({ signal }: ServiceCallOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#isStopped) throw createServiceStoppedFault();
    const controller = new AbortController(); // `AbortSignal.any` would take a sixth of the time of a sign-in
    const abort = () => controller.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const promise = work(controller.signal);
    this.#pendingCalls.set(controller, promise);
    try {
      return await promise;
    } catch (error) {
      throw this.#isStopped && signal?.aborted !== true ? createServiceStoppedFault() : toFault(error);
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#pendingCalls.delete(controller);
    }
  }

  async #execute(request: WireRequest, forEditor: boolean, signal: AbortSignal): Promise<WireReply> {
    const { nodes, clock } = this.#context;
    const { id, input } = getOrInsert(this.#decodedRequests, request, () => decodeWireRequest(request));
    const handler = this.#handlers[id] as Handler<OperationId>; // the type of `Handlers` ties each id to its handler
    const { reply } = operations[id];
    const { output, freshness, headers } = await repeatAfterReorg(nodes, clock, signal, observedNodes => {
      const indexes = this.#indexes.forRequest();
      const context = { ...this.#context, nodes: observedNodes, indexes, forEditor };
      return handler(input, context, signal).finally(indexes.release);
    });
    const ignored = findIgnoredParameters(id, request.query);
    return {
      status: reply.status,
      headers: {
        ...getDeprecationHeaders(id, input),
        ...(ignored.length > 0 && { [IGNORED_HEADER]: ignored.join(', ') }),
        ...headers,
      },
      body: encodeReply(reply, output, getPresentation(input)),
      ...(freshness !== undefined && { freshness }),
    };
  }
}

const decodeWireRequest = ({ group, method, path, query, body }: WireRequest): DecodedRequest =>
  decodeRequest(method, `${basePaths[group][0]}${path}`, query, body);

function createFaultReply(request: WireRequest, fault: HexLensError): WireReply {
  const { retryAfterMs } = fault;
  return {
    status: fault.status,
    headers: {
      [FAULT_HEADER]: fault.code,
      ...(retryAfterMs !== undefined && { 'retry-after': formatRetryAfter(retryAfterMs) }),
      ...(fault.indexProgress !== undefined && { [INDEX_HEADER]: fault.indexProgress }),
    },
    body: encodeFaultBody(request.group, fault),
    fault: toPlainFault(fault),
  };
}

/** Without the further properties of a node's state. */
const toChainState = ({ genesisHash, headHash, headNumber }: ChainState): ChainState => ({
  genesisHash,
  headHash,
  headNumber,
});

function getPresentation(input: object): Presentation {
  const values = input as Readonly<Record<string, unknown>>;
  return {
    tokenIds: values['format'] === 'hex' ? 'hex' : 'decimal',
    requested: Object.keys(values).filter(name => values[name] === true),
  };
}

function createServiceStoppedFault(): HexLensError {
  return new HexLensError('backend-stopped', localizable('The embedded service was stopped.'), {
    fix: localizable('Try again: it is restarted when it is needed.'),
  });
}
