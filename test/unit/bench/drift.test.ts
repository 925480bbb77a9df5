import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeWorseRows, findDrifts, isWorse, parseRecordedRows } from '../../bench/drift.ts';

const PAGE = `
| Command | What | Value | Measured |
|---|---|---|---|
| \`npm run bench sync\` | speed against a loop | 1.11x | 2026-01-02, A |
| \`npm run bench sync\` | size on disk | 1,210 bytes | 2026-01-02, A |
| not a command | speed | 3x | 2026-01-02, A |
`;

const run = (speed: number, size: number) => ({
  title: 'A sync',
  rows: [
    { what: 'speed against a loop', value: speed, unit: 'x', target: { min: 1 } },
    { what: 'size on disk', value: size, unit: 'bytes', target: { max: 1_300 } },
    { what: 'time', value: 12, unit: 'ms' },
  ],
});

test('reads the command, the row and the value of each recorded row', () => {
  expect(parseRecordedRows(PAGE)).toEqual([
    { bench: 'sync', what: 'speed against a loop', value: 1.11 },
    { bench: 'sync', what: 'size on disk', value: 1210 },
  ]);
});

test.each([
  { speed: 1.11, size: 1210, worse: [] },
  { speed: 2.22, size: 605, worse: [] },
  { speed: 1.02, size: 1320, worse: [] },
  { speed: 1.0, size: 1210, worse: ['speed against a loop'] },
  { speed: 1.11, size: 1340, worse: ['size on disk'] },
  { speed: Number.NaN, size: 1210, worse: ['speed against a loop'] },
])('of a speed of $speed and a size of $size, $worse is more than a tenth worse', ({ speed, size, worse }) => {
  const drifts = findDrifts(parseRecordedRows(PAGE), run(speed, size));
  expect(drifts.filter(isWorse).map(({ what }) => what)).toEqual(worse);
});

test('names the rows whose median of the runs is worse, with both values', () => {
  const describeRuns = (...speeds: readonly number[]) =>
    describeWorseRows(speeds.map(speed => findDrifts(parseRecordedRows(PAGE), run(speed, 1210))));
  expect(describeRuns(0.9, 0.8, 1.1)).toEqual(['npm run bench sync: speed against a loop: 0.90 x instead of 1.11 x']);
  expect(describeRuns(0.8, 1.1, 1.2)).toEqual([]);
});

test('rejects a recorded row that the benchmark does not have, or that has no target', () => {
  const getRows = (what: string) => [{ bench: 'sync', what, value: 1 }];
  expect(() => findDrifts(getRows('size in memory'), run(1, 1))).toThrow('"size in memory" of docs/performance.md');
  expect(() => findDrifts(getRows('time'), run(1, 1))).toThrow('"time" of docs/performance.md');
});

test('the page has recorded rows, all with a value', () => {
  const rows = parseRecordedRows(readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8'));
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ value }) => !(value > 0))).toEqual([]);
});
