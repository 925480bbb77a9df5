// Against ponder over the same chain: a cold first sync, and pages that both APIs have.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultProxyConfiguration } from '../../src/api/configuration.ts';
import { systemClock as clock } from '../../src/base/clock.ts';
import { silentLog as log } from '../../src/base/log.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { createEvmNodes } from '../../src/service/evm/evmNodes.ts';
import { createChainIndex } from '../../src/service/indexer/chainIndex.ts';
import { createSqliteStoreOpener } from '../../src/service/store/sqlite/sqliteStore.ts';
import { startServe } from '../service/cliProcess.ts';
import { startAnvil } from '../support/chain/anvil.ts';
import { emitLogs } from '../support/chain/chainLoad.ts';
import { type BenchResult, type BenchRow, median } from './benchResult.ts';
import { runHttpLoad } from './httpLoad.ts';
import { installPonder, startPonder } from './ponderPeer.ts';

const LOGS = 200_000;
const RUNS = 3;
const SECONDS = 4;
/** The depth at which ponder treats blocks of an unknown chain as final; newer ones it syncs one by one. */
const FINAL_BLOCKS = 40;
const KEY = 'bench-key';

async function syncOurs(url: string): Promise<{ readonly ms: number; readonly transfers: number }> {
  const http = createUndiciHttp(defaultProxyConfiguration);
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-bench-ponder-'));
  const start = performance.now();
  const node = await createEvmNodes({ nodes: { local: url }, http, clock, log, timeoutMs: 20_000 }).find('local');
  const index = createChainIndex({ node, open: createSqliteStoreOpener({ folder, log }), clock, log });
  try {
    for (;;) {
      const { store, isSynced: synced } = await index.current();
      if (synced) return { transfers: await store.countTransfers({}), ms: performance.now() - start };
    }
  } finally {
    await index.stop();
    await http.stop();
    await rm(folder, { recursive: true });
  }
}

async function fetchRowCount(url: string): Promise<number> {
  const [first] = (await (await fetch(`${url}/count`)).json()) as readonly { rows: number | string }[];
  return Number(first?.rows);
}

/** Requests the same pages from both, alternately. */
async function comparePages(ours: string, theirs: string, contract: string): Promise<readonly BenchRow[]> {
  const token = contract.toLowerCase();
  const pages = [
    ['transfers of a contract', `/api/v2/nft/${token}/transfers?chain=local&limit=25`, `/transfers/${token}`],
    ['owners of a token', `/api/v2/nft/${token}/3/owners?chain=local&limit=25`, `/owners/${token}/3`],
  ] as const;
  const rate = async (url: string, path: string) =>
    (await runHttpLoad({ url, requests: [{ method: 'GET', path }], seconds: SECONDS, key: KEY })).rps;
  const rows: BenchRow[] = [];
  for (const [page, ourPath, theirPath] of pages) {
    const ratios: number[] = [];
    for (let run = 0; run < RUNS; run++) ratios.push((await rate(ours, ourPath)) / (await rate(theirs, theirPath)));
    rows.push({
      what: `${page}: requests per second against it`,
      value: median(ratios),
      unit: 'x',
      target: { min: 3 },
    });
  }
  return rows;
}

export async function runPonderBench(logs = LOGS): Promise<BenchResult> {
  const folder = await installPonder();
  const anvil = await startAnvil();
  const data = await mkdtemp(join(tmpdir(), 'hexlens-bench-ponder-serve-'));
  try {
    const { contract, toBlock } = await emitLogs(anvil, logs);
    await anvil.rpc('anvil_mine', [`0x${FINAL_BLOCKS.toString(16)}`]);
    const times: number[] = [];
    let transfers = 0;
    for (let run = 0; run < RUNS; run++) {
      const ours = await syncOurs(anvil.url);
      times.push(ours.ms);
      transfers = ours.transfers;
    }
    const peer = await startPonder(folder, anvil.url, contract, toBlock);
    const args = ['--port', '0', '--key', KEY, '--node', `local=${anvil.url}`, '--data', data];
    const served = await startServe(args);
    served.child.stderr?.resume();
    try {
      const found = await fetchRowCount(peer.url);
      if (found !== transfers) throw new Error(`ponder has ${found} of ${transfers} transfers.`);
      return {
        title: `Against ponder 0.16.10, cold, over ${logs.toLocaleString('en')} logs (real Anvil)`,
        rows: [
          { what: 'ponder: whole sync', value: peer.syncMs, unit: 'ms' },
          { what: 'ours: whole sync', value: median(times), unit: 'ms' },
          { what: 'first sync against it', value: peer.syncMs / median(times), unit: 'x', target: { min: 25 } },
          ...(await comparePages(served.ready.url, peer.url, contract)),
        ],
      };
    } finally {
      await served.stop();
      await peer.stop();
    }
  } finally {
    await anvil.stop();
    await rm(data, { recursive: true, force: true });
  }
}
