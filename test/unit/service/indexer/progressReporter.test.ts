// Reports of indexing progress: none for short tasks, not too many for long ones, and always their end.
import { expect, test } from 'vitest';
import {
  createProgressReporter,
  FIRST_REPORT_MS,
  getTaskName,
  REPORT_INTERVAL_MS,
  toProgressStep,
} from '../../../../src/service/indexer/progressReporter.ts';

const step = (indexed: number | null, running = true) =>
  toProgressStep({ fromBlock: 100, isRunning: running, indexedBlock: indexed, nodeHead: 199, fault: null });

function rig() {
  let now = 1_000;
  const reports: string[] = [];
  const take = createProgressReporter(
    {
      clock: { now: () => now, sleep: async () => {} },
      report: ({ done, total, isRunning }) => reports.push(`${done}/${total}${isRunning ? '' : ' end'}`),
    },
    { task: getTaskName('eth', 'contract-0x12'), kind: 'index', chain: 'eth', address: null },
  );
  return {
    reports,
    take,
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
