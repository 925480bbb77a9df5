// Long tasks: reports of their progress, none for short tasks, and always their end; pausing them by name.
import { expect, test } from 'vitest';
import { toProgressStep } from '../../../src/service/indexer/chainIndex.ts';
import { createTaskRegistry, FIRST_REPORT_MS, REPORT_INTERVAL_MS } from '../../../src/service/taskRegistry.ts';

const step = (indexed: number | null, isRunning = true, isPaused = false) =>
  toProgressStep({ fromBlock: 100, isRunning, isPaused, indexedBlock: indexed, nodeHead: 199, fault: null });

function rig() {
  let now = 1_000;
  const reports: string[] = [];
  const registry = createTaskRegistry({
    clock: { now: () => now, sleep: async () => {} },
    report: ({ done, total, isRunning, isPaused }) =>
      reports.push(`${done}/${total}${isPaused ? ' paused' : ''}${isRunning ? '' : ' end'}`),
  });
  const info = { task: 'index eth', kind: 'index', chain: 'eth', address: null } as const;
  return {
    reports,
    registry,
    info,
    take: registry.add(info).report,
    later(ms: number) {
      now += ms;
    },
  };
}

test('a task that ends in a moment is not reported, however often it runs', () => {
  const { reports, take, later } = rig();
  for (let round = 0; round < 9; round++) {
    take(step(149));
    later(FIRST_REPORT_MS - 1);
    take(step(150));
    take(step(150, false));
    later(FIRST_REPORT_MS);
  }
  expect(reports).toEqual([]);
});

test('a long task is reported at intervals, and its end once', () => {
  const { reports, take, later } = rig();
  take(step(null));
  later(FIRST_REPORT_MS);
  take(step(109));
  later(REPORT_INTERVAL_MS - 1);
  take(step(119));
  later(1);
  take(step(129));
  take(step(139));
  take(step(199, false));
  take(step(199, false));
  expect(reports).toEqual(['10/100', '30/100', '100/100 end']);
});

test('a pause and its end are reported at once', () => {
  const { reports, take, later } = rig();
  take(step(null));
  later(FIRST_REPORT_MS);
  take(step(109));
  take(step(109, true, true));
  take(step(119, true, true));
  take(step(119));
  take(step(129));
  expect(reports).toEqual(['10/100', '10/100 paused', '20/100']);
});

test('a task of one long step is reported when it ends', () => {
  const { reports, take, later } = rig();
  take(step(null));
  later(FIRST_REPORT_MS);
  take(step(199, false));
  take(step(199, false));
  expect(reports).toEqual(['100/100 end']);
});

test('a task that starts again is a new task', () => {
  const { reports, take, later } = rig();
  take(step(null));
  later(FIRST_REPORT_MS);
  take(step(109));
  take(step(109, false));
  later(60_000);
  take(step(110));
  expect(reports).toEqual(['10/100', '10/100 end']);
  later(FIRST_REPORT_MS);
  take(step(120));
  expect(reports.at(-1)).toBe('21/100');
});

test('a task that ended unfinished is reported when it is done, however short the rest was', () => {
  const { reports, take, later } = rig();
  take(step(null));
  later(FIRST_REPORT_MS);
  take(step(109, false));
  take(step(110));
  take(step(199, false));
  take(step(199));
  take(step(199, false));
  expect(reports).toEqual(['10/100 end', '100/100 end']);
});

test('pauses and resumes the task with the name, and no other', () => {
  const { registry, info } = rig();
  const calls: string[] = [];
  for (const task of ['index eth', 'index polygon'])
    registry.add(
      { ...info, task },
      { pause: () => calls.push(`pause ${task}`), resume: () => calls.push(`resume ${task}`) },
    );
  registry.pause('index polygon');
  registry.resume('index polygon');
  registry.pause('index gnosis');
  expect(calls).toEqual(['pause index polygon', 'resume index polygon']);
});

test('a task that was replaced and then removed leaves the one in its place pausable', () => {
  const { registry, info } = rig();
  const calls: string[] = [];
  const first = registry.add(info, { pause: () => calls.push('first'), resume() {} });
  const second = registry.add(info, { pause: () => calls.push('second'), resume() {} });
  first.remove();
  registry.pause(info.task);
  second.remove();
  registry.pause(info.task);
  expect(calls).toEqual(['second']);
});

test('resuming a task that is gone reports its end, so that nothing shows it as paused', () => {
  const { registry, reports } = rig();
  registry.resume('index polygon');
  expect(reports).toEqual(['0/0 end']);
});
