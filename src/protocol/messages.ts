// Every message between the extension and the inspector's page.
// `base/callChannel.ts` carries them; `parsePageMessage.ts` checks those of the page, which shows hostile data.

import type { AddressSummary, ContractProxy, NftKeyInput, NftMetadata } from '../api/lookups.ts';
import type { AddressScope } from '../api/operations/addressScope.ts';
import type { OperationId } from '../api/operations/operations.ts';
import type { Simulation, TraceTarget } from '../api/traceTarget.ts';
import type { CallSource, InternalCall, SourceLocation, StackFrame } from '../api/transactionStack.ts';
import type { InputTexts } from '../api/wire/inputTexts.ts';
import type { Progress } from '../api/workerProtocol.ts';
import type { CallChannel, CallHandlers } from '../base/callChannel.ts';
import { toDisplayAddress } from '../base/displayAddress.ts';
import type { Translations } from '../base/localize.ts';
import type { KnownCode } from '../detect/knownCode.ts';
import type { Watch } from '../view/activity/watch.ts';
import type { IdentifiedContract } from '../view/contractBuild.ts';
import type { FailureText } from '../view/failureText.ts';
import type { ContractStateRow, StatePlace } from '../view/source/contractStateRows.ts';
import type { GasBlock } from '../view/source/gasBlocks.ts';
import type { StateAccount } from '../view/source/stateTable.ts';
import { describeUnowned } from '../view/unownedAddress.ts';
import type { AmountUnits } from './amountUnits.ts';
import type { ContractFunction, FunctionCall, FunctionResult } from './contractReads.ts';
import type { DecodedSource, Decoding } from './decoderPort.ts';
import type { HexNames } from './hexNames.ts';
import type { InspectorTarget, OperationTarget } from './inspectorTarget.ts';
import type { PackedRows, TableColumn } from './table.ts';

/** Its result arrives in parts; nothing comes with its end. */
interface Call<Params, Part, Output = void> {
  readonly params: Params;
  readonly part: Part;
  readonly output: Output;
}

interface ContractPlace {
  readonly chain: string;
  readonly address: string;
}

