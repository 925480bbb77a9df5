// What a long sync costs the extension host's main thread. Runs for the benchmark `host`, which has a chain of many logs.
import * as assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
import { hexlens } from './editor.ts';

/** Milliseconds. */
export interface Watched {
  readonly seconds: number;
  /** Looks of the ticker. */
  readonly looks: number;
  /** Longest work of the thread between two looks, of its own processor time: others' processes do not count. */
  readonly longest: number;
  /** Looks between which the thread worked for more than 5 ms. */
  readonly over: number;
  /** Share of the time that the thread worked, in percent. */
  readonly busy: number;
  /** How late timers were at most and in 99 of 100 cases, whoever had the processor. */
  readonly latest: number;
  readonly late99: number;
}

export interface MainThreadMeasures {
  readonly idle: Watched;
  readonly sync: Watched;
  /** NFT transfers that were indexed meanwhile. */
  readonly transfers: number;
}

const TICK_MS = 1;
const BLOCKED_MS = 5;

/** Watches the thread from now on; the result ends it. */
function watch(): () => Watched {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const started = performance.now();
  const first = process.threadCpuUsage();
  const spent = (from: NodeJS.CpuUsage, to: NodeJS.CpuUsage) => (to.user - from.user + to.system - from.system) / 1_000;
  let [looks, longest, over, before] = [0, 0, 0, first];
  const timer = setInterval(() => {
    const now = process.threadCpuUsage();
    const worked = spent(before, now);
    before = now;
    looks++;
    longest = Math.max(longest, worked);
    if (worked > BLOCKED_MS) over++;
  }, TICK_MS);
  delay.enable();
  return () => {
    clearInterval(timer);
    delay.disable();
    const ms = performance.now() - started;
    const busy = (100 * spent(first, process.threadCpuUsage())) / ms;
    const [latest, late99] = [delay.max / 1e6, delay.percentile(99) / 1e6];
    return { seconds: ms / 1_000, looks, longest, over, busy, latest, late99 };
  };
}

const run = <T>(command: string) => vscode.commands.executeCommand<T>(`hexlens.${command}`);

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

const node = process.env['HEXLENS_BENCH_NODE'];

if (node !== undefined)
  describe('the main thread', () => {
    it('stays free while the worker syncs', async function () {
      this.timeout(280_000);
      await hexlens().activate();
      const settings = () => vscode.workspace.getConfiguration('hexlens');
      await settings().update('http.port', 0, vscode.ConfigurationTarget.Global);
      await settings().update('nodes', { local: node }, vscode.ConfigurationTarget.Workspace);
      const url = await run<string>('startHttp');
      await run('copyHttpKey');
      const key = await vscode.env.clipboard.readText();
      const ask = (path: string) => read(`${url}/api/v2${path}`, key);
      // Everything is loaded and has answered once, from that chain.
      const first = await ask('/block/1?chain=local');
      assert.equal(first['number'], 1, JSON.stringify(first));

      const endSync = watch();
      for (;;) {
        const page = await ask('/nft/transfers?chain=local&limit=1');
        assert.ok(Array.isArray(page['result']), JSON.stringify(page));
        if (page['index_complete'] === true) break;
      }
      const sync = endSync();

      // The same questions, as often, of an index that is there.
      const endIdle = watch();
      for (let asked = 0; asked < sync.seconds / 1.5; asked++) {
        await ask('/nft/transfers?chain=local&limit=1');
        await new Promise(done => setTimeout(done, 1_500));
      }
      const idle = endIdle();
      const { total } = await ask('/nft/transfers?chain=local&limit=1&disable_total=false');
      await run('stopHttp');
      const report = process.env['HEXLENS_HOST_REPORT'];
      const measures: MainThreadMeasures = { idle, sync, transfers: Number(total) };
      if (report) writeFileSync(join(dirname(report), 'main-thread.json'), JSON.stringify(measures));
    });
  });
