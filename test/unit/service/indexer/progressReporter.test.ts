// Progress of indexing as it is reported: nothing of short work, not too often of long work, and always its end.
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
  const said: string[] = [];
  const take = createProgressReporter(
    {
      clock: { now: () => now, sleep: async () => {} },
      report: ({ done, total, isRunning: running }) => said.push(`${done}/${total}${running ? '' : ' end'}`),
    },
    { task: getTaskName('eth', 'contract-0x12'), kind: 'index', chain: 'eth', address: null },
  );
  return {
    said,
    take,
    later(ms: number) {
      now += ms;
    },
  };
}

test('work that is over in a moment is not spoken of, however often it comes', () => {
  const { said, take, later } = rig();
  for (let round = 0; round < 9; round++) {
    take(step(149));
    later(FIRST_REPORT_MS - 1);
    take(step(150));
    take(step(150, false));
    later(FIRST_REPORT_MS);
  }
  expect(said).toEqual([]);
});

test('long work is reported from its own beginning on, not at every step, and its end once', () => {
  const { said, take, later } = rig();
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
  expect(said).toEqual(['10/100', '30/100', '100/100 end']);
});

test('work of one long step is reported when that ends', () => {
  const { said, take, later } = rig();
  take(step(null));
  later(FIRST_REPORT_MS);
  take(step(199, false));
  take(step(199, false));
  expect(said).toEqual(['100/100 end']);
});

test('work that begins again is new work', () => {
  const { said, take, later } = rig();
  take(step(null));
  later(FIRST_REPORT_MS);
  take(step(109));
  take(step(109, false));
  later(60_000);
  take(step(110));
  expect(said).toEqual(['10/100', '10/100 end']);
  later(FIRST_REPORT_MS);
  take(step(120));
  expect(said.at(-1)).toBe('21/100');
});

test('work that ended unfinished is spoken of when it is done, however short the rest was', () => {
  const { said, take, later } = rig();
  take(step(null));
  later(FIRST_REPORT_MS);
  take(step(109, false));
  take(step(110));
  take(step(199, false));
  take(step(199));
  take(step(199, false));
  expect(said).toEqual(['10/100 end', '100/100 end']);
});