/** What the page calls: the parameters of each call, and the parts in which its result arrives. */
export type PageCalls = {
  /** The tables of an operation's reply; `include` names the wanted ones, all of them without it. */
  operation: Call<{ readonly target: InspectorTarget; readonly include?: readonly string[] }, TablesPart | RowsPart>;
  /** The body of an operation's reply as JSON text, or what the node says of a transaction, in chunks of UTF-8. */
  raw: Call<{ readonly target: InspectorTarget; readonly source?: 'node' }, { readonly bytes: ArrayBuffer }>;
  /** What the node says of a transaction beside its record: `details`, `accessList` and `authorizations`, as far as there are some. */
  nodeTransaction: Call<{ readonly chain: string; readonly hash: string }, TablesPart | RowsPart>;
  /** What the chain knows of an address, at a glance. */
  address: Call<ContractPlace, PlainAddressSummary>;
  /** `count` (at most `MAX_BLOCKS_PER_CALL`) newest blocks below `before`, or from the head down, as one table. */
  blocks: Call<
    { readonly chain: string; readonly before: number | null; readonly count: number },
    TablesPart | RowsPart
  >;
  /** What the metadata of at most `MAX_NFTS_PER_LOOKUP` NFTs says; without `isRemoteAllowed` only what the contracts hold. */
  nftMetadata: Call<
    {
      readonly chain: string;
      readonly tokens: readonly NftKeyInput[];
      readonly isRemoteAllowed?: true;
    },
    { readonly tokens: readonly NftMetadata[] }
  >;
  /** A token's image by the URI in its metadata (`https://`, `ipfs://`, `ar://`). */
  image: Call<{ readonly chain: string; readonly uri: string }, LoadedImage>;
  /** Why a transaction failed. */
  revertReason: Call<TraceTarget, RevertDetails>;
  /** Calls that failed inside a transaction that did not. */
  innerFailures: Call<TraceTarget, { readonly failures: readonly FailureText[] }>;
  /** Where a transaction failed, by the builds of the workspace. */
  stack: Call<TraceTarget, StackDetails>;
  /** The transaction that created a contract, on a chain of this machine. */
  contractCreation: Call<ContractPlace, { readonly creation: CreationDetails | null }>;
  stateChanges: Call<TraceTarget, StateDetails>;
  /** What a transaction paid its gas for: the blocks of a chart, then tables `functions`, `lines` and `others`. */
  transactionGas: Call<TraceTarget, GasDetails | TablesPart | RowsPart>;
  /** All variables of a contract at one or two blocks, each a number in decimal, or `latest`. */
  contractState: Call<ContractPlace & { readonly blocks: readonly string[] }, ContractStateDetails>;
  /** What a variable has inside: its members, elements from `from` on, or the value of a mapping under `key`. */
  stateMembers: Call<
    StateMembersParams,
    {
      readonly rows: readonly ContractStateRow[];
      readonly next: string | null;
      readonly problem: string;
    }
  >;
  /** What a simulated call returned and would move. */
  simulationResult: Call<{ readonly chain: string; readonly simulation: Simulation }, SimulationDetails>;
  /** What a call of a contract would do if it were sent: it is not. */
  simulateCall: Call<
    {
      readonly chain: string;
      readonly address: string;
      readonly block: string;
      readonly call: FunctionCall;
      /** Address or saved name. */
      readonly from: string;
      readonly value: string;
    },
    FunctionResult
  >;
  /** The functions of the source that the calls of a transaction entered. */
  callSources: Call<TraceTarget, CallSources>;
  /** In which function of which contract each log of a transaction was emitted; none where that is unknown. */
  logEmitters: Call<TraceTarget, { readonly functions: readonly string[] }>;
  /** The calls of functions inside contracts. */
  internalCalls: Call<TraceTarget, { readonly calls: readonly InternalCall[] }>;
  /** A log or a call, decoded by the workspace's ABIs and the well-known signatures. */
  decode: Call<DecodedSource, NamedDecoding>;
  /** Symbols and decimals of at most `MAX_UNITS_PER_PAGE` tokens; a part for each as soon as it has answered. */
  amountUnits: Call<{ readonly chain: string; readonly contracts: readonly string[] }, AmountUnits>;
  /** The functions of a contract; `declared` are those that the user adds by their declarations; `verifiedHosts` may be asked for its ABI. */
  contractFunctions: Call<
    ContractPlace & { readonly declared: readonly string[] },
    {
      readonly functions: readonly ContractFunction[];
      readonly verifiedHosts: readonly string[];
      /** Proposals for the sender of a simulated call: addresses with their names. */
      readonly senders: readonly { readonly address: string; readonly name: string }[];
    }
  >;
  /** Loads the ABI of a contract, and of what is behind it, from hosts that have verified its source. */
  loadVerifiedAbi: Call<ContractPlace, { readonly message: string }>;
  /** What functions of a contract return, a part for each; `block` is a number in decimal, or `latest`. */
  readContract: Call<
    {
      readonly chain: string;
      readonly address: string;
      readonly block: string;
      readonly calls: readonly FunctionCall[];
    },
    FunctionResult
  >;
  /** What typed text means: a page, or for a selector and the like one sentence. */
  lookUp: Call<{ readonly chain: string; readonly text: string }, InspectorTarget | { readonly meaning: string }>;
  /** The same operation with values in place of names in its parameters. */
  resolveNames: Call<{ readonly target: OperationTarget }, OperationTarget>;
};

export type CallMethod = keyof PageCalls;
export type CallParams<M extends CallMethod> = PageCalls[M]['params'];
export type CallPart<M extends CallMethod> = PageCalls[M]['part'];

/** Blocks that one `blocks` call may ask for. */
export const MAX_BLOCKS_PER_CALL = 50;

