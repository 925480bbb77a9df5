// Child processes of tests, which a small process starts for a test worker.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startProcess } from '../support/startProcess.ts';

test('reports the end of processes that end while this one is busy', async () => {
  for (let turns = 0; turns < 40; turns++) {
    const ending = startProcess('sh', ['-c', `exit ${turns}`]).then(child => once(child, 'exit'));
    for (let turn = 0; turn < turns; turn++) await setImmediate();
    // Longer than the other process takes.
    spawnSync('sh', ['-c', 'for n in 1 2 3; do sh -c true; done']);
    const [code] = await ending;
    expect(code).toBe(turns);
  }
});

test('has the whole output and passes the input on', async () => {
  const child = await startProcess('cat', [], { stdin: 'pipe' });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stdin?.end('a'.repeat(300_000));
  await once(child, 'close');
  expect(output).toHaveLength(300_000);
});

test('reports a program that does not exist', async () => {
  const child = await startProcess('/nowhere/program', []);
  const [error] = await once(child, 'error');
  expect((error as NodeJS.ErrnoException).code).toBe('ENOENT');
});
