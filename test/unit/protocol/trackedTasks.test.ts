// Which task a page waits for, and how many tasks a page tracks.
import { describe, expect, test } from 'vitest';
import type { Progress } from '../../../src/api/workerProtocol.ts';
import type { InspectorTarget } from '../../../src/protocol/inspectorTarget.ts';
import { getOperationView } from '../../../src/protocol/targetView.ts';
import {
  findTrackedTask,
  isTaskComplete,
  noTrackedTasks,
  type TrackedTasks,
  updateTrackedTasks,
} from '../../../src/protocol/trackedTasks.ts';

const apes = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const step = (change: Partial<Progress> = {}): Progress => ({
  task: 'index eth apes',
  kind: 'index',
  chain: 'eth',
  address: apes,
  done: 10,
  total: 40,
  isRunning: true,
  ...change,
});
const target = (operation: string, address: string): InspectorTarget =>
  ({ kind: 'operation', operation, parameters: { address } }) as InspectorTarget;
const track = (...steps: readonly Progress[]) => steps.reduce(updateTrackedTasks, noTrackedTasks);

const findTask = (tasks: TrackedTasks, waiting: InspectorTarget, chain: string) =>
  findTrackedTask(
    tasks,
    waiting.kind === 'operation' ? getOperationView(waiting.operation).taskKind : null,
    waiting,
    chain,
  );

describe('the task that a page waits for', () => {
  const owners = target('nftOwners', apes.toUpperCase().replace('0X', '0x'));
  test.each<[string, Progress, InspectorTarget, string, boolean]>([
    ['indexes its contract', step(), owners, 'eth', true],
    ['indexes its contract on the same chain by its number', step(), owners, '0x1', true],
    ['indexes the whole chain', step({ address: null }), owners, 'eth', true],
    ['is not one of another chain', step(), owners, 'polygon', false],
    ['is not one of another contract', step({ address: '0x00' }), owners, 'eth', false],
    ['is not one that reads logs', step({ kind: 'logs' }), owners, 'eth', false],
    ['is not one that indexes, for logs', step(), target('contractLogs', apes), 'eth', false],
    ['reads its logs', step({ kind: 'logs' }), target('contractLogs', apes), 'eth', true],
    ['does not exist for balances', step({ address: null }), target('walletBalances', apes), 'eth', false],
    ['does not exist for an address', step(), { kind: 'address', chain: 'eth', address: apes }, 'eth', false],
  ])('%s: %o', (_, progress, waiting, chain, expected) => {
    expect(findTask(track(progress), waiting, chain) !== null).toBe(expected);
  });

  test('is a running one rather than one that has ended', () => {
    const tasks = track(step(), step({ task: 'other', done: 3 }), step({ task: 'other', isRunning: false }));
    expect(findTask(tasks, owners, 'eth')?.task).toBe('index eth apes');
  });
});

test('counts ends, and a task is complete only when nothing is left', () => {
  const tasks = track(step(), step({ isRunning: false }), step({ done: 40 }), step({ done: 40, isRunning: false }));
  const [task] = tasks.values();
  expect(task).toMatchObject({ endCount: 2, done: 40 });
  expect([step(), step({ isRunning: false }), step({ done: 40, isRunning: false })].map(isTaskComplete)).toEqual([
    false,
    false,
    true,
  ]);
});

test('forgets tasks that ended long ago, never running ones', () => {
  const many = Array.from({ length: 80 }, (_, at) => step({ task: `task ${at}`, isRunning: at === 0 }));
  const tasks = track(...many);
  expect(tasks.size).toBe(50);
  expect(tasks.has('task 0')).toBe(true);
});
