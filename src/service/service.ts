// The embedded service: executes operations and lookups over the configured nodes.
import {
  type AddressBookConfiguration,
  type AptosNetwork,
  DEFAULT_TIMEOUT_MS,
  type SiwePolicy,
} from '../api/configuration.ts';
import type { ChainState, Freshness } from '../api/freshness.ts';
import type { LookupId, LookupInput, LookupOutput } from '../api/lookups.ts';
import type { NodeUrls } from '../api/nodeUrls.ts';
import { basePaths } from '../api/operations/operation.ts';
import { type OperationId, operations } from '../api/operations/operations.ts';
import { getWireName, type Parameters } from '../api/operations/parameters.ts';
import type { Presentation } from '../api/records/valueKinds.ts';
import { encodeFaultBody } from '../api/wire/faultBody.ts';
import { encodeReply } from '../api/wire/reply.ts';
import { decodeRequest, findIgnoredParameters, type WireReply, type WireRequest } from '../api/wire/request.ts';
import { DEPRECATED_SOON_HEADER, FAULT_HEADER, IGNORED_HEADER, INDEX_HEADER } from '../api/wire/responseHeaders.ts';
import type { Clock } from '../base/clock.ts';
import { formatFaultWithDetails, HexLensError, isFault, toFault, toPlainFault } from '../base/errors.ts';
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
import type { Handler } from './handler.ts';
import * as handlersById from './handlers/handlers.ts';
import { verifySignIn } from './handlers/verifySignIn.ts';
import { createIndexes, type IndexStatus } from './indexer/indexes.ts';
import { createStoreOpener } from './indexer/openStore.ts';
import { WHOLE_CHAIN } from './indexer/scopedIndexes.ts';
import { addressSummary } from './lookups/addressSummary.ts';
import { aptosAccountSummary } from './lookups/aptosAccountSummary.ts';
import { aptosCoinSummary } from './lookups/aptosCoinSummary.ts';
import { aptosStatus } from './lookups/aptosStatus.ts';
import { aptosTransactionSummary } from './lookups/aptosTransactionSummary.ts';
import { blockSummary } from './lookups/blockSummary.ts';
import { chainStatus, probeNode } from './lookups/chainStatus.ts';
import { contractCalls } from './lookups/contractCalls.ts';
import { contractCode } from './lookups/contractCode.ts';
import { ensAddress } from './lookups/ensAddress.ts';
import { ensName } from './lookups/ensName.ts';
import { hashSummary } from './lookups/hashSummary.ts';
import type { Lookup } from './lookups/lookup.ts';
import { mediaPreview } from './lookups/mediaPreview.ts';
import { nftMetadata } from './lookups/nftMetadata.ts';
import { nodeTransaction } from './lookups/nodeTransaction.ts';
import { revertReason } from './lookups/revertReason.ts';
import { tokenUnit } from './lookups/tokenUnit.ts';
import { tracedCodes, transactionSource } from './lookups/transactionSource.ts';
import { transactionTrace } from './lookups/transactionTrace.ts';
import { verifiedAbi } from './lookups/verifiedAbi.ts';
import { createVerifiedSources } from './lookups/verifiedSources.ts';
import { createMetadataFetcher } from './metadata/tokenMetadata.ts';
import type { NonceStore } from './siwe/nonceStore.ts';
import { createSiweVerifier } from './siwe/siweVerifier.ts';
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

export interface ServiceDeps {
  /**
   * Chain selector -> JSON-RPC URL. The first one serves requests that name no chain, and `eth` if that has no node of its
   * own.
   */
  readonly nodes: Readonly<Record<string, NodeUrls>>;
  /** Network name -> its endpoints. The first one serves requests that name no network. */
  readonly aptos?: Readonly<Record<string, AptosNetwork>> | undefined;
  /** Origin -> the API key entered for it: Aptos nodes and indexers get it as a bearer token. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
  /** Every request goes through it: the caller adds the egress policy. */
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  /** The user's current address book: names for the `*_label` fields, trust in tokens, their logos. */
  getAddressBook?(): AddressBookConfiguration | undefined;
  /** Base URLs of the hosts that `verifiedAbi` asks, in the current settings; none when absent. */
  getVerifiedSources?(): readonly string[];
  /** Base URL for `ipfs://` (`https://ipfs.io/ipfs/`) in the current settings. */
  getIpfsGateway?(): string | undefined;
  /**
   * Whether contracts of a development chain that only this machine knows may name metadata on this machine, in the current
   * settings; not when absent.
   */
  allowsLoopbackMetadata?(): boolean;
  /** Opens the index store of an EVM chain; in memory when absent. */
  readonly openStore?: OpenStore | undefined;
  /** Opens the index store of an Aptos network; in memory when absent. */
  readonly openAptosStore?: OpenAptosStore | undefined;
  /** Timeout of one request to a node in milliseconds; 20,000 when absent. */
  readonly timeoutMs?: number;
  /** What sign-in verification requires; the defaults when absent. */
  readonly siwePolicy?: SiwePolicy | undefined;
  /** Consumed nonces that outlive this service; its own when absent. */
  readonly nonces?: NonceStore | undefined;
  /** The head of the chain with this selector may have changed since the last lookup `chainStatus` with `isPoll`. */
  readonly onHeadChange?: ((selector: string) => void) | undefined;
  /** Gets the progress of long tasks, and pauses them; absent in programs that show no progress. */
  readonly tasks?: TaskRegistry | undefined;
}

