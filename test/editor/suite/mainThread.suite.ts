// Load of the extension host's main thread during a long sync. Runs for the benchmark `host`, on a chain with many logs.
import * as assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import { TEST_LIMIT_MS } from '../../support/timeLimits.ts';
import { getExtension, getHoverText, getTestChain } from './extensionHost.ts';
import { openUntitled } from './siweActions.ts';
import { monitorThread, type ThreadMeasures } from './threadMonitor.ts';

export interface MainThreadMeasures {
  readonly idle: ThreadMeasures;
  readonly sync: ThreadMeasures;
  /** NFT transfers that were indexed meanwhile. */
  readonly transfers: number;
}

const run = <T>(command: string, argument?: unknown) =>
  vscode.commands.executeCommand<T>(`hexlens.${command}`, argument);

function read(url: string, key: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'x-api-key': key } }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(JSON.parse(text) as Record<string, unknown>));
    }).on('error', reject);
  });
}

/** Reports responses of workers that are started from now on. */
function watchResponses(): { next(): Promise<void>; dispose(): void } {
  let received = Promise.withResolvers<void>();
  const listen = (message: unknown) => {
    const { worker } = message as { readonly worker: Worker }; // as Node describes this channel
    worker.on('message', ({ type }: { readonly type: string }) => {
      if (type === 'output') received.resolve();
    });
  };
  subscribe('worker_threads', listen);
  return {
    async next() {
      await received.promise;
      received = Promise.withResolvers();
    },
    dispose: () => unsubscribe('worker_threads', listen),
  };
}

/** Loads sidebar, hovers, inspector and HTTP service by using each once, on the chain of the workspace. */
async function useOnce(): Promise<{ request(path: string): Promise<Record<string, unknown>> }> {
  const chain = getTestChain();
  assert.ok(chain);
  const responses = watchResponses();
  await run('restartBackend');
  await vscode.commands.executeCommand('workbench.view.extension.hexlens');
  await getHoverText(await openUntitled(chain.accounts.alice), chain.accounts.alice);
  await run('inspect', ALL_TRANSFERS);
  await responses.next();
  responses.dispose();
  await settings().update('http.port', 0, vscode.ConfigurationTarget.Global);
  const url = await run<string>('startHttp');
  await run('copyHttpKey');
  const key = await vscode.env.clipboard.readText();
  const request = (path: string) => read(`${url}/api/v2${path}`, key);
  const page = await request('/nft/transfers?chain=local&limit=1');
  assert.equal(page['index_complete'], true, JSON.stringify(page));
  return { request };
}

const ALL_TRANSFERS = { kind: 'operation', operation: 'nftTransfers', parameters: { chain: 'local' } };
const settings = () => vscode.workspace.getConfiguration('hexlens');
const node = process.env['HEXLENS_BENCH_NODE'];

if (node !== undefined)
  describe('the main thread', () => {
    it('stays free while the worker syncs', async function () {
      this.timeout(3 * TEST_LIMIT_MS);
      await getExtension().activate();
      const bundles = join(getExtension().extensionPath, 'dist', '/');
      const { request } = await useOnce();
      const counted = () => request('/nft/transfers?chain=local&limit=1&disable_total=false');
      const { total: before } = await counted();
      /** At first the chain of the workspace may still respond. */
      const isSynced = async () => {
        const page = await counted();
        return page['index_complete'] === true && page['total'] !== before;
      };

      // Reading the settings is not part of the measured sync.
      await settings().update('nodes', { local: node }, vscode.ConfigurationTarget.Workspace);
      const endSync = await monitorThread(bundles);
      await run('inspect', ALL_TRANSFERS);
      for (let synced = false; !synced; ) {
        const page = await request('/nft/transfers?chain=local&limit=1');
        assert.ok(Array.isArray(page['result']), JSON.stringify(page));
        synced = page['index_complete'] === true && (await isSynced());
      }
      const sync = await endSync();

      // The same number of requests to the complete index.
      const endIdle = await monitorThread(bundles);
      for (let count = 0; count < sync.seconds / 1.5; count++) {
        await request('/nft/transfers?chain=local&limit=1');
        await new Promise(done => setTimeout(done, 1_500));
      }
      const idle = await endIdle();
      const { total } = await counted();
      await run('stopHttp');
      const report = process.env['HEXLENS_HOST_REPORT'];
      const measures: MainThreadMeasures = { idle, sync, transfers: Number(total) };
      if (report) writeFileSync(join(dirname(report), 'main-thread.json'), JSON.stringify(measures));
    });
  });
