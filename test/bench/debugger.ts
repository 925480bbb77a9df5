// A debug session in the real worker: from the first request of a new thread to entry, steps, reverse-continue, memory; values beside another debugger's.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import { defaultConfiguration } from '../../src/api/configuration.ts';
import type { DebugOpened, DebugRequest, DebugResponse } from '../../src/api/debugSession.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { WorkerConnection } from '../../src/client/workerConnection.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { createSourceProject, type SourceProject } from '../support/source/sourceProject.ts';
import { type BenchResult, median } from './benchResult.ts';
import { compareValues } from './debuggerValues.ts';

const WORKER = join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/worker.js');
const RUNS = 5;
const JUMPS = 200;

type Send = (request: DebugRequest) => Promise<DebugResponse>;

interface OpenedSession {
  readonly opened: DebugOpened;
  readonly ms: number;
  readonly send: Send;
  readonly link: WorkerConnection;
}

async function deploy(anvil: Anvil, project: SourceProject): Promise<(count: bigint) => Promise<Hex>> {
  const [from] = await anvil.rpc<readonly Hex[]>('eth_accounts');
  const send = async (call: object): Promise<Hex> => {
    const hash = await anvil.rpc<Hex>('eth_sendTransaction', [{ from, ...call }]);
    await anvil.mine();
    return hash;
  };
  const { abi, evm } = project.contract('Walk');
  const bytecode = `0x${evm.bytecode.object.replace(/__\$.{34}\$__/g, '11'.repeat(20))}` as Hex;
  const created = await send({ data: encodeDeployData({ abi: abi as Abi, bytecode, args: [3n] }), gas: '0x500000' });
  const { contractAddress: to } = await anvil.rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', [created]);
  return count =>
    send({
      to,
      data: encodeFunctionData({ abi: abi as Abi, functionName: 'spin', args: [count] }),
      gas: '0x8000000',
    });
}

/** In a thread that was not used before: what a first session waits for. */
async function openSession(anvil: Anvil, project: SourceProject, hash: Hex): Promise<OpenedSession> {
  const link = new WorkerConnection({ start: () => new Worker(WORKER), clock: systemClock, log: silentLog });
  link.configure({ ...defaultConfiguration, nodes: { local: anvil.url } });
  const start = performance.now();
  const target = { chain: 'local', hash };
  const codes = await link.lookup('tracedCodes', target);
  const { matched: declared } = await project.builds.match(codes, true);
  const send: Send = request => link.lookup('debugRequest', { ...target, session: 'bench', request });
  const opened = (await send({ kind: 'open', builds: declared })) as DebugOpened;
  await send({ kind: 'stack', step: opened.firstStep });
  return { opened, ms: performance.now() - start, send, link };
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Places all over the trace, by a generator whose sequence is always the same. */
function listPlaces(steps: number): readonly number[] {
  let seed = 7;
  return Array.from({ length: JUMPS }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % steps;
  });
}

export async function runDebuggerBench(): Promise<BenchResult> {
  const anvil = await startAnvil({ gasLimit: 1_000_000_000 });
  try {
    const project = await createSourceProject('solc', ['Walk.sol'], {});
    const spin = await deploy(anvil, project);
    const rows: BenchResult['rows'][number][] = [];
    const [short, long] = [await spin(58n), await spin(5_900n)];
    const entries: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const { ms, link, opened } = await openSession(anvil, project, short);
      entries.push(ms);
      if (run === 0) rows.push({ what: 'steps of the short transaction', value: opened.steps, unit: '' });
      await link.stop();
    }
    rows.push({ what: 'entry in a new thread', value: median(entries), unit: 'ms', target: { max: 500 } });

    const before = process.memoryUsage.rss();
    const { opened, ms, send, link } = await openSession(anvil, project, long);
    rows.push({ what: 'steps of the long transaction', value: opened.steps, unit: '' });
    rows.push({ what: 'entry of that', value: ms, unit: 'ms' });
    const places = listPlaces(opened.steps);
    const steps: number[] = [];
    for (const step of places)
      for (const operation of ['next', 'stepBack'] as const)
        steps.push(await measure(() => send({ kind: 'move', step, operation, granularity: 'statement' })));
    steps.sort((a, b) => a - b);
    const p95 = steps[Math.floor(steps.length * 0.95)] ?? 0;
    rows.push({ what: 'a step forward or back anywhere, p95', value: p95, unit: 'ms', target: { max: 20 } });
    const last = { step: opened.steps - 1, isBack: true, breakpoints: [], filters: [] } as const;
    const reverse = await measure(() => send({ kind: 'run', ...last }));
    rows.push({ what: 'reverse-continue over all steps', value: reverse, unit: 'ms', target: { max: 300 } });
    const scope = { kind: 'scope', scope: 'locals' } as const;
    const jumps: number[] = [];
    for (const step of places.slice(0, 20))
      jumps.push(await measure(() => send({ kind: 'variables', step, frame: 0, reference: scope })));
    rows.push({ what: 'variables after a far jump', value: median(jumps), unit: 'ms' });
    const grown = (process.memoryUsage.rss() - before) / 1e6;
    rows.push({ what: 'memory of the session with its thread', value: grown, unit: 'MB', target: { max: 400 } });
    await link.stop();
    rows.push(...(await compareValues()));
    return { title: 'Debug sessions', rows };
  } finally {
    await anvil.stop();
  }
}
