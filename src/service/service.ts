// The embedded service: an operation's request to its reply, and the lookups of a hover, over the user's own nodes.

import { type AptosNetwork, DEFAULT_TIMEOUT_MS, type SiwePolicy } from '../api/configuration.ts';
import type { ChainState, Freshness } from '../api/freshness.ts';
import type { LookupId, LookupInput, LookupOutput } from '../api/lookups.ts';
import { basePaths } from '../api/operations/operation.ts';
import { type OperationId, operations } from '../api/operations/operations.ts';
import type { Presentation } from '../api/records/valueKinds.ts';
import { encodeFaultBody } from '../api/wire/faultBody.ts';
import { encodeReply } from '../api/wire/reply.ts';
import { decodeRequest, type WireReply, type WireRequest } from '../api/wire/request.ts';
import { FAULT_HEADER, INDEX_HEADER } from '../api/wire/responseHeaders.ts';
import type { Progress } from '../api/workerProtocol.ts';
import type { Clock } from '../base/clock.ts';
import { formatFaultWithDetails, HexLensError, isFault, toFault, toPlainFault } from '../base/errors.ts';
import type { Hex } from '../base/hex.ts';
import type { HttpPort } from '../base/httpPort.ts';
import { localizable } from '../base/localize.ts';
import type { Log } from '../base/log.ts';
import { checkAptosNetwork, createAptosNetworks } from './aptos/aptosNetworks.ts';
import { createAptosSource } from './aptos/createAptosSource.ts';
import type { OpenAptosStore } from './aptos/store/aptosStore.ts';
import { createAptosStoreOpener } from './aptos/store/openAptosStore.ts';
import { getDeprecationHeaders } from './deprecationHeaders.ts';
import { createEvmNodes } from './evm/evmNodes.ts';
import { noLabel } from './evm/evmRecords.ts';
import { createHeadDeduplicator } from './evm/headDeduplicator.ts';
import type { Handler, HandlerContext } from './handler.ts';
import {
  aptosBlockCoinTransfers,
  aptosCoinTransfers,
  aptosWalletCoinTransfers,
} from './handlers/aptosCoinTransfers.ts';
import {
  aptosCollectionOwners,
  aptosNftsByCreators,
  aptosWalletNfts,
  aptosWalletNftTransfers,
} from './handlers/aptosNfts.ts';
import { block } from './handlers/block.ts';
import { contractLogs } from './handlers/contractLogs.ts';
import { erc20Mints } from './handlers/erc20Mints.ts';
import { nftLowestPrice } from './handlers/nftLowestPrice.ts';
import { nftOwners } from './handlers/nftOwners.ts';
import { contractNftTransfers, nftTransfers, tokenNftTransfers, walletNftTransfers } from './handlers/nftTransfers.ts';
import { transaction } from './handlers/transaction.ts';
import { verifySignIn } from './handlers/verifySignIn.ts';
import { walletBalances } from './handlers/walletBalances.ts';
import { walletNftCollections } from './handlers/walletNftCollections.ts';
import { walletNfts } from './handlers/walletNfts.ts';
import { createIndexes, type IndexStatus } from './indexer/indexes.ts';
import { createStoreOpener } from './indexer/openStore.ts';
import { WHOLE_CHAIN } from './indexer/queryScope.ts';
import { addressSummary } from './lookups/addressSummary.ts';
import { aptosAccountSummary } from './lookups/aptosAccountSummary.ts';
import { aptosCoinSummary } from './lookups/aptosCoinSummary.ts';
import { aptosStatus } from './lookups/aptosStatus.ts';
import { aptosTransactionSummary } from './lookups/aptosTransactionSummary.ts';
import { blockSummary } from './lookups/blockSummary.ts';
import { chainStatus } from './lookups/chainStatus.ts';
import { ensAddress } from './lookups/ensAddress.ts';
import { hashSummary } from './lookups/hashSummary.ts';
import type { Lookup } from './lookups/lookup.ts';
import { mediaPreview } from './lookups/mediaPreview.ts';
import { probeNode } from './lookups/probeNode.ts';
import { revertReason } from './lookups/revertReason.ts';
import { tokenUnit } from './lookups/tokenUnit.ts';
import { createMetadataFetcher } from './metadata/tokenMetadata.ts';
import { type GetTokenTrust, noTokenTrust } from './queries/describeTokens.ts';
import type { NonceStore } from './siwe/nonceStore.ts';
import { createSignInVerifier } from './siwe/signInVerifier.ts';
import type { OpenStore } from './store/store.ts';

