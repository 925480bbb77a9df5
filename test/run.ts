// `npm test`: runs every check of the project in turn and prints the total as the last line. `npm test -- hover` runs the steps with that name.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const results = join(root, 'out/test-results');

interface Sums {
  passed: number;
  failed: number;
  skipped: number;
}

function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise(resolve => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
    child.once('error', error => {
      console.error(String(error));
      resolve(1);
    });
    child.once('exit', code => resolve(code ?? 1));
  });
}

const node = (...args: string[]) => run(process.execPath, args);
const tool = (name: string, ...args: string[]) => node(join(root, 'node_modules', name), ...args);

function readJson(file: string): Record<string, unknown> | null {
  const path = join(results, file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>) : null;
}

const getNumber = (report: Record<string, unknown>, key: string) => (typeof report[key] === 'number' ? report[key] : 0);

/** Counts a step without a report of its own as one test. */
const asOneTest = async (work: () => Promise<number>): Promise<Sums> =>
  (await work()) === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };

/** Reads the totals from the report that the step wrote; a non-zero exit without a failed test counts as one failure. */
async function withReport(
  file: string,
  keys: readonly [string, string, string],
  work: () => Promise<number>,
): Promise<Sums> {
  const code = await work();
  const report = readJson(file);
  if (report === null) return { passed: 0, failed: 1, skipped: 0 };
  const sums = {
    passed: getNumber(report, keys[0]),
    failed: getNumber(report, keys[1]),
    skipped: getNumber(report, keys[2]),
  };
  return code !== 0 && sums.failed === 0 ? { ...sums, failed: 1 } : sums;
}

const vitest = () =>
  tool(
    'vitest/vitest.mjs',
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(results, 'vitest.json')}`,
  );

const steps: readonly (readonly [title: string, step: () => Promise<Sums>])[] = [
  ['Types', () => asOneTest(() => tool('typescript/bin/tsc', '-b'))],
  ['Format and lint', () => asOneTest(() => tool('@biomejs/biome/bin/biome', 'ci', '--colors=off', '.'))],
  ['Build', () => asOneTest(() => node('esbuild.mjs'))],
  [
    'Unit, API, server, service, store, guard, conformance',
    () => withReport('vitest.json', ['numPassedTests', 'numFailedTests', 'numPendingTests'], vitest),
  ],
  ['Package', () => asOneTest(() => node('test/package.ts'))],
  [
    'In the editor (development mode)',
    () => withReport('editor-suite.json', ['passes', 'failures', 'pending'], () => node('test/editor/run.ts')),
  ],
  [
    'In the editor (installed .vsix)',
    () =>
      withReport('editor-suite-vsix.json', ['passes', 'failures', 'pending'], () =>
        node('test/editor/run.ts', '--vsix', 'out/hexlens.vsix'),
      ),
  ],
  [
    'End to end (mouse and keyboard)',
    () =>
      withReport('e2e.json', ['passed', 'failed', 'skipped'], () =>
        node('test/e2e/run.ts', '--vsix', 'out/hexlens.vsix'),
      ),
  ],
];

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const only = process.argv[2]?.toLowerCase();
const sums: Sums = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];
for (const [title, step] of steps) {
  if (only !== undefined && !title.toLowerCase().includes(only)) continue;
  const started = Date.now();
  console.log(`\n=== ${title}`);
  const { passed, failed, skipped } = await step();
  console.log(
    `=== ${title}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  );
  sums.passed += passed;
  sums.failed += failed;
  sums.skipped += skipped;
  if (failed > 0) failures.push(title);
}
if (failures.length > 0) console.log(`\nFailed: ${failures.join('; ')}`);
console.log(`\n${sums.passed} passed, ${sums.failed} failed${sums.skipped > 0 ? `, ${sums.skipped} skipped` : ''}`);
process.exitCode = sums.failed === 0 && sums.passed > 0 ? 0 : 1;
