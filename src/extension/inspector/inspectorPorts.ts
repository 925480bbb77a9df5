// What a panel's session needs from the worker and the editor; small enough to be replaced in tests.

import type { ContractDeclarations } from '../../api/contractDeclarations.ts';
import type { AddressSummary, SendLookup } from '../../api/lookups.ts';
import type { ApiGroup } from '../../api/operations/operation.ts';
import type { NoStateChanges, StateChanges } from '../../api/stateChanges.ts';
import type { TraceTarget } from '../../api/traceTarget.ts';
import type { NoTransactionGas, TransactionGas } from '../../api/transactionGas.ts';
import type { ContractBuild, SourceLocation, TransactionSourceOptions } from '../../api/transactionStack.ts';
import type { Progress } from '../../api/workerProtocol.ts';
import type { ChannelMessage } from '../../base/callChannel.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Hex } from '../../base/hex.ts';
import type { Translations } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';
import type { Transport } from '../../client/transport.ts';
import type { AbiRegistry } from '../../decode/abiRegistry.ts';
import type { FoundTransactionSource } from '../../decode/source/fetchTransactionSource.ts';
import type { Decoder } from '../../protocol/decoderPort.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { PageNotifications } from '../../protocol/messages.ts';
import type { Table } from '../../protocol/table.ts';
import type { Watch } from '../../view/activity/watch.ts';
import type { IdentifiedContract } from '../../view/contractBuild.ts';
import type { NameSources } from '../../view/operations/resolveParameterNames.ts';
import type { VerifiedContract } from '../abi/verifiedAbis.ts';
import type { LookUpSources } from '../lookUp/lookUpSources.ts';
import type { ConfiguredChain } from '../worker/configuredChains.ts';

/** The worker: operations, lookups, and what it reports by itself. */
export interface ChainPorts {
  readonly transport: Transport;
  readonly lookup: SendLookup;
  chains(): readonly ConfiguredChain[];
  /** Whether a chain of this machine was seen to be reset, so that what it had before is gone. Asks the node. */
  wasReset(chain: string, signal?: AbortSignal): Promise<boolean>;
  /** The head of a chain may have changed since the last lookup of its status. */
  onHeadChange(listener: (chain: string) => void): Disposable;
  /** Progress of the worker's tasks. */
  onProgress(listener: (progress: Progress) => void): Disposable;
  /** Pauses a task; the next request that needs it resumes it. */
  pauseTask(task: string): void;
}

/** What addresses are called. */
export interface NamePorts {
  /** The saved or well-known name of an address, or that of the workspace's build. */
  getName(address: string, chain: string): string | null;
  /** The saved or well-known name alone. */
  getSavedName(address: string, chain: string): string | null;
  /** Finds which of these addresses are contracts of the workspace, so that `getName` knows them. Never rejects. */
  learnNames(chain: string, addresses: Iterable<string>, signal?: AbortSignal): Promise<void>;
  /** The user has saved the address as a contract of the chain. */
  isSavedContract(address: Hex, chain: string): boolean;
  /** The ENS name of an address, where its node may learn which addresses are looked at; never rejects with a node's fault. */
  fetchEnsName(summary: AddressSummary, chain: string, signal: AbortSignal): Promise<string | null>;
  /** Saved names and events that parameters of operations may be given by. */
  getNameSources(): Promise<NameSources>;
}

/** What the code of contracts is. */
export interface ContractPorts {
  readonly decoder: Decoder;
  /** Which contract of the workspace a contract on a chain is. */
  identify(chain: string, address: Hex, signal?: AbortSignal): Promise<IdentifiedContract | null>;
  /** The workspace's ABIs, when every artifact has been read. */
  loadAbis(): Promise<AbiRegistry>;
  /** Adds ABIs that hosts of the settings have verified, for later sessions too. */
  addVerifiedAbis(contracts: readonly VerifiedContract[]): Promise<void>;
  /** Hosts of the settings that may be asked for ABIs of contracts on the chain: none for a development chain. */
  getVerifiedHosts(chain: string): Promise<readonly string[]>;
  fetchSource(
    target: TraceTarget,
    signal: AbortSignal,
    options?: TransactionSourceOptions,
  ): Promise<FoundTransactionSource | null>;
  fetchState(target: TraceTarget, signal: AbortSignal): Promise<StateChanges | NoStateChanges>;
  /** What the lines of a transaction cost. */
  fetchGas(target: TraceTarget, signal: AbortSignal): Promise<TransactionGas | NoTransactionGas>;
  /** False: its builds and sources are not read. */
  isWorkspaceTrusted(): boolean;
  /** The workspace's build of some code; `null` where there is none. */
  findBuild(code: Hex): Promise<LayoutBuild | null>;
}

/** A build with what its contract declares. */
export interface LayoutBuild {
  readonly build: ContractBuild;
  declarations(): Promise<ContractDeclarations | null>;
}

export interface DataPorts extends ChainPorts, NamePorts, ContractPorts {
  readonly lookUpSources: Pick<LookUpSources, 'createState' | 'getEnsChain' | 'identifyLocalChains' | 'loadTokens'>;
  readonly log: Log;
  readonly clock: Clock;
}

/** The index of exported rows was not complete when they were read: more rows may follow. */
export interface IncompleteIndex {
  /** `null` when no progress was reported. */
  readonly percent: number | null;
}

export interface ExportedTable {
  readonly name: string;
  readonly format: 'csv' | 'json';
  readonly table: Promise<Pick<Table, 'columns' | 'rows'>>;
  /** `null` when the rows are all there are. */
  readonly incompleteIndex: IncompleteIndex | null;
}

/** One page of an exported list. */
export interface ExportPage {
  readonly table: Pick<Table, 'columns' | 'rows'>;
  /** The number of rows of all pages, if the service reports it. */
  readonly total: number | null;
  /** The page was read from an incomplete index. */
  readonly isIncomplete: boolean;
}

/** A list of several pages, which are fetched while the file is written. */
export interface ExportedPages extends Pick<ExportedTable, 'name' | 'format'> {
  fetchPages(signal: AbortSignal): AsyncIterable<ExportPage>;
  /** The current state of the index, for pages of an incomplete one. */
  getIncompleteIndex(): IncompleteIndex;
}

/** The editor around a panel. */
export interface EditorPorts {
  post(message: ChannelMessage): void;
  readonly translations: Translations | null;
  openBeside(target: InspectorTarget): void;
  /** `icon`: a codicon. */
  setTitle(title: string, icon: string): void;
  copy(text: string): void;
  debug(transaction: PageNotifications['debug']): void;
  save(table: ExportedTable): void;
  saveAll(list: ExportedPages): void;
  /** Opens the settings of the nodes or the log. */
  open(what: 'nodes' | 'log'): void;
  /** A deep link that opens the target. */
  createLink(target: InspectorTarget): string;
  /** The base URL of the service, for a copied `curl` command. */
  getServiceUrl(group: ApiGroup): string;
  getNodeUrl(chain: string): string | null;
  openSource(chain: string, address: string): void;
  buildDebugInformation(): void;
  simulate(target: InspectorTarget): void;
  openLocation(location: SourceLocation): void;
  watch(watch: Watch): void;
}