export interface ServiceDeps {
  /** Chain selector -> JSON-RPC URL; the first one answers where no chain is named and `eth` has no node. */
  readonly nodes: Readonly<Record<string, string>>;
  /** Network name -> where it is read; the first one answers where none is named. */
  readonly aptos?: Readonly<Record<string, AptosNetwork>> | undefined;
  /** Origin -> API key that was entered for it: Aptos nodes and indexers get theirs as a bearer token. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
  /** The only way out: whoever makes the service wraps it with the egress policy. */
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  /** Name of an address (lower case) in the user's address book: the `*_label` fields. */
  readonly getLabel?: (address: Hex) => string | null;
  /** What the user says of token contracts (lower case): `verified`, `spam` or nothing. */
  readonly getTrust?: GetTokenTrust;
  /** What `ipfs://` is read through (`https://ipfs.io/ipfs/`), as it is set at this moment. */
  ipfsGateway?(): string | undefined;
  /** Where the indexes of chains are kept; in memory when absent. */
  readonly openStore?: OpenStore | undefined;
  /** The same of Aptos networks. */
  readonly openAptosStore?: OpenAptosStore | undefined;
  /** Milliseconds that one exchange with a node may take; 20,000 when absent. */
  readonly timeoutMs?: number;
  /** What sign-in verification demands; the defaults when absent. */
  readonly auth?: SiwePolicy | undefined;
  /** Nonces of sign-ins that outlive this service; its own when absent. */
  readonly nonces?: NonceStore | undefined;
  /** Hears of indexing that takes longer than a moment, while it goes on. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface ServiceCallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface HandleOptions extends ServiceCallOptions {
  /** Sign-ins are only looked at, as in an editor: no nonce is used up, whatever the policy says. */
  readonly dryRun?: boolean;
}

export interface LookupResult<Id extends LookupId> {
  readonly value: LookupOutput<Id>;
  readonly freshness?: Freshness;
}

export interface Service {
  /** Rejects with `cancelled` only: every other fault is a reply in its group's shape with `x-hexlens-fault: <code>`. */
  handle(request: WireRequest, options?: HandleOptions): Promise<WireReply>;
  /** Rejects with a HexLensError. */
  lookup<Id extends LookupId>(id: Id, input: LookupInput<Id>, options?: ServiceCallOptions): Promise<LookupResult<Id>>;
  /** Genesis and head of a chain, at most a second old on loopback; `fresh`: asked for now. Rejects with a HexLensError. */
  chainState(selector: string, options?: ServiceCallOptions & { readonly fresh?: boolean }): Promise<ChainState>;
  /** Canonical selectors of the configured nodes, in their order. */
  chains(): readonly string[];
  /** Resolves when the chain's node answers and its index, where it has one, is open. Rejects with what is wrong. */
  checkChain(selector: string, options?: ServiceCallOptions): Promise<void>;
  /** Names of the configured Aptos networks, in their order. */
  aptosNetworks(): readonly string[];
  /** Resolves when the node and the indexer of the Aptos network answer, as far as it has them. Rejects with what is wrong. */
  checkAptosNetwork(name: string, options?: ServiceCallOptions): Promise<void>;
  /** How far the indexes are that were needed so far. */
  indexStates(): readonly IndexStatus[];
  /** Ends the indexing that progress named so; the next request goes on from there. */
  pause(task: string): void;
  /** Goes on with what was paused, if it is still open. */
  resume(task: string): void;
  /** Aborts what is under way and resolves when it has ended; what is asked for afterwards is `backend-stopped`. */
  stop(): Promise<void>;
}

type Handlers = { readonly [Id in OperationId]: Handler<Id> };

const evmHandlers = {
  ...{ block, contractLogs, transaction, walletBalances },
  ...{ contractNftTransfers, nftTransfers, tokenNftTransfers, walletNftTransfers },
  ...{ nftOwners, walletNftCollections, walletNfts },
  ...{ erc20Mints, nftLowestPrice },
};

const aptosHandlers = {
  ...{ aptosCoinTransfers, aptosWalletCoinTransfers, aptosBlockCoinTransfers, aptosWalletNftTransfers },
  ...{ aptosNftsByCreators, aptosCollectionOwners, aptosWalletNfts },
};

const lookups: { readonly [Id in LookupId]: Lookup<Id> } = {
  ...{ addressSummary, blockSummary, chainStatus, hashSummary },
  ...{ ensAddress, mediaPreview, probeNode, revertReason, tokenUnit },
  ...{ aptosStatus, aptosAccountSummary, aptosCoinSummary, aptosTransactionSummary },
};

