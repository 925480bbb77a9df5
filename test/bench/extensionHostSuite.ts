// What a suite measured inside the real VS Code host.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the tests with these words in their title, and reads the file in which they left their measures. */
export function measureInExtensionHost<T>(title: string, file: string): T {
  const run = spawnSync(process.execPath, ['test/editor/run.ts', '--grep', title], { cwd: root, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`The editor could not be measured:\n${run.stdout}${run.stderr}`);
  return JSON.parse(readFileSync(join(root, 'out/test-results', file), 'utf8')) as T;
}
