// `node watchedSync.ts WORKER URL FOLDER`: a first sync in the real worker, measured from the main thread.
import { Worker } from 'node:worker_threads';
import { defaultConfiguration } from '../../src/api/configuration.ts';
import { encodeRequest } from '../../src/api/wire/request.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { WorkerConnection } from '../../src/client/workerConnection.ts';
import { workerOptions } from '../../src/extension/nodePlatform.ts';

/** Written to standard output as one line of JSON. */
export interface WatchedSync {
  readonly syncMs: number;
  readonly firstResponseMs: number;
  readonly longestRequestMs: number;
  /** Peak growth of the process in MB, from before the worker was started. */
  readonly memory: number;
  /** Longest CPU time in milliseconds of the main thread between two ticks of a timer. */
  readonly blocked: number;
}

const [file = '', url = '', folder = ''] = process.argv.slice(2);
const request = encodeRequest('nftTransfers', { limit: 100 });
const toMegabytes = (bytes: number) => bytes / 1_048_576;
const before = process.memoryUsage.rss();
let peak = before;
const link = new WorkerConnection({
  start: () => new Worker(file, workerOptions),
  clock: systemClock,
  log: silentLog,
});
link.configure({ ...defaultConfiguration, nodes: { local: url }, dataFolder: folder });
await link.lookup('chainStatus', { chain: 'local' });

let blocked = 0;
let cpu = process.threadCpuUsage();
const timer = setInterval(() => {
  // CPU time, since only the work of this thread would block the editor, not that of other programs.
  const now = process.threadCpuUsage();
  blocked = Math.max(blocked, (now.user - cpu.user + now.system - cpu.system) / 1_000);
  cpu = now;
  peak = Math.max(peak, process.memoryUsage.rss());
}, 4);

const start = performance.now();
const times: number[] = [];
for (let done = false; !done; ) {
  const requestStart = performance.now();
  const { status, body } = await link.transport.send(request);
  times.push(performance.now() - requestStart);
  if (status !== 200) throw new Error(JSON.stringify(body));
  done = (body as { index_complete: boolean }).index_complete;
}
const syncMs = performance.now() - start;
clearInterval(timer);
await link.stop();
const watched: WatchedSync = {
  syncMs,
  firstResponseMs: times[0] ?? 0,
  longestRequestMs: Math.max(...times),
  memory: toMegabytes(peak - before),
  blocked,
};
process.stdout.write(`${JSON.stringify(watched)}\n`);