/** What the page notifies the extension of. */
export type PageNotifications = {
  /** The page has loaded and waits for its first `state`. */
  ready: null;
  /** Opens a target in this panel or in one beside it. */
  navigate: { readonly target: InspectorTarget; readonly where: 'here' | 'side' };
  /** Goes back or forward to an entry of the history. */
  goToEntry: { readonly index: number };
  /** A pinned panel is not reused for other targets. */
  pin: { readonly isPinned: boolean };
  /** Builds the project once more, for names of variables. */
  buildDebugInformation: null;
  /** Simulates the call of the page again, with other arguments that the user enters. */
  simulate: { readonly target: InspectorTarget };
  /** Opens a file of the workspace at a place in it. */
  openLocation: { readonly location: SourceLocation };
  /** Debugs a transaction or simulated call; `frame` of its stack, the outermost is 0: from there. */
  debug: TraceTarget & { readonly frame: number | null };
  copy: { readonly text: string };
  /** Copies a target as a terminal command or a deep link. */
  copyCommand: { readonly form: 'cast' | 'curl' | 'link'; readonly target: InspectorTarget };
  /** Saves the rows that the filter shows. */
  exportRows: {
    readonly format: 'csv' | 'json';
    readonly name: string;
    /** JSON of `{ columns, rows }`. */
    readonly table: ArrayBuffer;
    /** Whose rows they are, where the index was incomplete when they were read; `null` where it was complete. */
    readonly incompleteTarget: InspectorTarget | null;
  };
  /** Saves all pages of an operation, following its cursor to the end. */
  exportAllPages: { readonly format: 'csv' | 'json'; readonly name: string; readonly target: InspectorTarget };
  /** Pauses the task of that name (`Progress.task`); the next request that needs it resumes it. */
  pauseTask: { readonly task: string };
  /** Opens the source of a contract of the workspace. */
  openSource: ContractPlace;
  /** Watches an address, or one event of a contract. */
  watch: Watch;
  /** Opens the settings of the nodes or the log. */
  open: { readonly what: 'nodes' | 'log' };
};

export type ExtensionNotifications = {
  /** What the panel shows: sent when the page is ready, and whenever it changes. */
  state: InspectorState;
  /** A new head, a lost node, or a replaced block of the followed chain. */
  chainEvent: ChainEvent;
  /** Progress of long-running work in the worker, for pages that wait for it. */
  progress: Progress;
  /** Artifacts of the workspace were built or removed: which contract an address is may have changed. */
  artifactsChanged: Record<never, never>;
  /** Contracts have names that were not known when the page was sent. */
  namesLearned: Record<never, never>;
};

/** What the extension offers to the page. */
export interface ExtensionInterface {
  readonly calls: PageCalls;
  readonly notifications: PageNotifications;
}

export type PageCallHandlers = CallHandlers<ExtensionInterface>;

/** What the page offers to the extension. */
export interface PageInterface {
  readonly calls: Readonly<Record<never, never>>;
  readonly notifications: ExtensionNotifications;
}

/** The page's end of the channel. */
export type PageChannel = CallChannel<PageInterface, ExtensionInterface>;

/** Heads of all tables of a reply, each with its first rows. */
export interface TablesPart {
  readonly kind: 'tables';
  readonly tables: readonly TableHead[];
  readonly listInfo: ListInfo | null;
  /** What the service says beside its reply: why something is missing or incomplete. */
  readonly notes: readonly string[];
  /** The newest block when they were read; absent where the service does not tell. */
  readonly readAt?: number | undefined;
}

/** More rows of a table: a `PackedRows` as JSON bytes. */
export interface RowsPart {
  readonly kind: 'rows';
  readonly table: string;
  readonly bytes: ArrayBuffer;
}

export interface TableHead {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** Rows in all, those of later parts included. */
  readonly rowCount: number;
  readonly firstRows: PackedRows;
}

/** What the reply of a list says besides its rows. */
export interface ListInfo {
  readonly cursor: string | null;
  /** Rows in all; `null` where the operation does not count them. */
  readonly total: number | null;
  /** The index behind the list is incomplete. */
  readonly isSyncing: boolean;
  /** More rows are read in a moment, by a node of this machine: the page requests them again. */
  readonly isReading?: boolean;
}

export interface LoadedImage {
  /** A data URI of an image type; `null` when there is none. */
  readonly source: string | null;
  /** Why there is none. */
  readonly problem: string | null;
}

export interface RevertDetails {
  /** What the failed call returned. */
  readonly output: string | null;
  /** False where the call was repeated on the state before its block. */
  readonly exact: boolean;
  /** `null` when the node knows nothing. */
  readonly failure: FailureText | null;
}

/** A decoding with the names of the addresses in it, by lower-case address. */
export interface NamedDecoding {
  readonly decoding: Decoding;
  readonly names: HexNames['addresses'];
}

/** One entry of a panel's history. The page keeps its state (tab, filter, sort) under the panel's own `id`. */
export interface HistoryEntry {
  readonly id: number;
  readonly target: InspectorTarget;
  readonly title: string;
}

/**
 * What a page saves of its panel with `setState`, so that a reloaded window restores it. The names are those that every
 * version saved: `stops` is the history, `at` the index of the entry that is shown.
 */
