// The service over HTTP under load: requests per second and p99 against a bare Hono handler with the same bytes; memory.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { startAnvil } from '../chain/anvil.ts';
import { fillChain } from '../chain/fill.ts';
import { bundleCli, startServe } from '../service/serveProcess.ts';
import { type Bench, median, type Row } from './measure.ts';

const KEY = 'bench-key';
const CONNECTIONS = 32;
const SECONDS = 3;
const RUNS = 3;
/** Minutes of the memory run: `HEXLENS_BENCH_MINUTES=10` for the whole one. */
const MINUTES = Number(process.env['HEXLENS_BENCH_MINUTES'] ?? 0.5);
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');

interface Question {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

interface Load {
  readonly rps: number;
  readonly p50: number;
  readonly p99: number;
}

async function load(url: string, { method, path, body }: Question, seconds: number): Promise<Load> {
  const result = await autocannon({
    url: `${url}${path}`,
    method,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { 'x-api-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  });
  if (result.non2xx > 0 || result.errors > 0 || result.requests.total === 0)
    throw new Error(`${path}: ${result.non2xx} answers were no success, ${result.errors} failed.`);
  return { rps: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

async function startBare(file: string): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bareHono.ts'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { url: (JSON.parse(String(line)) as { url: string }).url, child };
}

/** Resident bytes of a process, in kB. */
async function residentKb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN);
}

export async function runHttpBench(): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-bench-http-'));
  const anvil = await startAnvil();
  const chain = await fillChain(anvil);
  const bundle = await bundleCli();
  const args = ['--port', '0', '--key', KEY, '--node', `local=${anvil.url}`, '--data', join(folder, 'index')];
  const ours = await startServe(bundle.script, [...args, '--repeat-sign-in']);
  ours.child.stderr?.resume();
  const { apes, items, coin } = chain.contracts;
  const message = createSiweMessage({
    ...{ address: account.address, chainId: 1, domain: 'example.com', nonce: 'benchNonce', version: '1' },
    uri: 'https://example.com/login',
  });
  const signature = await account.signMessage({ message });
  const questions: readonly Question[] = [
    { name: 'block', method: 'GET', path: `/api/v2/block/${chain.blocks.busy.number}?chain=local` },
    { name: 'logs', method: 'GET', path: `/api/v2/${coin}/logs?chain=local&limit=25` },
    { name: 'transfers', method: 'GET', path: `/api/v2/nft/${apes}/transfers?chain=local&limit=25` },
    { name: 'owners', method: 'GET', path: `/api/v2/nft/${items}/1/owners?chain=local` },
    { name: 'verify', method: 'POST', path: '/challenge/verify/evm', body: JSON.stringify({ message, signature }) },
  ];
  const answers: Record<string, { status: number; body: string }> = {};
  for (const { path, method, body } of questions) {
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
    const response = await fetch(`${ours.ready.url}${path}`, { method, headers, body: body ?? null });
    answers[path] = { status: response.status, body: await response.text() };
  }
  const file = join(folder, 'answers.json');
  await writeFile(file, JSON.stringify(answers));
  const bare = await startBare(file);
  try {
    const rows: Row[] = [];
    for (const question of questions) {
      const runs: { readonly ours: Load; readonly theirs: Load }[] = [];
      await load(ours.ready.url, question, 1);
      await load(bare.url, question, 1);
      for (let run = 0; run < RUNS; run++)
        runs.push({
          ours: await load(ours.ready.url, question, SECONDS),
          theirs: await load(bare.url, question, SECONDS),
        });
      const kb = Buffer.byteLength(answers[question.path]?.body ?? '') / 1000;
      const rate = median(runs.map(run => run.ours.rps));
      rows.push(
        { what: `${question.name} (${kb.toFixed(1)} kB): requests a second`, value: rate, unit: '/s' },
        { what: `${question.name}: p99`, value: median(runs.map(run => run.ours.p99)), unit: 'ms' },
        {
          what: `${question.name}: share of what bare Hono does`,
          value: median(runs.map(run => run.ours.rps / run.theirs.rps)),
          unit: 'x',
          target: { least: 0.5 },
        },
      );
    }
    const pid = ours.child.pid ?? 0;
    const slice = Math.max(2, Math.round((MINUTES * 60) / (2 * questions.length)));
    const sweep = async () => {
      for (const question of questions) await load(ours.ready.url, question, slice);
      return residentKb(pid);
    };
    const [early, late] = [await sweep(), await sweep()];
    rows.push(
      {
        what: `resident memory after ${((slice * questions.length) / 60).toFixed(1)} min of load`,
        value: early,
        unit: 'kB',
      },
      { what: 'and after twice that, against it', value: late / early, unit: 'x', target: { most: 1.15 } },
    );
    return { title: `HTTP, ${CONNECTIONS} connections, over a real chain`, rows };
  } finally {
    bare.child.kill();
    await ours.stop();
    await bundle.remove();
    await anvil.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