export function createService(deps: ServiceDeps): Service {
  const {
    http,
    clock,
    log,
    getLabel = noLabel,
    getTrust = noTokenTrust,
    openStore = createStoreOpener({ folder: null }, log),
    openAptosStore = createAptosStoreOpener(null, log),
    timeoutMs = DEFAULT_TIMEOUT_MS,
  } = deps;
  const nodes = createEvmNodes({ nodes: deps.nodes, http, clock, log, timeoutMs });
  const indexes = createIndexes({ open: openStore, clock, log, report: deps.onProgress });
  const metadata = createMetadataFetcher({
    http,
    clock,
    ...(deps.ipfsGateway !== undefined && { getIpfsGateway: deps.ipfsGateway }),
  });
  const aptos = createAptosNetworks({
    networks: deps.aptos ?? {},
    keys: deps.keys ?? {},
    ...{ http, clock, log, timeoutMs },
    createSource: ends => createAptosSource(ends, { open: openAptosStore, clock, log }),
  });
  const report = (progress: Progress) => deps.onProgress?.(progress);
  const parts = { nodes, clock, log, getLabel, getTrust, indexes, metadata, aptos };
  const context: HandlerContext = { ...parts, reportProgress: report, dryRun: false };
  const looking: HandlerContext = { ...context, dryRun: true };
  const signIn = createSignInVerifier({ nodes, clock, log, policy: deps.auth, nonces: deps.nonces });
  const handlers: Handlers = { ...evmHandlers, ...aptosHandlers, verifySignIn: verifySignIn(signIn) };
  const stopping = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  /** Runs `work` so that `stop` ends it and waits for it. */
  const run = async <T>(options: ServiceCallOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    if (stopping.signal.aborted) throw stopped();
    const signal = options.signal === undefined ? stopping.signal : AbortSignal.any([options.signal, stopping.signal]);
    const promise = work(signal);
    underWay.add(promise);
    try {
      return await promise;
    } catch (error) {
      throw stopping.signal.aborted && options.signal?.aborted !== true ? stopped() : toFault(error);
    } finally {
      underWay.delete(promise);
    }
  };

  const freshHead = createHeadDeduplicator(node => run({}, async signal => plainState(await node.pollState(signal))));

  const answer = async (request: WireRequest, lookOnly: boolean, signal: AbortSignal): Promise<WireReply> => {
    const { id, input } = decodeRequest(
      request.method,
      `${basePaths[request.group][0]}${request.path}`,
      request.query,
      request.body,
    );
    const handler = handlers[id] as Handler<OperationId>; // the table's own types tie each id to its handler
    const { output, freshness, headers } = await handler(input, lookOnly ? looking : context, signal);
    const { reply } = operations[id];
    return {
      status: reply.status,
      headers: { ...getDeprecationHeaders(id, input), ...headers },
      body: encodeReply(reply, output, presentationOf(input)),
      ...(freshness !== undefined && { freshness }),
    };
  };

  return {
    async handle(request, options = {}) {
      try {
        return await run(options, signal => answer(request, options.dryRun === true, signal));
      } catch (error) {
        const fault = toFault(error);
        if (isFault(fault, 'cancelled')) throw fault;
        if (isFault(fault, 'internal')) log.error(`${request.operation}: ${formatFaultWithDetails(fault)}`);
        return faultReply(request, fault);
      }
    },
    lookup(id, input, options = {}) {
      return run(options, signal => lookups[id](input, context, signal));
    },
    chainState(selector, options = {}) {
      return run(options, async signal => {
        const node = await nodes.find(selector, signal);
        return options.fresh === true ? freshHead(node) : plainState(await node.getState(signal));
      });
    },
    chains: () => nodes.selectors,
    checkChain(selector, options = {}) {
      return run(options, async signal => {
        const node = await nodes.find(selector, signal);
        await node.fetchState(signal);
        if (await indexes.isIndexedWhole(node, signal)) await indexes.current(node, WHOLE_CHAIN, signal);
      });
    },
    aptosNetworks: () => aptos.names,
    checkAptosNetwork: (name, options = {}) => run(options, async signal => checkAptosNetwork(aptos.get(name), signal)),
    indexStates: () => indexes.getStatuses(),
    pause: task => indexes.pause(task),
    resume: task => indexes.resume(task),
    async stop() {
      stopping.abort();
      await Promise.allSettled(underWay);
      await Promise.all([indexes.stop(), aptos.stop()]);
    },
  };
}

function faultReply(request: WireRequest, fault: HexLensError): WireReply {
  const wait = fault.retryAfterMs;
  return {
    status: fault.status,
    headers: {
      [FAULT_HEADER]: fault.code,
      ...(wait !== undefined && { 'retry-after': String(Math.ceil(wait / 1000)) }),
      ...(fault.indexProgress !== undefined && { [INDEX_HEADER]: fault.indexProgress }),
    },
    body: encodeFaultBody(request.group, fault),
    fault: toPlainFault(fault),
  };
}

const plainState = ({ genesisHash, headHash, headNumber }: ChainState): ChainState => ({
  genesisHash,
  headHash,
  headNumber,
});

function presentationOf(input: object): Presentation {
  return { tokenIds: 'format' in input && input.format === 'hex' ? 'hex' : 'decimal' };
}

function stopped(): HexLensError {
  return new HexLensError('backend-stopped', localizable('The embedded service was stopped.'), {
    fix: localizable('Try again: it starts anew.'),
  });
}
