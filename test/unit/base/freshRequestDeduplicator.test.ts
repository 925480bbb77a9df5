// Callers never get a result of work that started before their call.
import { describe, expect, test } from 'vitest';
import { FreshRequestDeduplicator } from '../../../src/base/requestDeduplicator.ts';

/** Work that ends when the test says so; each run gives its own number. */
function scripted() {
  const runs: { readonly signal: AbortSignal; end(fault?: Error): void }[] = [];
  const work = (signal: AbortSignal) =>
    new Promise<number>((resolve, reject) => {
      const number = runs.length + 1;
      runs.push({ signal, end: fault => (fault === undefined ? resolve(number) : reject(fault)) });
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  return { runs, work };
}
const turn = () => new Promise<void>(resolve => setImmediate(resolve));

describe('FreshRequestDeduplicator', () => {
  test('callers before a run share it, callers during a run share the next one', async () => {
    const { runs, work } = scripted();
    const rounds = new FreshRequestDeduplicator<number>();
    const first = [rounds.join('k', work), rounds.join('k', work)];
    await turn();
    expect(runs).toHaveLength(1);
    const second = [rounds.join('k', work), rounds.join('k', work), rounds.join('k', work)];
    await turn();
    expect(runs).toHaveLength(1); // one at a time
    runs[0]?.end();
    expect(await Promise.all(first)).toEqual([1, 1]);
    await turn();
    const third = rounds.join('k', work);
    runs[1]?.end();
    expect(await Promise.all(second)).toEqual([2, 2, 2]);
    await turn();
    runs[2]?.end();
    expect(await third).toBe(3);
    expect(runs).toHaveLength(3);
  });

  test('callers in the moment in which a run ends share the next one', async () => {
    const { runs, work } = scripted();
    const rounds = new FreshRequestDeduplicator<number>();
    for (let ticks = 0; ticks < 10; ticks++) {
      const before = rounds.join('k', work);
      await turn();
      const run = runs.length;
      runs[run - 1]?.end();
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      const late = rounds.join('k', work);
      await turn();
      runs[run]?.end();
      expect(await Promise.all([before, late])).toEqual([run, run + 1]);
    }
  });

  test('runs other keys independently', async () => {
    const { runs, work } = scripted();
    const rounds = new FreshRequestDeduplicator<number>();
    const [a, b] = [rounds.join('a', work), rounds.join('b', work)];
    await turn();
    expect(runs).toHaveLength(2);
    for (const run of runs) run.end();
    expect(await Promise.all([a, b])).toEqual([1, 2]);
  });

  test('a failed run rejects its own callers only', async () => {
    const { runs, work } = scripted();
    const rounds = new FreshRequestDeduplicator<number>();
    const first = rounds.join('k', work);
    await turn();
    const second = rounds.join('k', work);
    runs[0]?.end(new Error('No.'));
    await expect(first).rejects.toThrow('No.');
    await turn();
    runs[1]?.end();
    expect(await second).toBe(2);
  });

  test('aborts a run when its last caller cancels', async () => {
    const { runs, work } = scripted();
    const rounds = new FreshRequestDeduplicator<number>();
    const [one, two] = [new AbortController(), new AbortController()];
    const calls = [one, two].map(({ signal }) => rounds.join('k', work, signal).catch(() => 'left'));
    await turn();
    one.abort();
    expect(await calls[0]).toBe('left');
    expect(runs[0]?.signal.aborted).toBe(false);
    two.abort();
    expect(await calls[1]).toBe('left');
    expect(runs[0]?.signal.aborted).toBe(true);
    const next = rounds.join('k', work);
    await turn();
    runs[1]?.end();
    expect(await next).toBe(2);
  });

  test('waits for callers of the same moment before a run', async () => {
    const { runs, work } = scripted();
    const rounds = new FreshRequestDeduplicator<number>(turn);
    const early = rounds.join('k', work);
    await Promise.resolve();
    const late = rounds.join('k', work);
    await turn();
    await turn();
    runs[0]?.end();
    expect(await Promise.all([early, late])).toEqual([1, 1]);
  });
});
