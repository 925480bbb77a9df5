// Proves that a profile's work is told as ours, at its place and at its length, and others' work is not.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { measureExtensionWork, type ThreadSample } from '../../editor/suite/extensionWork.ts';

const folder = await mkdtemp(join(tmpdir(), 'hexlens-own-work-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A function that works for so many milliseconds of its thread's own time, in a file of its own. */
async function worker(name: string): Promise<(ms: number) => void> {
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

test('work of our bundles between two looks is ours, by its place; work of others is not', async () => {
  const [ours, theirs] = [await worker('ours'), await worker('theirs')];
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  const looks: ThreadSample[] = [];
  const look = () => {
    const { user, system } = process.threadCpuUsage();
    looks.push({ at: Number(process.hrtime.bigint() / 1_000n), spent: user + system });
  };
  const turn = () => new Promise(resolve => setImmediate(resolve));
  for (const work of [() => ours(10), () => theirs(60), () => ours(30), () => ours(5)]) {
    look();
    await turn();
    work();
    await turn();
  }
  look();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();

  const own = measureExtensionWork(profile, looks, join(folder, 'ours', '/'));
  expect(own.longest).toBeGreaterThan(20);
  expect(own.longest).toBeLessThan(55);
  expect(own.longestOf[0]?.location).toMatch(/^(spin|spent) spin\.cjs:[12]:\d+$/);
  expect(own.total).toBeGreaterThan(own.longest + 8);
  expect(own.total).toBeLessThan(100);
  expect(measureExtensionWork(profile, looks, join(folder, 'nowhere', '/'))).toMatchObject({
    longest: 0,
    total: 0,
    totalOf: [],
  });
});
