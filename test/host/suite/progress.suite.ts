// The backend as the editor has it, over a node that answers as far as the test lets it: progress, pausing, going on.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLog } from '../../../src/base/log.ts';
import type { Progress } from '../../../src/contract/port.ts';
import { encodeRequest } from '../../../src/contract/request.ts';
import { type BackendHost, createBackendHost } from '../../../src/host/backend/backendHost.ts';
import { openBook } from '../../../src/host/book/openBook.ts';
import { createKeys } from '../../../src/host/keys/keys.ts';
import { createSettings } from '../../../src/host/settings/settings.ts';
import { forwardTo, startLyingNode } from '../../service/lyingNode.ts';
import { hexlens, testChain } from './editor.ts';
import { entry, memento, noSecrets } from './sidebarRig.ts';

/** Resolves with the first event that fits. */
function heard(backend: BackendHost, fits: (progress: Progress) => boolean): Promise<Progress> {
  return new Promise(resolve => {
    const listening = backend.onEvent(event => {
      if (event.type !== 'progress' || !fits(event.progress)) return;
      listening.dispose();
      resolve(event.progress);
    });
  });
}

const fired = (event: vscode.Event<void>) =>
  new Promise<void>(resolve => {
    const listening = event(() => {
      listening.dispose();
      resolve();
    });
  });

async function rig(node: string) {
  const settings = createSettings();
  const log = silentLog;
  const book = openBook({ globalState: memento(), log });
  await book.ready();
  const { extensionPath } = hexlens();
  const ofNode = {
    ...settings,
    configuration: () => ({ ...settings.configuration(), nodes: { local: node } }),
  };
  const keys = createKeys(noSecrets);
  const backend = createBackendHost({ extensionPath, dataFolder: '', settings: ofNode, keys, book, log });
  const dispose = () => {
    for (const part of [backend, book, settings]) part.dispose();
  };
  return { backend, book, dispose };
}

describe('long indexing', () => {
  const chain = testChain();
  before(async function () {
    if (chain === undefined) this.skip();
    await hexlens().activate();
  });

  it('is heard of while it goes on, pauses, and goes on where it stopped', async () => {
    const forward = forwardTo(chain?.url ?? '');
    let open = () => {};
    const opened = new Promise<void>(resolve => {
      open = resolve;
    });
    const half = Math.floor((chain?.head.number ?? 0) / 2);
    const node = await startLyingNode({
      async answer(call) {
        const [range] = call.params as [{ toBlock?: string }?];
        if (call.method === 'eth_getLogs' && Number(range?.toBlock) > half) await opened;
        return forward(call);
      },
    });
    const { backend, dispose } = await rig(node.url);
    try {
      const { body } = await backend.transport.send(encodeRequest('nftTransfers', { limit: 1 }));
      assert.equal((body as { index_complete: boolean }).index_complete, false);
      const ended = heard(backend, ({ running }) => !running);
      const task = 'index local';
      backend.pause(task);
      open();
      const paused = await ended;
      assert.equal(paused.task, task);
      assert.ok(paused.done < (paused.total ?? 0), JSON.stringify(paused));
      const asked = node.calls.length;
      const done = heard(backend, ({ running }) => !running);
      backend.resume(task);
      const whole = await done;
      assert.equal(whole.done, whole.total);
      const lowest = node.calls
        .slice(asked)
        .filter(({ method }) => method === 'eth_getLogs')
        .map(({ params }) => Number((params as [{ fromBlock: string }])[0].fromBlock));
      assert.ok(Math.min(...lowest) >= paused.done, 'nothing is read twice');
    } finally {
      dispose();
      await node.stop();
    }
  });

  it('a name in the book is posted, and no reason to ask the chains again', async () => {
    const { backend, book, dispose } = await rig(chain?.url ?? '');
    try {
      let reconnected = 0;
      await fired(backend.onDidConfigure);
      backend.onDidReconnect(() => reconnected++);
      const configured = fired(backend.onDidConfigure);
      await book.add([entry('Alice', chain?.accounts.alice ?? '')], { kind: 'personal' });
      await configured;
      assert.equal(reconnected, 0);
    } finally {
      dispose();
    }
  });

  it('another node is one', async () => {
    const { backend, dispose } = await rig(chain?.url ?? '');
    const settings = () => vscode.workspace.getConfiguration('hexlens');
    try {
      await fired(backend.onDidConfigure);
      const reconnected = fired(backend.onDidReconnect);
      await settings().update('evm.source', 'remote', vscode.ConfigurationTarget.Workspace);
      await reconnected;
    } finally {
      await settings().update('evm.source', undefined, vscode.ConfigurationTarget.Workspace);
      dispose();
    }
  });
});
