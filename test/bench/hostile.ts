// How long the service takes to say that it is healthy, and how much memory it takes, while a node answers without end; and the
// longest turn of the thread that serves, in processor time: where it is short and `/health` is slow, the machine is busy.
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ServeProcess, startServe } from '../service/cliProcess.ts';
import type { BenchResult, BenchRow } from './benchResult.ts';
import { HOSTILE_MODES } from './hostileNode.ts';
import { FILE_VARIABLE } from './longestTurn.ts';

const CONCURRENT_REQUESTS = 32;
const MAX_HEALTH_MS = 200;
const MAX_TURN_MS = 100;
const MAX_MEMORY_MB = 600;
const MAX_REQUEST_MS = 60_000;
const PATH = `/api/v2/wallets/balances?chain=eth&wallet_addresses=0x${'ab'.repeat(20)}`;

async function readPeakMb({ child }: ServeProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_000;
}

async function measure(name: string): Promise<readonly BenchRow[]> {
  const node = new Worker(join(import.meta.dirname, 'hostileNode.ts'), { workerData: name });
  const [port] = (await once(node, 'message')) as [port: number];
  const turnFile = join(tmpdir(), `hexlens-turn-${process.pid}`);
  const server = await startServe(['--port', '0', '--key', 'k', '--node', `eth=http://127.0.0.1:${port}`], {
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'longestTurn.ts')}`,
    [FILE_VARIABLE]: turnFile,
  });
  const get = async (path: string) => {
    const signal = AbortSignal.timeout(MAX_REQUEST_MS);
    const reply = await fetch(`${server.ready.url}${path}`, { headers: { 'x-api-key': 'k' }, signal }).catch(
      () => null,
    );
    await reply?.text();
  };
  try {
    // What is compiled and connected first is not measured.
    await get('/health');
    await get('/api/v2/block/1?chain=eth');
    server.child.kill('SIGUSR2');
    let [isDone, slowestMs] = [false, 0];
    const watchHealth = async () => {
      while (!isDone) {
        const startedAt = performance.now();
        await get('/health');
        slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      }
    };
    const watching = watchHealth();
    await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, () => get(PATH)));
    isDone = true;
    await watching;
    const peakMb = await readPeakMb(server);
    await server.stop();
    const turnMs = Number(await readFile(turnFile, 'utf8'));
    console.log(`${name}: /health ${slowestMs.toFixed(0)} ms, turn ${turnMs.toFixed(0)} ms, ${peakMb.toFixed(0)} MB`);
    return [
      { what: `/health, slowest: ${name}`, value: slowestMs, unit: 'ms', target: { max: MAX_HEALTH_MS } },
      { what: `turn, longest: ${name}`, value: turnMs, unit: 'ms', target: { max: MAX_TURN_MS } },
      { what: `memory, peak: ${name}`, value: peakMb, unit: 'MB', target: { max: MAX_MEMORY_MB } },
    ];
  } finally {
    await server.stop();
    await node.terminate();
    await rm(turnFile, { force: true });
  }
}

/** The times are of a quiet machine: each answer is read by 32 requests at once beside the node that writes it. */
export async function runHostileBench(): Promise<BenchResult> {
  const rows: BenchRow[] = [];
  for (const name of HOSTILE_MODES) rows.push(...(await measure(name)));
  const getMax = (start: string) =>
    Math.max(...rows.filter(({ what }) => what.startsWith(start)).map(({ value }) => value));
  return {
    title: 'A node that answers without end',
    rows: [
      ...rows,
      { what: '/health, slowest of all', value: getMax('/health'), unit: 'ms', target: { max: MAX_HEALTH_MS } },
      { what: 'turn, longest of all', value: getMax('turn'), unit: 'ms', target: { max: MAX_TURN_MS } },
      { what: 'memory, peak of all', value: getMax('memory'), unit: 'MB', target: { max: MAX_MEMORY_MB } },
    ],
  };
}
