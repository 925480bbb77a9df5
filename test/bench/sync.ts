// A first sync of 200,000 logs: against a bare loop that stores the same rows, and in the real worker with its memory.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { defaultProxyConfiguration } from '../../src/api/configuration.ts';
import { systemClock as clock } from '../../src/base/clock.ts';
import { silentLog as log } from '../../src/base/log.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { createEvmNodes } from '../../src/service/evm/evmNodes.ts';
import { createChainIndex } from '../../src/service/indexer/chainIndex.ts';
import { createSqliteStoreOpener } from '../../src/service/store/sqlite/sqliteStore.ts';
import { startAnvil } from '../support/chain/anvil.ts';
import { emitLogs } from '../support/chain/chainLoad.ts';
import { syncBare } from './bareSync.ts';
import { type BenchResult, type BenchRow, measureInTurn, median } from './benchResult.ts';
import { installSubsquid, syncSubsquid } from './subsquidPeer.ts';
import type { WatchedSync } from './watchedSync.ts';

const LOGS = 200_000;
const RUNS = 3;
const WORKER = join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/worker.js');
const WATCHER = join(import.meta.dirname, 'watchedSync.ts');

/** Syncs until the first page of the whole index can be read; returns the number of NFT transfers. */
async function syncOurs(http: ReturnType<typeof createUndiciHttp>, url: string, folder: string): Promise<number> {
  const node = await createEvmNodes({ nodes: { local: url }, http, clock, log, timeoutMs: 20_000 }).find('local');
  const index = createChainIndex({ node, open: createSqliteStoreOpener({ folder, log }), clock, log });
  try {
    for (;;) {
      const { store, isSynced: synced } = await index.current();
      if (!synced) continue;
      await store.prepareReads?.(); // the bare loop builds all indexes too
      return await store.countTransfers({});
    }
  } finally {
    await index.stop();
  }
}

/** No rows, with a warning, where npm can not install Subsquid. Its own process measures the time, without its start. */
async function compareWithSubsquid(
  ours: number,
  sync: (folder: string, values: boolean) => Promise<number>,
): Promise<readonly BenchRow[]> {
  let folder: string;
  try {
    folder = await installSubsquid();
  } catch (error) {
    console.warn(`Subsquid is not measured, it could not be installed: ${String(error).split('\n')[0]}`);
    return [];
  }
  const [whole, logsOnly]: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run++) {
    whole.push(await sync(folder, true));
    logsOnly.push(await sync(folder, false));
  }
  return [
    {
      what: 'speed against Subsquid over RPC, which stores less, with values of transactions',
      value: median(whole) / ours,
      unit: 'x',
      target: { min: 2.2 },
    },
    {
      what: '… without them; ours reads those of old blocks when shown',
      value: median(logsOnly) / ours,
      unit: 'x',
      target: { min: 1.5 },
    },
  ];
}

export async function runSyncBench(logs = LOGS): Promise<BenchResult> {
  const anvil = await startAnvil();
  const http = createUndiciHttp(defaultProxyConfiguration);
  const root = await mkdtemp(join(tmpdir(), 'hexlens-bench-sync-'));
  const folder = (name: string) => mkdtemp(join(root, name));
  try {
    const { toBlock } = await emitLogs(anvil, logs);
    await anvil.rpc('evm_mine'); // Subsquid waits for a block after the last one
    let [found, wanted, size] = [0, 0, 0];
    const times = await measureInTurn(
      RUNS,
      async () => {
        const indexFolder = await folder('ours-');
        found = await syncOurs(http, anvil.url, indexFolder);
        const [file = ''] = (await readdir(indexFolder)).filter(name => name.endsWith('.db'));
        size = (await stat(join(indexFolder, file))).size;
      },
      async () => {
        wanted = await syncBare(http, anvil.url, join(await folder('bare-'), 'index.sqlite'));
      },
    );
    if (found !== wanted || found === 0) throw new Error(`The index has ${found} transfers, the bare loop ${wanted}.`);
    const peer = await compareWithSubsquid(times.ours, async (subsquid, values) => {
      const file = join(await folder('peer-'), 'index.db');
      const { ms, transfers } = await syncSubsquid({ folder: subsquid, url: anvil.url, to: toBlock, file, values });
      if (transfers !== found) throw new Error(`Subsquid has ${transfers} of ${found} transfers.`);
      return ms;
    });
    const { stdout } = await promisify(execFile)(process.execPath, [
      WATCHER,
      WORKER,
      anvil.url,
      await folder('worker-'),
    ]);
    const watched = JSON.parse(stdout) as WatchedSync;
    return {
      title: `First sync of ${logs.toLocaleString('en')} logs, ${found.toLocaleString('en')} of them NFT transfers (real Anvil)`,
      rows: [
        { what: 'to the first page of the whole index', value: times.ours, unit: 'ms' },
        { what: 'logs per second', value: (logs * 1_000) / times.ours, unit: '' },
        {
          what: 'speed against a bare loop without validation',
          value: 1 / times.ratio,
          unit: 'x',
          target: { min: 1.5 },
        },
        ...peer,
        { what: 'size on disk, per NFT transfer', value: size / found, unit: 'bytes', target: { max: 210 } },
        { what: 'in the worker: first response', value: watched.firstResponseMs, unit: 'ms' },
        { what: 'in the worker: slowest response', value: watched.longestRequestMs, unit: 'ms' },
        { what: 'in the worker: whole sync', value: watched.syncMs, unit: 'ms' },
        { what: 'peak memory of the worker', value: watched.memory, unit: 'MB', target: { max: 140 } },
        { what: 'main thread: longest task', value: watched.blocked, unit: 'ms', target: { max: 5 } },
      ],
    };
  } finally {
    await anvil.stop();
    await http.stop();
    await rm(root, { recursive: true });
  }
}
