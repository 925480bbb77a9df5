// A server with the inspector's real page and a recorded session of a block, for benchmarks.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLog } from '../../src/base/log.ts';
import { createInspectorSession } from '../../src/extension/inspector/inspectorSession.ts';
import type { ExtensionMessage, PageMessage } from '../../src/protocol/messages.ts';
import { createSyntheticBlock } from '../support/chain/syntheticBlock.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const INSPECTOR_BUNDLE = join(root, 'dist/webview/inspector.js');
export const TRANSACTIONS = 1_500;
export const LOGS = 10_000;

/** The messages of the real session to a page that shows the block. */
async function recordMessages(): Promise<ExtensionMessage[]> {
  const body = createSyntheticBlock({ transactions: TRANSACTIONS, logs: LOGS });
  const said: ExtensionMessage[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const session = createInspectorSession({
    target: { kind: 'block', chain: 'local', block: '18000000' },
    data: {
      transport: { send: async () => ({ status: 200, headers: {}, body }) },
      lookup: () => new Promise(() => {}),
      chains: () => [{ selector: 'local', local: true }],
      getName: () => null,
      describer: {
        getEventSignatures: topic => (topic.startsWith('0xddf2') ? ['Transfer(address,address,uint256)'] : []),
        isPossibleCall: () => true,
        getFunctionSignatures: () => ['transfer(address,uint256)'],
        decodeLog: () => [],
        decodeCall: () => [],
        decodeRevert: () => [],
      },
      onProgress: () => ({ dispose() {} }),
      pause: () => {},
      log: silentLog,
      clock: { now: Date.now, sleep: () => new Promise(() => {}) },
    },
    editor: {
      post(message) {
        said.push(message);
        if (message.type === 'done') resolve();
      },
      texts: null,
      openBeside: () => {},
      setTitle: () => {},
      pinned: () => {},
      copy: () => {},
      save: () => {},
      saveAll: () => {},
      runAction: () => {},
      createLink: () => '',
      serviceUrl: () => '',
      nodeUrl: () => null,
    },
  });
  session.receive({ type: 'hello' } satisfies PageMessage);
  session.receive({
    type: 'ask',
    id: 1,
    question: { kind: 'operation', target: session.target(), include: ['record', 'transactions', 'logs'] },
  } satisfies PageMessage);
  await promise;
  session.dispose();
  return said;
}

/** Runs in the page in place of VS Code: replays the recording. */
function replay(messages: readonly Record<string, unknown>[]): void {
  const bytesOf = (text: string) => Uint8Array.from(atob(text), char => char.charCodeAt(0)).buffer;
  const scope = globalThis as unknown as Record<string, unknown>;
  let stop = 0;
  const ready = messages.map(({ base64, ...rest }) => ({
    ...rest,
    ...(typeof base64 === 'string' && { bytes: bytesOf(base64) }),
  }));
  const play = (id: number) => {
    for (const message of ready as readonly Record<string, unknown>[]) {
      if (message['type'] === 'show' || message['type'] === 'news') continue;
      window.postMessage({ ...message, id });
    }
  };
  const show = () => {
    stop++;
    const message = messages.find(({ type }) => type === 'show');
    const [first] = (message as { stops: Record<string, unknown>[] }).stops;
    window.postMessage({ ...message, stops: [{ ...first, id: stop }] });
  };
  scope['navigateAgain'] = show;
  scope['acquireVsCodeApi'] = () => ({
    getState: () => undefined,
    setState: () => {},
    postMessage(message: { type: string; id: number }) {
      if (message.type === 'hello') show();
      else if (message.type === 'ask') {
        scope['askedAt'] = performance.now();
        play(message.id);
      }
    },
  });
}

const asJson = (messages: readonly ExtensionMessage[]) =>
  messages.map(message =>
    'bytes' in message
      ? { ...message, bytes: undefined, base64: Buffer.from(message.bytes).toString('base64') }
      : message,
  );

export interface InspectorPage {
  /** URL of the page. */
  readonly url: string;
  close(): void;
}

export async function openInspectorPage(): Promise<InspectorPage> {
  const messages = JSON.stringify(asJson(await recordMessages()));
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
