// What a long sync costs the extension host's main thread. Runs for the benchmark `host`, which has a chain of many logs.
import * as assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import { hexlens, hoverTextAt, testChain, untitled } from './extensionHost.ts';
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

/** Workers that are started from now on tell when they answered a question of this thread. */
function answers(): { next(): Promise<void>; dispose(): void } {
  let heard = Promise.withResolvers<void>();
  const listen = (message: unknown) => {
    const { worker } = message as { readonly worker: Worker }; // as Node describes this channel
    worker.on('message', ({ type }: { readonly type: string }) => {
      if (type === 'result') heard.resolve();
    });
  };
  subscribe('worker_threads', listen);
  return {
    async next() {
      await heard.promise;
      heard = Promise.withResolvers();
    },
    dispose: () => unsubscribe('worker_threads', listen),
  };
}

/** The sidebar, a hover, an inspector of all NFT transfers and HTTP: loaded and once used, over the chain of the workspace. */
async function useOnce(): Promise<{ ask(path: string): Promise<Record<string, unknown>> }> {
  const chain = testChain();
  assert.ok(chain);
  const answered = answers();
  await run('restartBackend');
  await vscode.commands.executeCommand('workbench.view.extension.hexlens');
  await hoverTextAt(await untitled(chain.accounts.alice), chain.accounts.alice);
  await run('inspect', ALL_TRANSFERS);
  await answered.next();
  answered.dispose();
  await settings().update('http.port', 0, vscode.ConfigurationTarget.Global);
  const url = await run<string>('startHttp');
  await run('copyHttpKey');
  const key = await vscode.env.clipboard.readText();
  const ask = (path: string) => read(`${url}/api/v2${path}`, key);
  const page = await ask('/nft/transfers?chain=local&limit=1');
  assert.equal(page['index_complete'], true, JSON.stringify(page));
  return { ask };
}

const ALL_TRANSFERS = { kind: 'operation', operation: 'nftTransfers', parameters: { chain: 'local' } };
const settings = () => vscode.workspace.getConfiguration('hexlens');
const node = process.env['HEXLENS_BENCH_NODE'];

if (node !== undefined)
  describe('the main thread', () => {
    it('stays free while the worker syncs', async function () {
      this.timeout(280_000);
      await hexlens().activate();
      const bundles = join(hexlens().extensionPath, 'dist', '/');
      const { ask } = await useOnce();
      const counted = () => ask('/nft/transfers?chain=local&limit=1&disable_total=false');
      const { total: before } = await counted();
      /** At first it may still be the chain of the workspace that answers. */
      const isSynced = async () => {
        const page = await counted();
        return page['index_complete'] === true && page['total'] !== before;
      };

      // What reads the settings anew is no work of a sync.
      await settings().update('nodes', { local: node }, vscode.ConfigurationTarget.Workspace);
      const endSync = await monitorThread(bundles);
      await run('inspect', ALL_TRANSFERS);
      for (let synced = false; !synced; ) {
        const page = await ask('/nft/transfers?chain=local&limit=1');
        assert.ok(Array.isArray(page['result']), JSON.stringify(page));
        synced = page['index_complete'] === true && (await isSynced());
      }
      const sync = await endSync();

      // The same questions, as often, of an index that is there.
      const endIdle = await monitorThread(bundles);
      for (let asked = 0; asked < sync.seconds / 1.5; asked++) {
        await ask('/nft/transfers?chain=local&limit=1');
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
