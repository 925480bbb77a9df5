// Which long work keeps which page waiting, and how much of it a page remembers.
import { describe, expect, test } from 'vitest';
import type { Progress } from '../../../src/api/workerProtocol.ts';
import type { InspectorTarget } from '../../../src/protocol/inspectorTarget.ts';
import {
  findTrackedTask,
  isTaskComplete,
  noTrackedTasks,
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
const heard = (...steps: readonly Progress[]) => steps.reduce(updateTrackedTasks, noTrackedTasks);

describe('the work that a page waits for', () => {
  const owners = target('nftOwners', apes.toUpperCase().replace('0X', '0x'));
  test.each<[string, Progress, InspectorTarget, string, boolean]>([
    ['its contract', step(), owners, 'eth', true],
    ['its contract, the chain by its number', step(), owners, '0x1', true],
    ['the whole chain', step({ address: null }), owners, 'eth', true],
    ['the same contract of another chain', step(), owners, 'polygon', false],
    ['another contract', step({ address: '0x00' }), owners, 'eth', false],
    ['the logs of the contract', step({ kind: 'logs' }), owners, 'eth', false],
    ['an index, of which logs are no part', step(), target('contractLogs', apes), 'eth', false],
    ['its logs', step({ kind: 'logs' }), target('contractLogs', apes), 'eth', true],
    ['nothing', step({ address: null }), target('walletBalances', apes), 'eth', false],
    ['nothing', step(), { kind: 'address', chain: 'eth', address: apes }, 'eth', false],
  ])('%s: %o', (_, work, asked, chain, expected) => {
    expect(findTrackedTask(heard(work), asked, chain) !== null).toBe(expected);
  });

  test('is the one under way rather than one that has ended', () => {
    const works = heard(step(), step({ task: 'other', done: 3 }), step({ task: 'other', isRunning: false }));
    expect(findTrackedTask(works, owners, 'eth')?.task).toBe('index eth apes');
  });
});

test('an end is counted, and complete only where nothing is left', () => {
  const works = heard(step(), step({ isRunning: false }), step({ done: 40 }), step({ done: 40, isRunning: false }));
  const [work] = works.values();
  expect(work).toMatchObject({ ends: 2, done: 40 });
  expect([step(), step({ isRunning: false }), step({ done: 40, isRunning: false })].map(isTaskComplete)).toEqual([
    false,
    false,
    true,
  ]);
});

test('what ended long ago is forgotten, what is under way never', () => {
  const many = Array.from({ length: 80 }, (_, at) => step({ task: `task ${at}`, isRunning: at === 0 }));
  const works = heard(...many);
  expect(works.size).toBe(50);
  expect(works.has('task 0')).toBe(true);
});
