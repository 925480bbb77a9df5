// Both ends of a panel joined in memory: the host's session and the page's link, with structured clones in between.

import type { LookupId, LookupInput, LookupOutput } from '../../../src/api/lookups.ts';
import type { WireReply, WireRequest } from '../../../src/api/wire/request.ts';
import type { Progress } from '../../../src/api/workerProtocol.ts';
import { disposable } from '../../../src/base/disposable.ts';
import { silentLog } from '../../../src/base/log.ts';
import type {
  DataPorts,
  EditorPorts,
  ExportedPages,
  ExportedTable,
} from '../../../src/extension/inspector/inspectorPorts.ts';
import { createInspectorSession, type InspectorSession } from '../../../src/extension/inspector/inspectorSession.ts';
import type { InspectorTarget } from '../../../src/protocol/inspectorTarget.ts';
import type { ExtensionMessage, PageMessage } from '../../../src/protocol/messages.ts';
import type { VsCodeApi } from '../../../src/webview/inspector/pageChannel.ts';
import { createSyntheticBlock } from '../../support/chain/syntheticBlock.ts';

export interface ConnectedPanel {
  readonly session: InspectorSession;
  readonly api: VsCodeApi;
  readonly posted: ExtensionMessage[];
  readonly copied: string[];
  readonly saved: ExportedTable[];
  readonly lists: ExportedPages[];
  readonly beside: InspectorTarget[];
  state: unknown;
  /** Tasks that were paused. */
  readonly paused: string[];
  /** The backend says how far long work is. */
  progress(progress: Progress): void;
  /** Where the host's messages go. */
  connect(receive: (message: unknown) => void): void;
}

export interface ConnectedPanelOptions {
  readonly target: InspectorTarget;
  reply(request: WireRequest): WireReply | Promise<WireReply>;
  lookup?(id: LookupId, input: unknown): unknown;
  /** Signatures are read by it; without it, a few names are all that is known. */
  readonly describer?: DataPorts['decoder'];
  /** The chain is looked at again and again, and not only once. */
  readonly following?: true;
}

/** A chain on which nothing happens: the block that pages show is its head. */
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

export function connectPanel({ target, reply, lookup, describer, following }: ConnectedPanelOptions): ConnectedPanel {
  let receive: (message: unknown) => void = () => {};
  const said: ExtensionMessage[] = [];
  const copied: string[] = [];
  const saved: ExportedTable[] = [];
  const lists: ExportedPages[] = [];
  const beside: InspectorTarget[] = [];
  const paused: string[] = [];
  const hearing = new Set<(progress: Progress) => void>();
  const data: DataPorts = {
    onProgress(listener) {
      hearing.add(listener);
      return disposable(() => hearing.delete(listener));
    },
    pause: task => paused.push(task),
    transport: {
      async send(request, options) {
        const answer = await reply(request);
        options?.signal?.throwIfAborted();
        return answer;
      },
    },
    async lookup<Id extends LookupId>(id: Id, input: LookupInput<Id>) {
      return (lookup?.(id, input) ?? quietChain[id]) as LookupOutput<Id>;
    },
    chains: () => [{ selector: 'local', local: true }],
    getName: address => (address.toLowerCase().endsWith('dead') ? '<b>Burn</b>\u202e' : null),
    decoder: describer ?? {
      getEventSignatures: topic0 => (topic0.startsWith('0xddf252ad') ? ['Transfer(address,address,uint256)'] : []),
      getFunctionSignatures: selector => (selector === '0xa9059cbb' ? ['transfer(address,uint256)'] : []),
      isPossibleCall: () => true,
      decodeLog: () => [],
      decodeCall: () => [],
      decodeRevert: () => [],
    },
    log: silentLog,
    clock: {
      now: () => Date.now(),
      sleep: (_ms, signal) =>
        new Promise((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('aborted')));
          if (following) setTimeout(resolve, 1);
        }),
    },
  };
  const editor: EditorPorts = {
    post(message) {
      const clone = structuredClone(message);
      said.push(clone);
      queueMicrotask(() => receive(clone));
    },
    translations: null,
    openBeside: next => beside.push(next),
    setTitle: () => {},
    pinned: () => {},
    copy: text => copied.push(text),
    save: table => saved.push(table),
    saveAll: list => lists.push(list),
    runAction: () => {},
    createLink: next => `vscode://hexlens.hexlens/inspect?${JSON.stringify(next)}`,
    getServiceUrl: () => 'http://127.0.0.1:1234',
    getNodeUrl: () => 'http://127.0.0.1:8545',
  };
  const session = createInspectorSession({ data, editor, target });
  const joined: ConnectedPanel = {
    session,
    posted: said,
    copied,
    saved,
    lists,
    beside,
    paused,
    progress(progress) {
      for (const listener of hearing) listener(progress);
    },
    state: undefined,
    api: {
      postMessage: (message: PageMessage) => queueMicrotask(() => session.receive(structuredClone(message))),
      getState: () => joined.state,
      setState: state => {
        joined.state = structuredClone(state);
      },
    },
    connect: next => {
      receive = next;
    },
  };
  return joined;
}
