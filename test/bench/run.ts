// `npm run bench`: runs all benchmarks, or those named; prints tables and writes out/bench.json. With `--check`: fails
// where a ratio is worse than docs/performance.md records.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runAptosBench } from './aptos.ts';
import { type BenchResult, meetsTarget, printBench } from './benchResult.ts';
import { runBlockBench } from './block.ts';
import { runDatabaseBench } from './databases.ts';
import { runDebuggerBench } from './debugger.ts';
import { runScanTable } from './documentScan.ts';
import { describeWorseRows, findDrifts, isWorse, parseRecordedRows, type RecordedRow } from './drift.ts';
import { runExtensionHostBench } from './extensionHostSync.ts';
import { runGrowthBench } from './growth.ts';
import { runHeadLatencyBench } from './headLatency.ts';
import { runHostileBench } from './hostile.ts';
import { runHoverBench } from './hover.ts';
import { runHttpBench } from './http.ts';
import { runInspectorBench } from './inspector.ts';
import { runLargeDocumentBench } from './largeDocument.ts';
import { runLookUpBench } from './lookUp.ts';
import { runPonderBench } from './ponder.ts';
import { runSiweBench } from './siweVerification.ts';
import { runStoreBench } from './sqliteStore.ts';
import { runStartupBench } from './startup.ts';
import { runStateBench } from './stateChanges.ts';
import { runSyncBench } from './sync.ts';
import { runTraceBench } from './trace.ts';
import { runTransactionsBench } from './transactions.ts';
import { runTreeBench } from './tree.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const benches: Readonly<Record<string, () => Promise<BenchResult>>> = {
  scan: runScanTable,
  hover: () => runHoverBench(options),
  lookUp: runLookUpBench,
  block: runBlockBench,
  signIn: runSiweBench,
  store: () => runStoreBench(),
  transactions: () => runTransactionsBench(),
  sync: () => runSyncBench(),
  headLatency: runHeadLatencyBench,
  ponder: () => runPonderBench(),
  http: () => runHttpBench(options),
  databases: runDatabaseBench,
  growth: runGrowthBench,
  aptos: () => runAptosBench(),
  inspector: runInspectorBench,
  startup: runStartupBench,
  largeDocument: runLargeDocumentBench,
  host: runExtensionHostBench,
  tree: runTreeBench,
  trace: runTraceBench,
  debugger: runDebuggerBench,
  state: runStateBench,
  hostile: runHostileBench,
};

const { values: options, positionals: names } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    // Of `hover`: also what each layer adds.
    steps: { type: 'boolean', default: false },
    // Of `http`: `--no-soak` leaves out the memory under load.
    soak: { type: 'boolean', default: true },
  },
  allowNegative: true,
  allowPositionals: true,
});
const recorded = options.check ? parseRecordedRows(readFileSync(join(root, 'docs/performance.md'), 'utf8')) : [];
const unknown = [...names, ...recorded.map(({ bench }) => bench)].filter(name => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}

const unrecorded = options.check ? names.filter(name => !recorded.some(({ bench }) => bench === name)) : [];
if (unrecorded.length > 0) {
  console.error(`docs/performance.md has no row of ${unrecorded.join(', ')}, with which --check could compare.`);
  process.exit(2);
}

const results: BenchResult[] = [];
const runBench = async (bench: () => Promise<BenchResult>): Promise<BenchResult> => {
  const result = await bench();
  printBench(result);
  results.push(result);
  return result;
};

/** The rows that are worse than recorded; in doubt the median of three runs counts. */
async function findWorseRows(
  rows: readonly RecordedRow[],
  bench: () => Promise<BenchResult>,
): Promise<readonly string[]> {
  const runs = [findDrifts(rows, await runBench(bench))];
  if (runs[0]?.some(isWorse)) for (let run = 0; run < 2; run++) runs.push(findDrifts(rows, await runBench(bench)));
  return describeWorseRows(runs);
}

const worse: string[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const rows = recorded.filter(row => row.bench === name);
  if (!options.check) await runBench(bench);
  else if (rows.length > 0) worse.push(...(await findWorseRows(rows, bench)));
}
mkdirSync(join(root, 'out'), { recursive: true });
writeFileSync(
  join(root, 'out/bench.json'),
  JSON.stringify({ node: process.version, date: new Date().toISOString(), results }, null, 2),
);
const missed = new Set(
  results.flatMap(({ title, rows }) => rows.filter(row => !meetsTarget(row)).map(({ what }) => `${title}: ${what}`)),
);
console.log(`\nTargets that are missed: ${missed.size === 0 ? 'none' : missed.size}. Written to out/bench.json.`);
if (options.check) {
  console.log(
    worse.length === 0
      ? 'Nothing is more than a tenth worse than in docs/performance.md.'
      : `More than a tenth worse than in docs/performance.md, in the median of three runs:\n  ${worse.join('\n  ')}\nFind the change that costs it, or record the new value there, with its date and the reason.`,
  );
  process.exitCode = worse.length === 0 ? 0 : 1;
}
