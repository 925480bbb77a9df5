// Runs a test suite in the real extension host of VS Code that writes measurements.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the tests with `title` in their title, and reads the file that they wrote into out/test-results. */
export function measureInExtensionHost<T>(title: string, file: string): T {
  const run = spawnSync(process.execPath, ['test/editor/run.ts', '--grep', title], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, HEXLENS_BENCH: '1' },
  });
  if (run.status !== 0) throw new Error(`The editor could not be measured:\n${run.stdout}${run.stderr}`);
  return JSON.parse(readFileSync(join(root, 'out/test-results', file), 'utf8')) as T;
}
