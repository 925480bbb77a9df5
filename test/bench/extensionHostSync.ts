// What a first sync of 200,000 logs costs the main thread of VS Code's extension host.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CodeLocation } from '../editor/suite/extensionWork.ts';
import type { MainThreadMeasures } from '../editor/suite/mainThread.suite.ts';
import { startAnvil } from '../support/chain/anvil.ts';
import { emitLogs } from '../support/chain/chainLoad.ts';
import type { BenchResult, BenchRow } from './benchResult.ts';
import { createSourcePositions } from './sourcePositions.ts';

const LOGS = 200_000;
const root = fileURLToPath(new URL('../..', import.meta.url));
const report = join(root, 'out/test-results/main-thread.json');

/** Asynchronous, so that the chain in this process keeps responding. */
async function measure(url: string): Promise<MainThreadMeasures> {
  await rm(report, { force: true });
  const child = spawn(process.execPath, ['test/editor/run.ts', '--grep', 'the main thread'], {
    cwd: root,
    env: { ...process.env, HEXLENS_BENCH_NODE: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The editor could not be measured:\n${output}`);
  return JSON.parse(await readFile(report, 'utf8')) as MainThreadMeasures;
}

/** The code locations that make up the row before them. */
function createLocationRows(locations: readonly CodeLocation[]): readonly BenchRow[] {
  const toSource = createSourcePositions(join(root, 'dist'));
  return locations.map(({ location, ms }) => ({ what: `  ${toSource(location)}`, value: ms, unit: 'ms' }));
}

export async function runExtensionHostBench(): Promise<BenchResult> {
  const anvil = await startAnvil();
  try {
    await emitLogs(anvil, LOGS);
    const { sync, idle, transfers } = await measure(anvil.url);
    const both = (what: string, value: (watched: typeof sync) => number, unit: string) => [
      { what: `${what}, syncing`, value: value(sync), unit },
      { what: `${what}, idle`, value: value(idle), unit },
    ];
    return {
      title: `Main thread of the real VS Code host while the worker syncs ${LOGS.toLocaleString('en')} logs (${transfers.toLocaleString('en')} NFT transfers)`,
      rows: [
        { what: 'our longest task, syncing', value: sync.own.longest, unit: 'ms', target: { max: 5 } },
        ...createLocationRows(sync.own.longestOf),
        { what: 'our longest task, idle', value: idle.own.longest, unit: 'ms' },
        ...createLocationRows(idle.own.longestOf),
        { what: 'all our work, syncing', value: sync.own.total, unit: 'ms' },
        ...createLocationRows(sync.own.totalOf),
        { what: 'all our work, idle', value: idle.own.total, unit: 'ms' },
        ...createLocationRows(idle.own.totalOf),
        ...both('samples taken of the thread', ({ own, seconds }) => own.samples / seconds / 1_000, '/ms'),
        ...both('garbage collections in the midst of our work', ({ own }) => own.collections, ''),
        ...both('garbage collections, of all extensions', ({ collected }) => collected, ''),
        ...both('longest garbage collection', ({ longestCollection }) => longestCollection, 'ms'),
        ...both('longest task, of all extensions', ({ longest }) => longest, 'ms'),
        ...both('times that it worked for more than 5 ms', ({ over }) => over, ''),
        ...both('time that it worked', ({ busy }) => busy, '%'),
        ...both('99 of 100 timers were at most so late', ({ late99 }) => late99, 'ms'),
        ...both('latest timer', ({ latest }) => latest, 'ms'),
        ...both('watched for', ({ seconds }) => seconds, 's'),
      ],
    };
  } finally {
    await anvil.stop();
  }
}
