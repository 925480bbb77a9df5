// Locals and state variables of the debugger beside those of @truffle/debugger, on short transactions of builds without the optimizer.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DebugReference, DebugVariable } from '../../src/api/debugSession.ts';
import { bytesToHex, type Hex, toQuantity } from '../../src/base/hex.ts';
import { localize } from '../../src/base/localize.ts';
import type { Debugger } from '../../src/decode/debug/debugger.ts';
import { DebugChain, openDebugger, SENDER, type TracedRun } from '../support/source/debugChain.ts';
import { createSourceProject, type SourceProject } from '../support/source/sourceProject.ts';
import type { BenchRow } from './benchResult.ts';
import { installPeer } from './installPeer.ts';
import type { PeerStop } from './stackPeers.ts';
import { TRUFFLE, toJob } from './stacks.ts';

/** An EVM that Ganache has. */
const SETTINGS = { evmVersion: 'shanghai' };
const MAX_DEPTH = 4;
const WALK_MS = 240_000;
const SALT: Hex = `0x${'07'.repeat(32)}`;

interface ComparedRun {
  readonly file: string;
  readonly library: string | null;
  readonly run: (chain: DebugChain) => Promise<TracedRun>;
}

const walked = (functionName: string, ...args: readonly unknown[]): ComparedRun => ({
  file: 'Walk.sol',
  library: 'Sums',
  run: chain => chain.deploy('Sums').deploy('Walk', [3n]).traceCall('Walk', functionName, args),
});
const vaults = (functionName: string, ...args: readonly unknown[]): ComparedRun => ({
  file: 'Vaults.sol',
  library: 'Rates',
  run: chain => chain.deploy('Rates').deploy('Vaults', [1_000n]).traceCall('Vaults', functionName, args),
});

const RUNS: readonly ComparedRun[] = [
  walked('loop', 3n),
  walked('nested', 4n),
  walked('linked', 4n),
  walked('store', 7n, 'ada'),
  vaults('fund', 500n),
  vaults('openChild', 21n, SALT),
  {
    ...{ file: 'Sort.sol', library: null },
    run: chain => chain.deploy('Sort').traceCall('Sort', 'run', [[3n, 1n, 2n]]),
  },
];

async function list(session: Debugger, step: number, reference: DebugReference): Promise<readonly DebugVariable[]> {
  const reply = await session.handle({ kind: 'variables', step, frame: 0, reference });
  return 'variables' in reply ? reply.variables : [];
}

async function addValues(
  values: Record<string, string>,
  session: Debugger,
  step: number,
  variables: readonly DebugVariable[],
  parent = '',
): Promise<void> {
  for (const { name, value, reference } of variables) {
    const path = parent === '' || name.startsWith('[') ? `${parent}${name}` : `${parent}.${name}`;
    if (reference === null) values[path] = typeof value === 'string' ? value : localize(value);
    else if (path.split(/[.[]/).length <= MAX_DEPTH)
      await addValues(values, session, step, await list(session, step, reference), path);
  }
}

/** At each line, as it steps in. */
async function walk(run: TracedRun): Promise<readonly PeerStop[]> {
  const session = openDebugger(run);
  const stops: PeerStop[] = [];
  for (
    let step: number | null = session.steps.first;
    step !== null;
    step = session.steps.move(step, 'stepIn', 'statement')
  ) {
    const reply = await session.handle({ kind: 'stack', step });
    const line = 1 + (('frames' in reply ? reply.frames[0]?.place?.start.line : null) ?? -1);
    if (stops.at(-1)?.line === line) continue;
    const values: Record<string, string> = {};
    for (const scope of ['state', 'locals'] as const)
      await addValues(values, session, step, await list(session, step, { kind: 'scope', scope }));
    stops.push({ line, values });
  }
  return stops;
}

async function walkTruffle(
  installed: string,
  project: SourceProject,
  { input }: TracedRun,
  linked: Hex,
): Promise<readonly PeerStop[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-values-'));
  try {
    const sent = [...input.earlier, input.transaction];
    const transactions = sent.map(({ from, to, input: data, value }, i) => ({
      ...{
        from,
        to,
        data: bytesToHex(data),
        value: toQuantity(value),
        gas: '0x989680',
        isFailure: i === sent.length - 1,
      },
    }));
    const file = join(folder, 'job.json');
    await writeFile(file, JSON.stringify({ ...toJob(project, SETTINGS, transactions, linked), accounts: [SENDER] }));
    const script = fileURLToPath(new URL('stackPeers.ts', import.meta.url));
    await promisify(execFile)(process.execPath, [script, 'truffle-values', installed, file], { timeout: WALK_MS });
    const [stops] = JSON.parse(await readFile(`${file}.stacks`, 'utf8')) as readonly { frames: readonly PeerStop[] }[];
    return stops?.frames ?? [];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The stops of the lines at which both stop equally often, in pairs. */
function pair(own: readonly PeerStop[], theirs: readonly PeerStop[]): readonly (readonly [PeerStop, PeerStop])[] {
  return [...new Set(own.map(({ line }) => line))].flatMap(line => {
    const [a, b] = [own, theirs].map(stops => stops.filter(each => each.line === line));
    if (a === undefined || b === undefined || a.length !== b.length) return [];
    return a.map((stop, i) => [stop, b[i] as PeerStop] as const);
  });
}

/** How many values both have, and how many of them are equal; nothing where Truffle's debugger cannot be installed. */
export async function compareValues(): Promise<readonly BenchRow[]> {
  const installed = await installPeer('truffle', TRUFFLE).catch((error: Error) => error);
  if (installed instanceof Error) {
    console.log(`@truffle/debugger: not compared, ${installed.message}`);
    return [];
  }
  let [compared, equal, places] = [0, 0, 0];
  for (const { file, library, run } of RUNS) {
    const project = await createSourceProject('solc', [file], SETTINGS);
    const chain = new DebugChain(project);
    const traced = await run(chain);
    const linked = library === null ? '0x' : chain.addressOf(library);
    const [own, theirs] = [await walk(traced), await walkTruffle(installed, project, traced, linked)];
    for (const [ours, other] of pair(own, theirs)) {
      places++;
      for (const [path, value] of Object.entries(other.values)) {
        const mine = ours.values[path];
        if (mine === undefined) continue;
        compared++;
        if (mine.toLowerCase() === value.toLowerCase()) equal++;
        else console.log(`${file}:${ours.line}: ${path} is ${mine}, of Truffle ${value}`);
      }
    }
  }
  return [
    { what: 'lines compared with @truffle/debugger', value: places, unit: '' },
    { what: 'values of variables that both have', value: compared, unit: '' },
    { what: 'of those, equal', value: equal, unit: '', target: { min: compared } },
  ];
}