export interface SavedPanelState {
  readonly stops: readonly Pick<HistoryEntry, 'id' | 'target'>[];
  readonly at: number;
  readonly pinned: boolean;
}

/** Everything that the first paint needs. */
export interface InspectorState {
  readonly history: readonly HistoryEntry[];
  /** The entry that is shown. */
  readonly historyIndex: number;
  readonly isPinned: boolean;
  /** Selector of the chain of the target that is shown; `null` for a target without one. */
  readonly chain: string | null;
  readonly chains: readonly InspectorChain[];
  /** Of operations: title, one sentence, and the parameters; `null` for other targets. */
  readonly form: { readonly title: string; readonly summary: string; readonly fields: readonly FormField[] } | null;
  /** Of an operation; `null` for other targets. */
  readonly operationView: OperationView | null;
  /** Of an address; empty for other targets. */
  readonly addressTabs: readonly AddressTab[];
  /** Terminal commands that the target can be copied as. */
  readonly commands: readonly ('cast' | 'curl')[];
  /** Of the display language; `null` for English. */
  readonly translations: Translations | null;
}

export interface OperationView {
  /** The page offers to follow new records. */
  readonly isLive: boolean;
  /** The page offers a gallery of the records' images. */
  readonly hasImages: boolean;
  /** What the histogram counts; rows for `null`. */
  readonly histogram: 'logs' | 'transfers' | null;
  /** Tasks that the operation's replies wait for; `null` for none. */
  readonly taskKind: Progress['kind'] | null;
}

/** An operation about an address, as a tab of the address page. */
export interface AddressTab {
  readonly id: string;
  readonly label: string;
  readonly addresses: AddressScope;
  readonly operation: OperationId;
  readonly parameters: InputTexts;
  readonly view: OperationView;
}

/** A chain that the toolbar offers. */
export interface InspectorChain {
  readonly selector: string;
  readonly title: string;
  /** Its pages follow new blocks, unless the user says otherwise: requests cost nothing. */
  readonly isOnLoopback: boolean;
}

/** A parameter of an operation in the form above its rows. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly description: string;
  readonly required: boolean;
  /** Several values, one a line. */
  readonly isList: boolean;
  readonly choices: readonly string[] | null;
  readonly value: string;
}

/** What following a chain found out. */
export interface ChainEvent {
  readonly chain: string;
  /** `null` while the node does not answer; `problem` then says why. */
  readonly head: number | null;
  /** Of the head: after a rollback another block may have its number. `''` while it is not known. */
  readonly headHash: string;
  readonly problem: string | null;
  /** Chain ID and genesis block, by which another chain at the same node is distinguished; `null` where they are unknown. */
  readonly identity: string | null;
  /** The block that replaced the one shown (a reorganization). */
  readonly replaced: { readonly number: number; readonly hash: string } | null;
}

export interface CallSources {
  /** Their `call` counts the calls of the trace. */
  readonly calls: readonly CallSource[];
  /** Calls of the trace, the transaction's own too; 0 where there is no source. */
  readonly count: number;
  /** Which of them are of precompiled contracts: some nodes leave these out. */
  readonly precompiles: readonly number[];
}

/** What an account would gain or lose. */
export interface MovedText {
  readonly account: string;
  /** Saved or well-known. */
  readonly name: string | null;
  /** With its sign, in whole units where the token tells its decimals. */
  readonly amount: string;
  readonly asset: string;
  readonly token: string | null;
}

export interface SimulationDetails {
  readonly returned: string | null;
  readonly movements: readonly MovedText[];
}

export interface StackDetails {
  /** Outermost first; empty where no build of the workspace has code that the transaction ran. */
  readonly frames: readonly StackFrame[];
  /** Why the innermost call reverted without data; `null` where its source does not tell. */
  readonly reason: string | null;
  /** What a reader should know, in sentences. */
  readonly notes: readonly string[];
}

export interface CreationDetails {
  readonly hash: string;
  readonly from: string;
  /** The account that sent the transaction, or the contract that made it in its course. */
  readonly creator: string;
  /** Saved and other names of `from` and `creator`. */
  readonly names: Readonly<Record<string, string>>;
  /**
   * Of the `new` or CREATE2, before it the project's own call where a library has that; empty where an account created it, and
   * where no build of the workspace has the line.
   */
  readonly places: readonly { readonly location: SourceLocation; readonly isInferred: boolean }[];
}

