// A server with the inspector's real page and a recorded session of a block, for benchmarks.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChannelMessage } from '../../src/base/callChannel.ts';
import { isObject } from '../../src/base/isObject.ts';
import { silentLog } from '../../src/base/log.ts';
import { createAbiRegistry } from '../../src/decode/abiRegistry.ts';
import { InspectorSession } from '../../src/extension/inspector/inspectorSession.ts';
import { createSyntheticBlock } from '../support/chain/syntheticBlock.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const INSPECTOR_BUNDLE = join(root, 'dist/webview/inspector.js');
export const TRANSACTIONS = 1_500;
export const LOGS = 10_000;

/** The messages of the real session to a page that shows the block. */
async function recordMessages(): Promise<ChannelMessage[]> {
  const body = createSyntheticBlock({ transactions: TRANSACTIONS, logs: LOGS });
  const messages: ChannelMessage[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const session = new InspectorSession({
    target: { kind: 'block', chain: 'local', block: '18000000' },
    data: {
      transport: { send: async () => ({ status: 200, headers: {}, body }) },
      // The coin of the rows and the head of the chain are unknown.
      lookup: () => Promise.reject(new Error('This chain has no node.')),
      chains: () => [{ selector: 'local', reportedTitle: null, isOnLoopback: true, isLocal: true }],
      wasReset: async () => false,
      learnNames: async () => {},
      getName: () => null,
      isWorkspaceTrusted: () => true,
      fetchGas: () => Promise.reject(),
      findBuild: async () => null,
      getSavedName: () => null,
      isSavedContract: () => false,
      decoder: {
        getEventSignatures: topic => (topic.startsWith('0xddf2') ? ['Transfer(address,address,uint256)'] : []),
        isPossibleCall: () => true,
        getFunctionSignatures: () => ['transfer(address,uint256)'],
        decodeLog: () => [],
        decodeLogs: async logs => logs.map(() => undefined),
        fetchUnits: async () => ({}),
        decodeCall: () => [],
        describeCalls: async calls => calls.map(() => ({ call: null, result: null })),
        readLog: async () => null,
        readCall: async () => ({ call: null, returned: null, error: null }),
      },
      lookUpSources: {
        createState: () => Promise.reject(),
        getEnsChain: () => null,
        identifyLocalChains: async () => {},
        loadTokens: async () => {},
      } as never,
      getNameSources: () => Promise.reject(),
      onHeadChange: () => ({ dispose() {} }),
      onProgress: () => ({ dispose() {} }),
      pauseTask: () => {},
      fetchEnsName: async () => null,
      identify: async () => null,
      getVerifiedHosts: async () => [],
      addVerifiedAbis: async () => {},
      loadAbis: async () => createAbiRegistry(),
      fetchSource: async () => null,
      fetchState: async () => ({ kind: 'stateChanges', accounts: [], omitted: 0, withoutLayout: [] }),
      log: silentLog,
      clock: { now: Date.now, sleep: () => new Promise(() => {}) },
    },
    editor: {
      post(message) {
        messages.push(message);
        if (message.type === 'done') resolve();
      },
      translations: null,
      openBeside: () => {},
      setTitle: () => {},
      debug: () => {},
      copy: () => {},
      save: () => {},
      saveAll: () => {},
      open: () => {},
      createLink: () => '',
      getServiceUrl: () => '',
      getNodeUrl: () => null,
      openSource: () => {},
      buildDebugInformation: () => {},
      simulate: () => {},
      openLocation: () => {},
      watch: () => {},
    },
  });
  session.receive({ type: 'notify', method: 'ready', params: null } satisfies ChannelMessage);
  session.receive({
    type: 'call',
    id: 1,
    method: 'operation',
    params: { target: session.target(), include: ['record', 'transactions', 'logs'] },
  } satisfies ChannelMessage);
  await promise;
  session.dispose();
  return messages;
}

/** A message as JSON: the bytes of its part in base64. */
type RecordedMessage = Readonly<Record<string, unknown>> & { readonly part?: Readonly<Record<string, unknown>> };

/** Runs in the page in place of VS Code: replays the recording. */
function replay(messages: readonly RecordedMessage[]): void {
  const decode = (text: string) => Uint8Array.from(atob(text), char => char.charCodeAt(0)).buffer;
  const scope = globalThis as unknown as Record<string, unknown>;
  let entryId = 0;
  const reply = messages
    .filter(({ type }) => type !== 'notify')
    .map(({ part, ...message }) => {
      const { base64, ...rest } = part ?? {};
      return { ...message, part: typeof base64 === 'string' ? { ...rest, bytes: decode(base64) } : part };
    });
  const showNextEntry = () => {
    entryId++;
    const message = messages.find(({ method }) => method === 'state');
    const params = message?.['params'] as { readonly history: Record<string, unknown>[] };
    const [entry] = params.history;
    window.postMessage({ ...message, params: { ...params, history: [{ ...entry, id: entryId }] } });
  };
  scope['navigateAgain'] = showNextEntry;
  scope['acquireVsCodeApi'] = () => ({
    getState: () => undefined,
    setState: () => {},
    postMessage({ type, method, id }: { type: string; method: string; id: number }) {
      if (type === 'notify' && method === 'ready') showNextEntry();
      if (type !== 'call' || method !== 'operation') return;
      scope['askedAt'] = performance.now();
      for (const message of reply) window.postMessage({ ...message, id });
    },
  });
}

const toRecorded = (messages: readonly ChannelMessage[]) =>
  messages.map(message => {
    if (message.type !== 'part' || !isObject(message.part) || !(message.part['bytes'] instanceof ArrayBuffer))
      return message;
    const { bytes, ...part } = message.part;
    return { ...message, part: { ...part, base64: Buffer.from(bytes).toString('base64') } };
  });

export interface InspectorPage {
  /** URL of the page. */
  readonly url: string;
  close(): void;
}

export async function openInspectorPage(): Promise<InspectorPage> {
  const messages = JSON.stringify(toRecorded(await recordMessages()));
  const html = `<!doctype html><html lang="en"><head><title>bench</title><link id="vscode-codicon-stylesheet" rel="stylesheet" href="codicon.css"><style>html,body{height:100%}</style><script>(${replay.toString()})(${messages.replaceAll('<', '\\u003c')})</script><script type="module" src="inspector.js"></script></head><body></body></html>`;
  const server = createServer((request, response) => {
    const file = request.url === '/inspector.js' ? INSPECTOR_BUNDLE : join(root, 'dist/webview/codicon.css');
    response.setHeader(
      'content-type',
      request.url === '/' ? 'text/html' : request.url === '/inspector.js' ? 'text/javascript' : 'text/css',
    );
    response.end(request.url === '/' ? html : readFileSync(file));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, close: () => server.close() };
}
