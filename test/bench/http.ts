// The service over HTTP under load: requests per second and p99 against a bare Hono handler with the same bytes; memory.
// Each operation twice: one request repeatedly, and many different ones in turn.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { startServe } from '../service/cliProcess.ts';
import { startAnvil } from '../support/chain/anvil.ts';
import { fillChain } from '../support/chain/fillChain.ts';
import { type BenchResult, type BenchRow, median } from './benchResult.ts';
import { CONNECTIONS, type LoadRequest, type LoadResult, runHttpLoad } from './httpLoad.ts';
import { measureMemoryUnderLoad } from './httpMemory.ts';
import { INSPECTABLE } from './liveHeap.ts';

const KEY = 'bench-key';
/** Of each run; many short ones, since the rate of a machine changes from second to second. */
const SECONDS = 1;
const RUNS = 5;
/** V8 has optimized the code then. */
const WARM_SECONDS = 2;
/** Minutes of the memory run; `HEXLENS_BENCH_MINUTES=10` gives the full one. */
const MINUTES = Number(process.env['HEXLENS_BENCH_MINUTES'] ?? 0.5);
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');

const load = (url: string, requests: readonly LoadRequest[], seconds: number) =>
  runHttpLoad({ url, requests, seconds, key: KEY });

const get = (path: string): LoadRequest => ({ method: 'GET', path });
const times = (count: number, make: (index: number) => LoadRequest): readonly LoadRequest[] =>
  Array.from({ length: count }, (_, index) => make(index));

async function signIn(nonce: string): Promise<LoadRequest> {
  const message = createSiweMessage({
    ...{ address: account.address, chainId: 1, domain: 'example.com', nonce, version: '1' },
    uri: 'https://example.com/login',
  });
  const signature = await account.signMessage({ message });
  return { method: 'POST', path: '/challenge/verify/evm', body: JSON.stringify({ message, signature }) };
}

/** More than the service caches, so that no response comes from a cache. */
const SIGN_INS = 3_000;

async function startBare(file: string): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bareHono.ts'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { url: (JSON.parse(String(line)) as { url: string }).url, child };
}

/** @param options `soak`: also the memory under load. */
export async function runHttpBench({ soak }: { readonly soak: boolean }): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-bench-http-'));
  const anvil = await startAnvil();
  const chain = await fillChain(anvil);
  const args = ['--port', '0', '--key', KEY, '--node', `local=${anvil.url}`, '--data', join(folder, 'index')];
  const ours = await startServe([...args, '--repeat-sign-in'], INSPECTABLE);
  const { apes, items, coin } = chain.contracts;
  const signIns: LoadRequest[] = [];
  for (let index = 0; index < SIGN_INS; index++) signIns.push(await signIn(`benchNonce${index}`));
  const logs = (limit: number, from: number) => `/api/v2/${coin}/logs?chain=local&limit=${limit}&from_block=${from}`;
  const transfers = (limit: number, from: number) =>
    `/api/v2/nft/${apes}/transfers?chain=local&limit=${limit}&from_block=${from}`;
  const spread = (path: (limit: number, from: number) => string) =>
    times(100, index => get(path(20 + (index % 10), Math.floor(index / 10))));
  const owners = `/api/v2/nft/${items}/1/owners?chain=local`;
  const lists: readonly (readonly [name: string, requests: readonly LoadRequest[], goal: number])[] = [
    ['block', [get(`/api/v2/block/${chain.blocks.busy.number}?chain=local`)], 0.9],
    ['blocks', times(50, index => get(`/api/v2/block/${index}?chain=local`)), 0.9],
    ['logs', [get(logs(25, 0))], 0.7],
    ['logs in 100 ways', spread(logs), 0.7],
    ['transfers', [get(transfers(25, 0))], 0.75],
    ['transfers in 100 ways', spread(transfers), 0.75],
    ['owners', [get(owners)], 0.65],
    ['owners in 100 ways', times(100, index => get(`${owners}&limit=${1 + index}`)), 0.65],
    ['verify', signIns.slice(0, 1), 0.65],
    // Bounded by the cost of recovering a public key.
    ['verify, each once', signIns, 0.35],
  ];
  const responses: Record<string, { status: number; body: string }> = {};
  for (const { path, method, body } of lists.flatMap(([, requests]) => requests)) {
    if (responses[path] !== undefined) continue;
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
    const response = await fetch(`${ours.ready.url}${path}`, { method, headers, body: body ?? null });
    responses[path] = { status: response.status, body: await response.text() };
  }
  const file = join(folder, 'responses.json');
  await writeFile(file, JSON.stringify(responses));
  const bare = await startBare(file);
  try {
    const rows: BenchRow[] = [];
    const loads: LoadResult[] = [];
    for (const [name, requests, goal] of lists) {
      const runs: { readonly ours: LoadResult; readonly theirs: LoadResult }[] = [];
      const loadOurs = (seconds: number) => load(ours.ready.url, requests, seconds);
      const loadTheirs = (seconds: number) => load(bare.url, requests, seconds);
      await loadOurs(WARM_SECONDS);
      await loadTheirs(WARM_SECONDS);
      for (let run = 0; run < RUNS; run++) {
        // In the other order each time, so that neither side always follows on the other.
        const before = run % 2 === 0 ? await loadTheirs(SECONDS) : null;
        const ourLoad = await loadOurs(SECONDS);
        runs.push({ ours: ourLoad, theirs: before ?? (await loadTheirs(SECONDS)) });
      }
      loads.push(...runs.flatMap(run => [run.ours, run.theirs]));
      const kb = median(requests.map(({ path }) => Buffer.byteLength(responses[path]?.body ?? ''))) / 1000;
      const rate = median(runs.map(run => run.ours.rps));
      rows.push(
        { what: `${name} (${kb.toFixed(1)} kB): requests per second`, value: rate, unit: '/s' },
        { what: `${name}: p99`, value: median(runs.map(run => run.ours.p99)), unit: 'ms' },
        {
          what: `${name}: rate against bare Hono`,
          value: median(runs.map(run => run.ours.rps / run.theirs.rps)),
          unit: 'x',
          target: { min: goal },
        },
      );
    }
    const stalled = loads.reduce((sum, load) => sum + load.stalled, 0);
    rows.push({ what: 'requests without a response (a stalled machine)', value: stalled, unit: '' });
    const memory = { server: ours, key: KEY, lists: lists.map(([, requests]) => requests), minutes: MINUTES };
    if (soak) rows.push(...(await measureMemoryUnderLoad(memory)));
    return { title: `HTTP, ${CONNECTIONS} connections, over a real chain`, rows };
  } finally {
    bare.child.kill();
    await ours.stop();
    await anvil.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
