// A panel in memory: the extension's session and the page's channel, with structured clones in between.

import type { SavedEntry } from '../../../src/addressBook/entry.ts';
import type { LookupId, LookupInput, LookupOutput } from '../../../src/api/lookups.ts';
import type { SourceLocation } from '../../../src/api/transactionStack.ts';
import type { WireReply, WireRequest } from '../../../src/api/wire/request.ts';
import type { Progress } from '../../../src/api/workerProtocol.ts';
import type { ChannelMessage } from '../../../src/base/callChannel.ts';
import { disposable } from '../../../src/base/disposable.ts';
import { silentLog } from '../../../src/base/log.ts';
import { type AbiRegistry, createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import type { FoundTransactionSource } from '../../../src/decode/source/fetchTransactionSource.ts';
import { createVerifiedAbis } from '../../../src/extension/abi/verifiedAbis.ts';
import type {
  DataPorts,
  EditorPorts,
  ExportedPages,
  ExportedTable,
} from '../../../src/extension/inspector/inspectorPorts.ts';
import { InspectorSession } from '../../../src/extension/inspector/inspectorSession.ts';
import type { InspectorTarget } from '../../../src/protocol/inspectorTarget.ts';
import { isSavedAsContract } from '../../../src/view/hover/savedEntries.ts';
import { createEntryRanking } from '../../../src/view/lookUp/entryRanking.ts';
import type { VsCodeApi } from '../../../src/webview/inspector/inspector.ts';
import { createSyntheticBlock } from '../../support/chain/syntheticBlock.ts';

export interface ConnectedPanel {
  readonly session: InspectorSession;
  readonly api: VsCodeApi;
  readonly posted: ChannelMessage[];
  readonly copied: string[];
  readonly saved: ExportedTable[];
  readonly lists: ExportedPages[];
  readonly beside: InspectorTarget[];
  /** Commands that were run. */
  readonly requested: string[];
  /** Places of sources that were opened. */
  readonly opened: SourceLocation[];
  state: unknown;
  /** Tasks that were paused. */
  readonly paused: string[];
  /** The icons of the panel's tab, oldest first. */
  readonly icons: string[];
  /** The worker reports the progress of a task. */
  progress(progress: Progress): void;
  /** Sets where the extension's messages go. */
  connect(receive: (message: unknown) => void): void;
}

export interface ConnectedPanelOptions {
  readonly target: InspectorTarget;
  reply(request: WireRequest): WireReply | Promise<WireReply>;
  lookup?(id: LookupId, input: unknown): unknown;
  /** Without it, only a few names are known. */
  readonly describer?: DataPorts['decoder'];
  /** Without it, no contract is of the workspace. */
  readonly identify?: DataPorts['identify'];
  /** Of the workspace. */
  readonly abis?: AbiRegistry;
  /** The address book. */
  readonly entries?: readonly SavedEntry[];
  /** What the page of an earlier window saved. */
  readonly state?: unknown;
  /** Hosts that may be asked for ABIs. */
  readonly verifiedHosts?: readonly string[];
  /** Selectors of the chains of the settings; `local` without it. */
  readonly chains?: readonly string[];
  /** The nodes of the chains are on other machines. */
  readonly isRemote?: true;
  /** The chain was reset since an earlier page. */
  readonly wasReset?: true;
  /** The ENS name of every address. */
  readonly ensName?: string;
  /** The chain is polled more than once. */
  readonly following?: true;
  /** What the transaction changed. */
  readonly fetchState?: DataPorts['fetchState'];
  /** What the transaction paid for. */
  readonly fetchGas?: DataPorts['fetchGas'];
  /** The workspace's build of every contract. */
  readonly findBuild?: DataPorts['findBuild'];
  /** What the builds of the workspace say about the transaction. */
  readonly source?: FoundTransactionSource;
  /** Requests are answered although they were cancelled: the answer was on its way. */
  readonly answersLate?: true;
}

/** A chain without new blocks: the block that pages show is its head. */
const quietChain: Partial<Record<LookupId, unknown>> = {
  chainStatus: {
    selector: 'local',
    chain: null,
    source: 'node',
    head: 18_000_000,
    headTime: null,
    client: null,
    problem: null,
  },
  blockSummary: { kind: 'block', number: 18_000_000, hash: createSyntheticBlock({ transactions: 0, logs: 0 })['hash'] },
};

export const ok = (body: unknown): WireReply => ({ status: 200, headers: {}, body });

export function connectPanel({
  target,
  reply,
  lookup,
  describer,
  following,
  answersLate,
  fetchState,
  fetchGas,
  findBuild,
  abis,
  identify,
  ensName,
  verifiedHosts,
  entries,
  state,
  chains = ['local'],
  isRemote,
  wasReset,
  source,
}: ConnectedPanelOptions): ConnectedPanel {
  let receive: (message: unknown) => void = () => {};
  const posted: ChannelMessage[] = [];
  const copied: string[] = [];
  const saved: ExportedTable[] = [];
  const lists: ExportedPages[] = [];
  const beside: InspectorTarget[] = [];
  const opened: SourceLocation[] = [];
  const requested: string[] = [];
  const paused: string[] = [];
  const icons: string[] = [];
  const registry = abis ?? createAbiRegistry();
  const progressListeners = new Set<(progress: Progress) => void>();
  const data: DataPorts = {
    onHeadChange: () => disposable(() => {}),
    learnNames: async () => {},
    onProgress(listener) {
      progressListeners.add(listener);
      return disposable(() => progressListeners.delete(listener));
    },
    pauseTask: task => paused.push(task),
    transport: {
      async send(request, options) {
        const answer = await reply(request);
        if (!answersLate) options?.signal?.throwIfAborted();
        return answer;
      },
    },
    async lookup<Id extends LookupId>(id: Id, input: LookupInput<Id>) {
      return (lookup?.(id, input) ?? quietChain[id]) as LookupOutput<Id>;
    },
    chains: () =>
      chains.map(selector => ({
        selector,
        reportedTitle: null,
        isOnLoopback: isRemote !== true,
        isLocal: isRemote !== true,
      })),
    wasReset: async () => wasReset === true,
    getName: address => (address.toLowerCase().endsWith('dead') ? '<b>Burn</b>\u202e' : null),
    isWorkspaceTrusted: () => true,
    fetchGas: fetchGas ?? (async () => ({ kind: 'noGas', reason: 'no gas' })),
    findBuild: findBuild ?? (async () => null),
    getSavedName: () => null,
    isSavedContract: address =>
      isSavedAsContract(
        (entries ?? []).filter(entry => entry.address === address),
        'local',
        true,
      ),
    decoder: describer ?? {
      getEventSignatures: topic0 => (topic0.startsWith('0xddf252ad') ? ['Transfer(address,address,uint256)'] : []),
      getFunctionSignatures: selector => (selector === '0xa9059cbb' ? ['transfer(address,uint256)'] : []),
      isPossibleCall: () => true,
      decodeLog: () => [],
      decodeLogs: async logs => logs.map(() => undefined),
      fetchUnits: async () => ({}),
      decodeCall: () => [],
      describeCalls: async calls => calls.map(() => ({ call: null, result: null })),
      readLog: async () => null,
      readCall: async () => ({ call: null, returned: null, error: null }),
    },
    identify: identify ?? (async () => null),
    getVerifiedHosts: async () => verifiedHosts ?? [],
    loadAbis: async () => registry,
    fetchSource: async () => source ?? null,
    fetchState: fetchState ?? (async () => ({ kind: 'stateChanges', accounts: [], omitted: 0, withoutLayout: [] })),
    addVerifiedAbis: createVerifiedAbis({
      file: { read: async () => null, write: async () => {} },
      registry,
      log: silentLog,
    }).add,
    fetchEnsName: async () => ensName ?? null,
    lookUpSources: {
      createState: () => ({
        ...{
          registry: null,
          chains: [{ selector: 'local', title: 'Local dev chain', isOnLoopback: true }],
          ranking: createEntryRanking(entries ?? []),
          tokens: createEntryRanking([]),
        },
        ...{ ensChain: null, usesAptos: false, source: null, history: [], getName: () => null, getRecord: () => null },
      }),
      getEnsChain: () => null,
      identifyLocalChains: async () => {},
      loadTokens: async () => {},
    },
    getNameSources: async () => ({ saved: entries ?? [], events: createAbiRegistry().allEvents(), chains: [] }),
    log: silentLog,
    clock: {
      now: () => Date.now(),
      sleep: (_ms, signal) =>
        new Promise((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('aborted')));
          if (following) setImmediate(resolve);
        }),
    },
  };
  const editor: EditorPorts = {
    post(message) {
      const clone = structuredClone(message);
      posted.push(clone);
      queueMicrotask(() => receive(clone));
    },
    translations: null,
    openBeside: next => beside.push(next),
    setTitle: (_title, icon) => icons.push(icon),
    debug: () => {},
    copy: text => copied.push(text),
    save: table => saved.push(table),
    saveAll: list => lists.push(list),
    open: () => {},
    createLink: next => `vscode://hexlens.hexlens/inspect?${JSON.stringify(next)}`,
    getServiceUrl: () => 'http://127.0.0.1:1234',
    getNodeUrl: () => 'http://127.0.0.1:8545',
    openSource: () => {},
    simulate: target => requested.push(`simulate ${target.kind}`),
    buildDebugInformation: () => requested.push('buildDebugInformation'),
    openLocation: location => opened.push(location),
    watch: () => {},
  };
  const session = new InspectorSession({ data, editor, target });
  const connected: ConnectedPanel = {
    session,
    posted,
    copied,
    opened,
    saved,
    lists,
    beside,
    requested,
    paused,
    icons,
    progress(progress) {
      for (const listener of progressListeners) listener(progress);
    },
    state,
    api: {
      postMessage: (message: ChannelMessage) => queueMicrotask(() => session.receive(structuredClone(message))),
      getState: () => connected.state,
      setState: state => {
        connected.state = structuredClone(state);
      },
    },
    connect: next => {
      receive = next;
    },
  };
  return connected;
}
