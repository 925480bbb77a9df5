// `node syncWorker.ts WORKER URL FOLDER`: a first sync in the real worker, watched from the main thread; says what it saw.
import { Worker } from 'node:worker_threads';
import { defaultConfiguration } from '../../src/api/configuration.ts';
import { encodeRequest } from '../../src/api/wire/request.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { createWorkerConnection } from '../../src/client/workerConnection.ts';
import { workerOptions } from '../../src/extension/worker/workerOptions.ts';

/** What the parent reads, as one line of JSON. */
export interface WatchedSync {
  readonly syncMs: number;
  readonly firstAnswerMs: number;
  readonly longestRequestMs: number;
  /** MB that the process grew by, at most, since before the worker was there. */
  readonly memory: number;
  /** Milliseconds of its own processor time that the main thread spent between two looks of its timer, at most. */
  readonly blocked: number;
}

const [file = '', url = '', folder = ''] = process.argv.slice(2);
const request = encodeRequest('nftTransfers', { limit: 100 });
const megabytes = (bytes: number) => bytes / 1_048_576;
const before = process.memoryUsage.rss();
let most = before;
const link = createWorkerConnection({
  start: () => new Worker(file, workerOptions),
  clock: systemClock,
  log: silentLog,
});
link.configure({ ...defaultConfiguration, nodes: { local: url }, dataFolder: folder });
await link.lookup('chainStatus', { chain: 'local' });

let blocked = 0;
let cpu = process.threadCpuUsage();
const timer = setInterval(() => {
  // Time that the system gave to others is not ours: only work of this thread blocks the editor.
  const now = process.threadCpuUsage();
  blocked = Math.max(blocked, (now.user - cpu.user + now.system - cpu.system) / 1_000);
  cpu = now;
  most = Math.max(most, process.memoryUsage.rss());
}, 4);

const start = performance.now();
const times: number[] = [];
for (let done = false; !done; ) {
  const asked = performance.now();
  const { status, body } = await link.transport.send(request);
  times.push(performance.now() - asked);
  if (status !== 200) throw new Error(JSON.stringify(body));
  done = (body as { index_complete: boolean }).index_complete;
}
const syncMs = performance.now() - start;
clearInterval(timer);
await link.stop();
const watched: WatchedSync = {
  syncMs,
  firstAnswerMs: times[0] ?? 0,
  longestRequestMs: Math.max(...times),
  memory: megabytes(most - before),
  blocked,
};
process.stdout.write(`${JSON.stringify(watched)}\n`);
