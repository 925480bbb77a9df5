// `npm run bench`: runs all benchmarks, or those named; prints tables and writes out/bench.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runAptosBench } from './aptos.ts';
import { type BenchResult, meetsTarget, printBench } from './benchResult.ts';
import { runBlockBench } from './block.ts';
import { runDatabaseBench } from './databases.ts';
import { runScanTable } from './documentScan.ts';
import { runExtensionHostBench } from './extensionHostSync.ts';
import { runGrowthBench } from './growth.ts';
import { runHeadLatencyBench } from './headLatency.ts';
import { runHoverBench } from './hover.ts';
import { runHttpBench } from './http.ts';
import { runInspectorBench } from './inspector.ts';
import { runLargeDocumentBench } from './largeDocument.ts';
import { runLookUpBench } from './lookUp.ts';
import { runPonderBench } from './ponder.ts';
import { runSiweBench } from './siweVerification.ts';
import { runStoreBench } from './sqliteStore.ts';
import { runStartupBench } from './startup.ts';
import { runSyncBench } from './sync.ts';
import { runTraceBench } from './trace.ts';
import { runTransactionsBench } from './transactions.ts';
import { runTreeBench } from './tree.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const benches: Readonly<Record<string, () => Promise<BenchResult>>> = {
  scan: runScanTable,
  hover: runHoverBench,
  lookUp: runLookUpBench,
  block: runBlockBench,
  signIn: runSiweBench,
  store: () => runStoreBench(),
  transactions: () => runTransactionsBench(),
  sync: () => runSyncBench(),
  headLatency: runHeadLatencyBench,
  ponder: () => runPonderBench(),
  http: runHttpBench,
  databases: runDatabaseBench,
  growth: runGrowthBench,
  aptos: () => runAptosBench(),
  inspector: runInspectorBench,
  startup: runStartupBench,
  largeDocument: runLargeDocumentBench,
  host: runExtensionHostBench,
  tree: runTreeBench,
  trace: runTraceBench,
};

const names = process.argv.slice(2);
const unknown = names.filter(name => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}

const results: BenchResult[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const result = await bench();
  printBench(result);
  results.push(result);
}
mkdirSync(join(root, 'out'), { recursive: true });
writeFileSync(
  join(root, 'out/bench.json'),
  JSON.stringify({ node: process.version, date: new Date().toISOString(), results }, null, 2),
);
const missed = results.flatMap(result => result.rows.filter(row => !meetsTarget(row)));
console.log(
  `\n${missed.length === 0 ? 'Every target is met.' : `${missed.length} targets are missed.`} Written to out/bench.json.`,
);