export interface StateDetails {
  readonly accounts: readonly StateAccount[];
  /** Names are missing that a side build of the workspace's project would have. */
  readonly lacksNames: boolean;
  /** What a reader should know, in sentences. */
  readonly notes: readonly string[];
}

export interface GasDetails {
  readonly kind: 'gas';
  readonly gasUsed: number;
  /** What was returned: the blocks have more than `gasUsed` by this. */
  readonly refund: number;
  /** `null` where the gas is not known; a note says why. */
  readonly block: GasBlock | null;
  readonly notes: readonly string[];
}

export interface StateMembersParams {
  readonly chain: string;
  readonly address: string;
  readonly blocks: readonly string[];
  /** Of the contract whose code declares the variable. */
  readonly layout: string;
  readonly place: StatePlace;
  readonly from: string;
  readonly key: string | null;
}

export interface ContractStateDetails {
  /** The blocks that were read. */
  readonly blocks: readonly number[];
  readonly groups: readonly ContractStateGroup[];
  /** A build has no layout that a side build of the workspace's project would have. */
  readonly lacksLayout: boolean;
  /** What a reader should know, in sentences. */
  readonly notes: readonly string[];
}

/** Variables that one contract declares: that of the address, or one behind a proxy. */
export interface ContractStateGroup {
  readonly title: string;
  /** The contract whose code declares them; `null` for slots of standards. */
  readonly layout: string | null;
  readonly rows: readonly ContractStateRow[];
}

/** `ContractProxy` with checksums. */
export interface PlainProxy {
  readonly kind: ContractProxy['kind'];
  readonly implementations: readonly string[];
  readonly beacon: string | null;
}

/** `AddressSummary` as JSON carries it: amounts as decimal text, addresses with their checksums. */
export interface PlainAddressSummary {
  readonly address: string;
  readonly chain: string;
  readonly coin: string;
  readonly decimals: number;
  readonly balance: string;
  readonly nonce: number | null;
  readonly codeSize: number | null;
  /** There is no code, although the address is saved as a contract. */
  readonly isCodeMissing: boolean;
  readonly delegate: string | null;
  readonly proxy: PlainProxy | null;
  /** Which contract of the workspace it is. */
  readonly contract: IdentifiedContract | null;
  /** How its code compares with that of well-known contracts. */
  readonly knownCode: KnownCode | null;
  readonly name: string | null;
  /** Why no one spends its balance; `null` where its owner may. */
  readonly unowned: string | null;
  readonly token: {
    readonly standard: string;
    readonly name: string | null;
    readonly symbol: string | null;
    readonly decimals: number | null;
    readonly totalSupply: string | null;
  } | null;
  readonly blockNumber: number | null;
  /** The ENS name that leads to the address; untrusted text. */
  readonly ensName: string | null;
  /** Ids of tabs that are not shown because they are empty. */
  readonly emptyTabs: readonly string[];
}

const toDisplayProxy = ({ kind, implementations, beacon }: ContractProxy): PlainProxy => ({
  kind,
  implementations: implementations.map(toDisplayAddress),
  beacon: beacon === null ? null : toDisplayAddress(beacon),
});

export function toPlainAddressSummary(
  summary: AddressSummary,
  selector: string,
  name: string | null,
  contract: IdentifiedContract | null,
  knownCode: KnownCode | null,
  facts: Pick<PlainAddressSummary, 'ensName' | 'emptyTabs' | 'isCodeMissing'>,
): PlainAddressSummary {
  const { chain, token, delegate, proxy } = summary;
  return {
    address: toDisplayAddress(summary.address),
    chain: selector,
    coin: chain.coin,
    decimals: chain.decimals,
    balance: summary.balance.toString(),
    nonce: summary.nonce,
    codeSize: summary.codeSize,
    delegate: delegate === null ? null : toDisplayAddress(delegate),
    proxy: proxy === null ? null : toDisplayProxy(proxy),
    contract,
    knownCode,
    // The address alone does not make it the well-known contract.
    name: knownCode?.relation === 'differs' && knownCode.name === name ? null : name,
    unowned: describeUnowned(summary.address),
    token:
      token === null
        ? null
        : {
            standard: token.standard,
            name: token.name,
            symbol: token.symbol,
            decimals: token.decimals,
            totalSupply: token.totalSupply === null ? null : token.totalSupply.toString(),
          },
    blockNumber: summary.blockNumber,
    ...facts,
  };
}
