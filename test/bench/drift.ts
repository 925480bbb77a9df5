// What docs/performance.md records of benchmarks, and how much worse than that a run is.
import { type BenchResult, type BenchRow, median } from './benchResult.ts';

export interface RecordedRow {
  readonly bench: string;
  readonly what: string;
  readonly value: number;
}

export interface Drift extends RecordedRow {
  readonly now: number;
  readonly unit: string;
  /** 0.1: a tenth worse; negative: better. */
  readonly drift: number;
}

/** Beyond this a run is worse than recorded. */
const MAX_DRIFT = 0.1;

/** From rows of tables: command, what it measures, value with unit, when and where. */
export const parseRecordedRows = (page: string): readonly RecordedRow[] =>
  [...page.matchAll(/^\| `npm run bench (\w+)` \| (.+?) \| ([\d.,]+) ?[^|]*\|/gm)].map(
    ([, bench = '', what = '', value = '']) => ({ bench, what, value: Number(value.replaceAll(',', '')) }),
  );

/** The target of a row says which direction is worse. Throws for recorded rows that the run does not have just once with a target. */
export function findDrifts(recorded: readonly RecordedRow[], { rows }: BenchResult): readonly Drift[] {
  return recorded.map(row => {
    const [found, ...others] = rows.filter(({ what }) => what === row.what);
    if (found?.target === undefined || others.length > 0)
      throw new Error(`"${row.what}" of docs/performance.md is not one row of ${row.bench} with a target.`);
    return { ...row, now: found.value, unit: found.unit, drift: getDrift(found, row.value) };
  });
}

const getDrift = ({ value, target }: BenchRow, before: number): number =>
  target?.min === undefined ? value / before - 1 : before / value - 1;

/** Also what was not measured, whose value is no number. */
export const isWorse = ({ drift }: Pick<Drift, 'drift'>): boolean => !(drift <= MAX_DRIFT);

/** A line for each row whose median over the runs is worse than recorded, with both values. */
export function describeWorseRows(runs: readonly (readonly Drift[])[]): readonly string[] {
  const [first = []] = runs;
  return first.flatMap(({ bench, what, value, unit }, index) => {
    const ofRow = runs.flatMap(run => run[index] ?? []);
    const [drift, now] = [median(ofRow.map(row => row.drift)), median(ofRow.map(row => row.now))];
    if (!isWorse({ drift })) return [];
    return [`npm run bench ${bench}: ${what}: ${now.toFixed(2)} ${unit} instead of ${value} ${unit}`];
  });
}
