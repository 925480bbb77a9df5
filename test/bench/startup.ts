// Size, load and activation of the extension's own bundle, measured inside the real VS Code host.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StartupMeasures } from '../host/suite/startup.suite.ts';
import { type Bench, median } from './measure.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export async function runStartupBench(): Promise<Bench> {
  const run = spawnSync(process.execPath, ['test/host/run.ts', '--grep', 'start-up'], { cwd: root, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`The editor could not be measured:\n${run.stdout}${run.stderr}`);
  const measures = JSON.parse(readFileSync(join(root, 'out/test-results/startup.json'), 'utf8')) as StartupMeasures;
  return {
    title: 'Start-up (in the real VS Code host)',
    rows: [
      { what: 'dist/extension.js', value: measures.bytes / 1000, unit: 'kB', target: { most: 60 } },
      {
        what: 'load (read, compile, run), median of 11',
        value: median(measures.loads),
        unit: 'ms',
        target: { most: 5 },
      },
      { what: 'activate', value: measures.activate, unit: 'ms', target: { most: 10 } },
    ],
  };
}