interface ServiceCallOptions {
  readonly signal?: AbortSignal | undefined;
}

interface HandleOptions extends ServiceCallOptions {
  /** Verify a sign-in without consuming its nonce, whatever the policy says. */
  readonly dryRun?: boolean;
}

interface LookupResult<Id extends LookupId> {
  readonly value: LookupOutput<Id>;
  /** Not to be cached when absent. */
  readonly freshness?: Freshness;
}

/** The embedded service. Every method that returns a promise rejects with a HexLensError. */
export interface Service {
  /**
   * Executes an operation.
   *
   * @returns The reply; faults become replies in the error shape of their group, with the header `x-hexlens-fault`.
   * @throws `cancelled` only.
   */
  handle(request: WireRequest, options?: HandleOptions): Promise<WireReply>;
  lookup<Id extends LookupId>(id: Id, input: LookupInput<Id>, options?: ServiceCallOptions): Promise<LookupResult<Id>>;
  /** Genesis and head of a chain; up to a second old for a node on loopback, unless `isFresh`. */
  chainState(selector: string, options?: ServiceCallOptions & { readonly isFresh?: boolean }): Promise<ChainState>;
  /** Canonical selectors of the configured nodes, in their order. */
  chains(): readonly string[];
  /** Resolves when the chain's node answers and its index, if it has one, is open. */
  checkChain(selector: string, options?: ServiceCallOptions): Promise<void>;
  /** Names of the configured Aptos networks, in their order. */
  aptosNetworks(): readonly string[];
  /** Resolves when the node and the indexer of the network answer, as far as they are configured. */
  checkAptosNetwork(name: string, options?: ServiceCallOptions): Promise<void>;
  /** Resolves when the database of the indexes can be used, and where there is none to reach. */
  checkStore(options?: ServiceCallOptions): Promise<void>;
  /** Progress of every index opened so far. */
  getIndexStatuses(): readonly IndexStatus[];
  /** Aborts all calls and resolves when they have ended. Later calls reject with `backend-stopped`. */
  stop(): Promise<void>;
}

type Handlers = { readonly [Id in OperationId]: Handler<Id> };

const lookups: { readonly [Id in LookupId]: Lookup<Id> } = {
  ...{ addressSummary, blockSummary, chainStatus, hashSummary },
  ...{
    contractCalls,
    contractCode,
    ensAddress,
    ensName,
    mediaPreview,
    nftMetadata,
    nodeTransaction,
    probeNode,
    revertReason,
    tokenUnit,
    tracedCodes,
    transactionSource,
    transactionTrace,
    verifiedAbi,
  },
  ...{ aptosStatus, aptosAccountSummary, aptosCoinSummary, aptosTransactionSummary },
};

/**
 * Creates the embedded service. Nothing is opened or requested before the first call; `stop` closes everything.
 *
 * @throws Nothing: faults are replies with the header `x-hexlens-fault`, and `lookup` rejects with a HexLensError.
 *
 * @example
 * ```ts
 * import { createClient } from '../client/client.ts';
 * import { createUndiciHttp } from '../client/undiciHttp.ts';
 * import { defaultProxyConfiguration } from '../api/configuration.ts';
 * import { systemClock } from '../base/clock.ts';
 * import { silentLog } from '../base/log.ts';
 * import { createService } from './service.ts';
 *
 * const http = createUndiciHttp(defaultProxyConfiguration);
 * const nodes = { local: 'http://127.0.0.1:8545' };
 * const service = createService({ nodes, http, clock: systemClock, log: silentLog });
 * const client = createClient({ send: (request, options) => service.handle(request, options) });
 * console.log((await client.block({ block: 1, chain: 'local' })).hash);
 * await service.stop();
 * ```
 */
