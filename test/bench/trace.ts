// Traces of transactions with many steps, as programs run them: `hexlens trace` beside `cast run`, from a default Anvil.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Hex } from '../../src/base/hex.ts';
import { assemble, toCreationCode } from '../support/assemble.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { openNode } from '../support/traceFixture.ts';
import { type BenchResult, measureInTurn, measureLongestTask, median } from './benchResult.ts';
import { installPeer } from './installPeer.ts';
import { runStacks } from './stacks.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const CAST = { '@foundry-rs/cast': '1.7.1', '@foundry-rs/cast-linux-amd64': '1.7.1' };
const RUNS = 5;
/** Steps of one turn of the loop: `again: 1 SWAP1 SUB DUP1 @again JUMPI`. */
const STEPS_PER_TURN = 7;

/** A transaction of about so many steps. */
async function sendLoop(anvil: Anvil, steps: number): Promise<Hex> {
  const [from] = await anvil.rpc<readonly Hex[]>('eth_accounts');
  const send = async (call: object): Promise<Hex> => {
    const hash = await anvil.rpc<Hex>('eth_sendTransaction', [{ from, ...call }]);
    await anvil.mine();
    return hash;
  };
  const code = assemble(`${Math.round(steps / STEPS_PER_TURN)} again: 1 SWAP1 SUB DUP1 @again JUMPI STOP`);
  const created = await send({ data: toCreationCode(code), gas: '0x100000' });
  const { contractAddress } = await anvil.rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', [created]);
  return send({ to: contractAddress, gas: '0x2000000' });
}

/** In this process, with the module loaded: from the first request to the whole trace. */
async function measureTrace(anvil: Anvil, hash: Hex): Promise<{ readonly ms: number; readonly longestTaskMs: number }> {
  const { fetchTrace } = await import('../../src/service/trace/fetchTrace.ts');
  const { node, stop } = openNode(anvil.url);
  await node.getState();
  const start = performance.now();
  const work = fetchTrace(node, hash, undefined);
  const longestTaskMs = await measureLongestTask(work);
  const { result } = await work;
  const ms = performance.now() - start;
  await stop();
  if (!('trace' in result) || result.trace.by !== 'replay') throw new Error('The transaction was not replayed.');
  return { ms, longestTaskMs };
}

/** Megabytes that a process of its own held at most. */
async function measurePeakMemory(args: readonly string[], cwd: string): Promise<number> {
  const report = 'process.on("exit", () => console.error(process.resourceUsage().maxRSS));';
  const hook = `data:text/javascript,${encodeURIComponent(report)}`;
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', hook, ...args], { cwd });
  return Number(stderr.trim().split('\n').at(-1)) / 1000;
}

export async function runTraceBench(): Promise<BenchResult> {
  const anvil = await startAnvil({ gasLimit: 100_000_000 });
  try {
    const run = promisify(execFile);
    const peer = await installPeer('cast', CAST);
    const cast = join(peer, 'node_modules', '@foundry-rs', 'cast-linux-amd64', 'bin', 'cast');
    const rows: BenchResult['rows'][number][] = [];
    for (const [steps, limit] of [
      [10_000, 150],
      [862_727, 1_500],
      [1_000_000, 2_000],
    ] as const) {
      const hash = await sendLoop(anvil, steps);
      await measureTrace(anvil, hash);
      const measured = [];
      for (let index = 0; index < RUNS; index++) measured.push(await measureTrace(anvil, hash));
      const what = `${steps.toLocaleString('en')} steps`;
      const ms = median(measured.map(each => each.ms));
      const longest = Math.max(...measured.map(({ longestTaskMs }) => longestTaskMs));
      rows.push(
        { what: `trace of ${what}`, value: ms, unit: 'ms', target: { max: limit } },
        { what: 'longest time without a look at other work', value: longest, unit: 'ms', target: { max: 100 } },
      );
      const node = ['--node', `local=${anvil.url}`];
      const both = await measureInTurn(
        RUNS,
        () => run(process.execPath, [CLI, 'trace', hash, '--calls', ...node], { cwd: peer }),
        () => run(cast, ['run', hash, '--rpc-url', anvil.url], { cwd: peer }),
      );
      rows.push(
        { what: `hexlens trace --calls, ${what}`, value: both.ours, unit: 'ms' },
        { what: `cast run, ${what}`, value: both.theirs, unit: 'ms' },
        {
          what: `most memory of hexlens trace, ${what}`,
          value: await measurePeakMemory([CLI, 'trace', hash, '--calls', ...node], peer),
          unit: 'MB',
          target: { max: 300 },
        },
      );
    }
    return {
      title: 'Traces of transactions (beside cast run), and their stacks',
      rows: [...rows, ...(await runStacks())],
    };
  } finally {
    await anvil.stop();
  }
}
