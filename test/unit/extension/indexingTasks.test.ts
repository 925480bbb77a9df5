// Indexing tasks in the status bar and in notifications, and how they are paused and resumed.
import { expect, test } from 'vitest';
import type { Progress } from '../../../src/api/workerProtocol.ts';
import { IndexingTasks, NOTIFY_AFTER_MS, type TaskSummary } from '../../../src/extension/status/indexingTasks.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const ADDRESS = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

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

function createFixture() {
  const clock = createFakeClock('manual');
  const messages: string[] = [];
  const cancels: (() => void)[] = [];
  let shown: TaskSummary | null = null;
  const tasks = new IndexingTasks({
    clock,
    show(next) {
      shown = next;
    },
    notify(title, cancel) {
      cancels.push(cancel);
      messages.push(title);
      return {
        report: ({ message, increment }) => messages.push(`${message} +${increment}`),
        end: () => messages.push('end'),
      };
    },
    pause: task => messages.push(`pause ${task}`),
    resume: task => messages.push(`resume ${task}`),
  });
  /** Advances the clock and lets the timers' callbacks run. */
  const advance = async (ms: number) => {
    clock.advance(ms);
    await new Promise(resolve => setImmediate(resolve));
  };
  return { tasks, messages, cancels, advance, shown: () => shown };
}

test('shows a short task only in the status bar, until it ends', async () => {
  const { tasks, messages, advance, shown } = createFixture();
  tasks.update(step(500));
  expect(shown()).toEqual({ text: '$(sync~spin) eth 25%', lines: ['Indexing eth: 500 of 2,000 blocks (25%)'] });
  await advance(NOTIFY_AFTER_MS - 1);
  tasks.update(step(2_000, { isRunning: false }));
  await advance(NOTIFY_AFTER_MS);
  expect(shown()).toBeNull();
  expect(messages).toEqual([]);
});

test('shows the progress of a long task as a notification that never exceeds 100 percent', async () => {
  const { tasks, messages, advance } = createFixture();
  tasks.update(step(500, { address: ADDRESS }));
  await advance(NOTIFY_AFTER_MS);
  tasks.update(step(700, { address: ADDRESS }));
  tasks.update(step(100, { address: ADDRESS })); // a reorg took blocks back
  tasks.update(step(2_100, { address: ADDRESS }));
  tasks.update(step(2_100, { address: ADDRESS, isRunning: false }));
  expect(messages).toEqual([
    'Indexing 0x5FbD…0aa3 on eth',
    '500 of 2,000 blocks (25%) +25',
    '700 of 2,000 blocks (35%) +10',
    '100 of 2,000 blocks (5%) +0',
    '2,100 of 2,000 blocks (100%) +65',
    'end',
  ]);
});

test('shows no percentage for a task without a total', async () => {
  const { tasks, messages, advance, shown } = createFixture();
  tasks.update(step(1_234, { total: null }));
  await advance(NOTIFY_AFTER_MS);
  expect(shown()?.text).toBe('$(sync~spin) eth');
  expect(messages.at(-1)).toBe('1,234 blocks +0');
});

test('pauses a task when its notification is cancelled, until it is resumed', async () => {
  const { tasks, messages, cancels, advance, shown } = createFixture();
  tasks.update(step(500));
  await advance(NOTIFY_AFTER_MS);
  cancels[0]?.();
  cancels[0]?.();
  expect(messages.slice(2)).toEqual(['pause index eth', 'end']);
  expect(shown()?.text).toBe('$(debug-pause) eth 25%');
  tasks.update(step(510)); // sent before the service knew of the pause
  tasks.update(step(515));
  tasks.update(step(515, { isPaused: true }));
  tasks.update(step(520, { isPaused: true }));
  tasks.update(step(520, { isPaused: true, isRunning: false }));
  expect(shown()).toEqual({
    text: '$(debug-pause) eth 26%',
    lines: ['Indexing eth: 520 of 2,000 blocks (26%), paused'],
  });
  tasks.resume('index eth');
  expect(messages.at(-1)).toBe('resume index eth');
  expect(shown()?.text, 'at once').toBe('$(sync~spin) eth 26%');
  tasks.update(step(600));
  expect(shown()?.text).toBe('$(sync~spin) eth 30%');
  await advance(NOTIFY_AFTER_MS);
  expect(messages.slice(-2)).toEqual(['Indexing eth', '600 of 2,000 blocks (30%) +30']);
  tasks.update(step(2_000, { isRunning: false }));
  expect(shown()).toBeNull();
});

test('shows a paused task as running when another request has resumed it', async () => {
  const { tasks, shown } = createFixture();
  tasks.update(step(500));
  tasks.pause('index eth');
  tasks.update(step(520, { isPaused: true }));
  tasks.update(step(540));
  expect(shown()?.text).toBe('$(sync~spin) eth 27%');
});

test('removes a task that ends while it is paused', () => {
  const { tasks, shown } = createFixture();
  tasks.update(step(1_990));
  tasks.pause('index eth');
  tasks.update(step(2_000, { isRunning: false }));
  expect(shown()).toBeNull();
});

test('shows several tasks as one item, running ones first', () => {
  const { tasks, shown } = createFixture();
  tasks.update(step(500));
  tasks.update(step(10, { task: 'index polygon', chain: 'polygon', total: 100 }));
  expect(shown()?.text).toBe('$(sync~spin) eth 25% +1');
  tasks.pause('index eth');
  expect(shown()).toEqual({
    text: '$(sync~spin) polygon 10% +1',
    lines: ['Indexing polygon: 10 of 100 blocks (10%)', 'Indexing eth: 500 of 2,000 blocks (25%), paused'],
  });
  expect(tasks.list().map(({ isPaused }) => isPaused)).toEqual([true, false]);
});

test('removes all tasks when the worker has exited', async () => {
  const { tasks, messages, advance, shown } = createFixture();
  tasks.update(step(500));
  tasks.update(step(10, { task: 'index polygon', chain: 'polygon' }));
  tasks.pause('index polygon');
  await advance(NOTIFY_AFTER_MS);
  tasks.clear();
  expect(shown()).toBeNull();
  expect(tasks.list()).toEqual([]);
  tasks.resume('index polygon');
  expect(messages).toEqual(['pause index polygon', 'Indexing eth', '500 of 2,000 blocks (25%) +25', 'end']);
});

test('removes a failed task from the status bar', () => {
  const { tasks, shown } = createFixture();
  tasks.update(step(500));
  tasks.update(step(600, { isRunning: false }));
  expect(shown()).toBeNull();
});
