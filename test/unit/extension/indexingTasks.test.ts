// Long indexing in status bar and notification: when each of them shows, what they say, how it is paused and goes on.
import { expect, test } from 'vitest';
import type { Progress } from '../../../src/api/workerProtocol.ts';
import { createIndexingTasks, NOTIFY_AFTER_MS, type TaskSummary } from '../../../src/extension/status/indexingTasks.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const SUBJECT = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

const step = (done: number, change: Partial<Progress> = {}): Progress => ({
  task: 'index eth',
  kind: 'index',
  chain: 'eth',
  address: null,
  done,
  total: 2_000,
  isRunning: true,
  ...change,
});

function rig() {
  const clock = createFakeClock('manual');
  const said: string[] = [];
  const cancels: (() => void)[] = [];
  let shown: TaskSummary | null = null;
  const works = createIndexingTasks({
    clock,
    show(next) {
      shown = next;
    },
    notify(title, cancel) {
      cancels.push(cancel);
      said.push(title);
      return {
        report: ({ message, increment }) => said.push(`${message} +${increment}`),
        end: () => said.push('end'),
      };
    },
    pause: task => said.push(`pause ${task}`),
    resume: task => said.push(`resume ${task}`),
  });
  /** Time passes, and what waited for it is told. */
  const later = async (ms: number) => {
    clock.advance(ms);
    await new Promise(resolve => setImmediate(resolve));
  };
  return { works, said, cancels, later, shown: () => shown };
}

test('short work is in the status bar only, and leaves it', async () => {
  const { works, said, later, shown } = rig();
  works.update(step(500));
  expect(shown()).toEqual({ text: '$(sync~spin) eth 25%', lines: ['HexLens indexes eth: 500 of 2,000 blocks (25 %)'] });
  await later(NOTIFY_AFTER_MS - 1);
  works.update(step(2_000, { isRunning: false }));
  await later(NOTIFY_AFTER_MS);
  expect(shown()).toBeNull();
  expect(said).toEqual([]);
});

test('long work is a notification with numbers, whose bar is never more than full, and its end ends that', async () => {
  const { works, said, later } = rig();
  works.update(step(500, { address: SUBJECT }));
  await later(NOTIFY_AFTER_MS);
  works.update(step(700, { address: SUBJECT }));
  works.update(step(100, { address: SUBJECT })); // a reorg took blocks back
  works.update(step(2_100, { address: SUBJECT }));
  works.update(step(2_100, { address: SUBJECT, isRunning: false }));
  expect(said).toEqual([
    'HexLens indexes 0x5fbdb2…0aa3 of eth',
    '500 of 2,000 blocks (25 %) +25',
    '700 of 2,000 blocks (35 %) +10',
    '100 of 2,000 blocks (5 %) +0',
    '2,100 of 2,000 blocks (100 %) +65',
    'end',
  ]);
});

test('work without a known end has no percent', async () => {
  const { works, said, later, shown } = rig();
  works.update(step(1_234, { total: null }));
  await later(NOTIFY_AFTER_MS);
  expect(shown()?.text).toBe('$(sync~spin) eth');
  expect(said.at(-1)).toBe('1,234 blocks +0');
});

test('cancelling pauses, and the status bar says so until it goes on', async () => {
  const { works, said, cancels, later, shown } = rig();
  works.update(step(500));
  await later(NOTIFY_AFTER_MS);
  cancels[0]?.();
  cancels[0]?.();
  expect(said.slice(2)).toEqual(['pause index eth', 'end']);
  expect(shown()?.text).toBe('$(debug-pause) eth 25%');
  works.update(step(520)); // the step it was at
  works.update(step(520, { isRunning: false }));
  expect(shown()).toEqual({
    text: '$(debug-pause) eth 26%',
    lines: ['HexLens indexes eth: 520 of 2,000 blocks (26 %), paused'],
  });
  works.resume('index eth');
  expect(said.at(-1)).toBe('resume index eth');
  expect(shown()?.text, 'at once').toBe('$(sync~spin) eth 26%');
  works.update(step(600));
  expect(shown()?.text).toBe('$(sync~spin) eth 30%');
  await later(NOTIFY_AFTER_MS);
  expect(said.slice(-2)).toEqual(['HexLens indexes eth', '600 of 2,000 blocks (30 %) +30']);
  works.update(step(2_000, { isRunning: false }));
  expect(shown()).toBeNull();
});

test('work that somebody asked for again before its step was over is not shown as paused', async () => {
  const { works, shown } = rig();
  works.update(step(500));
  works.pause('index eth');
  works.update(step(520));
  works.update(step(540));
  expect(shown()?.text).toBe('$(sync~spin) eth 27%');
});

test('what is paused at its very end is done', () => {
  const { works, shown } = rig();
  works.update(step(1_990));
  works.pause('index eth');
  works.update(step(2_000, { isRunning: false }));
  expect(shown()).toBeNull();
});

test('several works are one item: those under way first', () => {
  const { works, shown } = rig();
  works.update(step(500));
  works.update(step(10, { task: 'index polygon', chain: 'polygon', total: 100 }));
  expect(shown()?.text).toBe('$(sync~spin) eth 25% +1');
  works.pause('index eth');
  expect(shown()).toEqual({
    text: '$(sync~spin) polygon 10% +1',
    lines: [
      'HexLens indexes polygon: 10 of 100 blocks (10 %)',
      'HexLens indexes eth: 500 of 2,000 blocks (25 %), paused',
    ],
  });
  expect(works.list().map(({ paused }) => paused)).toEqual([true, false]);
});

test('nothing is left of work whose worker is gone', async () => {
  const { works, said, later, shown } = rig();
  works.update(step(500));
  works.update(step(10, { task: 'index polygon', chain: 'polygon' }));
  works.pause('index polygon');
  await later(NOTIFY_AFTER_MS);
  works.clear();
  expect(shown()).toBeNull();
  expect(works.list()).toEqual([]);
  works.resume('index polygon');
  expect(said).toEqual(['pause index polygon', 'HexLens indexes eth', '500 of 2,000 blocks (25 %) +25', 'end']);
});

test('work that fails leaves the status bar', () => {
  const { works, shown } = rig();
  works.update(step(500));
  works.update(step(600, { isRunning: false }));
  expect(shown()).toBeNull();
});
