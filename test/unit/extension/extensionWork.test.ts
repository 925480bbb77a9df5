// CPU time of the extension in a profile is measured with its code location; that of other code is not.
import { mkdir, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measureExtensionWork, type ThreadSample } from '../../editor/suite/extensionWork.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';

const folder = createTemporaryFolder('hexlens-work-');

/** A function in a file of its own that uses so many milliseconds of CPU time. */
async function createSpinner(name: string): Promise<(ms: number) => void> {
  const file = join(folder, name, 'spin.cjs');
  const text = `exports.spin = function spin(ms) {
  const spent = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
  for (const until = spent() + ms; spent() < until; );
};`;
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(file, text);
  const { spin } = createRequire(import.meta.url)(file) as { readonly spin: (ms: number) => void };
  return spin;
}

test('measures work of the extension between two samples by location, and no work of other code', async () => {
  const [ours, theirs] = [await createSpinner('ours'), await createSpinner('theirs')];
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  const samples: ThreadSample[] = [];
  const takeSample = () => {
    const { user, system } = process.threadCpuUsage();
    samples.push({ at: Number(process.hrtime.bigint() / 1_000n), spent: user + system });
  };
  const turn = () => new Promise(resolve => setImmediate(resolve));
  for (const work of [() => ours(40), () => theirs(200), () => ours(100), () => ours(20)]) {
    takeSample();
    await turn();
    work();
    await turn();
  }
  takeSample();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();

  const own = measureExtensionWork(profile, samples, join(folder, 'ours', '/'));
  expect(own.longest).toBeGreaterThan(66);
  expect(own.longest).toBeLessThan(190);
  expect(own.longestOf[0]?.location).toMatch(/^(spin|spent) spin\.cjs:[12]:\d+$/);
  expect(own.total).toBeGreaterThan(own.longest + 30);
  expect(own.total).toBeLessThan(350);
  expect(measureExtensionWork(profile, samples, join(folder, 'nowhere', '/'))).toMatchObject({
    longest: 0,
    total: 0,
    totalOf: [],
  });
});