export function createService(deps: ServiceDeps): Service {
  const {
    http,
    clock,
    log,
    openStore = createStoreOpener({ folder: null }, log),
    openAptosStore = createAptosStoreOpener(null, log),
    timeoutMs = DEFAULT_TIMEOUT_MS,
    tasks = createSilentTaskRegistry(clock),
  } = deps;
  const nodes = createEvmNodes({ nodes: deps.nodes, http, clock, log, timeoutMs, onHeadChange: deps.onHeadChange });
  const indexes = createIndexes({ open: openStore, clock, log, tasks });
  const metadata = createMetadataFetcher({
    http,
    clock,
    ...(deps.getIpfsGateway !== undefined && { getIpfsGateway: deps.getIpfsGateway }),
    ...(deps.allowsLoopbackMetadata !== undefined && { allowsLoopback: deps.allowsLoopbackMetadata }),
  });
  const aptos = createAptosNetworks({
    networks: deps.aptos ?? {},
    keys: deps.keys ?? {},
    ...{ http, clock, log, timeoutMs, tasks },
    openStore: openAptosStore,
  });
  const verifiedSources = createVerifiedSources({ http, getBaseUrls: () => deps.getVerifiedSources?.() ?? [] });
  const getAddressBook = (chain: string) => createChainAddressBook(deps.getAddressBook?.(), chain);
  const context = { nodes, clock, log, getAddressBook, metadata, verifiedSources, aptos, tasks };
  const signInVerifier = createSiweVerifier({ nodes, clock, log, policy: deps.siwePolicy, nonces: deps.nonces });
  const handlers: Handlers = { ...handlersById, verifySignIn: verifySignIn(signInVerifier) };
  const pendingCalls = new Map<AbortController, Promise<unknown>>();
  let isStopped = false;

  /** Runs `work` with a signal that `stop` aborts too; `stop` waits for its end. */
  const run = async <T>({ signal }: ServiceCallOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    if (isStopped) throw createServiceStoppedFault();
    const controller = new AbortController(); // `AbortSignal.any` would take a sixth of the time of a sign-in
    const abort = () => controller.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const promise = work(controller.signal);
    pendingCalls.set(controller, promise);
    try {
      return await promise;
    } catch (error) {
      throw isStopped && signal?.aborted !== true ? createServiceStoppedFault() : toFault(error);
    } finally {
      signal?.removeEventListener('abort', abort);
      pendingCalls.delete(controller);
    }
  };

  const readFreshHead = createHeadDeduplicator(node =>
    run({}, async signal => toChainState(await node.pollState(signal))),
  );

  const execute = async (request: WireRequest, dryRun: boolean, signal: AbortSignal): Promise<WireReply> => {
    const path = `${basePaths[request.group][0]}${request.path}`;
    const { id, input } = decodeRequest(request.method, path, request.query, request.body);
    const handler = handlers[id] as Handler<OperationId>; // the type of `handlers` ties each id to its handler
    const { reply } = operations[id];
    const { output, freshness, headers } = await repeatAfterReorg(nodes, clock, signal, observedNodes => {
      const requestIndexes = indexes.forRequest();
      const handlerContext = { ...context, nodes: observedNodes, indexes: requestIndexes, dryRun };
      return handler(input, handlerContext, signal).finally(requestIndexes.release);
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
  };

  return {
    async handle(request, options = {}) {
      try {
        return await run(options, signal => execute(request, options.dryRun === true, signal));
      } catch (error) {
        const fault = toFault(error);
        if (isFault(fault, 'cancelled')) throw fault;
        if (isFault(fault, 'internal', 'store-unavailable'))
          log.error(`${request.operation}: ${formatFaultWithDetails(fault)}`);
        return createFaultReply(request, fault);
      }
    },
    lookup(id, input, options = {}) {
      return run(options, signal =>
        repeatAfterReorg(nodes, clock, signal, observedNodes =>
          lookups[id](
            input,
            { ...context, nodes: observedNodes, indexes: indexes.forRequest(), dryRun: false },
            signal,
          ),
        ),
      );
    },
    chainState(selector, options = {}) {
      return run(options, async signal => {
        const node = await nodes.find(selector, signal);
        return options.isFresh === true ? readFreshHead(node) : toChainState(await node.getState(signal));
      });
    },
    chains: () => nodes.selectors,
    checkChain(selector, options = {}) {
      return run(options, async signal => {
        const node = await nodes.find(selector, signal);
        await node.fetchState(signal);
        const wholeIndexes = indexes.forRequest();
        if (await wholeIndexes.isIndexedWhole(node, signal)) await wholeIndexes.current(node, WHOLE_CHAIN, signal);
      });
    },
    aptosNetworks: () => aptos.names,
    checkAptosNetwork: (name, options = {}) => run(options, async signal => checkAptosNetwork(aptos.get(name), signal)),
    checkStore: (options = {}) =>
      run(options, async signal => raceAbort(openStore.check?.() ?? Promise.resolve(), signal)),
    getIndexStatuses: () => indexes.getStatuses(),
    async stop() {
      isStopped = true;
      for (const controller of pendingCalls.keys()) controller.abort();
      nodes.close();
      await Promise.allSettled(pendingCalls.values());
      await Promise.all([indexes.stop(), aptos.stop()]);
    },
  };
}

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
