// `npm run test:coverage`: runs the tests that need no editor, and prints the coverage of each layer of `src`.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Counts {
  readonly total: number;
  readonly covered: number;
}
type FileCoverage = Readonly<Record<'lines' | 'branches', Counts>>;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'out/coverage');

const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    ...['run', '--config', 'test/vitest.config.ts', '--reporter=dot', ...process.argv.slice(2)],
    ...['--coverage', '--coverage.include=src/**/*.ts', '--coverage.reporter=json-summary', '--coverage.reporter=html'],
    ...[`--coverage.reportsDirectory=${folder}`, '--coverage.reportOnFailure'],
  ],
  { cwd: root, stdio: 'inherit' },
);

const { total, ...files } = JSON.parse(readFileSync(join(folder, 'coverage-summary.json'), 'utf8')) as Record<
  string,
  FileCoverage
>;
const layers = new Map<string, FileCoverage[]>();
for (const [path, coverage] of Object.entries(files)) {
  const [, layer = ''] = relative(root, path).split(sep);
  layers.set(layer, [...(layers.get(layer) ?? []), coverage]);
}

const percent = (coverages: readonly FileCoverage[], kind: keyof FileCoverage): string => {
  const sum = (part: keyof Counts) => coverages.reduce((count, coverage) => count + coverage[kind][part], 0);
  return sum('total') === 0 ? '-' : `${((100 * sum('covered')) / sum('total')).toFixed(1)} %`;
};
const print = (layer: string, coverages: readonly FileCoverage[]) =>
  console.log(
    `${layer.padEnd(16)}${percent(coverages, 'lines').padStart(9)}${percent(coverages, 'branches').padStart(11)}`,
  );

console.log(`\n${'Layer'.padEnd(16)}${'Lines'.padStart(9)}${'Branches'.padStart(11)}`);
for (const [layer, coverages] of [...layers].sort()) print(layer, coverages);
if (total !== undefined) print('all', [total]);
console.log(
  'Without what only runs in VS Code, in a page, or in a child process: `extension` and `cli` are covered by other steps of `npm test`.\nLine by line: out/coverage/index.html',
);
process.exitCode = status ?? 1;
